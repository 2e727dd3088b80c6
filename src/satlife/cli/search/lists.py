"""All solutions, the best one, and the smallest box, on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn, cast

from satlife.cli import endings
from satlife.cli.endings import Stopping, say, stopping
from satlife.cli.own import list_own_codes, open_source, read_own_words
from satlife.cli.search.asked import Asked, Which, sat_keywords
from satlife.cli.search.progress import listen
from satlife.cli.search.report import Output, exit_code, print_outcome, print_rle
from satlife.engine import Journal, Search, Wanted, start
from satlife.engine.engine import Event, Improved
from satlife.engine.goals import Best, Goal, name_goals
from satlife.engine.grow import grow, has_twins
from satlife.engine.known import find_known
from satlife.engine.wanted import read_rejected
from satlife.kinds import kind_of
from satlife.life.box import Box
from satlife.problem import Problem
from satlife.problem.exact import list_largest
from satlife.problem.outcome import Finding, Found, Impossible, Listed, Undecided
from satlife.problem.words import find_asked_box
from satlife.records import describe_finding, describe_tried, make_best_record, make_record
from satlife.verifier.constraints import populations

WORDS = {
    "copies": "more by shift, mirror, turn or phase",
    "composites": "made of independent parts",
    "rejected": "with a rejected object",
    "outcomes": "with an outcome that another has",
    "reactions": "that react as another does",
    "leftovers": "that leave something else",
}
"""Reasons to leave out a solution."""


def run_listing(problem: Problem, asked: Asked) -> NoReturn:
    """Find all solutions, or at most ``--limit``; print each, and at the end what was left out."""
    which, output = asked.which, asked.output
    words = read_own_words(which.reject) if which.reject else []
    own = list_own_codes(problem.parsed.rule) if "known" in words else []
    rejected = read_rejected(words, open_source, own)
    if "known" in words and not output.silent:
        say(f"{sum(isinstance(each, str) for each in rejected):,} objects are known")
    journal = Journal(which.journal, problem) if which.journal else None
    wanted = Wanted(
        raw=which.raw,
        same=which.same or "object",
        reject=rejected,
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
            asked.reporting() as report,
            start(problem, wanted=wanted, limit=limit, journal=journal, **asked.how) as search,
        ):
            listen(search, hear, signals)
            listed = cast("Listed", search.result())
        tell_end(listed, which, output, before)
    sys.exit(exit_listing(listed, before))


def exit_listing(listed: Listed, before: int = 0) -> int:
    """Return the exit code of a list, which may go on from one before."""
    if listed.complete:
        return endings.FOUND if listed.found or before else endings.IMPOSSIBLE
    return endings.FOUND if listed.reached_limit else endings.UNDECIDED


def print_finding(finding: Finding, output: Output) -> None:
    """Print one of several findings."""
    finding = output.turn(finding)
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
    so_far = " so far" if listed.word == "unfinished" and not listed.reached_limit else ""
    advice = output.advise(listed.reason) if so_far else ("", "")
    if output.as_json:
        output.write_json(
            {"answer": "report", "found": found, **({"before": before} if before else {}),
             "complete": listed.complete, "state": state, "skipped": listed.skipped,
             **({"advice": advice[0]} if advice[0] else {})}
        )  # fmt: skip
    elif which.only_count:
        output.write(f"{found}\n")
    left_out = "; ".join(f"{number} {WORDS[name]}" for name, number in listed.skipped.items())
    state += f"; {before} of them before" if before else ""
    words = f"{found} found{so_far} ({state})"
    tried = describe_tried(listed.provenance) if so_far else ""
    output.say(f"{words}{f'; left out: {left_out}' if left_out else ''}{tried}")
    output.say_next(*advice)


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
        asked.reporting() as report,
        start(problem, goals=goals, **asked.how) as search,
    ):
        listen(search, hear, signals)
        return cast("Best | Impossible | Undecided", search.result())


def print_best(best: Best, output: Output) -> None:
    """Print the best solution, and whether it is proved."""
    best = replace(best, finding=output.turn(best.finding))
    output.keep(best.finding)
    advice = ("", "") if best.proved else output.advise(best.reason)
    if output.as_json:
        more = {"advice": advice[0]} if advice[0] else {}
        output.write_json({**make_best_record(best), **more})
    print_rle(best.finding, output)
    tried = describe_tried(best.provenance)
    output.say(f"best: {best}: {describe_finding(best.finding)}{tried}")
    phases = [f"{n} in generation {t}" for t, n in enumerate(populations(best.finding.history))]
    shown = best.finding.pattern.population
    said = [goal.measure.name in ("population@least", "population@most") for goal in best.goals]
    if any(each and n != shown for each, n in zip(said, best.values, strict=True)):
        output.say(
            f"the pattern is generation 0, since no other phase fits there: {', '.join(phases)}"
        )
    output.say_next(*advice)


def run_growth(
    make: Callable[..., Problem], start: str, asked: Asked, *, known: bool = False
) -> NoReturn:
    """Grow the box, report the sizes without a solution, and print the first solution.

    With ``known``, an object of the catalogue is printed if no box is found in time.
    """
    output, direction = asked.output, asked.which.grow or "area"
    keywords, refuted = sat_keywords(asked.how, "--grow"), list[Box]()
    with stopping() as signals:
        best = find_known(lambda box: make(box=box), by_area=True) if known else None
        if best is not None:
            output.say(f"so far: {best.finding.problem.boxes[0]}, {describe_finding(best.finding)}")
        with asked.reporting() as report:

            def begin(search: Search) -> None:
                box = find_asked_box(search.problem)
                report.about = (f"box {box}, none in {len(refuted)} before",)
                listen(search, report.event, signals)

            for step in grow(lambda box: make(box=box), start, direction, begin, **keywords):
                if isinstance(step.outcome, Impossible):
                    refuted.append(Box.parse(step.box))
                    if direction != "area":  # by area, they are too many to be told one by one
                        output.say(f"impossible in {step.box}")
                        if output.as_json:
                            output.write_json(make_record(step.outcome))
        problem = make(box=step.box)
        if kind_of(problem).embeds:  # then smaller boxes hold none either
            refuted = list_largest(problem.parsed.symmetry, refuted)
        largest = list(map(str, refuted))
        words = f"; none in {', '.join(largest)}" if largest else ""
        if direction == "area":
            words += ", turned or not" if words and has_twins(problem) else ""
            least = "; no box of less area holds what was asked for"
            words = least if isinstance(step.outcome, Found) else words
        more = {"none_in": largest} if direction == "area" else {}
        if best is not None and isinstance(step.outcome, Undecided):
            print_unproved(best, step.outcome, output, f"the box was {step.box}{words}", more)
        else:
            print_outcome(step.outcome, output, f"the box was {step.box}{words}", more)
    sys.exit(exit_code(step.outcome))


def print_unproved(
    best: Found, end: Undecided, output: Output, note: str, more: dict[str, list[str]]
) -> None:
    """Print an object that is not proved to have the smallest box, and what is proved so far."""
    output.keep(best.finding)
    command, why = output.advise(end.reason)
    if output.as_json:
        advice = {"advice": command} if command else {}
        record = {**make_record(best), "proved": False, "reason": end.reason, **more, **advice}
        output.write_json(record)
    print_rle(best.finding, output)
    box = best.finding.problem.boxes[0]
    output.say(f"best: {box}, not proved ({end.reason}): {describe_finding(best.finding)}")
    output.say(note)
    output.say_next(command, why)
