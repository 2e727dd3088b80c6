r"""Lines of numbers, as in LRAT proofs: whole blocks are read and written as arrays.

>>> numbers, ends = read_lines(b"5 2 0 1 2 0\n5 d 1 0\n")
>>> numbers.tolist() == [5, 2, 0, 1, 2, 0, 5, DELETES, 1, 0], ends.tolist()
(True, [6, 10])
>>> write_lines(numbers, ends)
'5 2 0 1 2 0\n5 d 1 0\n'
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.errors import FormatError

Numbers = npt.NDArray[np.int64]

DELETES: Final = -(2**62)
"""The number that stands for the letter d."""
_LONGEST: Final = 18
"""Characters of a number: with more, it might not fit, or be taken for a d."""
_MINUS, _D, _NEWLINE, _BLANK, _ZERO = b"-d\n 0"


def read_lines(block: bytes) -> tuple[Numbers, Numbers]:
    """Return all numbers of some whole lines, and for each line where its numbers end.

    Raise FormatError unless all words are plain numbers, or a d as the second word of a line, with
    a single blank between them.
    """
    letters = np.frombuffer(block, np.uint8)
    gaps = np.flatnonzero(letters <= _BLANK)
    ends = np.flatnonzero(letters[gaps] == _NEWLINE) + 1
    seconds = np.append(1, ends + 1)
    lengths = np.diff(gaps, prepend=-1) - 1
    heads = letters[gaps - lengths]
    minus, d = heads == _MINUS, heads == _D
    if (
        block.translate(None, b"0123456789- \nd")
        or block[-1:] != b"\n"
        or not 0 < lengths.min() <= lengths.max() <= _LONGEST
        or block.count(b"-") != np.count_nonzero(minus & (lengths > 1))
        or block.count(b"d") != np.count_nonzero((d & (lengths == 1))[seconds[seconds < d.size]])
    ):
        raise FormatError("these are not lines of numbers")
    numbers = np.fromstring(block.replace(b"d", b"%d" % DELETES), np.int64, sep=" ")
    return numbers, ends


def write_lines(numbers: Numbers, ends: Numbers) -> str:
    """Return the text of some lines, the inverse of :func:`read_lines`."""
    d = numbers == DELETES
    sizes = np.where(d, 0, np.abs(numbers))
    width = len(str(sizes.max(initial=0)))
    letters = np.full((sizes.size, width + 2), _BLANK, np.uint8)
    shown = np.ones(letters.shape, np.bool_)
    letters[:, 0], shown[:, 0] = _MINUS, (numbers < 0) & ~d
    for column in range(width, 0, -1):
        shown[:, column] = (sizes > 0) | (column == width)
        rest = sizes // 10
        letters[:, column] = sizes - 10 * rest + _ZERO
        sizes = rest
    letters[d, width] = _D
    letters[ends - 1, -1] = _NEWLINE
    return letters[shown].tobytes().decode("ascii")
