"""From literals to bytes, whole arrays at a time.

Each literal has a row in a table of bytes, padded with zeros.  Selecting the rows of a hundred
thousand literals and dropping the zeros writes them all.  There is no Python object per literal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from satlife.sat.formula import IntArray

Bytes = npt.NDArray[np.uint8]

_STEP = 1 << 17
"""Literals per piece; the rows of a piece fit into the processor's cache."""

_LARGEST_TABLE = 1 << 22
"""Variables up to which all numbers are in a table, of 134 MB at most."""


def render(literals: IntArray, rows: Callable[[IntArray], Bytes]) -> Iterator[bytes]:
    """Yield the bytes of literals; ``rows`` returns a zero-padded row for each literal."""
    for start in range(0, literals.size, _STEP):
        table = rows(literals[start : start + _STEP]).reshape(-1)
        yield table[table != 0].tobytes()


def decimal_rows(variables: int, literals: int) -> Callable[[IntArray], Bytes]:
    """Return a function for the rows of DIMACS: a literal and a space, or a 0 and a newline."""
    # A table must be filled first; where that does not pay, digits are computed for each piece.
    if variables > min(_LARGEST_TABLE, literals):
        return _digits
    # Widths that are powers of two let NumPy pick a row as one machine word.
    table = _widened(_digits(np.arange(-variables, variables + 1, dtype=np.int32)))
    return _picker(table, variables)


def name_rows(names: npt.NDArray[np.bytes_]) -> Callable[[IntArray], Bytes]:
    """Return a function for the rows of Knuth's format: space, sign and name, or a newline."""
    count, width = names.size, max(names.dtype.itemsize, 1)
    letters = np.ascontiguousarray(names).view(np.uint8).reshape(count, width)
    table = np.zeros((2 * count + 1, width + 2), np.uint8)
    table[:, 0] = ord(" ")
    table[:count, 1] = ord("~")
    table[:count, 2:] = letters[::-1]
    table[count + 1 :, 2:] = letters
    table[count, 0] = ord("\n")
    return _picker(_widened(table), count)


def _digits(literals: IntArray) -> Bytes:
    """Return numbers as text, right-aligned, with a zero byte for every unused place."""
    rest = np.abs(literals.astype(np.int64))
    places = len(str(int(rest.max()))) if rest.size else 1
    table = np.zeros((literals.size, places + 2), np.uint8)
    table[:, -1] = np.where(literals == 0, ord("\n"), ord(" "))
    table[:, -2] = rest % 10 + ord("0")
    rest //= 10
    for place in range(3, places + 2):
        table[:, -place] = np.where(rest > 0, rest % 10 + ord("0"), 0)
        rest //= 10
    # The sign may be far from the digits: the zeros between them are dropped.
    table[:, 0] = np.where(literals < 0, ord("-"), 0)
    return table


def _widened(table: Bytes) -> Bytes:
    width = 4
    while width < table.shape[1]:
        width *= 2
    wide = np.zeros((table.shape[0], width), np.uint8)
    wide[:, : table.shape[1]] = table
    return wide


def _picker(table: Bytes, offset: int) -> Callable[[IntArray], Bytes]:
    word = {4: "u4", 8: "u8"}.get(table.shape[1], f"V{table.shape[1]}")
    words: npt.NDArray[Any] = table.view(np.dtype(word)).reshape(-1)

    def pick(literals: IntArray) -> Bytes:
        rows: Bytes = words[literals + offset].view(np.uint8)
        return rows

    return pick
