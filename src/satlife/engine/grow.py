"""Growing boxes: the smallest box that holds a solution, and the sizes that hold none.

The refutations of smaller boxes are used in the next one: what fits them need not be looked for
again, so a solution must fill the sides that have grown (:mod:`satlife.problem.exact`).

>>> from satlife.kinds import ship
>>> sizes = [step for step in grow(lambda box: ship("c/4d", box=box), "3x3", "both")]
>>> [(step.box, type(step.outcome).__name__) for step in sizes]
[('3x3', 'Impossible'), ('4x3', 'Found')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Unpack

from satlife.engine.engine import Keywords, Options
from satlife.engine.sat.engine import SatEngine
from satlife.engine.session import Search
from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.symmetry import needs_square
from satlife.problem import Problem
from satlife.problem.exact import ExactBox, find_sides, has_exact_boxes, narrow
from satlife.problem.outcome import Found, Impossible, Outcome, Undecided

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
    box, refuted = Box.parse(start), set[Box]()
    for step in count():
        problem = make(str(box))
        symmetry = problem.parsed.symmetry
        sides = find_sides(symmetry, box, refuted) if has_exact_boxes(problem) else ()
        part = narrow(problem, ExactBox(str(box), sides)) if sides else problem
        with Search(part, SatEngine(), how) as search:
            if on_start:
                on_start(search)
            outcome = search.result()
        if not isinstance(outcome, Found | Impossible | Undecided):
            raise AssertionError("a plain search ends with an outcome")
        yield GrowthStep(str(box), _widen(problem, outcome))
        if not isinstance(outcome, Impossible):
            return
        refuted.add(box)
        box = _next(box, direction, step, needs_square(symmetry.full_group))


def _widen(problem: Problem, outcome: Found | Impossible | Undecided) -> Outcome:
    """Return the outcome as one of the whole problem: the rest of it is refuted."""
    if isinstance(outcome, Found):
        return Found(replace(outcome.finding, problem=problem))
    return replace(outcome, problem=problem)


def _next(box: Box, direction: str, step: int, square: bool) -> Box:
    wider = square or direction == "width" or (direction == "both" and step % 2 == 0)
    higher = square or not wider
    return Box(0, 0, box.width + wider, box.height + higher)
