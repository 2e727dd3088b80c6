"""Restrictions: smaller problems whose solutions solve the whole problem too.

In a roomy box most solutions are small, or symmetric, or both, and a solver is slow to find them in
the whole box.  Each row of the table turns a problem into restrictions of it: smaller boxes, more
symmetry, a smaller torus.

>>> from satlife.kinds import oscillator
>>> first = restrictions(oscillator(4, box="20x20"))[0]
>>> str(first), first.orbits
('C4:D8 in 4x4', 8.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import msgspec
import numpy as np

from satlife.errors import UsageError
from satlife.formula.classes import History, names_places
from satlife.life.box import EMPTY_BOX, Box, format_placed_box
from satlife.life.pattern import Pattern
from satlife.life.symmetry import OLDER_NAMES, Group, Symmetry
from satlife.life.transforms import IDENTITY, Transform
from satlife.problem import Problem
from satlife.problem.constraints import Bound

SQUARES: Final = (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 24, 25, 30, 31)
"""Sides of the squares that are tried."""
SIDES: Final = (4, 5, 6, 7, 10, 11, 14, 15, 20, 21, 30, 31)
"""Sides of the rectangles that are tried; sizes in between fit into the next larger one."""
MOST_FREE: Final = 10
"""Maximum free cells of a row in ships that are searched row by row."""
LONGEST: Final = 2.5
"""Maximum aspect ratio of a rectangle."""


@dataclass(frozen=True)
class Restriction:
    """Smaller boxes and more symmetry."""

    boxes: tuple[Box, ...]
    symmetry: Symmetry
    orbits: float
    """Number of cells of all generations, each orbit of the symmetry counted once."""

    def apply(self, problem: Problem) -> Problem | None:
        """Return the smaller problem; None if the symmetry does not fit its box or motion."""
        boxes = tuple(map(format_placed_box, self.boxes))
        try:
            return msgspec.structs.replace(problem, boxes=boxes, symmetry=str(self.symmetry))
        except UsageError:
            return None

    def implies(self, other: Restriction, *, torus: bool = False) -> bool:
        """Whether ``other`` has no solution if this one has none."""
        if not is_weaker(self.symmetry, other.symmetry):
            return False
        if torus:  # a smaller torus need not fit into a larger one
            return self.boxes == other.boxes
        centred = len(self.symmetry.full_group) > 1  # a symmetry is about the first box's centre
        return all(
            large.contains_box(small) for small, large in zip(other.boxes, self.boxes, strict=True)
        ) and not (centred and _centre(other.boxes[0]) != _centre(self.boxes[0]))

    def __str__(self) -> str:
        return f"{self.symmetry} in {self.boxes[0]}"


def restrictions(problem: Problem) -> tuple[Restriction, ...]:
    """Return the restrictions of a problem, the smallest first."""
    boxes = problem.all_boxes[: len(problem.boxes)]
    for applies, restrict in TABLE:
        if applies(problem):
            found = {(each.boxes, each.symmetry): each for each in restrict(problem)}
            found.pop((boxes, problem.parsed.symmetry), None)
            ordered = sorted(found.values(), key=lambda each: each.orbits)
            return tuple(_without_twins(problem, ordered) if is_object(problem) else ordered)
    return ()


def kept_transforms(problem: Problem) -> Group:
    """Return the transforms that carry solutions to solutions, wherever these have room."""
    motion, asked = problem.motion, problem.parsed.symmetry
    if motion is None or not motion.only_shifts or _is_bounded(problem):
        return frozenset({IDENTITY})
    return frozenset(
        each
        for each in problem.parsed.rule.symmetries
        if each.apply_to_point(motion.dx, motion.dy) == (motion.dx, motion.dy)
        and _turn(asked.group, each) == asked.group
        and _turn(asked.full_group, each) == asked.full_group
    )


def is_twin(symmetry: Symmetry, other: Symmetry, transforms: Group) -> bool:
    """Whether one of the transforms carries patterns with one symmetry to those with the other."""
    return any(
        (_turn(symmetry.group, each), _turn(symmetry.full_group, each))
        == (other.group, other.full_group)
        for each in transforms
    )


@lru_cache(maxsize=1024)
def _turn(group: Group, transform: Transform) -> Group:
    return frozenset(transform * each * transform.inverse for each in group)


def _without_twins(problem: Problem, given: Iterable[Restriction]) -> Iterator[Restriction]:
    """Yield restrictions, but of those equivalent under a transform only the first."""
    transforms, seen = kept_transforms(problem), set[object]()
    for each in given:
        size = each.boxes[0].width, each.boxes[0].height
        images = {
            (
                size[::-1] if turn.swaps_axes else size,
                _turn(each.symmetry.group, turn),
                _turn(each.symmetry.full_group, turn),
            )
            for turn in transforms
        }
        if seen.isdisjoint(images):
            yield each
        seen |= images


def is_weaker(symmetry: Symmetry, other: Symmetry) -> bool:
    """Whether every pattern with the other symmetry has this one."""
    return symmetry == other or (symmetry.factor == 1 and symmetry.group <= other.group)


def embed(problem: Problem, smaller: Problem, history: History) -> History:
    """Return a solution of a restriction as a solution of the whole problem."""
    embedded = []
    for states, small, box in zip(history, smaller.all_boxes, problem.all_boxes, strict=True):
        if problem.boundary == "torus":
            copies = (box.height // small.height, box.width // small.width)
            embedded.append(np.tile(states, copies))
            continue
        whole = np.zeros((box.height, box.width), np.uint8)
        x, y = small.x - box.x, small.y - box.y
        whole[y : y + small.height, x : x + small.width] = states
        embedded.append(whole)
    return tuple(embedded)


def _smaller_objects(problem: Problem) -> Iterator[Restriction]:
    """Yield smaller boxes in the middle of the box, with every symmetry."""
    box, asked = problem.all_boxes[0], problem.parsed.symmetry
    sizes = {(side, side) for side in SQUARES} | {(box.width, box.height)}
    sizes |= {(w, h) for w, h in product(SIDES, SIDES) if max(w, h) <= LONGEST * min(w, h)}
    for w, h in sizes:
        dx, dy = box.width - w, box.height - h
        # A symmetry of the whole is about the centre of its box, which must stay the centre.
        if dx < 0 or dy < 0 or (len(asked.full_group) > 1 and (dx % 2 or dy % 2)):
            continue
        yield from _with_symmetries(problem, Box(box.x + dx // 2, box.y + dy // 2, w, h))


def ship_widths(problem: Problem) -> Iterator[Restriction]:
    """Yield narrower boxes of the whole height for ships to the north, with and without a mirror.

    Rows of a mirrored ship have half as many free cells, so these come first.
    """
    motion, asked = problem.motion, problem.parsed.symmetry
    if motion is None or motion.dx or motion.dy >= 0 or not is_object(problem):
        return
    box = problem.all_boxes[0]
    centred = len(asked.full_group) > 1
    for cells in range(3, MOST_FREE + 1):
        for symmetry, width in (
            (Symmetry("D2|"), 2 * cells - 1),
            (Symmetry("D2|"), 2 * cells),
            (Symmetry("C1:D2|"), cells),
            (Symmetry("C1"), cells),
        ):
            beside = box.width - width
            if beside >= 0 and is_weaker(asked, symmetry) and not (centred and beside % 2):
                narrow = Box(box.x + beside // 2, box.y, width, box.height)
                yield Restriction((narrow,), symmetry, cells * box.height * problem.generations)


def _smaller_tori(problem: Problem) -> Iterator[Restriction]:
    """Yield tori that fit into the whole one several times, with every symmetry."""
    box = problem.all_boxes[0]
    widths, heights = (
        [n for n in range(1, side + 1) if side % n == 0] for side in (box.width, box.height)
    )
    for w, h in product(widths, heights):
        yield from _with_symmetries(problem, Box(box.x, box.y, w, h))


def _around_given(problem: Problem) -> Iterator[Restriction]:
    """Yield smaller boxes around the given live cells, with every symmetry."""
    core, boxes = EMPTY_BOX, problem.all_boxes
    symmetric = len(problem.parsed.symmetry.full_group) > 1
    for known in problem.known:
        core |= Pattern.from_cells(known.alive).box
    for margin in range(max(max(box.width, box.height) for box in boxes)):
        inner = [box & core.grow(margin) for box in boxes]
        # A symmetry of the whole is about the centre of its first box, which must stay the centre.
        centred = not symmetric or _centre(inner[0]) == _centre(boxes[0])
        if all(not box.is_empty for box in inner) and not core.is_empty and centred:
            yield from _with_symmetries(problem, *(inner if len(problem.boxes) > 1 else inner[:1]))
        if inner == [*boxes]:
            return


def _with_symmetries(problem: Problem, *boxes: Box) -> Iterator[Restriction]:
    asked = problem.parsed.symmetry
    cells = sum(box.area for box in boxes) * (problem.generations if len(boxes) == 1 else 1)
    for symmetry in _symmetries():
        if is_weaker(asked, symmetry):
            yield Restriction(boxes, symmetry, cells / len(symmetry.full_group))


@lru_cache(maxsize=1)
def _symmetries() -> tuple[Symmetry, ...]:
    """Return the symmetries by their older names, which fit any parity."""
    names, found = ("C1", *OLDER_NAMES), []
    for lower, upper in product(names, names):
        try:
            found.append(Symmetry(lower if lower == upper else f"{lower}:{upper}"))
        except UsageError:
            continue  # no single time operation leads from one to the other
    return tuple(found)


def _centre(box: Box) -> tuple[int, int]:
    """Return twice the centre of a box, which is an integer."""
    return 2 * box.x + box.width, 2 * box.y + box.height


def is_object(problem: Problem) -> bool:
    """Whether the problem asks for a recurring pattern, anywhere in one box."""
    one = len(problem.boxes) == 1 and problem.motion is not None
    return one and problem.boundary == "dead" and not names_places(problem)


def _is_untwisted_torus(problem: Problem) -> bool:
    # A smaller torus, repeated, has several times its population.
    plain = not (any(problem.wrap) or names_places(problem) or _is_bounded(problem))
    return problem.boundary == "torus" and plain


def _is_bounded(problem: Problem) -> bool:
    return any(isinstance(each, Bound) for each in problem.constraints)


def _has_given_cells(problem: Problem) -> bool:
    linked = problem.links or problem.exempt
    return problem.boundary == "dead" and bool(problem.known) and not linked


Restrict = Callable[[Problem], Iterable[Restriction]]

TABLE: Final[tuple[tuple[Callable[[Problem], bool], Restrict], ...]] = (
    (is_object, _smaller_objects),
    (_is_untwisted_torus, _smaller_tori),
    (_has_given_cells, _around_given),
)
"""Restrictions by the type of problem; the first row that applies decides."""
