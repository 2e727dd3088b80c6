"""A listing's journal: a file with the solutions found so far, so that the listing can resume.

It holds the problem, so that no other problem is continued with it, and the generations of each
solution.  It is rewritten atomically after each find, since a stop can come at any time.  A
checksum shows that it was not edited, for the count of a resumed listing rests on it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from satlife.errors import FormatError, UsageError
from satlife.plain import read_named
from satlife.problem import Problem
from satlife.problem.outcome import Finding, History, draw, read_history
from satlife.verifier.verify import complaints


class Journal:
    """The file of the solutions of a problem found so far."""

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
        text = read_named(self.path).decode("utf-8-sig", "replace")
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
        if record.pop("sha256", None) != _sum(record):
            raise FormatError(f"{self.path} was changed since it was written; give another file")
        try:
            self.found = tuple(read_history(problem, each) for each in drawings)
        except FormatError as error:
            raise FormatError(f"{self.path}: {error}") from None
        for number, history in enumerate(self.found, 1):
            for words in complaints(problem, history):
                raise FormatError(f"{self.path}: number {number} is not a solution: {words}")
        self._record = record

    def add(self, finding: Finding) -> None:
        """Add a finding to the file."""
        self._record["found"].append(
            {"rle": finding.pattern.to_rle(), "generations": draw(finding)}
        )
        self._write()

    def close(self, complete: bool) -> None:
        """Record whether the listing is complete."""
        self._record["complete"] = complete
        self._write()

    def _write(self) -> None:
        beside = self.path.with_name(f"{self.path.name}.new")
        sealed = {**self._record, "sha256": _sum(self._record)}
        beside.write_text(json.dumps(sealed, indent=1), encoding="utf-8")
        beside.replace(self.path)


def _sum(record: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
