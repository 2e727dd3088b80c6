"""Boxes: rectangles of cells, written WIDTHxHEIGHT.

>>> Box.parse("16x7")
Box(x=0, y=0, width=16, height=7)
>>> (2, 6) in Box.parse("16x7")
True
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np

from satlife.errors import UsageError
from satlife.given import parse_integer, shorten
from satlife.life.cells import Cells, as_integer, check_extent
from satlife.life.motion import Motion
from satlife.life.transforms import Transform

_NOTATION = re.compile(r"\s*([0-9]{1,9})\s*[xX×]\s*([0-9]{1,9})\s*")
_PLACED = re.compile(r"(\d+x\d+)(?:([+-]\d+)([+-]\d+))?", re.ASCII)
_WINDOW = re.compile(r"(-?\d+)\.\.(-?\d+),(-?\d+)\.\.(-?\d+)", re.ASCII)


@dataclass(frozen=True)
class Box:
    """A rectangle of cells: its top left cell is (x, y).

    >>> str(Box(3, 4, 16, 7))
    '16x7'
    """

    x: int
    y: int
    width: int
    height: int

    def __post_init__(self) -> None:
        for name in ("x", "y", "width", "height"):
            object.__setattr__(self, name, as_integer(getattr(self, name), f"a box's {name}"))
        if self.width < 0 or self.height < 0:
            raise UsageError(f"a box cannot be {self.width}x{self.height}: sizes are not negative")

    @classmethod
    def parse(cls, text: str) -> Box:
        """Read ``WIDTHxHEIGHT``, with the top left cell at (0, 0); both are at least 1."""
        match = _NOTATION.fullmatch(text)
        if not match:
            raise UsageError(f"{text!r} is not a box; write WIDTHxHEIGHT, for example 16x7")
        width, height = map(int, match.groups())
        if width == 0 or height == 0:
            raise UsageError(f"the box {text.strip()} has no cells; both sizes are at least 1")
        return cls(0, 0, width, height)

    @property
    def right(self) -> int:
        """The first column to the right of the box."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below the box."""
        return self.y + self.height

    @property
    def area(self) -> int:
        """The number of cells."""
        return self.width * self.height

    @property
    def is_empty(self) -> bool:
        """Whether it has no cells."""
        return self.area == 0

    def __contains__(self, point: object) -> bool:
        try:
            x, y = map(operator.index, point)  # type: ignore[call-overload]  # checked by trying
        except (TypeError, ValueError):
            return False
        return bool(self.x <= x < self.right and self.y <= y < self.bottom)

    def contains_box(self, other: Box) -> bool:
        """Return whether every cell of ``other`` is in this box."""
        return other.is_empty or self & other == other

    def __and__(self, other: Box) -> Box:
        """Return the intersection; the empty box is always ``Box(0, 0, 0, 0)``."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width, height = min(self.right, other.right) - x, min(self.bottom, other.bottom) - y
        return Box(x, y, width, height) if width > 0 and height > 0 else EMPTY_BOX

    def __or__(self, other: Box) -> Box:
        """Return the smallest box that contains both."""
        if other.is_empty:
            return EMPTY_BOX if self.is_empty else self
        if self.is_empty:
            return other
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def shift(self, dx: int, dy: int) -> Box:
        """Return the box, moved dx to the right and dy down."""
        return Box(self.x + dx, self.y + dy, self.width, self.height)

    def grow(self, margin: int) -> Box:
        """Return the box, enlarged by ``margin`` cells on each of the four sides."""
        return Box(
            self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin
        )

    def transformed(self, transform: Transform) -> Box:
        """Return the box, turned or mirrored about the cell (0, 0)."""
        if self.is_empty:
            return EMPTY_BOX
        x1, y1 = transform.apply_to_point(self.x, self.y)
        x2, y2 = transform.apply_to_point(self.right - 1, self.bottom - 1)
        return Box(min(x1, x2), min(y1, y2), abs(x1 - x2) + 1, abs(y1 - y2) + 1)

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


HIGHEST: Final = 1_000_000
"""The height that means any height; greater than that of any other box."""


@dataclass(frozen=True)
class OpenBox(Box):
    """A box of any height; everything in a box of the same width lies in it.

    >>> str(OpenBox(0, 0, 8, HIGHEST))
    '8x*'
    """

    def __str__(self) -> str:
        return f"{self.width}x*"


@lru_cache(maxsize=4096)
def parse_placed_box(text: str) -> Box:
    """Read ``8x13`` or ``8x13+1+0``.

    >>> parse_placed_box("8x13-1+2")
    Box(x=-1, y=2, width=8, height=13)
    """
    match = _PLACED.fullmatch(text.replace(" ", ""))
    if not match:
        raise UsageError(f"{shorten(text)!r} is not a box; write WIDTHxHEIGHT, or WIDTHxHEIGHT+X+Y")
    box = Box.parse(match[1])
    return box.shift(parse_integer(match[2] or "0"), parse_integer(match[3] or "0"))


def format_placed_box(box: Box) -> str:
    """Write a box; the inverse of :func:`parse_placed_box`."""
    return f"{box}" if (box.x, box.y) == (0, 0) else f"{box}{box.x:+d}{box.y:+d}"


def parse_window(text: str, name: str = "window") -> Box:
    """Read ranges of columns and rows, ends included.

    >>> parse_window("4..11,-1..13")
    Box(x=4, y=-1, width=8, height=15)
    """
    match = _WINDOW.fullmatch(text.replace(" ", ""))
    if not match:
        shown = repr(shorten(text))
        raise UsageError(f"{shown} is not a {name}; write columns and rows, such as 4..11,-1..13")
    left, right, top, bottom = map(parse_integer, match.groups())
    if left > right or top > bottom:
        raise UsageError(f"the {name} {text!r} is empty: the lower number comes first")
    return Box(left, top, right - left + 1, bottom - top + 1)


def format_window(box: Box) -> str:
    """Write a box; the inverse of :func:`parse_window`.

    >>> format_window(Box(4, -1, 8, 15))
    '4..11,-1..13'
    """
    return f"{box.x}..{box.right - 1},{box.y}..{box.bottom - 1}"


def look_through(box: Box, cells: Cells, place: Box) -> Cells:
    """Return the states of all cells of a box, given an array [y, x] that occupies ``place``.

    Cells outside the array are dead.
    """
    check_extent(box.x, box.y, box.width, box.height)
    states = np.zeros((box.height, box.width), dtype=np.uint8)
    seen = box & place
    if not seen.is_empty:
        states[_slices(seen, box)] = cells[_slices(seen, place)]
    return states


def _slices(part: Box, whole: Box) -> tuple[slice, slice]:
    return (
        slice(part.y - whole.y, part.bottom - whole.y),
        slice(part.x - whole.x, part.right - whole.x),
    )


EMPTY_BOX = Box(0, 0, 0, 0)


@lru_cache(maxsize=16)
def list_from_front(box: Box, motion: Motion | None) -> tuple[tuple[int, int], ...]:
    """Return the cells of a box, those near the front of a pattern that moves in it first.

    First comes the second line from the front, from its middle outward, then the lines beside it.
    If it moves diagonally or not at all, the lines are rows; without motion, the front is above.

    >>> list_from_front(Box(0, 0, 3, 9), None)[:4]
    ((1, 1), (0, 1), (2, 1), (1, 0))
    >>> list_from_front(Box(0, 0, 3, 9), Motion(4, dy=1))[:4]
    ((1, 7), (0, 7), (2, 7), (1, 6))
    >>> list_from_front(Box(0, 0, 3, 3), Motion(4, dx=-1))[:4]
    ((1, 1), (1, 0), (1, 2), (0, 1))
    """
    dx, dy = motion.displacement if motion else (0, 0)
    is_sideways = abs(dx) > abs(dy)
    length, width = (box.width, box.height) if is_sideways else (box.height, box.width)

    def rank(place: tuple[int, int]) -> tuple[int, int]:
        x, y = place[0] - box.x, place[1] - box.y
        along, across = (x, y) if is_sideways else (y, x)
        depth = length - 1 - along if (dx if is_sideways else dy) > 0 else along
        return abs(depth - 1), abs(2 * across - width + 1)

    places = product(range(box.x, box.right), range(box.y, box.bottom))
    return tuple(sorted(places, key=rank))
