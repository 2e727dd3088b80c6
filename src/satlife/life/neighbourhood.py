"""The 3x3 neighbourhood, its 512 states, and how the transforms move them.

A neighbourhood is a number from 0 to 511 with one bit for each cell, in the order of Golly's MAP
rules: NW=256, N=128, NE=64, W=32, C=16, E=8, SW=4, S=2, SE=1. A rule's table has one entry for
each of them: the cell's next state.

>>> CENTRE, NEIGHBOURS[: 1 << 3].tolist()
(16, [0, 1, 1, 2, 1, 2, 2, 3])
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.cells import Cells
from satlife.life.transforms import TRANSFORMS, Transform

OFFSETS: Final = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
"""The nine cells (dx, dy) in reading order; the first has the highest bit."""

BITS: Final = {offset: 1 << (8 - place) for place, offset in enumerate(OFFSETS)}
"""The bit of each of the nine cells."""

CENTRE: Final = BITS[0, 0]

_STATES: Final[NDArray[np.intp]] = np.arange(512)

IS_ALIVE: Final[NDArray[np.bool_]] = _STATES & CENTRE != 0
"""For each neighbourhood: whether its centre is alive."""

NEIGHBOURS: Final[NDArray[np.intp]] = sum(
    (((_STATES & bit) != 0).astype(np.intp) for bit in BITS.values() if bit != CENTRE),
    start=np.zeros(512, dtype=np.intp),
)
"""For each neighbourhood: how many of the eight neighbours are alive."""


def permute_states(transform: Transform) -> NDArray[np.intp]:
    """Give, for each of the 512 neighbourhoods, the one that it becomes."""
    result = np.zeros(512, dtype=np.intp)
    for (dx, dy), bit in BITS.items():
        result[(_STATES & bit) != 0] |= BITS[transform.apply_to_point(dx, dy)]
    return result


_PERMUTATIONS: Final = {transform: permute_states(transform) for transform in TRANSFORMS}


def find_table_symmetries(table: Cells) -> tuple[Transform, ...]:
    """Find the transforms that a table respects: transform, then step = step, then transform."""
    return tuple(g for g, moved in _PERMUTATIONS.items() if np.array_equal(table[moved], table))
