"""Exact boxes: the solutions of a problem, sorted by the least box that holds them.

The *envelope* of a solution is the least box that holds its live cells in generations 0 to p - 1.
Where a pattern may be shifted, a question about one box is a question for each envelope, and the
answers for small boxes are of use in large ones: what fits a smaller box need not be asked again.

>>> from satlife.kinds import ship
>>> problem = ship("c/3", box="5x4")
>>> parts = cover(problem, "4x3")
>>> for part in parts:
...     print(part)
at most 4x3
exactly 5 wide, at most 3 high
at most 4 wide, exactly 4 high
exactly 5x4
>>> narrow(problem, parts[1]).boxes
('5x3',)

**Theorem.** Let a problem have a dead outside, one box W×H for all generations, a motion that only
shifts, a symmetry G without a time operation, and nothing that names a place: no known, linked or
exempt cells, no drawing, gutter or background; generation p need not lie in the box.  Call sizes
w×h *fitting* if w = W mod 2 where an element of G reverses left and right, h = H mod 2 where one
reverses top and bottom, and w = h where one swaps the axes.

1. The envelope of every solution in W×H that is not empty has a fitting size.
2. Let w×h be fitting, w ≤ W and h ≤ H.  The solutions in W×H whose envelope has at most w columns
   and h rows are, but for shifts, the solutions of the same problem in w×h.

*Proof.* Every phase is mapped onto itself by G, taken about the centre c of W×H, so the envelope E
is too.  A map that reverses left and right keeps twice the first coordinate of c, and so E has the
same middle column as W×H, or the same middle edge: w = W mod 2.  In the same way h = H mod 2.  A
map that swaps the axes turns E into a box of h columns and w rows, which is E: w = h.  That is 1.

For 2, let S be a solution in W×H whose envelope E is no larger than w×h.  Around E lies a box B of
size w×h with a centre c' of which G about c' is G about c: where G reverses an axis, c' and c
agree in that coordinate, which the parities allow; where it does not, G has at most a mirror, and
c' may lie anywhere on its axis.  Moved so that B is the box at the origin, S is a solution in w×h.
It follows the rule and moves as before, for both commute with shifts.  It is in the box in
generations 0 to p - 1, all else is dead, and it is symmetric about the centre.  The constraints
speak of numbers that a shift does not change.  The other way round, a solution in w×h lies in W×H
with its centre placed in the same way.  ∎

**Corollary.** Let every box of a finite set be asked for solutions *that do not fit a smaller one
of the set*: for each side whose next smaller fitting box is in the set, the envelope must have the
full width or height.  If all of the answers for the boxes in W×H are "none", and W×H is one of
them, then there is no solution in W×H.

*Proof.* Otherwise take, of the boxes of the set that have a fitting size of W×H, the smallest, by
area, that a solution in W×H fits.  If its next smaller box on a side is in the set, then it has a
fitting size too, and the solution does not fit it, so by the parities it has the full side.  So the
answer for this box is not "none".  ∎

The audit makes this argument again, for itself: :mod:`satlife.audit.ranges`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import Final, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.symmetry import Symmetry, needs_square
from satlife.problem.constraints import Height, Width
from satlife.problem.problem import Problem

Side = Literal["width", "height"]
SIDES: Final[tuple[Side, ...]] = ("width", "height")
Sides = tuple[Side, ...]
History = tuple[npt.NDArray[np.uint8], ...]


class ExactBox(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="of",
    tag="boxes",
):
    """A part of a problem: the solutions that fit a box, and reach both ends of some sides."""

    box: str
    sides: Sides = ()
    """The sides of the box that the envelope fills: ``width``, ``height``."""

    @property
    def area(self) -> int:
        """The number of cells of the box."""
        return Box.parse(self.box).area

    def __str__(self) -> str:
        if len(self.sides) != 1:
            return f"{'exactly' if self.sides else 'at most'} {self.box}"
        box = Box.parse(self.box)
        wide, high = ("exactly" if side in self.sides else "at most" for side in SIDES)
        return f"{wide} {box.width} wide, {high} {box.height} high"


def has_exact_boxes(problem: Problem) -> bool:
    """Whether the theorem holds for a problem."""
    motion, several = problem.motion, len(problem.boxes) > 1
    # The symmetry alone: every task of a campaign asks this, and reading a rule takes longer.
    named = problem.known or problem.links or problem.exempt or problem.background
    return (
        problem.boundary == "dead"
        and not (several or named or problem.has_open_height or problem.include_last)
        and motion is not None
        and motion.only_shifts
        and Symmetry(problem.symmetry).time_operation is None
        and all(constraint.is_shiftable for constraint in problem.constraints)
    )


def can_be_shifted(problem: Problem) -> bool:
    """Whether a solution that is shifted within the box, in any direction, is a solution again."""
    return problem.symmetry == "C1" and has_exact_boxes(problem)


def find_steps(symmetry: Symmetry) -> tuple[int, int]:
    """Return by how much fitting widths and heights differ: 2 if the symmetry reverses the side.

    >>> find_steps(Symmetry("D2|")), find_steps(Symmetry("C4"))
    ((2, 1), (2, 2))
    """
    across, down = ({g.matrix[n][n] for g in symmetry.group} for n in (0, 1))
    return 2 if -1 in across else 1, 2 if -1 in down else 1


def find_smaller(symmetry: Symmetry, box: Box) -> dict[Side, Box]:
    """Return the next smaller fitting box on each side, if there is one.

    >>> {side: str(box) for side, box in find_smaller(Symmetry("D2|"), Box.parse("7x4")).items()}
    {'width': '5x4', 'height': '7x3'}
    """
    across, down = find_steps(symmetry)
    if needs_square(symmetry.group):
        both = (box.width - across, box.height - down)
        sizes = dict.fromkeys(SIDES, both)
    else:
        sizes = {
            "width": (box.width - across, box.height),
            "height": (box.width, box.height - down),
        }
    return {side: Box(0, 0, *size) for side, size in sizes.items() if min(size) > 0}


def find_sides(symmetry: Symmetry, box: Box, asked: Collection[Box]) -> Sides:
    """Return the sides that a solution must fill, because the next smaller box is asked too."""
    return tuple(side for side, other in find_smaller(symmetry, box).items() if other in asked)


def turn_sides(sides: Sides) -> Sides:
    """Return the sides that are filled after a turn that swaps the axes.

    >>> turn_sides(("width",)), turn_sides(("width", "height"))
    (('height',), ('width', 'height'))
    """
    return tuple(side for side, other in zip(SIDES, reversed(SIDES), strict=True) if other in sides)


def choose_low(problem: Problem) -> str:
    """Return the box from which to cover a problem: three quarters of each side.

    All that fits a smaller box is refuted in less time than it takes to ask.

    >>> from satlife.kinds import oscillator
    >>> choose_low(oscillator(3, box="9x13")), choose_low(oscillator(3, box="9x9", symmetry="C4"))
    ('7x10', '7x7')
    """
    box, steps = problem.all_boxes[0], find_steps(problem.parsed.symmetry)
    low = [
        side - (side // 4) // step * step
        for side, step in zip((box.width, box.height), steps, strict=True)
    ]
    return f"{low[0]}x{low[1]}"


def check_part(problem: Problem, part: ExactBox) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless the theorem is about this part."""
    _check_low(problem, part.box)
    if str(Box.parse(part.box)) != part.box:
        raise UsageError(f"write the box of a part {Box.parse(part.box)}, not {part.box}")
    if part.sides != tuple(side for side in SIDES if side in part.sides):
        raise UsageError(f"the sides of a part are width, then height; got {part.sides}")


