"""All solutions, the best one, and the smallest box, on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn, cast

from satlife.cli import endings
from satlife.cli.endings import Stopping, stopping
from satlife.cli.own import open_source, read_own_words
from satlife.cli.search.asked import Asked, Which, sat_keywords
from satlife.cli.search.progress import listen, reporting, watch
from satlife.cli.search.report import Output, exit_code, print_outcome, print_rle
from satlife.engine import Journal, Search, Wanted, start
from satlife.engine.engine import Event, Improved
from satlife.engine.goals import Best, Goal, name_goals
from satlife.engine.grow import grow
from satlife.engine.wanted import read_rejected
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.problem.outcome import Finding, Found, Impossible, Listed, Undecided
from satlife.records import describe_finding, describe_tried, make_best_record, make_record

WORDS = {
    "copies": "more by shift, mirror, turn or phase",
    "composites": "made of independent parts",
    "rejected": "with a rejected object",
}
"""Reasons to leave out a solution."""


def run_listing(problem: Problem, asked: Asked) -> NoReturn:
    """Find all solutions, or at most ``--limit``; print each, and at the end what was left out."""
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
    before = len(journal.found) if journal else 0

    def hear(event: Event) -> None:
        report.event(event)
        if isinstance(event, Found) and not which.only_count:
            print_finding(event.finding, output)

    with stopping() as signals:
        with (
            reporting(asked.output.silent, asked.deadline) as report,
            start(problem, wanted=wanted, limit=limit, journal=journal, **asked.how) as search,
        ):
            listen(search, hear, signals)
            listed = cast("Listed", search.result())
        tell_end(listed, which, output, before)
    if listed.complete:
        sys.exit(endings.FOUND if listed.found or before else endings.IMPOSSIBLE)
    sys.exit(endings.FOUND if listed.reached_limit else endings.UNDECIDED)


def print_finding(finding: Finding, output: Output) -> None:
    """Print one of several findings."""
    output.keep(finding)
    if output.as_json:
        output.write_json(make_record(Found(finding)))
    print_rle(finding, output)
    if not output.is_seen:  # else the pattern itself, with its name above, is on the screen
        output.say(f"found: {describe_finding(finding)}")


def tell_end(listed: Listed, which: Which, output: Output, before: int = 0) -> None:
    """Print the number of solutions, or the number so far and why the search ended."""
    found = before + listed.found
    state = listed.reason if listed.reached_limit else listed.word
    if state == "unfinished":
        state = f"unfinished: {listed.reason}"
    if output.as_json:
        output.write_json(
            {"answer": "report", "found": found, **({"before": before} if before else {}),
             "complete": listed.complete, "state": state, "skipped": listed.skipped}
        )  # fmt: skip
    elif which.only_count:
        output.write(f"{found}\n")
    left_out = "; ".join(f"{number} {WORDS[name]}" for name, number in listed.skipped.items())
    state += f"; {before} of them before" if before else ""
    so_far = " so far" if listed.word == "unfinished" and not listed.reached_limit else ""
    words = f"{found} found{so_far} ({state})"
    tried = describe_tried(listed.provenance) if so_far else ""
    output.say(f"{words}{f'; left out: {left_out}' if left_out else ''}{tried}")


# The best solution and the smallest box, from the command line.


def run_best(problem: Problem, asked: Asked) -> NoReturn:
    """Find the best solution, print it, and exit; the code says whether it is proved."""
    with stopping() as signals:
        best = find_best(problem, asked, read_goals(problem, asked.which), signals)
        if not isinstance(best, Best):
            print_outcome(best, asked.output)
            sys.exit(exit_code(best))
        print_best(best, asked.output)
    sys.exit(endings.FOUND if best.proved else endings.UNDECIDED)


def read_goals(problem: Problem, which: Which) -> list[Goal]:
    """Read ``--minimize`` and ``--maximize``."""

    def split(text: str | None) -> list[str]:
        return [name.strip() for name in (text or "").split(",") if name.strip()]

    return name_goals(problem, split(which.minimize), split(which.maximize))


def find_best(
    problem: Problem, asked: Asked, goals: list[Goal], signals: Stopping
) -> Best | Impossible | Undecided:
    """Find the best solution, report each better one; after a signal it is the best so far."""

    def hear(event: Event) -> None:
        report.event(event)
        if isinstance(event, Improved):
            values = zip(goals, event.best.values, strict=True)
            words = ", ".join(f"{goal.measure.name} {value}" for goal, value in values)
            asked.output.say(f"so far: {words}")

    with (
        reporting(asked.output.silent, asked.deadline) as report,
        start(problem, goals=goals, **asked.how) as search,
    ):
        listen(search, hear, signals)
        return cast("Best | Impossible | Undecided", search.result())


def print_best(best: Best, output: Output) -> None:
    """Print the best solution, and whether it is proved."""
    output.keep(best.finding)
    if output.as_json:
        output.write_json(make_best_record(best))
    print_rle(best.finding, output)
    tried = describe_tried(best.provenance)
    output.say(f"best: {best}: {describe_finding(best.finding)}{tried}")


def run_growth(
    problem: Problem, make: Callable[..., Problem], growing: str, asked: Asked
) -> NoReturn:
    """Grow the box, report the sizes without a solution, and print the first solution."""
    if len(problem.boxes) > 1 or problem.motion is None:
        raise UsageError("--grow starts from one box for all phases")
    start = problem.boxes[0]
    outcome, size = None, start
    keywords = sat_keywords(asked.how, "--grow")
    with stopping() as signals:

        def begin(search: Search) -> None:
            watch(search, signals)

        for step in grow(lambda box: make(box=box), start, growing, begin, **keywords):
            outcome, size = step.outcome, step.box
            if isinstance(outcome, Impossible):
                asked.output.say(f"impossible in {step.box}")
                if asked.output.as_json:
                    asked.output.write_json(make_record(outcome))
        if outcome is None:
            raise AssertionError("growing tries at least one box")
        print_outcome(outcome, asked.output)
        asked.output.say(f"the box was {size}")
    sys.exit(exit_code(outcome))
