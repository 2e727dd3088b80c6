"""Orphans: does anything at all become this?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.errors import UsageError
from satlife.kinds._kind import BOX_OF_CELLS, Kind, file

if TYPE_CHECKING:
    from satlife.life import PartialPattern, Pattern
    from satlife.problem import Problem


def orphan(pattern: Pattern | PartialPattern | str) -> Problem:
    """Ask for a parent of the pattern's cells, free on all of their neighbours.

    The pattern is an orphan if the search is impossible.  Only its own cells matter, dead margins
    that were drawn included: the cells around them may become anything, and so may its unknown
    cells (``?``).

    >>> from satlife import Pattern
    >>> orphan(Pattern.from_rle("3o!")).boxes
    ('5x3-1-1', '3x1')
    """
    from satlife.kinds._common import draw_known, read_cells
    from satlife.life import UNKNOWN, PartialPattern, Pattern
    from satlife.life.box import format_placed_box
    from satlife.problem import Problem

    cells: Pattern | PartialPattern = read_cells(
        pattern, BOX_OF_CELLS, (Pattern, PartialPattern), "pattern"
    )
    partial = (
        PartialPattern.from_pattern(cells, cells.frame) if isinstance(cells, Pattern) else cells
    )
    if partial.box.is_empty:
        raise UsageError("the pattern has no cells; everything is a parent of nothing")
    rows, columns = (partial.states[0] == UNKNOWN).nonzero()
    places = zip((columns + partial.x).tolist(), (rows + partial.y).tolist(), strict=True)
    first = PartialPattern(partial.states[0], partial.x, partial.y, partial.rule)
    return Problem(
        kind="orphan",
        rule=str(partial.rule),
        boxes=(format_placed_box(partial.box.grow(1)), format_placed_box(partial.box)),
        steps=1,
        boundary="free",
        known=(draw_known(first, 1),),
        # Whatever they become is right; where cells die slowly, they follow by the rule.
        exempt=tuple((x, y, 1) for x, y in places) if partial.rule.states == 2 else (),
    )


ORPHAN = Kind(
    name="orphan",
    noun="parent",
    function=orphan,
    parameters=(file("pattern", BOX_OF_CELLS),),
    summary="Decide whether a pattern has a parent.",
    text="Decide whether anything at all becomes PATTERN, whatever is around it.  "
    "Unknown cells (?) may become anything.  Exit code 0: it is an orphan; 1: it is not, and a "
    "parent is printed; 3: undecided.",
    examples=("orphan eden.rle",),
    yes="impossible",
    found_words="not an orphan: this is a parent",
    impossible_words="an orphan: nothing becomes this",
    shrinks=True,
)
