"""A first pattern where no box is given, on the command line: a known one, or a search."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from satlife.cli.endings import stopping
from satlife.cli.own import list_own_codes, open_source, read_own_words
from satlife.cli.search.asked import Asked, sat_keywords
from satlife.cli.search.progress import listen
from satlife.cli.search.report import exit_code, print_outcome
from satlife.engine import Search, Wanted
from satlife.engine.first import find_first, list_multiples
from satlife.engine.grow import list_problems
from satlife.engine.known import MakeInBox, find_known
from satlife.engine.wanted import read_rejected
from satlife.life.catalogue import find_entries
from satlife.life.rule import Rule
from satlife.problem import Problem
from satlife.problem.outcome import Found


def run_first(
    make: Callable[..., Problem], speed: str | None, asked: Asked, *, fresh: bool
) -> NoReturn:
    """Print a known object or, if there is none or a ``fresh`` one is wanted, the first find.

    A speed is tried with its own period first, then with multiples of it.
    """
    speeds = () if speed is None else list_multiples(speed)
    makes: list[MakeInBox] = [partial(_make_in_box, make, each) for each in speeds]
    makes = makes or [lambda box: make(box=box)]
    with stopping() as signals:
        wanted = read_wanted(next(list_problems(makes[0], "1x1", "area")).parsed.rule, asked)
        if not fresh:
            for each in makes:
                if (known := find_known(each, wanted)) is not None:
                    print_known(known, asked, speeds)
                    sys.exit(exit_code(known))
        with asked.reporting() as report:

            def begin(search: Search) -> None:
                report.about = (f"{search.engine.name}, box {search.problem.boxes[0]}",)
                listen(search, report.event, signals)

            how = sat_keywords(asked.how, "a search without a box")
            outcome = find_first(makes, wanted=wanted, on_start=begin, **how)
        note = ""
        if isinstance(outcome, Found) and speeds and speed_of(outcome) != speeds[0]:
            note = f"{speed_of(outcome)} is the speed {speeds[0]} with another period"
        print_outcome(outcome, asked.output, note)
    sys.exit(exit_code(outcome))


def _make_in_box(make: Callable[..., Problem], speed: str, box: str) -> Problem:
    return make(box=box, speed=speed)


def read_wanted(rule: Rule, asked: Asked) -> Wanted:
    """Read the patterns to leave out."""
    which = asked.which
    words = read_own_words(which.reject) if which.reject else []
    own = list_own_codes(rule) if "known" in words else []
    rejected = read_rejected(words, open_source, own)
    return Wanted(reject=rejected, only_connected=which.only_connected)


def print_known(known: Found, asked: Asked, speeds: tuple[str, ...]) -> None:
    """Print an object of the catalogue, and the options for another answer."""
    details = known.finding.provenance.details
    name = str(details["name"] or details["apgcode"])
    note = f"known: {name}; --fresh searches for one, --reject known for another"
    others = [each for each in speeds if each != speed_of(known) and find_entries(speed=each)]
    if others:
        note += f"; the same speed: {', '.join(f'satlife ship {each}' for each in others)}"
    print_outcome(known, asked.output, note, {"known": name})


def speed_of(found: Found) -> str:
    """Return the speed of a ship, or the period, in the usual notation."""
    return str(found.finding.problem.motion)
