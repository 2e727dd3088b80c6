"""The notation of a plan's axes: ranges of periods and boxes.

A box of any height, ``8x*``, is an :class:`OpenBox`: higher than all others.

>>> read_numbers(["2..4", 6])
(2, 3, 4, 6)
>>> [str(box) for box in read_boxes(["2x2..3x3"])]
['2x2', '2x3', '3x2', '3x3']
>>> [str(box) for box in read_boxes(["4x*..6x*", "8x20"])]
['8x20', '4x*', '5x*', '6x*']
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from satlife.errors import UsageError
from satlife.given import parse_integer
from satlife.life.box import HIGHEST, Box, OpenBox

MOST_BOXES: Final = 100_000
"""Maximum number of boxes of one search; more are probably a typo."""

_RANGE = re.compile(r"p?(\d{1,6})\.\.p?(\d{1,6})", re.ASCII)
_BOX = r"(\d{1,6}x(?:\d{1,6}|\*))"
_BOXES = re.compile(rf"{_BOX}(?:\.\.{_BOX})?", re.ASCII)


def has_open(boxes: Iterable[Box]) -> bool:
    """Whether one of the boxes has an open height."""
    return any(isinstance(box, OpenBox) for box in boxes)


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
    """Read boxes ``8x8`` and ranges ``3x3..9x9``; each box once, small ones first.

    The height may be open: ``8x*``, ``5x*..9x*``.
    """
    boxes: set[Box] = set()
    for value in values:
        match = _BOXES.fullmatch(value.replace(" ", ""))
        if not match:
            raise UsageError(f"{value!r} is not a box or a range of boxes; write 8x8 or 3x3..9x9")
        low, high = read_box(match[1]), read_box(match[2] or match[1])
        if type(low) is not type(high):
            raise UsageError(f"the range {value} has one open height; write 5x*..9x*")
        if low.width > high.width or low.height > high.height:
            raise UsageError(f"the range {value} is empty: the smaller box comes first")
        widths, heights = (high.width - low.width + 1), (high.height - low.height + 1)
        if len(boxes) + widths * heights > MOST_BOXES:
            raise UsageError(f"{value} gives too many boxes; the limit is {MOST_BOXES:,}")
        boxes |= {
            type(low)(0, 0, width, height)
            for width in range(low.width, high.width + 1)
            for height in range(low.height, high.height + 1)
        }
    return tuple(sorted(boxes, key=lambda box: (box.area, box.width)))


def read_box(text: str) -> Box:
    """Read ``8x8`` or ``8x*``."""
    if not text.endswith("x*"):
        return Box.parse(text)
    return OpenBox(0, 0, Box.parse(f"{text[:-1]}1").width, HIGHEST)
