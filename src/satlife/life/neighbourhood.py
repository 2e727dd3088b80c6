"""The 3x3 neighbourhood, its 512 states, and how the transforms move them.

A neighbourhood is a number from 0 to 511 with one bit for each cell, in the order of Golly's MAP
rules: NW=256, N=128, NE=64, W=32, C=16, E=8, SW=4, S=2, SE=1. A rule's table has one entry for
each of them: the cell's next state.

>>> CENTRE, NEIGHBOURS[: 1 << 3].tolist()
(16, [0, 1, 1, 2, 1, 2, 2, 3])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.cells import Cells, freeze
from satlife.life.transforms import TRANSFORMS, Transform

OFFSETS: Final = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
"""The nine cells (dx, dy) in reading order; the first has the highest bit."""

BITS: Final = {offset: 1 << (8 - place) for place, offset in enumerate(OFFSETS)}
"""The bit of each of the nine cells."""

CENTRE: Final = BITS[0, 0]

_STATES: Final[NDArray[np.intp]] = np.arange(512)

VON_NEUMANN: Final = tuple((dx, dy) for dx, dy in OFFSETS if 0 in (dx, dy))
"""The cells that rules of the von Neumann neighbourhood see, the centre too."""

HEXAGONAL: Final = tuple((dx, dy) for dx, dy in OFFSETS if dx * dy >= 0)
"""The cells that hexagonal rules see, the centre too: as in Golly, without NE and SW."""


def count_alive(bits: Iterable[int]) -> NDArray[np.intp]:
    """Count, for each of the 512 neighbourhoods, the living cells among those with these bits."""
    return sum(
        (((_STATES & bit) != 0).astype(np.intp) for bit in bits),
        start=np.zeros(512, dtype=np.intp),
    )


IS_ALIVE: Final[NDArray[np.bool_]] = _STATES & CENTRE != 0
"""For each neighbourhood: whether its centre is alive."""

NEIGHBOURS: Final = count_alive(bit for bit in BITS.values() if bit != CENTRE)
"""For each neighbourhood: how many of the eight neighbours are alive."""


def number_by(cells: Iterable[tuple[int, int]]) -> NDArray[np.intp]:
    """Number each of the 512 neighbourhoods by some of its cells, the first at the highest bit."""
    result = np.zeros(512, dtype=np.intp)
    for cell in cells:
        result = 2 * result + (_STATES & BITS[cell] != 0)
    return result


def fold_table(table: Cells, kinds: NDArray[np.intp]) -> Cells | None:
    """Return one entry for each kind of neighbourhood; ``None`` if kinds do not decide.

    >>> fold_table((NEIGHBOURS > 6).astype(np.uint8), NEIGHBOURS).tolist()
    [0, 0, 0, 0, 0, 0, 0, 1, 1]
    """
    entries = np.zeros(int(kinds.max()) + 1, dtype=np.uint8)
    entries[kinds] = table
    return freeze(entries) if np.array_equal(entries[kinds], table) else None


def permute_states(transform: Transform) -> NDArray[np.intp]:
    """Return, for each of the 512 neighbourhoods, the one that it becomes."""
    result = np.zeros(512, dtype=np.intp)
    for (dx, dy), bit in BITS.items():
        result[(_STATES & bit) != 0] |= BITS[transform.apply_to_point(dx, dy)]
    return result


_PERMUTATIONS: Final = {transform: permute_states(transform) for transform in TRANSFORMS}


def find_table_symmetries(table: Cells) -> tuple[Transform, ...]:
    """Find the transforms that a table respects: transform, then step = step, then transform."""
    return tuple(g for g, moved in _PERMUTATIONS.items() if np.array_equal(table[moved], table))
