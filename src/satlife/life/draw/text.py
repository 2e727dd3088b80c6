"""Pictures in text: two cells in each character, by half blocks.

>>> from satlife.life.pattern import Pattern
>>> print(draw_text(Pattern.from_rle("bob$2bo$3o!")))
 ▀▄
▀▀▀
"""

from __future__ import annotations

from typing import Final

import numpy as np

from satlife.life.box import Box, look_through
from satlife.life.cells import ALIVE, DEAD, UNKNOWN
from satlife.life.draw.palette import DONT_CARE, Drawable, find_box, see

_HALVES: Final = " ▄▀█"
"""By 2 * upper + lower."""

# More states do not fit into half blocks: two characters for each cell make it as square.
_WHOLES: Final = {DEAD: " ·", ALIVE: "██", 2: "▓▓", DONT_CARE: "××", UNKNOWN: "░░"}
_OLDER: Final = "▒▒"
"""A dying cell after its first generation as one."""


def draw_text(what: Drawable, box: Box | None = None) -> str:
    """Draw the cells of a box, by default the pattern's own, without blanks at the lines' ends.

    A pattern is drawn with half blocks, two rows of cells in a line. With more than two states
    each row takes a line: ``██`` alive, ``·`` dead, ``▓▓`` and ``▒▒`` dying, ``░░`` unknown,
    ``××`` don't care. Outside of a partial pattern's box nothing is known, so it is blank.
    """
    own = find_box(what)
    box = own if box is None else box
    cells = see(what, box)
    states = see(what, own)
    if not (states > ALIVE).any():
        if cells.shape[0] % 2:
            cells = np.pad(cells, ((0, 1), (0, 0)))
        halves = 2 * cells[0::2] + cells[1::2]
        return "\n".join("".join(_HALVES[half] for half in row).rstrip() for row in halves.tolist())
    is_partial = bool((states >= DONT_CARE).any())
    shown = look_through(box, np.ones_like(states), own) if is_partial else np.ones_like(cells)
    return "\n".join(
        "".join(
            _WHOLES.get(state, _OLDER) if is_shown else "  "
            for state, is_shown in zip(row, shown_row, strict=True)
        ).rstrip()
        for row, shown_row in zip(cells.tolist(), shown.tolist(), strict=True)
    )
