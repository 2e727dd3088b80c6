"""The tables of one search: which rows can follow which, as numbers for the compiled part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.rows.compilation import Kit, call
from satlife.rows.kernels import KINDS, QUOTIENT, list_windows, pack
from satlife.rows.quotient import FOLDS, Quotient

NARROW: Final = 6
"""The widest rows whose sets are one word, in cells."""
LEAST_HALVED: Final = 5
"""The least cells of rows that have halves."""
HALVED: Final = 10
"""The widest rows that have halves, in cells; plain rows only, in one lane."""
LISTED: Final = 9
"""The widest slanted rows and lanes that have lists, in cells: 2 KB for each pair that occurs.

With 10 cells, filling them takes longer than to search column by column, which has no tables."""


def find_kind(quotient: Quotient) -> str:
    """Return how the successors of rows are found."""
    if quotient.bits <= NARROW:
        return "narrow"
    plain = not (quotient.slanted or quotient.shear or quotient.lanes > 1 or quotient.glide)
    if plain and LEAST_HALVED <= quotient.bits <= HALVED:
        return "halves"
    if quotient.bits <= LISTED or quotient.glide or quotient.shear:
        return "listed"
    return "slanted" if quotient.slanted else "columns"


def build_kit(quotient: Quotient, *, shared: bool = False) -> Kit:
    """Build the tables; ``shared`` fills them at once, so that several threads can read them."""
    if quotient.bits > quotient.widest:
        raise UsageError(
            f"rows of {quotient.bits} cells are too wide, {quotient.widest} is the most"
        )
    if not quotient.step:
        raise UsageError("a hunt is for ships; an oscillator is searched in a strip")
    n, masks, kind = 1 << quotient.bits, window_masks(quotient.table), find_kind(quotient)
    turn, late = quotient.turns
    own = {
        "fold": FOLDS.index(quotient.fold),
        "kind": KINDS.index(kind),
        "turn": turn,
        "late": late,
    }
    numbers = (own.get(name, getattr(quotient, name, 0)) for name in QUOTIENT.names or ())
    narrow, listed, halved = (n * n * (kind == each) for each in ("narrow", "listed", "halves"))
    nothing = np.zeros(0, np.uint64)
    links, chains = _link(masks) if kind == "columns" else (nothing, nothing)
    links = np.zeros(512, np.uint64) if kind == "slanted" else links
    kit = Kit(
        quotient=np.array(tuple(numbers), QUOTIENT).view(np.recarray),
        masks=masks,
        sets=np.zeros((narrow, n), np.uint64),
        images=np.zeros((narrow + listed + halved, max(1, n // 64)), np.uint64),
        follow=np.zeros((narrow, n), np.uint64),
        starts=np.zeros((listed, n + 1), np.uint16),
        lists=np.zeros((listed, n), np.uint16),
        filled=np.zeros(listed, np.uint8),
        weights=np.array([quotient.weigh(row) for row in range(1 << quotient.width)], np.uint8),
        broken=np.array([quotient.find_broken(row) for row in range(n)], np.uint8),
        links=links,
        chains=chains,
        low=np.zeros(20 << 10 if halved else 0, np.uint64),
        high=np.zeros((halved * n >> 10) * max(1, n >> 6), np.uint8),
    )
    if narrow or halved or (listed and shared) or kind == "slanted":
        call("fill", kit)
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


def _link(masks: npt.NDArray[np.uint8]) -> Iterator[npt.NDArray[np.uint64]]:
    """Yield where z = G(a, x, w), for three cells of a and each new column of (x, y, z, w).

    Then yield where x = G(a, v, s), for three cells of a and each new column of (x, v, s).
    """
    for rows, middle, below, result in ((4, 0, 3, 2), (3, 1, 2, 0)):
        old, new = list_windows(rows)
        fits = np.zeros((8, 1 << rows, 4**rows), bool)
        for a, e in np.ndindex(8, 1 << rows):
            x, w = ((old >> i & 1) + 2 * (new >> i & 1) + 4 * (e >> i & 1) for i in (middle, below))
            fits[a, e] = masks[8 * a + x] >> w & 1 == new >> result & 1
        yield pack(fits)
