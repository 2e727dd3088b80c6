"""All solutions, on the command line: print each as it is found, and how the listing ended."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn, cast

from satlife.cli import ending
from satlife.cli.own import open_source, read_own_words
from satlife.cli.search.asked import Asked, Which
from satlife.cli.search.progress import reporting
from satlife.cli.search.report import Output, print_rle

if TYPE_CHECKING:
    from satlife.search import Finding, Listed, Problem

WORDS = {
    "copies": "more by shift, mirror, turn or phase",
    "composites": "made of independent parts",
    "rejected": "with a rejected object",
}
"""Why a solution is left out."""


def run_listing(problem: Problem, asked: Asked) -> NoReturn:
    """Find all solutions, or at most ``--limit``; print each, and at the end what was left out."""
    from satlife.search import Found, Journal, Wanted, start
    from satlife.search.engine.wanting import read_rejected

    which, output = asked.which, asked.output
    rejected = read_own_words(which.reject) if which.reject else []
    journal = Journal(which.journal, problem) if which.journal else None
    wanted = Wanted(
        raw=which.raw,
        same=which.same or "object",
        reject=read_rejected(rejected, open_source),
        only_connected=which.only_connected,
    )
    single = not (which.everything or which.only_count or which.journal or which.raw)
    limit = which.limit or (1 if single else None)
    with (
        reporting(asked.output.silent, asked.how["timeout"]) as report,
        start(problem, wanted=wanted, limit=limit, journal=journal, **asked.how) as search,
    ):
        before = len(journal.found) if journal else 0
        try:
            for event in search:
                report.event(event)
                if isinstance(event, Found) and not which.only_count:
                    print_finding(event.finding, output)
            listed = cast("Listed", search.result())
        except KeyboardInterrupt:
            search.close()
            if search.is_over:
                _tell_end(cast("Listed", search.result()), which, output, before, "interrupted")
            raise
    _tell_end(listed, which, output, before)
    if listed.complete:
        sys.exit(ending.FOUND if listed.found or before else ending.IMPOSSIBLE)
    sys.exit(ending.FOUND if listed.reached_limit else ending.UNDECIDED)


def print_finding(finding: Finding, output: Output) -> None:
    """Print one of several findings."""
    from satlife.search import Found
    from satlife.search.records import describe_finding, make_record

    if output.as_json:
        output.write_json(make_record(Found(finding)))
    print_rle(finding, output)
    if not output.is_seen:  # else the pattern itself, with its name above, is on the screen
        output.say(f"found: {describe_finding(finding)}")


def _tell_end(listed: Listed, which: Which, output: Output, before: int, why: str = "") -> None:
    """Print how many there are, or how many there are so far and why the search ended."""
    state = listed.reason if listed.reached_limit else listed.word
    if state == "unfinished":
        state = f"unfinished: {why or listed.reason}"
    if output.as_json:
        output.write_json(
            {"answer": "report", "found": listed.found, "complete": listed.complete,
             "state": state, "skipped": listed.skipped}
        )  # fmt: skip
    elif which.only_count:
        output.write(f"{listed.found}\n")
    left_out = "; ".join(f"{number} {WORDS[name]}" for name, number in listed.skipped.items())
    state += f"; {before} before" if before else ""
    so_far = " so far" if listed.word == "unfinished" and not listed.reached_limit else ""
    words = f"{listed.found} found{so_far} ({state})"
    output.say(f"{words}{f'; left out: {left_out}' if left_out else ''}")
