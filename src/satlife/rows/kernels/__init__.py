"""The compiled part: successors of rows, look-ahead, breadth-first levels and depth-first probes.

A *kit* is the :class:`Tables` of one search, a *room* its working memory; ``r`` is an array of
rows, where ``r[o:o + 2 * p]`` are the last 2p, the state.  In comments, m is the number of the next
row, P(a, b, c) the set of rows x with G(a, b, x) = c, and I(a, b) the set of all G(a, b, x).

A *memo* holds, for each number of a row, what follows for it from known rows, so that states which
share rows share that work; columns and lists have none.

Compiled functions see arrays as pointers, without their shapes, and own no memory: they can be
called without numba, and are compiled in a quarter of the time.  This file does not need numba.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

KINDS: Final = ("narrow", "listed", "columns", "halves", "slanted")
"""How successors are found, by the width of the rows; each is compiled when it is needed."""

_MOTION = ("period", "step", "turn", "late", "all_broken")
_ROW = ("bits", "width", "lanes", "fold", "slanted", "shear", "twist")
QUOTIENT: Final = np.dtype([(name, np.int64) for name in (*_MOTION, *_ROW, "kind")])
"""The numbers of a :class:`~satlife.rows.quotient.Quotient`; ``kind`` is one of KINDS."""
ODD, EVEN, GUTTER = 1, 2, 3
"""Values of ``fold``; 0 is none."""


class Tables(NamedTuple):
    """The tables of one search; which of them have entries depends on its kind."""

    quotient: Any
    masks: Any
    """For three cells above and three of the middle, a bit for each three cells below."""
    sets: Any
    """P(a, b, c), if a set is one word."""
    images: Any
    """I(a, b)."""
    follow: Any
    """The union of I(b, x) for all x in P(a, b, c), if a set is one word."""
    starts: Any
    """Where in a list of a and b the rows x with G(a, b, x) = c start."""
    lists: Any
    """For each a and b, the rows x sorted by G(a, b, x)."""
    filled: Any
    """Whether the list of a and b is there."""
    weights: Any
    """For each row of one lane, how many cells live when it is whole."""
    broken: Any
    """For each row, a bit for each part of the period that a ship with this row cannot have."""
    links: Any
    """What may follow in windows of four rows; of slanted rows, in one cell."""
    chains: Any
    low: Any
    """P by the low halves of rows."""
    high: Any
    """P by the high halves of rows."""


class Room(NamedTuple):
    """The working memory of a call; the compiled functions use some parts for several purposes."""

    values: Any
    sets: Any
    cells: Any
    """For each column, what may be in it."""
    ways: Any
    """For each column, how far the search through the columns is."""
    windows: Any
    state: Any
    found: Any
    """The rows that can follow the state."""
    results: Any
    """G(a, b, x) for every row x."""
    west: Any
    east: Any
    lanes: Any
    memo: Any
    factors: Any
    """What the key of a state multiplies its rows by."""
    answer: Any
    """The numbers that a task returns."""


KIT: Final = Tables(
    *(QUOTIENT, "u1", "u8", "u8", "u8", "u2", "u2", "u1", "u1", "u1", "u8", "u8", "u8", "u1")
)
"""The types of the tables."""
ROOM: Final = Room(
    *("i8", "u8", "i8", "i8", "u8", "i8", "i8", "u2", "u2", "u2", "u2", "u8", "i8", "i8")
)
MEMO: Final = 4
"""Sets of a memo for each row."""
TASKS: Final = {
    "fill": "",
    "mark_broken": "i4 u2 u1 q",
    "rebuild_index": "i4 u2 u4 u2 q q q q",
    "count_cells": "i4 u2 u2 i8 q",
    "read_states": "i4 u2 u2 q q",
    "follow": "u2 u4 u1 u2 u8 q q q q",
    "enter": "i4 u2 u1 u4 u2 i8 u2 u2 u4 u1 u2 u8 i8 q q q q q",
    "probe": "i8 u1 u1 i8 i8 i8 i8 i8 i8 u8 q q q q",
    "compact": "i4 u2 u1 u1 i4 q q",
    "reach": "i4 u2 u8 i4 i4 i4 u2 u1 q q q",
}
"""What Python calls: the types of the arguments beside kit and room; ``q`` is a number."""


def measure_room(quotient: Any) -> Room:
    """Return the sizes of the parts of the working memory of a call, in words of eight bytes."""
    n, columns, p = 1 << int(quotient.bits), int(quotient.width) + 8, int(quotient.period)
    return Room(
        values=n,
        sets=n,
        cells=6 * columns,
        ways=4 * columns,
        windows=5 * columns,
        state=2 * p,
        found=n,
        results=n,
        west=n,
        east=n,
        lanes=n,
        memo=measure_memo(quotient, 0),
        factors=p,
        answer=4,
    )


def measure_memo(quotient: Any, depth: int) -> int:
    """Return the size of the memo of a state and of the rows that may follow it, in words."""
    one = max(1, (1 << int(quotient.bits)) >> 6)
    size = {"narrow": MEMO, "halves": MEMO * one + 1}.get(KINDS[quotient.kind], 0)
    return (3 * int(quotient.period) + depth) * size


def list_windows(rows: int) -> tuple[Any, Any]:
    """Return the older and the newer cells of every window of some rows."""
    numbers = np.arange(4**rows)
    return numbers >> rows, numbers & ((1 << rows) - 1)


def pack(windows: Any) -> npt.NDArray[np.uint64]:
    """Return sets of windows as words."""
    return np.packbits(windows, axis=-1, bitorder="little").view(np.uint64)
