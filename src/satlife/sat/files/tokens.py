r"""From bytes to integers, whole chunks at a time; DIMACS is read with it.

The numbers of a chunk are computed by array operations, one decimal place after the other.  There
is no Python object per number.

>>> parse_integers(b"1 -20 0\n").values.tolist()
[1, -20, 0]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from satlife.sat.formula import LARGEST_VARIABLE, IntArray

_DIGITS = len(str(LARGEST_VARIABLE))

_SOLID = np.ones(256, np.bool_)
_SOLID[list(b" \t\n\r\v\f")] = False


@dataclass(frozen=True, slots=True)
class Integers:
    """The integers of a chunk, and where each of them begins."""

    values: IntArray
    starts: npt.NDArray[np.intp]


class TokenError(ValueError):
    """A token is not an integer of 32 bits; ``offset`` is its place in the chunk."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def parse_integers(data: bytes | bytearray) -> Integers:
    """Return the integers of a text, separated by blanks; raise :class:`TokenError` at others."""
    # A blank at each end, so that every token has one before and one after it.
    text = np.full(len(data) + 2, ord(" "), np.uint8)
    text[1:-1] = np.frombuffer(data, np.uint8)
    solid = _SOLID[text]
    edges = np.flatnonzero(solid[1:] != solid[:-1])
    starts, ends = edges[0::2] + 1, edges[1::2] + 1
    if not starts.size:
        return Integers(np.zeros(0, np.int32), starts)
    digits = text - np.uint8(ord("0"))  # wraps around: anything but a digit becomes 10 or more
    negative = text[starts] == ord("-")
    lengths = ends - starts - negative
    longest = int(lengths.max())
    # Every solid byte is a digit or the sign that opens a token: then the counts agree.
    plain = int(np.count_nonzero(digits < 10)) == int(lengths.sum()) and lengths.min() > 0
    if not plain or longest > _DIGITS:
        raise _first_error(bytes(text), starts, ends)
    values = digits[ends - 1].astype(np.int64)
    scale = 1
    for place in range(2, longest + 1):
        scale *= 10
        # Beyond a short number's first digit are its sign or other numbers: they are masked.
        values += digits[ends - place] * (lengths >= place) * np.int64(scale)
    np.negative(values, out=values, where=negative)
    if longest == _DIGITS and int(np.abs(values).max()) > LARGEST_VARIABLE:
        raise _first_error(bytes(text), starts, ends)
    if (negative & (values == 0)).any():
        raise _first_error(bytes(text), starts, ends)
    return Integers(values.astype(np.int32), starts - 1)


def _first_error(
    text: bytes, starts: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]
) -> TokenError:
    """Return the error of the first wrong token; this is slow, but errors are rare."""
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        token = text[start:end]
        number = token.removeprefix(b"-")
        shown = token[:20].decode("ascii", "backslashreplace")
        if not number.isdigit():
            return TokenError(f"{shown!r} is not a literal", start - 1)
        if len(number) > _DIGITS or int(number) > LARGEST_VARIABLE:
            return TokenError(f"{shown!r} is beyond ±{LARGEST_VARIABLE}", start - 1)
        if token.startswith(b"-") and int(number) == 0:
            return TokenError(f"{shown!r} is not a literal", start - 1)
    raise AssertionError("every token is an integer")
