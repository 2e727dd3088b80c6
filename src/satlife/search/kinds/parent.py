"""Ancestors: patterns that become a given one."""

from __future__ import annotations

from typing import Unpack

from satlife.errors import UsageError
from satlife.life import PartialPattern, Pattern
from satlife.search.kinds.common import Bounds, bound_constraints, check_cells, draw_known
from satlife.search.problem import Problem, format_placed_box


def parent(
    pattern: Pattern | PartialPattern,
    *,
    generations: int = 1,
    margin: int = 1,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern that is this one ``generations`` later.

    Each generation back lives in a box that is ``margin`` cells larger on each side.

    >>> parent(Pattern.from_rle("3o!"), generations=2).boxes
    ('7x5-2-2', '5x3-1-1', '3x1')
    """
    if generations < 1:
        raise UsageError(f"an ancestor lived at least 1 generation ago, got {generations}")
    if margin < 0:
        raise UsageError(f"a margin is not negative, got {margin}")
    if pattern.box.is_empty:
        raise UsageError("the pattern is empty, and so may its ancestors be: nothing to search")
    check_cells(pattern.box, generations)
    check_cells(pattern.box.grow(margin * generations), 1)
    back = range(generations, -1, -1)
    return Problem(
        kind="parent",
        rule=str(pattern.rule),
        boxes=tuple(format_placed_box(pattern.box.grow(margin * n)) for n in back),
        steps=generations,
        known=(draw_known(pattern, generations),),
        constraints=bound_constraints(bounds),
    )
