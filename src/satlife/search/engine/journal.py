"""A listing's journal: a file with what has been found, so that the listing can go on later.

It holds the problem, so that it is not continued with another one, and the generations of each
solution.  It is written anew after each find, beside the old file first: a stop can come at any
time.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from satlife.errors import FormatError, UsageError
from satlife.search.problem import Problem
from satlife.search.problem.drawing import History, draw, read_history
from satlife.search.problem.outcome import Finding


class Journal:
    """The solutions of a problem that have been found so far, in a file."""

    def __init__(self, path: Path | str, problem: Problem) -> None:
        self.path = Path(path)
        self.found: tuple[History, ...] = ()
        """The solutions that were in the file."""
        self._record: dict[str, Any] = {
            "problem": json.loads(problem.to_json()),
            "found": [],
            "complete": False,
        }
        if self.path.exists():
            self._read(problem)

    def _read(self, problem: Problem) -> None:
        text = self.path.read_text(encoding="utf-8-sig", errors="replace")
        try:
            record = json.loads(text)
            before = Problem.from_json(json.dumps(record["problem"]))
            record["found"] = [*record["found"]]
            drawings = msgspec.convert(
                [each["generations"] for each in record["found"]], list[tuple[tuple[str, ...], ...]]
            )
        except (KeyError, TypeError, ValueError, RecursionError):
            raise FormatError(f"{self.path} is not the journal of a listing") from None
        if before.name != problem.name:
            raise UsageError(f"{self.path} belongs to another problem; give another file")
        self.found = tuple(read_history(problem, each) for each in drawings)
        self._record = record

    def add(self, finding: Finding) -> None:
        """Write a finding down."""
        self._record["found"].append(
            {"rle": finding.pattern.to_rle(), "generations": draw(finding)}
        )
        self._write()

    def close(self, complete: bool) -> None:
        """Write down whether there is nothing more to find."""
        self._record["complete"] = complete
        self._write()

    def _write(self) -> None:
        beside = self.path.with_name(f"{self.path.name}.new")
        beside.write_text(json.dumps(self._record, indent=1), encoding="utf-8")
        beside.replace(self.path)