def cover(problem: Problem, low: str) -> tuple[ExactBox, ...]:
    """Return the parts of a problem, from the box ``low`` on; small boxes first.

    The first part asks for all that fits ``low``, so no smaller box need be asked.
    """
    _check_low(problem, low)
    symmetry, high = problem.parsed.symmetry, problem.all_boxes[0]
    boxes = tuple(_list_fitting(symmetry, Box.parse(low), high))
    asked = set(boxes)
    return tuple(ExactBox(str(box), find_sides(symmetry, box, asked)) for box in boxes)


def list_parts(problem: Problem) -> tuple[ExactBox, ...]:
    """Return the parts of a problem, but for those that are another part turned.

    A transform that swaps the axes takes solutions to solutions if rule, motion, symmetry and
    constraints keep it, and the box is a square.  Then w×h need not be asked beside h×w.

    >>> from satlife.kinds import oscillator
    >>> [part.box for part in list_parts(oscillator(3, box="4x4"))]
    ['3x3', '3x4', '4x4']
    """
    parts = cover(problem, choose_low(problem))
    box = problem.all_boxes[0]
    if box.width != box.height or not can_be_turned(problem):
        return parts
    boxes = {part: Box.parse(part.box) for part in parts}
    sizes = {(box.width, box.height) for box in boxes.values()}
    return tuple(
        part
        for part, box in boxes.items()
        if box.width <= box.height or (box.height, box.width) not in sizes
    )


