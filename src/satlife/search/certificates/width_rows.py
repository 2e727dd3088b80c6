"""The rule on three rows, for the checker of widths alone: every result, by NumPy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def tabulate(
    table: npt.NDArray[np.uint8], width: int, half: int, gutter: bool, turn: int
) -> npt.NDArray[np.int16]:
    """Return G(a, b, x) for all rows, -1 where a cell beside the width or in the gutter is born.

    Of a glide, every second generation (``turn`` 1) or row of space (2) is mirrored, so that rows
    of equal numbers are equal: then the result of G is mirrored, or the first and the last row are.
    """
    free, beside = half or width, [-(1 << 14)]
    n = 1 << free
    cells = (np.arange(n)[:, None] >> np.arange(free)) & 1
    gap = beside if half and gutter else []
    if half:  # the free cells are the right half, the middle column among them unless it is dead
        cells = np.column_stack(
            [cells[:, ::-1][:, : width // 2], np.zeros((n, len(gap)), int), cells]
        )
    left = [0] * (width - free - len(gap))
    worth = np.array([*beside, *left, *gap, *(1 << np.arange(free)), *beside])
    worth = worth[::-1] if turn == 1 else worth
    own, outer = _see(cells), _see(cells[:, ::-1] if turn == 2 else cells)
    steps = np.empty((n, n, n), np.int16)
    for a in range(n):
        found = np.zeros((n, n), np.int64)
        for column in np.flatnonzero(worth):
            around = (outer[a, column] << 6) | (own[:, column, None] << 3) | outer[None, :, column]
            found += worth[column] * table[around]
        steps[a] = np.where(found < 0, -1, found)
    return steps


def _see(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the three cells around each column of rows, and around one column beside them."""
    wide = np.pad(cells, ((0, 0), (2, 2)))
    return wide[:, :-2] * 4 + wide[:, 1:-1] * 2 + wide[:, 2:]
