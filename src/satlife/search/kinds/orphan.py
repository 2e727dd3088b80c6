"""Orphans: is there anything at all that becomes this?"""

from __future__ import annotations

from satlife.errors import UsageError
from satlife.life import PartialPattern, Pattern
from satlife.life.partial import UNKNOWN
from satlife.search.kinds.common import draw_known
from satlife.search.problem import Problem, format_placed_box


def orphan(pattern: Pattern | PartialPattern) -> Problem:
    """Ask for a parent of the pattern's cells, free on all of their neighbours.

    The pattern is an orphan if the search is impossible.  Only its own cells are asked for: what
    is around them may become anything.  Unknown cells (``?``) are not asked for.

    >>> orphan(Pattern.from_rle("3o!")).boxes
    ('5x3-1-1', '3x1')
    """
    partial = PartialPattern.from_pattern(pattern) if isinstance(pattern, Pattern) else pattern
    if partial.box.is_empty:
        raise UsageError("the pattern has no cells; everything is a parent of nothing")
    rows, columns = (partial.states[0] == UNKNOWN).nonzero()
    places = zip((columns + partial.x).tolist(), (rows + partial.y).tolist(), strict=True)
    return Problem(
        kind="orphan",
        rule=str(partial.rule),
        boxes=(format_placed_box(partial.box.grow(1)), format_placed_box(partial.box)),
        steps=1,
        boundary="free",
        known=(draw_known(_first(partial), 1),),
        exempt=tuple((x, y, 1) for x, y in places),
    )


def _first(partial: PartialPattern) -> PartialPattern:
    return PartialPattern(partial.states[0], partial.x, partial.y, partial.rule)
