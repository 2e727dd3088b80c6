"""All solutions from the command line: streaming, rejecting, counting, going on later."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from satlife.cli import ending
from satlife.cli.files import read_text
from satlife.cli.progress import reporting
from satlife.cli.report import Output, as_record, as_rle, identity_words
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from satlife.life import Pattern
    from satlife.search import Finding, Listed, Problem
    from satlife.search.formula.classes import History

WORDS = {
    "copies": "more by shift, mirror, turn or phase",
    "composites": "made of independent parts",
    "rejected": "with a rejected object",
}
"""Why a solution is left out."""


def run_enumeration(
    problem: Problem, how: dict[str, Any], which: dict[str, Any], output: Output
) -> NoReturn:
    """Find all, or so many; print each as it comes, and at the end what was left out."""
    from satlife.search import Found, Wanted, start

    journal = Journal(which["journal"], problem)
    wanted = Wanted(
        raw=which["raw"],
        reject=tuple(p for word in which["reject"] for p in read_rejected(word)),
        only_connected=which["only_connected"],
        already_found=journal.found,
    )
    single = not (which["everything"] or which["only_count"] or which["journal"] or which["raw"])
    limit = which["limit"] or (1 if single else None)
    with (
        reporting(output.quiet or output.as_json, how["timeout"]) as report,
        start(problem, wanted=wanted, limit=limit, **how) as search,
    ):
        for event in search:
            report.event(event)
            if isinstance(event, Found):
                journal.add(event.finding)
                if not which["only_count"]:
                    print_finding(event.finding, output)
        listed = cast("Listed", search.result())
    journal.close(listed.complete)
    _finish(listed, which, output, before=len(journal.found))


def print_finding(finding: Finding, output: Output) -> None:
    """Print one of several findings."""
    from satlife.search import Found

    if output.as_json:
        output.write_json(as_record(Found(finding)))
    else:
        output.write(as_rle(finding))
        output.say(f"found: {identity_words(finding)}")


def _finish(listed: Listed, which: dict[str, Any], output: Output, before: int) -> NoReturn:
    state = "all" if listed.complete else listed.reason
    if not (listed.complete or listed.reached_limit):
        state = f"unfinished: {state}"
    if output.as_json:
        output.write_json(
            {"answer": "report", "found": listed.found, "complete": listed.complete,
             "state": state, "skipped": listed.skipped}
        )  # fmt: skip
    elif which["only_count"]:
        output.write(f"{listed.found}\n")
    left_out = "; ".join(f"{number} {WORDS[name]}" for name, number in listed.skipped.items())
    state += f"; {before} before" if before else ""
    output.say(f"{listed.found} found ({state}){f'; left out: {left_out}' if left_out else ''}")
    if listed.complete:
        sys.exit(ending.FOUND if listed.found or before else ending.IMPOSSIBLE)
    sys.exit(ending.FOUND if listed.reached_limit else ending.UNDECIDED)


def read_rejected(word: str) -> list[Pattern]:
    """Read what to reject: the catalogue, a file of patterns, or an apgcode."""
    from satlife.life import Pattern, from_apgcode, read_pattern

    if word == "known":
        from satlife.life.catalogue import catalogue

        return [entry.pattern for entry in catalogue()]
    if Path(word).exists():
        pattern = read_pattern(read_text(word))
        if not isinstance(pattern, Pattern):
            raise UsageError(f"--reject {word}: {pattern.describe_unknown()}")
        return [pattern]
    if "_" in word and word.startswith("x"):
        return [from_apgcode(word)]
    raise UsageError(f"--reject is known, a pattern file or an apgcode; {word!r} is none of these")


class Journal:
    """The file of ``--continue``: the problem, and what has been found so far."""

    def __init__(self, name: str | None, problem: Problem) -> None:
        self.path = Path(name) if name else None
        self.found: tuple[History, ...] = ()
        self.record: dict[str, Any] = {
            "problem": json.loads(problem.to_json()), "found": [], "complete": False,
        }  # fmt: skip
        if self.path and self.path.exists():
            self._read(problem)

    def _read(self, problem: Problem) -> None:
        import msgspec

        from satlife.search import Problem as Read
        from satlife.search.problem.drawing import read_history

        text = read_text(str(self.path))
        try:
            record = json.loads(text)
            before = Read.from_json(json.dumps(record["problem"]))
            record["found"] = [*record["found"]]
            drawings = msgspec.convert(
                [each["generations"] for each in record["found"]], list[tuple[tuple[str, ...], ...]]
            )
        except (KeyError, TypeError, ValueError, RecursionError):
            raise FormatError(f"{self.path} was not written by --continue") from None
        if before.name != problem.name:
            raise UsageError(f"{self.path} belongs to another problem; give another file")
        self.found = tuple(read_history(problem, each) for each in drawings)
        self.record = record

    def add(self, finding: Finding) -> None:
        """Keep a finding at once: a stop can come at any time."""
        from satlife.search.problem.drawing import draw

        self.record["found"].append({"rle": finding.pattern.to_rle(), "generations": draw(finding)})
        self._write()

    def close(self, complete: bool) -> None:
        """Keep whether there is nothing more to find."""
        self.record["complete"] = complete
        self._write()

    def _write(self) -> None:
        if self.path is None:
            return
        beside = self.path.with_name(f"{self.path.name}.new")
        beside.write_text(json.dumps(self.record, indent=1))
        beside.replace(self.path)
