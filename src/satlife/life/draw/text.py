"""Pictures in text: two cells in each character, by half blocks.

>>> from satlife.life.pattern import Pattern
>>> print(draw_text(Pattern.from_rle("bob$2bo$3o!")))
 ▀▄
▀▀▀
"""

from __future__ import annotations

from typing import Final

import numpy as np

from satlife.life.box import Box
from satlife.life.cells import check_extent
from satlife.life.partial import ALIVE, DEAD, UNKNOWN, PartialPattern
from satlife.life.pattern import Pattern

_HALVES: Final = " ▄▀█"
"""By 2 * upper + lower."""

# Three states do not fit into half blocks: a partial pattern takes two characters for each cell,
# which makes the cells as square.
_WHOLES: Final = {DEAD: " ·", ALIVE: "██", UNKNOWN: "░░"}


def draw_text(pattern: Pattern | PartialPattern, box: Box | None = None) -> str:
    """Draw the cells of a box, by default the pattern's own, without blanks at the lines' ends.

    A pattern is drawn with half blocks, two rows of cells in a line. A partial pattern's first
    generation takes a line for each row: ``██`` alive, ``·`` dead, ``░░`` unknown, and blank
    where nothing is said.
    """
    if isinstance(pattern, PartialPattern):
        return _draw_partial(pattern, box)
    cells = pattern.in_box(pattern.box if box is None else box)
    if cells.shape[0] % 2:
        cells = np.pad(cells, ((0, 1), (0, 0)))
    halves = 2 * cells[0::2] + cells[1::2]
    return "\n".join("".join(_HALVES[half] for half in row).rstrip() for row in halves.tolist())


def _draw_partial(pattern: PartialPattern, box: Box | None) -> str:
    box = pattern.box if box is None else box
    check_extent(box.x, box.y, box.width, box.height)
    states = pattern.states[0].tolist()
    lines = (
        "".join(
            _WHOLES[states[y - pattern.y][x - pattern.x]] if (x, y) in pattern.box else "  "
            for x in range(box.x, box.right)
        ).rstrip()
        for y in range(box.y, box.bottom)
    )
    return "\n".join(lines)
