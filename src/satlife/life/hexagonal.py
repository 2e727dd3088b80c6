"""The twelve symmetries of the hexagonal grid, as maps of the square grid that stands for it.

A hexagonal rule sees six of the eight neighbours (:data:`~satlife.life.neighbourhood.HEXAGONAL`).
The maps that permute these six are matrices like those of :class:`~satlife.life.Transform`, but a
sixth of a turn is not one of the square's eight: it shears the grid.

>>> len(HEXAGONAL_MAPS), turn_hexagonally(((1, -1), (1, 0)), np.array([[1, 1]])).tolist()
(12, [[1, 0], [0, 1]])

Searches do not know them; identities do.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np

from satlife.life.cells import Cells
from satlife.life.neighbourhood import HEXAGONAL, fold_table, number_by
from satlife.life.transforms import Matrix


def _apply(matrix: Matrix, x: int, y: int) -> tuple[int, int]:
    (a, b), (c, d) = matrix
    return a * x + b * y, c * x + d * y


HEXAGONAL_MAPS: Final[tuple[Matrix, ...]] = tuple(
    ((a, b), (c, d))
    for a, b, c, d in product((1, 0, -1), repeat=4)
    if {_apply(((a, b), (c, d)), x, y) for x, y in HEXAGONAL} == set(HEXAGONAL)
)
"""The identity is the first."""


def find_hexagonal_symmetries(table: Cells) -> tuple[Matrix, ...]:
    """Find the maps that a rule's table respects; none if it sees other cells than the six."""
    entries = fold_table(table, number_by(HEXAGONAL))
    if entries is None:
        return ()
    cube = entries.reshape((2,) * len(HEXAGONAL))  # an axis for each cell

    def respects(matrix: Matrix) -> bool:
        axes = [HEXAGONAL.index(_apply(matrix, *cell)) for cell in HEXAGONAL]
        return np.array_equal(cube.transpose(axes), cube)

    return tuple(filter(respects, HEXAGONAL_MAPS))


def turn_hexagonally(matrix: Matrix, cells: Cells) -> Cells:
    """Apply a map to the cells of an array [y, x]; return the least array that holds the image."""
    rows, columns = np.nonzero(cells)
    if not rows.size:
        return cells[:0, :0]
    x, y = np.array(matrix) @ np.stack([columns, rows])
    x, y = x - x.min(), y - y.min()
    image = np.zeros((y.max() + 1, x.max() + 1), dtype=np.uint8)
    image[y, x] = cells[rows, columns]
    return image
