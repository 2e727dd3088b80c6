"""Patterns: living cells at their places on the plane, and the rule that they live by.

A pattern is a frozen value in a normal form, so two patterns are equal exactly when the same
cells live at the same places by the same rule. It does not know the file formats (see
:mod:`satlife.life.formats`), only where to ask for them.

>>> glider = Pattern.from_rle("bob$2bo$3o!")
>>> glider[4] == glider.shift(1, 1)
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satlife.errors import FormatError, UsageError
from satlife.life.box import EMPTY_BOX, Box, look_through
from satlife.life.cells import Cells, as_integer, as_states, check_extent, freeze, trim
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule
from satlife.life.stepping import advance_array
from satlife.life.transforms import Transform

if TYPE_CHECKING:
    from satlife.life.formats import Format

# A longer repr would fill the page instead of telling something.
_LONGEST_REPR = 300


def ask_format(name: str) -> Format:
    """Find a format for the patterns' own ``from_…`` and ``to_…`` methods."""
    # Formats make patterns, so they import this module; here the import waits for its first use.
    from satlife.life.formats import find_format  # noqa: PLC0415

    return find_format(name)


@dataclass(frozen=True, eq=False, repr=False)
class Pattern:
    """A finite pattern of living cells on the unbounded plane.

    ``Pattern(cells, x, y, rule)`` takes an array indexed ``[y, x]`` of zeros and ones, whose
    top left entry is the cell (x, y). Dead margins are trimmed away.

    >>> Pattern([[0, 0, 0], [0, 1, 1]]).box
    Box(x=1, y=1, width=2, height=1)
    """

    cells: Cells
    """The states, 0 or 1, in the bounding box; indexed [y, x]; read-only."""
    x: int = 0
    """The leftmost column with a living cell."""
    y: int = 0
    """The topmost row with a living cell."""
    rule: Rule = LIFE
    """The rule it lives by."""

    def __init__(self, cells: ArrayLike, x: int = 0, y: int = 0, rule: RuleLike = LIFE) -> None:
        trimmed, dx, dy = trim(as_states(cells, allowed=(0, 1), dimensions=2))
        height, width = trimmed.shape
        x = as_integer(x, "a pattern's x") + dx if width else 0
        y = as_integer(y, "a pattern's y") + dy if height else 0
        check_extent(x, y, width, height)
        fields = {"cells": freeze(trimmed), "x": x, "y": y, "rule": as_rule(rule)}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_array(cls, array: ArrayLike, x: int = 0, y: int = 0, rule: RuleLike = LIFE) -> Pattern:
        """Make a pattern of an array [y, x] of zeros and ones; its top left is the cell (x, y)."""
        return cls(array, x, y, rule)

    @classmethod
    def from_cells(cls, cells: Iterable[tuple[int, int]], rule: RuleLike = LIFE) -> Pattern:
        """Make a pattern of the coordinates (x, y) of its living cells, in any order."""
        points = [(as_integer(x, "x"), as_integer(y, "y")) for x, y in cells]
        if not points:
            return cls([], rule=rule)
        columns, rows = zip(*points, strict=True)
        left, top = min(columns), min(rows)
        width, height = max(columns) - left + 1, max(rows) - top + 1
        check_extent(left, top, width, height)  # before the array is made
        array = np.zeros((height, width), dtype=np.uint8)
        array[np.array(rows) - top, np.array(columns) - left] = 1
        return cls(array, left, top, rule)

    @classmethod
    def from_text(cls, text: str, format: str | None = None) -> Pattern:  # noqa: A002 - its name
        """Read a pattern in any of the formats; without a name, detect which."""
        from satlife.life.formats import detect_format  # noqa: PLC0415 - see ask_format

        chosen = detect_format(text) if format is None else ask_format(format)
        read = chosen.read(text)
        if isinstance(read, Pattern):
            return read
        raise FormatError(f"{read.describe_unknown()}; PartialPattern reads such a pattern")

    @classmethod
    def from_rle(cls, text: str) -> Pattern:
        """Read run-length encoded text, with or without a header."""
        return cls.from_text(text, "rle")

    @classmethod
    def from_plaintext(cls, text: str) -> Pattern:
        """Read rows of ``.`` and ``O``; lines that begin with ``!`` are comments."""
        return cls.from_text(text, "plaintext")

    @classmethod
    def from_life106(cls, text: str) -> Pattern:
        """Read a list of coordinates, one living cell in a line."""
        return cls.from_text(text, "life106")

    @classmethod
    def from_knuth(cls, text: str) -> Pattern:
        """Read rows of ``.`` and ``*``, as Knuth's sat-life does."""
        return cls.from_text(text, "knuth")

    def to_rle(self) -> str:
        """Write as RLE; reading it gives this very pattern, its place and rule included."""
        return ask_format("rle").write(self)

    def to_plaintext(self) -> str:
        """Write as rows of ``.`` and ``O``; the place on the plane is not kept."""
        return ask_format("plaintext").write(self)

    def to_life106(self) -> str:
        """Write as a list of coordinates; the rule is not kept."""
        return ask_format("life106").write(self)

    def to_knuth(self) -> str:
        """Write as rows of ``.`` and ``*``; neither place nor rule are kept."""
        return ask_format("knuth").write(self)

    @property
    def population(self) -> int:
        """How many cells live."""
        return int(np.count_nonzero(self.cells))

    @property
    def is_empty(self) -> bool:
        """Whether no cell lives."""
        return self.cells.size == 0

    @property
    def box(self) -> Box:
        """The bounding box of the living cells; of the empty pattern, a box of no cells."""
        height, width = self.cells.shape
        return Box(self.x, self.y, width, height) if width else EMPTY_BOX

    @property
    def coordinates(self) -> NDArray[np.int64]:
        """The living cells as an N×2 array of (x, y), row by row."""
        rows, columns = np.nonzero(self.cells)
        return np.stack([columns + self.x, rows + self.y], axis=1).astype(np.int64)

    def __contains__(self, point: object) -> bool:
        if point not in self.box:
            return False
        x, y = cast("tuple[int, int]", point)  # a box holds nothing else
        return bool(self.cells[y - self.y, x - self.x])

    def crop(self, box: Box) -> Pattern:
        """Only the cells inside a box."""
        return Pattern(self.in_box(box), box.x, box.y, self.rule)

    def in_box(self, box: Box) -> Cells:
        """Give the states of all cells of a box as a new array [y, x]."""
        return look_through(box, self.cells, self.box)

    def shift(self, dx: int, dy: int) -> Pattern:
        """Move the pattern dx cells to the right and dy down."""
        dx, dy = as_integer(dx, "a shift's dx"), as_integer(dy, "a shift's dy")
        return Pattern(self.cells, self.x + dx, self.y + dy, self.rule)

    def transformed(self, transform: Transform) -> Pattern:
        """Turn or mirror the pattern about the cell (0, 0)."""
        box = self.box.transformed(transform)
        return Pattern(transform.apply_to_array(self.cells), box.x, box.y, self.rule)

    @property
    def normalized(self) -> Pattern:
        """The same pattern with its bounding box at (0, 0)."""
        return self.shift(-self.x, -self.y)

    def with_rule(self, rule: RuleLike) -> Pattern:
        """Put the same cells under another rule."""
        return Pattern(self.cells, self.x, self.y, rule)

    def __getitem__(self, generation: int) -> Pattern:
        """Give the pattern that many generations later, exactly, on the unbounded plane."""
        n = as_integer(generation, "a generation")
        if n < 0:
            raise UsageError(f"a generation is 0 or more, got {n}: a rule does not run backward")
        cells, dx, dy = advance_array(self.cells, self.rule, n)
        return Pattern(cells, self.x + dx, self.y + dy, self.rule)

    # pattern[n] would make Python iterate over all generations, without end.
    __iter__ = None

    def __or__(self, other: Pattern) -> Pattern:
        if not isinstance(other, Pattern):
            return NotImplemented
        if self.rule != other.rule:
            raise UsageError(f"cannot join a pattern of {self.rule} with one of {other.rule}")
        box = self.box | other.box
        return Pattern(self.in_box(box) | other.in_box(box), box.x, box.y, self.rule)

    def _key(self) -> tuple[Any, ...]:
        return self.x, self.y, self.rule, self.cells.shape, self.cells.tobytes()

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Pattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[type[Pattern], tuple[Any, ...]]:
        return Pattern, (np.array(self.cells), self.x, self.y, self.rule)

    def __str__(self) -> str:
        """Draw the pattern.

        >>> print(Pattern.from_rle("bo$2bo$3o!"))
        .O.
        ..O
        OOO
        """
        return "\n".join("".join(".O"[state] for state in row) for row in self.cells.tolist())

    def __repr__(self) -> str:
        lines = self.normalized.to_rle().splitlines()
        header, body = lines[0] + "\n", "".join(lines[1:])
        if len(body) > _LONGEST_REPR:
            place = f"{self.box} at ({self.x}, {self.y})"
            return f"<Pattern {place}, population {self.population}, {self.rule}>"
        text = body if self.rule == LIFE else header + body
        moved = f".shift({self.x}, {self.y})" if (self.x, self.y) != (0, 0) else ""
        return f"Pattern.from_rle({text!r}){moved}"
