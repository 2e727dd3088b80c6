"""States as sorted arrays of keys, one number for each living cell, and the clusters of cells.

A key is ``y * 2**32 + x``, so that sorted keys are cells in reading order, and moving a pattern
adds one number to all of them. Distant states are compared as sets of keys.

>>> unpack(pack(np.array([-3, 4]), np.array([0, 1])))
(array([-3,  4]), array([0, 1]))

Clusters are groups of living cells that are too far from each other to interact in the next
generation. Two cells at a distance of at most 2 (in x and in y) have a neighbour in common; cells
in different clusters are further apart than that.

>>> keys = pack(np.array([0, 2, 5, 1]), np.array([0, 0, 0, 2]))
>>> [cluster.tolist() == keys[some].tolist() for cluster, some in
...  zip(find_clusters(keys), ([0, 1, 3], [2]), strict=True)]
[True, True]
"""

from __future__ import annotations

from collections.abc import Iterable
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
    """Return the offset that moves keys by dx to the right and dy down."""
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
    """Return the offset that moves one state to the other; ``None`` if there is none."""
    if keys.size != moved.size:
        return None
    if not keys.size:
        return 0
    difference = int(moved[0] - keys[0])
    return difference if np.array_equal(keys + difference, moved) else None


def corner(keys: Keys) -> int:
    """Return the key of the top left cell of the box around some cells."""
    x, y = unpack(keys)
    return offset(int(x.min()), int(y.min()))


def join(states: Iterable[Keys]) -> Keys:
    """Return the cells of several states that have none in common."""
    joined = [np.zeros(0, dtype=np.int64), *states]
    return np.sort(np.concatenate(joined))


def find_clusters(keys: Keys) -> list[Keys]:
    """Return the clusters of a state, in the order of their first cells."""
    near = [offset(dx, dy) for dy in range(3) for dx in range(-2, 3) if (dy, dx) > (0, 0)]
    return _split(keys, _label(keys, near))


def find_groups(keys: Keys, distance: int) -> list[Keys]:
    """Return groups of cells with wide gaps between them.

    Cells of different groups are more than the distance apart; within a group, gaps may be up to
    three times as large.
    """
    x, y = unpack(keys)
    squares, which = np.unique(pack(x // distance, y // distance), return_inverse=True)
    near = [offset(1, 0), offset(-1, 1), offset(0, 1), offset(1, 1)]
    return _split(keys, _label(squares, near)[which.ravel()])


def _split(keys: Keys, labels: NDArray[np.intp]) -> list[Keys]:
    if not keys.size:
        return []
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(keys[order], starts)


def _label(keys: Keys, near: list[int]) -> NDArray[np.intp]:
    """Return for each key the place of the first one that it is connected with."""
    ends = []
    for step in near:
        places = np.searchsorted(keys, keys + step).clip(max=max(keys.size - 1, 0))
        found = np.flatnonzero(keys[places] == keys + step) if keys.size else places
        ends.append(np.stack([found, places[found]]))
    one, other = np.concatenate(ends, axis=1)
    labels = np.arange(keys.size)
    while True:
        first, second = labels[one], labels[other]
        apart = first != second
        if not apart.any():
            return labels
        # Each root is hung below the least one that it touches; then all paths are made short.
        low = np.minimum(first[apart], second[apart])
        np.minimum.at(labels, np.maximum(first[apart], second[apart]), low)
        while not np.array_equal(labels, labels[labels]):
            labels = labels[labels]
