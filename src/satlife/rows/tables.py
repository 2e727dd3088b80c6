"""The tables of one search: which rows can follow which, as numbers for the compiled part."""

from __future__ import annotations

from typing import Final

import numpy as np

from satlife.errors import UsageError
from satlife.rows import kernels
from satlife.rows.quotient import FOLDS, Quotient

NARROW: Final = 6
"""The widest rows of which a set is one word, in cells."""
LISTED: Final = 9
"""The widest rows that have lists, in cells: 2 KB for each pair of rows that occurs.

With 10 cells, filling them takes longer than to search column by column, which has no tables."""


def build_kit(quotient: Quotient, *, shared: bool = False) -> kernels.Kit:
    """Build the tables; ``shared`` fills them at once, so that several threads can read them."""
    if quotient.bits > quotient.widest:
        raise UsageError(
            f"rows of {quotient.bits} cells are too wide, {quotient.widest} is the most"
        )
    n, masks = 1 << quotient.bits, window_masks(quotient.table)
    kind = 0 if quotient.bits <= NARROW else 1 if quotient.bits <= LISTED or quotient.glide else 2
    sets, pairs, lists = (n * n * (kind in kinds) for kinds in ((0,), (0, 1), (1,)))
    kit = (
        np.array(
            [
                quotient.bits,
                FOLDS.index(quotient.fold),
                quotient.skew,
                quotient.twist,
                quotient.period,
                quotient.step,
                kind,
                quotient.width,
                quotient.lanes,
                *quotient.turns,
                quotient.all_broken,
            ],
            np.int64,
        ),
        masks,
        np.zeros((sets, n), np.uint64),
        np.zeros((pairs, max(1, n // 64)), np.uint64),
        np.zeros((sets, n), np.uint64),
        np.zeros((lists, n + 1), np.uint16),
        np.zeros((lists, n), np.uint16),
        np.zeros(lists, np.uint8),
        np.array([quotient.find_broken(row) for row in range(n)], np.uint8),
        kernels.link_rows(masks),
        kernels.link_chains(masks),
    )
    if kind == 0:
        kernels.build_sets(kit[0], kit[1], kit[2], kit[3], kit[4])
    elif shared and kind == 1:
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
