r"""Macrocell (``.mc``): a quadtree in which equal squares are written once, as Golly saves it.

The first line begins with ``[M2]``. Then each line is a square: a leaf of 8x8 cells, drawn with
``.``, ``*`` and ``$`` for the end of a row; or the logarithm of a side, and the numbers of the
lines of the four squares of half that side (0 is empty). The last line is the whole, and its
middle is at (0, 0). ``#R`` names the rule. Only patterns of two states are read.

A few hundred bytes can describe more cells than any memory holds. The bounding box of the living
cells is therefore computed on the tree before anything is drawn.

>>> MACROCELL.read("[M2] (golly 3.3)\n#R B3/S23\n.*$..*$***$\n4 0 0 0 1").states.shape
(3, 3)
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satlife.errors import FormatError
from satlife.life.cells import COORDINATE_LIMIT, Cells, check_extent, trim
from satlife.life.formats._format import Format, Setting, fit_torus, number_lines, read_setting
from satlife.life.raster import Raster
from satlife.life.rule import LIFE

_LEAF: Final = 8
_LEAF_LEVEL: Final = 3
_LARGE: Final = 40
"""A level at which places certainly fit into 64 bits."""
_DEEPEST: Final = 1000
"""The largest logarithm of a side that is accepted; Golly's own are far below."""
_CELLS: Final = re.compile(r"[.*$]+")
_NODE: Final = re.compile(r"([0-9]{1,4})\s+" + r"\s+".join([r"([0-9]{1,9})"] * 4), re.ASCII)


class _Span(NamedTuple):
    """The bounds of the live cells of a square, relative to its top left; ends excluded."""

    left: int
    top: int
    right: int
    bottom: int


