"""The notation of a plan's axes: ranges of periods and boxes.

>>> read_numbers(["2..4", 6])
(2, 3, 4, 6)
>>> [str(box) for box in read_boxes(["2x2..3x3"])]
['2x2', '2x3', '3x2', '3x3']
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.numbers import parse_integer

MOST_BOXES: Final = 100_000
"""Boxes of one search; more is probably a typo."""

_RANGE = re.compile(r"p?(\d{1,6})\.\.p?(\d{1,6})", re.ASCII)
_BOXES = re.compile(r"(\d{1,6}x\d{1,6})(?:\.\.(\d{1,6}x\d{1,6}))?", re.ASCII)


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
            raise UsageError(f"{value!r} is not a period; write 3 or 2..6")
    return tuple(dict.fromkeys(numbers))


def read_boxes(values: Iterable[str]) -> tuple[Box, ...]:
    """Read boxes ``8x8`` and ranges ``3x3..9x9``; each box once, small ones first."""
    boxes: set[Box] = set()
    for value in values:
        match = _BOXES.fullmatch(value.replace(" ", ""))
        if not match:
            raise UsageError(f"{value!r} is not a box or a range of boxes; write 8x8 or 3x3..9x9")
        low, high = Box.parse(match[1]), Box.parse(match[2] or match[1])
        if low.width > high.width or low.height > high.height:
            raise UsageError(f"the range {value} is empty: the smaller box comes first")
        widths, heights = (high.width - low.width + 1), (high.height - low.height + 1)
        if len(boxes) + widths * heights > MOST_BOXES:
            raise UsageError(f"{value} gives too many boxes; the limit is {MOST_BOXES:,}")
        boxes |= {
            Box(0, 0, width, height)
            for width in range(low.width, high.width + 1)
            for height in range(low.height, high.height + 1)
        }
    return tuple(sorted(boxes, key=lambda box: (box.area, box.width)))
