"""The tables of one search: which rows can follow which, as numbers for the compiled part."""

from __future__ import annotations

from typing import Final

import numpy as np

from satlife.rows import kernels
from satlife.rows.quotient import FOLDS, Quotient

NARROW: Final = 6
"""Rows of up to so many cells: a set of them is one word."""
WIDEST: Final = 10
"""Rows of up to so many cells have lists; they take 4 KB for each pair of rows that occurs."""


def build_kit(quotient: Quotient, *, shared: bool = False) -> kernels.Kit:
    """Build the tables; ``shared`` fills them at once, so that several threads can read them."""
    n = 1 << quotient.bits
    narrow = quotient.bits <= NARROW
    pairs, lists = (n * n, 0) if narrow else (0, n * n)
    kit = (
        np.array(
            [
                quotient.bits,
                FOLDS.index(quotient.fold),
                quotient.skew,
                quotient.twist,
                quotient.period,
                quotient.step,
                0 if narrow else 1,
                quotient.width,
                quotient.lanes,
                *quotient.turns,
            ],
            np.int64,
        ),
        window_masks(quotient.table),
        np.zeros((pairs, n), np.uint64),
        np.zeros((n * n, max(1, n // 64)), np.uint64),
        np.zeros((pairs, n), np.uint64),
        np.zeros((lists, n + 1), np.uint16),
        np.zeros((lists, n), np.uint16),
        np.zeros(lists, np.uint8),
        np.array([quotient.breaks_period(row) for row in range(n)], np.uint8),
    )
    if narrow:
        kernels.build_sets(kit[0], kit[1], kit[2], kit[3], kit[4])
    elif shared:
        kernels.fill_all(kit)
    return kit


def window_masks(table: bytes) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Return, for three cells above and three of the middle, a bit for each three cells below.

    Three cells are a number whose lowest bit is the west one.
    """
    flip = [0, 4, 2, 6, 1, 5, 3, 7]
    return np.array(
        [
            sum(table[flip[a] << 6 | flip[b] << 3 | flip[c]] << c for c in range(8))
            for a in range(8)
            for b in range(8)
        ],
        np.uint8,
    )