def can_be_turned(problem: Problem) -> bool:
    """Whether a solution whose axes are swapped is a solution again, in the box w×h for h×w."""
    motion, group = problem.motion, problem.parsed.symmetry.group
    if problem.has_open_rule or motion is None:
        return False
    return any(
        turn.swaps_axes
        and turn.apply_to_point(*motion.displacement) == motion.displacement
        and {turn * each * turn.inverse for each in group} == group
        and problem.keeps_constraints(turn)
        for turn in problem.parsed.rule.symmetries
    )


def count_parts(problem: Problem, low: str) -> int:
    """Return the number of parts from the box ``low`` on, without making them."""
    _check_low(problem, low)
    symmetry, small, high = problem.parsed.symmetry, Box.parse(low), problem.all_boxes[0]
    across, down = find_steps(symmetry)
    widths, heights = (high.width - small.width) // across, (high.height - small.height) // down
    return widths + 1 if needs_square(symmetry.group) else (widths + 1) * (heights + 1)


def _check_low(problem: Problem, low: str) -> None:
    """Raise an error unless the theorem holds for a problem, and this is one of its boxes."""
    if not has_exact_boxes(problem):
        raise UsageError("solutions cannot be sorted by their boxes where a place has a name")
    if not fits(Symmetry(problem.symmetry), Box.parse(low), problem.all_boxes[0]):
        box = problem.all_boxes[0]
        raise UsageError(f"{low} does not fit {problem.symmetry} in {box}; give another box")


def fits(symmetry: Symmetry, low: Box, high: Box) -> bool:
    """Whether the sizes of a box are fitting sizes of a larger one, or its own."""
    across, down = find_steps(symmetry)
    wide, deep = high.width - low.width, high.height - low.height
    is_square = low.width == low.height or not needs_square(symmetry.group)
    return is_square and min(wide, deep) >= 0 and not (wide % across or deep % down)


def list_largest(symmetry: Symmetry, boxes: Collection[Box]) -> list[Box]:
    """Return the boxes that do not fit another one, by their widths.

    >>> boxes = [Box.parse(size) for size in ("1x1", "1x2", "2x2", "1x3")]
    >>> [str(box) for box in list_largest(Symmetry("C1"), boxes)]
    ['1x3', '2x2']
    """
    by_size = sorted(boxes, key=lambda box: (box.width, box.height))
    highest = {(box.width, box.height % 2): box for box in by_size}  # few are left to compare
    widest = {(box.height, box.width % 2): box for box in highest.values()}.values()
    left = [box for box in highest.values() if box in widest]
    return [
        box
        for box in left
        if not any(box != other and fits(symmetry, box, other) for other in left)
    ]


def _list_fitting(symmetry: Symmetry, low: Box, high: Box) -> Iterator[Box]:
    """Yield the fitting boxes from low to high, row by row."""
    across, down = find_steps(symmetry)
    sizes = product(
        range(low.height, high.height + 1, down), range(low.width, high.width + 1, across)
    )
    for height, width in sizes:
        if width == height or not needs_square(symmetry.group):
            yield Box(0, 0, width, height)


def narrow(problem: Problem, part: ExactBox) -> Problem:
    """Return a part of a problem as a problem of its own, in its own box."""
    box = Box.parse(part.box)
    bounds = {"width": Width(least=box.width), "height": Height(least=box.height)}
    return msgspec.structs.replace(
        problem,
        boxes=(part.box,),
        constraints=(*problem.constraints, *(bounds[side] for side in part.sides)),
    )


def place(problem: Problem, history: History) -> History:
    """Return a solution of a part as one of the whole problem."""
    box = problem.all_boxes[0]
    height, width = history[0].shape
    across, down = box.width - width, box.height - height
    left, top = across // 2, down // 2
    if problem.parsed.symmetry.group == Symmetry("D2/").group:  # along the other diagonal
        top = down - top
    return tuple(np.pad(states, ((top, down - top), (left, across - left))) for states in history)


def is_in_part(part: ExactBox, history: History) -> bool:
    """Whether a solution, wherever it lies in its box, is one of a part: by its envelope."""
    alive = np.logical_or.reduce([states == 1 for states in history])
    box, sizes = Box.parse(part.box), dict.fromkeys(SIDES, 0)
    for side, axis in zip(SIDES, (0, 1), strict=True):
        places = np.flatnonzero(alive.any(axis=axis))
        sizes[side] = int(places[-1] - places[0]) + 1 if len(places) else 0
    most = {"width": box.width, "height": box.height}
    return all(
        sizes[side] == most[side] if side in part.sides else sizes[side] <= most[side]
        for side in SIDES
    )
