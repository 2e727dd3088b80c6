"""The extended Wechsler format: a pattern's cells as one word, the body of an apgcode.

The pattern is cut into strips of five rows. A column of a strip is a number from 0 to 31, its top
cell the lowest bit, written as one of ``0…9a…v``; ``z`` ends a strip. Runs of empty columns are
short: ``w`` is two of them, ``x`` three, and ``y0 … yz`` four to 39. Empty columns at the end of a
strip are left out. See https://conwaylife.com/wiki/Apgcode.

This module knows nothing of rules, phases or orientations.

>>> encode_cells(np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=np.uint8))
'456'
>>> decode_word("456").tolist()
[[0, 1, 0], [0, 0, 1], [1, 1, 1]]
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from satlife.errors import FormatError
from satlife.life.cells import Cells, check_extent

STRIP: Final = 5
"""How many rows a strip has."""

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_COLUMNS: Final = _DIGITS[: 1 << STRIP]
_RUNS: Final = {"w": 2, "x": 3}
_LONGEST_RUN: Final = 4 + 35  # yz

_LETTERS: Final = np.frombuffer(_COLUMNS.encode(), dtype=np.uint8)
_WEIGHTS: Final = (1 << np.arange(STRIP, dtype=np.uint8))[:, np.newaxis]
_ZEROS: Final = re.compile("00+")


def encode_cells(cells: Cells) -> str:
    """Write an array [y, x] as one word; dead rows and columns at its end do not count."""
    height, width = cells.shape
    strips = -(-height // STRIP)
    padded = np.zeros((strips * STRIP, width), dtype=np.uint8)
    padded[:height] = cells
    columns = (padded.reshape(strips, STRIP, width) * _WEIGHTS).sum(axis=1, dtype=np.uint8)
    words = b"z".join(strip.tobytes().rstrip(b"0") for strip in _LETTERS[columns])
    return _ZEROS.sub(_shorten, words.decode().rstrip("z")) or "0"


def _shorten(zeros: re.Match[str]) -> str:
    longest, rest = divmod(len(zeros[0]), _LONGEST_RUN)
    end = ("", "0", "w", "x")[rest] if rest < 4 else f"y{_DIGITS[rest - 4]}"
    return "yz" * longest + end


def decode_word(word: str, *, first_column: int = 1) -> Cells:
    """Read a word; give the array [y, x] of its cells, its first column and row included.

    ``first_column`` is where the word begins in the text that an error is to point into.

    >>> decode_word("3w3").tolist()
    [[1, 0, 0, 1], [1, 0, 0, 1]]
    """
    columns: list[tuple[int, int, int]] = []  # x, strip, number
    x = strip = 0
    letters = iter(enumerate(word, start=first_column))
    for place, letter in letters:
        if letter in _COLUMNS:
            if letter != "0":
                columns.append((x, strip, _COLUMNS.index(letter)))
            x += 1
        elif letter in _RUNS:
            x += _RUNS[letter]
        elif letter == "y":
            place, length = next(letters, (place, ""))  # noqa: PLW2901 - two letters at once
            if not length or length not in _DIGITS:
                raise FormatError("y needs a digit 0-9 or a-z after it", column=place)
            x += 4 + _DIGITS.index(length)
        elif letter == "z":
            x, strip = 0, strip + 1
        else:
            raise FormatError(
                f"{letter!r} has no meaning in an apgcode; expected 0-9 or a-z", column=place
            )
    return _place_columns(columns)


def _place_columns(columns: list[tuple[int, int, int]]) -> Cells:
    if not columns:
        return np.zeros((0, 0), dtype=np.uint8)
    xs, strips, numbers = np.array(columns, dtype=np.int64).T
    width = int(xs.max()) + 1
    rows = STRIP * (int(strips.max()) + 1)
    check_extent(0, 0, width, rows)  # a short word may name a very large box
    cells = np.zeros((rows, width), dtype=np.uint8)
    for bit in range(STRIP):
        cells[STRIP * strips + bit, xs] = (numbers >> bit) & 1
    last = int(np.flatnonzero(cells.any(axis=1))[-1])
    return cells[: last + 1]
