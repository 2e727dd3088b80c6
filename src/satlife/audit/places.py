"""The cells of boxes and drawings, which all sentences of the audit name.

>>> list_places(Box(0, 0, 2, 2))
[(0, 0), (1, 0), (0, 1), (1, 1)]
"""

from __future__ import annotations

from collections.abc import Iterable

from satlife.life import Box
from satlife.problem import Known
from satlife.problem import constraints as ask

Place = tuple[int, int]


def list_places(box: Box) -> list[Place]:
    """Return the cells of a box, row by row."""
    return [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]


def list_lines(boxes: Iterable[Box], axis: int) -> range:
    """Return the columns (axis 0) or rows (axis 1) of the least box that holds all of these."""
    held = [place[axis] for box in boxes for place in list_places(box)]
    return range(min(held), max(held) + 1)


def read_drawing(it: Known | ask.Difference) -> dict[Place, str]:
    """Return the state of every drawn cell."""
    return {(x, y): c for y, row in enumerate(it.rows, it.y) for x, c in enumerate(row, it.x)}
