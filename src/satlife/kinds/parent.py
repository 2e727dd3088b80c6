"""Ancestors: patterns that become a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from satlife.errors import UsageError
from satlife.kinds._kind import ANY_PATTERN, CELLS, CHANGE, Kind, Parameter, bounds, file, number

if TYPE_CHECKING:
    from satlife.kinds._common import Bounds
    from satlife.life import PartialPattern, Pattern
    from satlife.problem import Problem


def parent(
    pattern: Pattern | PartialPattern | str,
    *,
    generations: int = 1,
    margin: int = 1,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern that is this one ``generations`` later.

    Each generation back lives in a box that is ``margin`` cells larger on each side.

    >>> from satlife import Pattern
    >>> parent(Pattern.from_rle("3o!"), generations=2).boxes
    ('7x5-2-2', '5x3-1-1', '3x1')
    """
    from satlife.kinds._common import (
        bound_constraints,
        check_cells,
        draw_known,
        given_cells,
        grow_known,
        read_cells,
        read_whole,
    )
    from satlife.life import PartialPattern, Pattern
    from satlife.life.box import format_placed_box
    from satlife.problem import Problem

    target: Pattern | PartialPattern = read_cells(
        pattern, ANY_PATTERN, (Pattern, PartialPattern), "pattern"
    )
    generations = read_whole(generations, "generations", 1)
    margin = read_whole(margin, "margin", 0)
    if target.box.is_empty:
        raise UsageError("the pattern is empty, and so may its ancestors be: nothing to search")
    check_cells(target.box, generations)
    check_cells(target.box.grow(margin * generations), 1)
    back = range(generations, -1, -1)
    drawn = draw_known(target, generations)
    if target.rule.states > 2:  # outside, nothing may be dying: the pattern is all there is
        drawn = grow_known(drawn, margin * generations)
    return Problem(
        kind="parent",
        rule=str(target.rule),
        boxes=tuple(format_placed_box(target.box.grow(margin * n)) for n in back),
        steps=generations,
        known=(drawn, *given_cells(bounds, generations + 1)),
        constraints=bound_constraints(bounds),
    )


PARENT = Kind(
    name="parent",
    noun="ancestor",
    function=parent,
    parameters=(
        file("pattern"),
        Parameter(name="generations", reader=number(1), help="How many generations back."),
        Parameter(name="margin", reader=number(0), help="Cells on each side, per generation back."),
        *CELLS,
        *bounds("population", *CHANGE, "difference"),
    ),
    summary="Find an ancestor of a pattern.",
    text="Find a pattern that becomes PATTERN.  Every generation back may be larger by the "
    "margin on each side; all other cells are dead.",
    examples=(
        "parent life.rle",
        "parent life.rle --generations 4",
        "parent x.rle --population '<=41'",
    ),
)
