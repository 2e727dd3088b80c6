"""Connected components of large graphs, by arrays: repeated hooking and pointer jumping.

>>> join(5, (np.array([3, 4]), np.array([1, 3]))).tolist()
[0, 1, 2, 1, 1]
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Nodes = npt.NDArray[np.int64]


def join(count: int, *pairs: tuple[Nodes, Nodes]) -> Nodes:
    """Return, for each of ``count`` nodes, the least node that the pairs join with it."""
    label = np.arange(count)
    if not pairs:
        return label
    left, right = (np.concatenate([np.asarray(pair[side]) for pair in pairs]) for side in (0, 1))
    while True:
        a, b = label[left], label[right]
        apart = a != b
        if not apart.any():
            return label
        left, right, a, b = left[apart], right[apart], a[apart], b[apart]
        # Every root with a smaller neighbour is attached to the smallest one.
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while not np.array_equal(label, label[label]):
            label = label[label]
