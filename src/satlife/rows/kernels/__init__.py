"""The compiled part: successors of rows, look-ahead, breadth-first levels and depth-first probes.

A *kit* is the tuple of tables of one search (see :mod:`satlife.rows.tables`); ``r`` is an array of
rows, of which ``r[o:o + 2 * p]`` are the last 2p, the state.  In comments, m is the number of the
next row, P(a, b, c) the set of rows x with G(a, b, x) = c, and I(a, b) the set of all G(a, b, x).

A *memo* holds, for each number of a row, what known rows say of it, so that states which share rows
share that work; columns and lists have none.

A kit is ``(numbers, masks, sets, images, follow, starts, lists, filled, breaks, links, chains,
low, high)``;
numbers are ``(bits, fold, skew, twist, p, k, kind, width, lanes, turn, late, parts)``.  ``breaks``
says of each row which parts of the period a ship that has it cannot have, a bit for each.

Compiled functions see arrays as pointers, without their shapes, and own no memory: they can be
called without numba, and are compiled in a quarter of the time.  This file does not need numba.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

KINDS: Final = ("narrow", "listed", "columns", "halves")
"""How successors are found, by the width of the rows; each is compiled when it is needed."""

MEMO: Final = 4
"""Sets of a memo for each row."""
KIT: Final = "i8 u1 u8 u8 u8 u2 u2 u1 u1 u8 u8 u8 u1"
ROOM: Final = "i8 u8 i8 i8 u8 i8 i8 u2 u2 u2 u2 u8 i8 i8"
"""The working memory; into the last part, a task writes its answer."""
TASKS: Final = {
    "fill": "",
    "mark_broken": "i4 u2 u1 q",
    "rebuild_index": "i4 u2 u4 u2 q q q",
    "read_states": "i4 u2 u2 q q",
    "follow": "u2 u4 u1 u2 u8 q q q q",
    "enter": "i4 u2 u1 u4 u2 u2 u4 u1 u2 u8 i8 q q q q q",
    "probe": "i8 u1 u1 i8 i8 i8 i8 i8 i8 u8 q q q q",
    "compact": "i4 u2 u1 u1 i4 q q",
    "reach": "i4 u2 u8 i4 i4 i4 u2 u1 q q q",
}
"""What Python calls: the types of the arguments beside kit and room; ``q`` is a number."""


def measure_room(numbers: Any) -> tuple[int, ...]:
    """Return the sizes of the parts of the working memory of a call, in words of eight bytes."""
    n, columns, p = 1 << int(numbers[0]), int(numbers[7]) + 8, int(numbers[4])
    memo = measure_memo(numbers, 0)
    return (n, n, 6 * columns, 4 * columns, 5 * columns, 2 * p, n, n, n, n, n, memo, p, 4)


def measure_memo(numbers: Any, depth: int) -> int:
    """Return the size of the memo of a state and of the rows that may follow it, in words."""
    one = max(1, (1 << int(numbers[0])) >> 6)
    size = {"narrow": MEMO, "halves": MEMO * one + 1}.get(KINDS[numbers[6]], 0)
    return (3 * int(numbers[4]) + depth) * size


def list_windows(rows: int) -> tuple[Any, Any]:
    """Return the older and the newer cells of every window of some rows."""
    numbers = np.arange(4**rows)
    return numbers >> rows, numbers & ((1 << rows) - 1)


def pack(windows: Any) -> npt.NDArray[np.uint64]:
    """Return sets of windows as words."""
    return np.packbits(windows, axis=-1, bitorder="little").view(np.uint64)
