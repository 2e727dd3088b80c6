"""Growing boxes: the smallest box that holds a solution, and the sizes that hold none.

The refutation of a smaller box is used in the next one: no solution fits the smaller box, in any
place, so a solution must reach both edges of the side that has grown.  This holds for patterns
without symmetry only; with one, the box's centre moves, and nothing is carried over.

>>> from satlife.kinds import ship
>>> sizes = [step for step in grow(lambda box: ship("c/4d", box=box), "3x3", "both")]
>>> [(step.box, type(step.outcome).__name__) for step in sizes]
[('3x3', 'Impossible'), ('4x3', 'Found')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Unpack

from satlife.engine.engine import Keywords, Options
from satlife.engine.sat.engine import SatEngine
from satlife.engine.session import Search
from satlife.errors import UsageError
from satlife.formula.build import BOTTOM, LEFT, RIGHT, TOP, can_be_shifted, reach
from satlife.formula.spacetime import SpaceTime
from satlife.life.box import Box
from satlife.life.symmetry import needs_square
from satlife.problem import Problem
from satlife.problem.outcome import Found, Impossible, Outcome, Undecided
from satlife.sat import FormulaBuilder

DIRECTIONS = ("width", "height", "both")


@dataclass(frozen=True)
class GrowthStep:
    """One box, and the outcome of its search."""

    box: str
    outcome: Outcome


def grow(
    make: Callable[[str], Problem],
    start: str,
    direction: str = "both",
    on_start: Callable[[Search], None] | None = None,
    **options: Unpack[Keywords],
) -> Iterator[GrowthStep]:
    """Search growing boxes, from ``start`` on, until a solution is found or a box is undecided.

    ``make`` returns the problem of a box.  "both" lets width and height grow in turn; a symmetry
    that needs a square box lets them grow together.  The other keywords are those of
    ``satlife.find``; all boxes share the time limit.  ``on_start`` is called with each search.
    """
    if direction not in DIRECTIONS:
        raise UsageError(f"a box grows in {', '.join(DIRECTIONS)}, not {direction!r}")
    if start.endswith("*"):
        raise UsageError(f"the box {start} has no height that could grow; ask for it without grow")
    how = Options.of(**options).starting_now()
    if how.save is not None:
        raise UsageError("--save keeps a search in one box; it does not go with a growing one")
    box = Box.parse(start)
    grown: str | None = None
    for step in count():
        problem = make(str(box))
        also = _reach_both_edges(grown) if grown and can_be_shifted(problem) else None
        with Search(problem, SatEngine(also), how) as search:
            if on_start:
                on_start(search)
            outcome = search.result()
        if not isinstance(outcome, Found | Impossible | Undecided):
            raise AssertionError("a plain search ends with an outcome")
        yield GrowthStep(str(box), outcome)
        if not isinstance(outcome, Impossible):
            return
        box, grown = _next(box, direction, step, needs_square(problem.parsed.symmetry.full_group))


def _next(box: Box, direction: str, step: int, square: bool) -> tuple[Box, str | None]:
    width, height = box.width, box.height
    if square:
        return Box(0, 0, width + 1, height + 1), None
    wider = direction == "width" or (direction == "both" and step % 2 == 0)
    if wider:
        return Box(0, 0, width + 1, height), "width"
    return Box(0, 0, width, height + 1), "height"


def _reach_both_edges(grown: str) -> Callable[[SpaceTime, FormulaBuilder], None]:
    edges = (LEFT, RIGHT) if grown == "width" else (TOP, BOTTOM)
    return lambda spacetime, builder: reach(spacetime, builder, *edges)
