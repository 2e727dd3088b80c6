"""Growing boxes: the smallest box that holds a solution, and the sizes that hold none.

The refutations of smaller boxes are used in the next one: what fits them need not be looked for
again, so a solution must fill the sides that have grown (:mod:`satlife.problem.exact`).  By area,
from 1x1 on, no box needs to be given at all.

>>> from satlife.kinds import ship
>>> sizes = [step for step in grow(lambda box: ship("c/4d", box=box), "3x3", "both")]
>>> [(step.box, type(step.outcome).__name__) for step in sizes]
[('3x3', 'Impossible'), ('4x3', 'Found')]
>>> [step.box for step in grow(lambda box: ship("c/4d", box=box), direction="area")][-5:]
['2x5', '1x11', '1x12', '2x6', '3x4']
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
from satlife.problem.exact import ExactBox, can_be_turned, find_sides, has_exact_boxes, narrow
from satlife.problem.outcome import Found, Impossible, Outcome, Undecided
from satlife.problem.words import find_asked_box

DIRECTIONS = ("width", "height", "both", "area")
_FIRST = 32
"""Boxes after which none is expected to fit; by area, they have all parities, and squares."""
_LARGEST = 10_000
"""Area beyond which a refusal is the last."""


@dataclass(frozen=True)
class GrowthStep:
    """One box, and the outcome of its search."""

    box: str
    outcome: Outcome


def grow(
    make: Callable[[str], Problem],
    start: str = "1x1",
    direction: str = "both",
    on_start: Callable[[Search], None] | None = None,
    **options: Unpack[Keywords],
) -> Iterator[GrowthStep]:
    """Search growing boxes, from ``start`` on, until a solution is found or a box is undecided.

    ``make`` returns the problem of a box; boxes that do not fit its symmetry are left out.  "both"
    lets width and height grow in turn; a symmetry that needs a square box lets them grow together.
    "area" takes every box by its area, then its width, but for those that are others turned.  The
    other keywords are those of ``satlife.find``; all boxes share the time limit.  ``on_start`` is
    called with each search.
    """
    how = Options.of(**options).starting_now()
    if how.save is not None:
        raise UsageError(
            "--save keeps a search in one box; it cannot be combined with a growing one"
        )
    SatEngine().check_options(how)
    # All boxes but the last are refuted; p3 in 6x7 takes a tenth of the time so.
    broken, hunts = how.break_symmetry is not False, bool(how.restrictions)
    how = replace(how, break_symmetry=broken, restrictions=hunts)
    refuted = set[Box]()
    for problem in list_problems(make, start, direction):
        symmetry, box = problem.parsed.symmetry, problem.all_boxes[0]
        sides = find_sides(symmetry, box, refuted) if has_exact_boxes(problem) else ()
        part = narrow(problem, ExactBox(str(box), sides)) if sides else problem
        with Search(part, SatEngine(), how) as search:
            if on_start:
                on_start(search)
            outcome = search.result()
        if not isinstance(outcome, Found | Impossible | Undecided):
            raise AssertionError("a plain search ends with an outcome")
        # The rest of the box is refuted, so this is the outcome of the whole.
        if isinstance(outcome, Found):
            outcome = Found(replace(outcome.finding, problem=problem))
        else:
            outcome = replace(outcome, problem=problem)
        yield GrowthStep(str(find_asked_box(problem)), outcome)
        if not isinstance(outcome, Impossible):
            return
        refuted.add(box)
        if direction == "area" and has_twins(problem):
            refuted.add(Box(0, 0, box.height, box.width))


def list_problems(make: Callable[[str], Problem], start: str, direction: str) -> Iterator[Problem]:
    """Yield the problems of growing boxes; what is wrong in the first ones is wrong in all."""
    if direction not in DIRECTIONS:
        raise UsageError(f"a box grows in {', '.join(DIRECTIONS)}, not {direction!r}")
    if start.endswith("*"):
        raise UsageError(f"the box {start} has no height that could grow; ask for it without grow")
    first, by_area, fitting = Box.parse(start), direction == "area", False
    wrong: list[UsageError] = []
    square = not by_area and needs_square(make(start).parsed.symmetry.full_group)
    for number, box in enumerate(_list_boxes(first, direction, square)):
        try:
            problem = make(str(box))
        except UsageError as error:
            wrong.append(error)
            if (not fitting and number == _FIRST) or box.area > _LARGEST:
                messages = [*map(str, wrong)]  # an error that is not about the box comes with many
                raise max(wrong, key=lambda each: messages.count(str(each))) from None
            continue
        fitting = True
        has_twin = by_area and box.width > box.height >= first.width
        if not (has_twin and has_twins(problem)):
            yield problem


def _list_boxes(start: Box, direction: str, square: bool) -> Iterator[Box]:
    width, height = start.width, start.height
    if direction == "area":
        for area in count(start.area):
            widths = range(width, area // height + 1)
            yield from (Box(0, 0, each, area // each) for each in widths if area % each == 0)
    for step in count():
        yield Box(0, 0, width, height)
        wider = square or direction == "width" or (direction == "both" and step % 2 == 0)
        width, height = width + wider, height + (square or not wider)


def has_twins(problem: Problem) -> bool:
    """Whether a box and the same one turned have the same answer."""
    return has_exact_boxes(problem) and can_be_turned(problem)
