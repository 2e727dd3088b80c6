"""States of a universe as sorted arrays of keys, one number for each living cell.

A key is ``y * 2**32 + x``, so that keys in order are cells in reading order, and moving a pattern
adds one number to all of them. This is how states far apart are compared: as sets.

>>> unpack(pack(np.array([-3, 4]), np.array([0, 1])))
(array([-3,  4]), array([0, 1]))
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Keys: TypeAlias = NDArray[np.int64]

_BITS: Final = 32
_HALF: Final = 1 << (_BITS - 1)


def pack(x: NDArray[np.int64], y: NDArray[np.int64]) -> Keys:
    """Return the keys of some cells, in their order."""
    keys: Keys = (y << _BITS) + x
    return keys


def unpack(keys: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the x and the y of some keys."""
    y = (keys + _HALF) >> _BITS
    return keys - (y << _BITS), y


def offset(dx: int, dy: int) -> int:
    """Return what moves keys by dx to the right and dy down."""
    return (dy << _BITS) + dx


def displacement(moved: int) -> tuple[int, int]:
    """Return the (dx, dy) of an offset.

    >>> displacement(offset(-2, 1))
    (-2, 1)
    """
    dy = (moved + _HALF) >> _BITS
    return moved - (dy << _BITS), dy


def without(keys: Keys, others: Keys) -> Keys:
    """Return the keys that are not among the others."""
    return np.setdiff1d(keys, others, assume_unique=True)


def find_offset(keys: Keys, moved: Keys) -> int | None:
    """Return what moves the one state to the other; ``None`` if nothing does."""
    if keys.size != moved.size:
        return None
    if not keys.size:
        return 0
    difference = int(moved[0] - keys[0])
    return difference if np.array_equal(keys + difference, moved) else None
