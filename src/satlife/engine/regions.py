"""Eaters without a region: regions in a ship's way that grow until one holds an eater.

A region begins where the ship has never been, and the ship flies into it.  Few cells are asked for
first, and then more; a region that is undecided after some conflicts is left for a later round,
which has more of them.  So the answer does not depend on the clock, and a small eater in one piece
comes before a large one.

>>> place_region(Pattern.from_rle("bo$2bo$3o!"), 4)
Box(x=5, y=5, width=4, height=4)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, Unpack

from satlife.engine.engine import Event, Keywords, Options
from satlife.engine.sat.engine import SatEngine
from satlife.engine.session import Search
from satlife.engine.wanted import Wanted
from satlife.errors import UsageError
from satlife.kinds import kind_of
from satlife.life import Box, Pattern
from satlife.life.identity.flight import CLEAR, Flight, follow_ship
from satlife.problem import Problem
from satlife.problem.outcome import Finding, Found, Listed
from satlife.sat.answer import Reason

SMALLEST: Final = 4
"""The depth of the first region."""
RUNGS: Final = (("<=7", 8), ("<=10", 12), ("<=14", 16), (None, 16))
"""How many cells an eater may have, and in how many generations after the ship's arrival it is
itself again.  Seven are in one piece in Life: two still lifes have eight."""
ROUNDS: Final = ((8, 4_000), (10, 16_000), (12, 64_000), (16, 256_000))
"""The greatest depth of a round, and the conflicts for each of its questions."""


@dataclass(frozen=True)
class RegionStep:
    """One question, and its answer."""

    problem: Problem
    region: Box
    within: int
    finding: Finding | None
    reason: str
    """Why the search ended."""
    refuted: bool
    """Whether there is none, so that later rounds leave it out."""


Make = Callable[[Box, int, str | None], Problem]
"""Returns the problem of a region, a generation in which the eater is alone, and a population."""


def place_region(ship: Pattern, depth: int) -> Box:
    """Return the nearest region of a depth in which a ship has never been.

    It is a square in the way of a diagonal ship; for others it is wider than the ship, for many are
    eaten at their side.
    """
    dx, dy = _follow(ship).recurrence.displacement
    box = ship.box

    def span(moved: int, first: int, last: int) -> tuple[int, int]:
        if moved:
            return (last if moved > 0 else first - depth), depth
        beside = (SMALLEST + depth) // 2
        return first - beside, last - first + 2 * beside

    (x, width), (y, height) = span(dx, box.x, box.right), span(dy, box.y, box.bottom)
    region = Box(x, y, width, height)
    while _follow(ship).count_back(region):
        region = region.shift((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
    return region


def count_arrival(ship: Pattern, region: Box) -> int:
    """Return the first generation in which a ship could notice something in the region."""
    flight, t, near = _follow(ship), 0, region.grow(CLEAR)
    while flight[t].crop(near).is_empty:
        t += 1
    return t


def _follow(ship: Pattern) -> Flight:
    flight = follow_ship(ship)
    if flight is None:
        raise UsageError("without a region the input must be a spaceship, and it is not one")
    return flight


def search_regions(
    make: Make,
    ship: Pattern,
    *,
    within: int | None = None,
    population: str | None = None,
    on_start: Callable[[Search], None] = lambda search: None,
    on_event: Callable[[Event], None] = lambda event: None,
    **options: Unpack[Keywords],
) -> Iterator[RegionStep]:
    """Search growing regions until one holds an eater in one piece; the last find is the smallest.

    A generation ``within`` which it is alone, and a bound on its ``population``, are kept if given.
    """
    how = Options.of(**options).starting_now()
    SatEngine().check_options(how)
    rungs = RUNGS if population is None else tuple((population, later) for _, later in RUNGS[::3])
    refuted = set[tuple[Box, str | None, int]]()

    def ask(region: Box, bound: str | None, time: int, conflicts: int) -> RegionStep:
        problem = make(region, time, bound)
        wanted, finding = Wanted(raw=True, only_connected=True), None
        limited = replace(how, conflicts=conflicts)
        with Search(problem, SatEngine(), limited, wanted=wanted, limit=1) as search:
            on_start(search)
            for event in search:
                on_event(event)
                finding = event.finding if isinstance(event, Found) else finding
            listed = search.result()
        assert isinstance(listed, Listed)
        none = listed.complete and finding is None
        return RegionStep(problem, region, time, finding, listed.reason, none)

    for (deepest, conflicts), (bound, later) in product(ROUNDS, rungs):
        for depth in range(SMALLEST, deepest + 1):
            region = place_region(ship, depth)
            time = count_arrival(ship, region) + later if within is None else within
            if (region, bound, time) in refuted:
                continue
            yield (step := ask(region, bound, time, conflicts))
            if step.finding is not None:
                break
            if step.refuted:
                refuted.add((region, bound, time))
            elif step.reason != Reason.CONFLICT_LIMIT:
                return
        else:
            continue
        while step.finding is not None and population is None:
            eater = kind_of(step.problem).catalyst_generation(step.problem)
            fewer = f"<={step.finding.generation(eater or 0).population - 1}"
            yield (step := ask(region, fewer, time, conflicts))
        return
