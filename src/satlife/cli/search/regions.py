"""Eaters without a region, on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn

from satlife.cli.endings import Stopping, stopping
from satlife.cli.search.asked import Asked, open_text, sat_keywords
from satlife.cli.search.options import PROVE, WHICH, refuse_options
from satlife.cli.search.progress import watch
from satlife.cli.search.report import exit_code, print_outcome
from satlife.engine import Search
from satlife.engine.regions import RegionStep, search_regions
from satlife.errors import UsageError
from satlife.kinds import Kind
from satlife.kinds.eater import place_input
from satlife.life.box import Box, format_window
from satlife.problem import Problem
from satlife.problem.outcome import Found, Outcome, Undecided

NEEDS_REGION = {
    "without one, the first find in one piece ends the search": tuple(
        each.name for each in WHICH if each.name != "only_connected"
    ),
    "a certificate is for one region": tuple(each.name for each in PROVE),
    "a file keeps the search in one region": ("save",),
    "only the engine sat goes from region to region": ("engine",),
    "it holds the region": ("field",),
}
"""Reasons why some options need a region."""


def check_regions(kind: Kind, options: dict[str, Any]) -> None:
    """Raise if an option needs a region."""
    refuse_options(kind, options, NEEDS_REGION, "--region")
    if (options.get("jobs") or 1) > 1:
        raise UsageError("--jobs needs --region: without one, the answer rests on one solver")


def run_regions(kind: Kind, options: dict[str, Any]) -> NoReturn:
    """Search ever larger regions, and print the smallest eater of the first that holds one."""
    check_regions(kind, options)
    asked = Asked.take(options)
    given = kind.read(options, open_text)
    if "incoming" not in given:
        raise UsageError("this needs --input: what the eater absorbs")
    within, population = given.pop("within", None), given.pop("population", None)
    ship = place_input(
        **{name: given[name] for name in ("incoming", "at", "turn") if name in given}
    )
    asked.output.check()

    def make(region: Box, time: int, bound: str | None) -> Problem:
        return kind.function(**given, region=region, within=time, population=bound)

    steps = partial(search_regions, make, ship, within=within, population=population)
    with asked.output.finishing(), stopping() as signals:
        outcome = _search(steps, asked, signals)
    sys.exit(exit_code(outcome))


def _search(steps: Callable[..., Iterator[RegionStep]], asked: Asked, signals: Stopping) -> Outcome:
    """Print the find, or the region where the search ended."""
    last: RegionStep | None = None
    found: RegionStep | None = None
    with asked.reporting() as report:

        def begin(search: Search) -> None:
            watch(search, signals)
            report.about = (f"region {format_window(search.problem.all_boxes[-1])}",)

        how = sat_keywords(asked.how, "a search without --region")
        for step in steps(on_start=begin, on_event=report.event, **how):
            last, found = step, found if step.finding is None else step
    assert last is not None  # the first region is always searched
    shown = found or last
    region = format_window(shown.region)
    where = f"--region {region} --within {shown.within}"
    if found is not None and found.finding is not None:
        outcome: Outcome = Found(found.finding)
        print_outcome(outcome, asked.output, f"the region: {where}", {"region": region})
    else:
        outcome = Undecided(last.problem, f"{last.reason}; the last region: {where}")
        print_outcome(outcome, asked.output)
    return outcome
