"""How many bits are set in each word of an array."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_BYTES: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1).sum(
    axis=1, dtype=np.uint8
)


def _count_by_table(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Count by a table of bytes.

    >>> _count_by_table(np.array([[0, 7], [2**64 - 1, 1]], dtype=np.uint64)).tolist()
    [[0, 3], [64, 1]]
    """
    words = np.ascontiguousarray(words)
    counts: NDArray[np.uint8] = (
        _BYTES[words.view(np.uint8)].reshape(*words.shape, 8).sum(axis=-1, dtype=np.uint8)
    )
    return counts


# NumPy 1 has no function for it.
count_bits: Any = getattr(np, "bitwise_count", _count_by_table)
