"""What several kinds share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict, cast

from satlife.life import PartialPattern, Pattern
from satlife.life.box import Box
from satlife.life.numbers import check_number
from satlife.life.partial import ALIVE, DEAD
from satlife.search.problem import LARGEST, Known, format_placed_box
from satlife.search.problem.constraints import (
    Area,
    Bound,
    Constraint,
    Difference,
    FullPeriod,
    Height,
    NotEmpty,
    PatternPeriod,
    Population,
    Rotor,
    Stator,
    Width,
    merge_bounds,
)
from satlife.search.problem.profile import parse_profile

_STATES = {DEAD: ".", ALIVE: "o"}


def period_constraints(period: int, composite: bool) -> tuple[Constraint, ...]:
    """Not empty, and no smaller period: of one cell, or of the whole pattern only."""
    if period == 1:
        return (NotEmpty(),)
    return (PatternPeriod() if composite else FullPeriod(),)


BoundLike = str | int | Sequence[str | int] | None
"""``<=20``, or a number that is meant exactly, or several of them."""

BoxLike = str | Box | tuple[int, int]
"""``9x9``, or (width, height), or a box; as a text also a profile: ``10x13,8x13*9``."""


def read_boxes(box: BoxLike, generations: int) -> tuple[str, ...]:
    """Read a box, or a profile, for so many generations.

    >>> read_boxes((9, 4), 1), read_boxes(Box(1, 0, 3, 3), 2)
    (('9x4',), ('3x3+1+0',))
    """
    if isinstance(box, tuple):
        width, height = box
        box = Box(0, 0, width, height)
    return parse_profile(format_placed_box(box) if isinstance(box, Box) else box, generations)


class Bounds(TypedDict, total=False):
    """What the kinds take to bound the numbers of a solution.

    Each is ``<=20``, ``>=36``, ``20..36`` or just ``9``, or several of them.
    """

    population: BoundLike
    """Live cells in generation 0; for another generation ``<=20@3``, ``@every``, ``@least``."""
    rotor: BoundLike
    """Cells that are not the same in all generations."""
    stator: BoundLike
    """Cells that live in all generations."""
    width: BoundLike
    """The width of the least box that holds all generations, unmoved."""
    height: BoundLike
    """The height of that box."""
    area: BoundLike
    """The area of that box."""
    difference: Difference | Sequence[Difference] | None
    """Cells that are not as in another pattern: ``Difference.of(pattern, "<=3")``."""


_BOUND_TYPES: dict[str, type[Bound]] = {
    "population": Population,
    "rotor": Rotor,
    "stator": Stator,
    "width": Width,
    "height": Height,
    "area": Area,
    "difference": Difference,
}


def bound_constraints(bounds: Bounds) -> tuple[Constraint, ...]:
    """Read bounds on the numbers of a solution; those on the same number become one."""
    read: list[Bound] = []
    for name, given in cast("dict[str, Any]", bounds).items():
        if name not in _BOUND_TYPES:
            raise TypeError(f"there is no {name!r}; the bounds are {', '.join(_BOUND_TYPES)}")
        single = isinstance(given, str | int | Bound)
        each: Iterable[Any] = [given] if single else given or ()
        kind = _BOUND_TYPES[name]
        read += (bound if isinstance(bound, Bound) else kind.parse(str(bound)) for bound in each)
    return cast("tuple[Constraint, ...]", merge_bounds(read))


def check_cells(box: Box, generations: int) -> None:
    """Refuse so many cells before anything is made for each of them."""
    check_number(box.area * generations, LARGEST, "the cells of all generations")


def draw_known(pattern: Pattern | PartialPattern, t: int = 0) -> Known:
    """Turn a generation of a pattern into known cells; all of its box counts."""
    partial = PartialPattern.from_pattern(pattern) if isinstance(pattern, Pattern) else pattern
    index = t if partial.generations > 1 else 0
    rows = tuple(
        "".join(_STATES.get(state, "?") for state in row) for row in partial.states[index].tolist()
    )
    return Known(t=t, x=partial.x, y=partial.y, rows=rows)