class _Tree:
    """The squares that have been read, by their numbers; 0 is empty."""

    def __init__(self) -> None:
        self.begun = False
        self.levels = [0]
        self.children: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]
        self.leaves: dict[int, Cells] = {}
        self.spans: list[_Span | None] = [None]

    def add_leaf(self, text: str) -> None:
        """Read the rows of a leaf."""
        cells = np.zeros((_LEAF, _LEAF), dtype=np.uint8)
        rows = text.split("$")
        if len(rows) > _LEAF + (not rows[-1]) or max(map(len, rows)) > _LEAF:
            raise FormatError(f"a leaf has {_LEAF} rows of {_LEAF} cells at most")
        for y, row in enumerate(rows):
            for x, sign in enumerate(row):
                cells[y, x] = sign == "*"
        trimmed, x, y = trim(cells)
        height, width = trimmed.shape
        self.leaves[len(self.levels)] = cells
        self.spans.append(_Span(x, y, x + width, y + height) if width else None)
        self.levels.append(_LEAF_LEVEL)
        self.children.append((0, 0, 0, 0))

    def add_node(self, level: int, children: tuple[int, int, int, int]) -> None:
        """Add a square of four quarters."""
        if level <= _LEAF_LEVEL:
            raise FormatError(
                "macrocell files of more than two states are not supported; save as RLE"
            )
        if level > _DEEPEST:
            raise FormatError(f"a square of side 2^{level} is too large; at most 2^{_DEEPEST}")
        for child in children:
            if child >= len(self.levels):
                raise FormatError(f"there is no square {child} above this line")
            if child and self.levels[child] != level - 1:
                raise FormatError(f"square {child} does not have side 2^{level - 1}")
        self.spans.append(_join(1 << (level - 1), [self.spans[child] for child in children]))
        self.levels.append(level)
        self.children.append(children)

    def draw(self) -> tuple[Cells, int, int]:
        """Return the cells of the last square, and their top left."""
        span, level = self.spans[-1], self.levels[-1]
        if span is None:
            return np.zeros((0, 0), dtype=np.uint8), 0, 0
        middle = 1 << (level - 1)
        x, y = span.left - middle, span.top - middle
        width, height = span.right - span.left, span.bottom - span.top
        if max(abs(x), abs(y), width, height) > COORDINATE_LIMIT:
            size = f"{_about(width)}x{_about(height)}"
            where = f"{size} cells around ({_about(x)}, {_about(y)})"
            most = f"at most {COORDINATE_LIMIT} each way"
            raise FormatError(f"the pattern is too large, {where}; {most}")
        check_extent(x, y, width, height)
        cells = np.zeros((height + 2 * _LEAF, width + 2 * _LEAF), dtype=np.uint8)
        numbers, left, top = self._find_leaves(-span.left + _LEAF, -span.top + _LEAF)
        used, index = np.unique(numbers, return_inverse=True)
        leaves = np.array([self.leaves[number] for number in used.tolist()])
        for row in range(_LEAF):
            for column in range(_LEAF):
                alive = leaves[index, row, column] == 1
                cells[top[alive] + row, left[alive] + column] = 1
        return cells[_LEAF:-_LEAF, _LEAF:-_LEAF], x, y

    def _find_leaves(
        self, x: int, y: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers and the places of the leaves that are not empty.

        The last square is at (x, y).
        """
        level, squares = self.levels[-1], [(len(self.levels) - 1, x, y)]
        # No array can hold places in such large squares; at most four of them, around the middle,
        # have live cells.
        while level > _LARGE:
            level -= 1
            squares = [
                (child, x + (i % 2 << level), y + (i // 2 << level))
                for square, x, y in squares
                for i, child in enumerate(self.children[square])
                if self.spans[child] is not None
            ]
        numbers, left, top = np.array(squares, dtype=np.int64).T
        children = np.array(self.children, dtype=np.int64)
        is_alive = np.array([span is not None for span in self.spans])
        while level > _LEAF_LEVEL:
            level -= 1
            half = 1 << level
            left = np.stack([left, left + half, left, left + half], axis=1).ravel()
            top = np.stack([top, top, top + half, top + half], axis=1).ravel()
            numbers = children[numbers].ravel()
            here = is_alive[numbers]
            numbers, left, top = numbers[here], left[here], top[here]
        return numbers, left, top


def _join(half: int, spans: list[_Span | None]) -> _Span | None:
    """Return the span of a square from those of its quarters, whose side is given."""
    placed = [
        _Span(
            span.left + i % 2 * half,
            span.top + i // 2 * half,
            span.right + i % 2 * half,
            span.bottom + i // 2 * half,
        )
        for i, span in enumerate(spans)
        if span is not None
    ]
    if not placed:
        return None
    left, top, right, bottom = zip(*placed, strict=True)
    return _Span(min(left), min(top), max(right), max(bottom))


def _about(number: int) -> str:
    """Write a number of any size in a few characters."""
    text = str(number) if abs(number) < 10**9 else f"{'-' * (number < 0)}2^{number.bit_length()}"
    return text if abs(number) < 10**9 else f"about {text}"


def detect(text: str) -> bool:
    """Return whether a text begins with ``[M2]``."""
    return text.removeprefix("\ufeff").lstrip().startswith("[M")


def parse(text: str) -> Raster:
    """Read the tree, and draw its living cells."""
    tree, setting, is_odd = _Tree(), Setting(), False
    for number, line in number_lines(text):
        content = line.strip()
        if content.startswith("#R"):
            notation = content[2:].strip()
            setting = read_setting(notation, number, line.find(notation) + 1)
        if content.startswith("#G"):
            is_odd = content[-1] in "13579"
        if not content or content.startswith("#"):
            continue
        try:
            _read_line(tree, content, is_first=not tree.begun)
        except FormatError as error:
            raise FormatError(str(error), line=number, column=1) from None
    cells, x, y = tree.draw()
    rule, torus = setting.rule, setting.torus
    phase = int(is_odd and rule.is_strobing)
    return Raster(fit_torus(cells, torus), x, y, rule, phase, torus)


def _read_line(tree: _Tree, line: str, *, is_first: bool) -> None:
    if is_first:
        if not line.startswith("[M2]"):
            raise FormatError(f"{line[:20]!r} is not supported; a macrocell file begins with [M2]")
        tree.begun = True
    elif _CELLS.fullmatch(line):
        tree.add_leaf(line)
    elif match := _NODE.fullmatch(line):
        level, northwest, northeast, southwest, southeast = map(int, match.groups())
        tree.add_node(level, (northwest, northeast, southwest, southeast))
    else:
        raise FormatError(
            f"{line[:30]!r} is neither a leaf, such as '.*$..*$***$', nor a square, such as "
            "'4 0 0 1 2'"
        )


class _Writer:
    """The lines of a tree, each square once."""

    def __init__(self, raster: Raster) -> None:
        self._cells, self._x, self._y = raster.states, raster.x, raster.y
        self._numbers: dict[str, int] = {}

    def add(self, x: int, y: int, level: int) -> int:
        """Return the number of the square with this top left; 0 if it is empty."""
        side, (height, width) = 1 << level, self._cells.shape
        left, top = x - self._x, y - self._y
        inside = self._cells[max(0, top) : max(0, top + side), max(0, left) : max(0, left + side)]
        if left >= width or top >= height or not inside.any():
            return 0
        if level > _LEAF_LEVEL:
            half = side // 2
            corners = ((x, y), (x + half, y), (x, y + half), (x + half, y + half))
            line = f"{level} {' '.join(str(self.add(*corner, level - 1)) for corner in corners)}"
        else:
            leaf = np.zeros((_LEAF, _LEAF), dtype=np.uint8)
            down, across = max(0, -top), max(0, -left)
            leaf[down : down + inside.shape[0], across : across + inside.shape[1]] = inside
            rows = ["".join(".*"[cell] for cell in row).rstrip(".") for row in leaf.tolist()]
            line = "$".join(rows).rstrip("$") + "$"
        return self._numbers.setdefault(line, len(self._numbers) + 1)

    @property
    def lines(self) -> list[str]:
        """The lines, in the order of their numbers."""
        return list(self._numbers)


def draw(raster: Raster) -> str:
    """Write the tree of a square around (0, 0) that holds all cells."""
    height, width = raster.states.shape
    ends = (-raster.x, -raster.y, raster.x + width, raster.y + height)
    level = max(_LEAF_LEVEL + 1, 1 + max(0, *ends).bit_length())
    writer = _Writer(raster)
    writer.add(-(1 << (level - 1)), -(1 << (level - 1)), level)
    rule = [] if raster.rule == LIFE else [f"#R {raster.rule}"]
    return "\n".join(["[M2] (satlife)", *rule, *(writer.lines or ["$"])])


MACROCELL: Final = Format(
    name="macrocell",
    title="macrocell",
    suffixes=(".mc",),
    keeps_position=True,
    keeps_rule=True,
    detect=detect,
    parse=parse,
    draw=draw,
    is_pasted=True,
)
