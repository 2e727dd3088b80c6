"""The 3x3 neighbourhood, its 512 states, and their square and hexagonal symmetries.

A neighbourhood is a number from 0 to 511 with one bit for each cell, in the order of Golly's MAP
rules: NW=256, N=128, NE=64, W=32, C=16, E=8, SW=4, S=2, SE=1. A rule's table has one entry for
each of them: the cell's next state.

>>> CENTRE, NEIGHBOURS[: 1 << 3].tolist()
(16, [0, 1, 1, 2, 1, 2, 2, 3])

A hexagonal rule sees six of the eight neighbours (:data:`HEXAGONAL`).  The twelve symmetries of the
hexagonal grid, which permute these six, are matrices like those of
:class:`~satlife.life.Transform`, but a sixth of a turn is not one of the square's eight: it shears
the grid.

>>> len(HEXAGONAL_MAPS), turn_hexagonally(((1, -1), (1, 0)), np.array([[1, 1]])).tolist()
(12, [[1, 0], [0, 1]])

Searches do not use these maps; identification does.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.cells import Cells, freeze
from satlife.life.transforms import TRANSFORMS, Matrix, Transform

OFFSETS: Final = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
"""The nine cells (dx, dy) in reading order; the first has the highest bit."""

BITS: Final = {offset: 1 << (8 - place) for place, offset in enumerate(OFFSETS)}
"""The bit of each of the nine cells."""

CENTRE: Final = BITS[0, 0]

_STATES: Final[NDArray[np.intp]] = np.arange(512)

VON_NEUMANN: Final = tuple((dx, dy) for dx, dy in OFFSETS if 0 in (dx, dy))
"""The cells of the von Neumann neighbourhood, the centre included."""

HEXAGONAL: Final = tuple((dx, dy) for dx, dy in OFFSETS if dx * dy >= 0)
"""The cells of the hexagonal neighbourhood, the centre included: as in Golly, without NE and SW."""


def count_alive(bits: Iterable[int]) -> NDArray[np.intp]:
    """Count, for each of the 512 neighbourhoods, the living cells among those with these bits."""
    return sum(
        (((_STATES & bit) != 0).astype(np.intp) for bit in bits),
        start=np.zeros(512, dtype=np.intp),
    )


IS_ALIVE: Final[NDArray[np.bool_]] = _STATES & CENTRE != 0
"""Whether the centre is alive, for each neighbourhood."""

NEIGHBOURS: Final = count_alive(bit for bit in BITS.values() if bit != CENTRE)
"""The number of living neighbours, for each neighbourhood."""


def number_by(cells: Iterable[tuple[int, int]]) -> NDArray[np.intp]:
    """Number each of the 512 neighbourhoods by some of its cells, the first at the highest bit."""
    result = np.zeros(512, dtype=np.intp)
    for cell in cells:
        result = 2 * result + (_STATES & BITS[cell] != 0)
    return result


def fold_table(table: Cells, kinds: NDArray[np.intp]) -> Cells | None:
    """Return one entry for each kind of neighbourhood; ``None`` if the table depends on more.

    >>> fold_table((NEIGHBOURS > 6).astype(np.uint8), NEIGHBOURS).tolist()
    [0, 0, 0, 0, 0, 0, 0, 1, 1]
    """
    entries = np.zeros(int(kinds.max()) + 1, dtype=np.uint8)
    entries[kinds] = table
    return freeze(entries) if np.array_equal(entries[kinds], table) else None


def permute_states(transform: Transform) -> NDArray[np.intp]:
    """Return the image of each of the 512 neighbourhoods under a transform."""
    result = np.zeros(512, dtype=np.intp)
    for (dx, dy), bit in BITS.items():
        result[(_STATES & bit) != 0] |= BITS[transform.apply_to_point(dx, dy)]
    return result


_PERMUTATIONS: Final = {transform: permute_states(transform) for transform in TRANSFORMS}


def find_table_symmetries(table: Cells) -> tuple[Transform, ...]:
    """Find the transforms that a table respects: those that commute with a step."""
    return tuple(g for g, moved in _PERMUTATIONS.items() if np.array_equal(table[moved], table))


def _apply(matrix: Matrix, x: int, y: int) -> tuple[int, int]:
    (a, b), (c, d) = matrix
    return a * x + b * y, c * x + d * y


HEXAGONAL_MAPS: Final[tuple[Matrix, ...]] = tuple(
    ((a, b), (c, d))
    for a, b, c, d in product((1, 0, -1), repeat=4)
    if {_apply(((a, b), (c, d)), x, y) for x, y in HEXAGONAL} == set(HEXAGONAL)
)
"""The twelve symmetries of the hexagonal grid, the identity first."""


def find_hexagonal_symmetries(table: Cells) -> tuple[Matrix, ...]:
    """Find the hexagonal maps that a rule's table respects; none if the rule is not hexagonal.

    A rule is not hexagonal if it depends on cells other than the six, or only on the cells of the
    von Neumann neighbourhood.
    """
    entries = fold_table(table, number_by(HEXAGONAL))
    if entries is None or fold_table(table, number_by(VON_NEUMANN)) is not None:
        return ()
    cube = entries.reshape((2,) * len(HEXAGONAL))  # an axis for each cell

    def respects(matrix: Matrix) -> bool:
        axes = [HEXAGONAL.index(_apply(matrix, *cell)) for cell in HEXAGONAL]
        return np.array_equal(cube.transpose(axes), cube)

    return tuple(filter(respects, HEXAGONAL_MAPS))


def turn_hexagonally(matrix: Matrix, cells: Cells) -> Cells:
    """Apply a map to the cells of an array [y, x]; return the smallest array with the image."""
    rows, columns = np.nonzero(cells)
    if not rows.size:
        return cells[:0, :0]
    x, y = np.array(matrix) @ np.stack([columns, rows])
    x, y = x - x.min(), y - y.min()
    image = np.zeros((y.max() + 1, x.max() + 1), dtype=np.uint8)
    image[y, x] = cells[rows, columns]
    return image
