"""How the axes of a plan are written: ranges of periods and boxes, times and sizes.

>>> read_numbers(["2..4", 6])
(2, 3, 4, 6)
>>> [str(box) for box in read_boxes(["2x2..3x3"])]
['2x2', '2x3', '3x2', '3x3']
>>> read_quantity("1.5h", SECONDS), read_quantity("2G", BYTES)
(5400.0, 2147483648.0)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.numbers import parse_integer, shorten

SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
BYTES: Final = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}

MOST_BOXES: Final = 100_000
"""Of one search; more is a slip of the pen."""

MOST: Final = 1e15
"""Seconds or bytes: a petabyte, or thirty million years."""

_RANGE = re.compile(r"p?(\d{1,6})\.\.p?(\d{1,6})", re.ASCII)
_BOXES = re.compile(r"(\d{1,6}x\d{1,6})(?:\.\.(\d{1,6}x\d{1,6}))?", re.ASCII)
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)([a-z]*)", re.ASCII)


def read_numbers(values: Iterable[int | str]) -> tuple[int, ...]:
    """Read periods: 3, ``p3``, ``2..6``; each number once, in the order given."""
    numbers: list[int] = []
    for value in values:
        text = str(value).replace(" ", "")
        if match := _RANGE.fullmatch(text):
            low, high = int(match[1]), int(match[2])
            if low > high:
                raise UsageError(f"the range {value} is empty: the lower number comes first")
            numbers += range(low, high + 1)
        elif text.removeprefix("p").isdecimal() and text.isascii():
            numbers.append(parse_integer(text.removeprefix("p")))
        else:
            raise UsageError(f"{value!r} is not a period; write 3, or 2..6")
    return tuple(dict.fromkeys(numbers))


def read_boxes(values: Iterable[str]) -> tuple[Box, ...]:
    """Read boxes ``8x8`` and ranges ``3x3..9x9``; each box once, small ones first."""
    boxes: set[Box] = set()
    for value in values:
        match = _BOXES.fullmatch(value.replace(" ", ""))
        if not match:
            raise UsageError(f"{value!r} is no box and no range of boxes; write 8x8, or 3x3..9x9")
        low, high = Box.parse(match[1]), Box.parse(match[2] or match[1])
        if low.width > high.width or low.height > high.height:
            raise UsageError(f"the range {value} is empty: the smaller box comes first")
        widths, heights = (high.width - low.width + 1), (high.height - low.height + 1)
        if len(boxes) + widths * heights > MOST_BOXES:
            raise UsageError(f"{value} gives too many boxes; {MOST_BOXES:,} are the most")
        boxes |= {
            Box(0, 0, width, height)
            for width in range(low.width, high.width + 1)
            for height in range(low.height, high.height + 1)
        }
    return tuple(sorted(boxes, key=lambda box: (box.area, box.width)))


def read_quantity(value: float | str, units: dict[str, int]) -> float:
    """Read a number with a unit; without one it counts seconds, or bytes."""
    match = _QUANTITY.fullmatch(str(value).replace(" ", "").lower())
    unit = match[2] if match else "?"
    if unit not in units:
        unit = unit.removesuffix("b").removesuffix("i")
    if match is None or unit not in units:
        known = ", ".join(unit for unit in units if unit)
        example = "10m" if units is SECONDS else "2G"
        raise UsageError(f"{value!r}: write for example {example} (units: {known})")
    number = float(match[1]) * units[unit]
    if number > MOST:
        raise UsageError(f"{shorten(str(value))} is too much")
    return number
