"""Clusters: groups of living cells that are too far from each other to interact at once.

Two cells at a distance of at most 2 (in x and in y) have a neighbour in common, so what happens to
one may depend on the other. Cells in different clusters are further apart than that.

>>> from satlife.life.identity.longrun.keys import pack
>>> keys = pack(np.array([0, 2, 5, 1]), np.array([0, 0, 0, 2]))
>>> [cluster.tolist() == keys[some].tolist() for cluster, some in
...  zip(find_clusters(keys), ([0, 1, 3], [2]), strict=True)]
[True, True]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from satlife.life.identity.longrun.keys import Keys, offset, pack, unpack


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
