"""Patterns: living cells at their places on the plane, and their rule.

A pattern is a frozen value in a normal form, so two patterns are equal exactly when they have the
same living cells at the same places, and the same rule.

>>> glider = Pattern.from_rle("bob$2bo$3o!")
>>> glider[4] == glider.shift(1, 1)
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satlife.errors import FormatError, UsageError
from satlife.life.box import EMPTY_BOX, Box, look_through
from satlife.life.cells import (
    ALIVE,
    DEAD,
    Cells,
    as_integer,
    as_states,
    check_extent,
    freeze,
    name_states,
    place_points,
    trim,
)
from satlife.life.formats import Format, choose_format, read_raster
from satlife.life.raster import Raster
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule
from satlife.life.steps import advance_array
from satlife.life.transforms import Transform

# A longer repr would fill the page without being informative.
_LONGEST_REPR = 300
_WIDEST_DRAWING = 120


@dataclass(frozen=True, eq=False, repr=False)
class Pattern:
    """A finite pattern of living cells on the unbounded plane.

    ``Pattern(cells, x, y, rule)`` takes an array indexed ``[y, x]`` of states, 0 or 1 in most
    rules, whose top left entry is the cell (x, y). Dead margins are trimmed away.

    >>> Pattern([[0, 0, 0], [0, 1, 1]]).box
    Box(x=1, y=1, width=2, height=1)
    """

    cells: Cells
    """The states in the bounding box; indexed [y, x]; read-only.

    In a rule with B0, 1 is a cell that differs from the background.
    """
    x: int = 0
    """The leftmost column with a cell that is not 0."""
    y: int = 0
    """The topmost row with a cell that is not 0."""
    rule: Rule = LIFE
    """The rule of the pattern."""
    phase: int = 0
    """The index in :attr:`Rule.phases`: 1 only in odd generations of a strobing rule."""
    frame: Box | None = field(init=False, default=None)
    """The box of the drawing, dead margins included; None for a computed pattern.

    It is not part of the value: patterns with the same cells are equal. It matters only where a
    pattern is a piece of the plane, such as the tile of a background.
    """

    def __init__(
        self, cells: ArrayLike, x: int = 0, y: int = 0, rule: RuleLike = LIFE, phase: int = 0
    ) -> None:
        rule = as_rule(rule)
        states = as_states(cells, allowed=range(rule.states), dimensions=2)
        trimmed, dx, dy = trim(states)
        height, width = trimmed.shape
        left, top = as_integer(x, "a pattern's x"), as_integer(y, "a pattern's y")
        x, y = (left + dx, top + dy) if width else (0, 0)
        check_extent(x, y, width, height)
        if as_integer(phase, "a phase") not in range(len(rule.phases)):
            phases = "0 or 1" if rule.is_strobing else "0"
            raise UsageError(f"a phase of {rule} is {phases}, got {phase}")
        frame = Box(left, top, states.shape[1], states.shape[0]) if states.size else None
        fields = {"cells": freeze(trimmed), "x": x, "y": y, "rule": rule, "phase": phase}
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "frame", frame)

    def _derive(self, frame: Box | None, **changes: Any) -> Pattern:
        """Return the pattern with some fields and the frame replaced."""
        other = replace(self, **changes)
        object.__setattr__(other, "frame", frame)
        return other

    @classmethod
    def from_array(cls, array: ArrayLike, x: int = 0, y: int = 0, rule: RuleLike = LIFE) -> Pattern:
        """Build a pattern from an array [y, x] of states, whose top left is the cell (x, y)."""
        return cls(array, x, y, rule)

    @classmethod
    def from_cells(cls, cells: Iterable[tuple[int, int]], rule: RuleLike = LIFE) -> Pattern:
        """Build a pattern from the coordinates (x, y) of its living cells, in any order."""
        points = [(as_integer(x, "x"), as_integer(y, "y")) for x, y in cells]
        return cls(*place_points(points), rule)._derive(None)

    @classmethod
    def from_text(cls, text: str, format: str | Format | None = None) -> Pattern:  # noqa: A002 - public
        """Read a pattern in any of the formats; without a format, detect it."""
        return cls.from_raster(read_raster(text, format))

    @classmethod
    def from_raster(cls, raster: Raster) -> Pattern:
        """Build a pattern from the cells that a format has read."""
        if not raster.is_complete:
            raise FormatError(f"{raster.describe_unknown()}; PartialPattern reads such a pattern")
        if raster.torus is not None:
            raise FormatError(raster.torus.describe_refusal())
        return cls(raster.states, raster.x, raster.y, raster.rule, raster.phase)

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
        """Read a list of coordinates, one living cell per line."""
        return cls.from_text(text, "life106")

    @classmethod
    def from_knuth(cls, text: str) -> Pattern:
        """Read rows of ``.`` and ``*``, as Knuth's sat-life does."""
        return cls.from_text(text, "knuth")

    def to_text(self, format: str | Format) -> str:  # noqa: A002 - public
        """Write the pattern in one of the formats."""
        raster = Raster(self.cells, self.x, self.y, self.rule, self.phase)
        return choose_format(format).write(raster)

    def to_rle(self) -> str:
        """Write as RLE; reading it gives an equal pattern, place and rule included."""
        return self.to_text("rle")

    def to_plaintext(self) -> str:
        """Write as rows of ``.`` and ``O``; the place on the plane is not kept."""
        return self.to_text("plaintext")

    def to_life106(self) -> str:
        """Write as a list of coordinates; the rule is not kept."""
        return self.to_text("life106")

    def to_knuth(self) -> str:
        """Write as rows of ``.`` and ``*``; neither place nor rule is kept."""
        return self.to_text("knuth")

    @property
    def population(self) -> int:
        """The number of living cells; dying ones, in state 2 and above, do not count."""
        return int(np.count_nonzero(self.cells == ALIVE))

    @property
    def is_empty(self) -> bool:
        """Whether every cell is 0."""
        return self.cells.size == 0

    @property
    def box(self) -> Box:
        """The bounding box of all cells that are not 0; empty for the empty pattern."""
        height, width = self.cells.shape
        return Box(self.x, self.y, width, height) if width else EMPTY_BOX

    @property
    def coordinates(self) -> NDArray[np.int64]:
        """The living cells as an N×2 array of (x, y), row by row."""
        rows, columns = np.nonzero(self.cells == ALIVE)
        return np.stack([columns + self.x, rows + self.y], axis=1).astype(np.int64)

    def __contains__(self, point: object) -> bool:
        if point not in self.box:
            return False
        x, y = cast("tuple[int, int]", point)  # a box holds nothing else
        return bool(self.cells[y - self.y, x - self.x] == ALIVE)

    def crop(self, box: Box) -> Pattern:
        """Return only the cells inside a box."""
        return self._derive(box, cells=self.in_box(box), x=box.x, y=box.y)

    def in_box(self, box: Box) -> Cells:
        """Return the states of all cells of a box as a new array [y, x]."""
        return look_through(box, self.cells, self.box)

    def shift(self, dx: int, dy: int) -> Pattern:
        """Move the pattern dx cells to the right and dy down."""
        dx, dy = as_integer(dx, "a shift's dx"), as_integer(dy, "a shift's dy")
        frame = self.frame and self.frame.shift(dx, dy)
        return self._derive(frame, x=self.x + dx, y=self.y + dy)

    def transformed(self, transform: Transform) -> Pattern:
        """Turn or mirror the pattern about the cell (0, 0)."""
        box = self.box.transformed(transform)
        frame = self.frame and self.frame.transformed(transform)
        turned = transform.apply_to_array(self.cells)
        return self._derive(frame, cells=turned, x=box.x, y=box.y)

    @property
    def normalized(self) -> Pattern:
        """The same pattern with its bounding box at (0, 0)."""
        return self.shift(-self.x, -self.y)

    def with_rule(self, rule: RuleLike) -> Pattern:
        """Return the same cells under another rule, in its first phase."""
        return self._derive(self.frame, rule=as_rule(rule), phase=0)

    def __getitem__(self, generation: int) -> Pattern:
        """Return a later generation of the pattern, exactly, on the unbounded plane."""
        n = as_integer(generation, "a generation")
        if n < 0:
            raise UsageError(f"a generation is 0 or more, got {n}: a rule does not run backward")
        cells, dx, dy = advance_array(self.cells, self.rule, n, self.phase)
        phase = (self.phase + n) % len(self.rule.phases)
        return self._derive(None, cells=cells, x=self.x + dx, y=self.y + dy, phase=phase)

    # pattern[n] would make Python iterate over all generations, without end.
    __iter__ = None

    def __or__(self, other: Pattern) -> Pattern:
        if not isinstance(other, Pattern):
            return NotImplemented
        if self.rule != other.rule:
            raise UsageError(f"cannot join a pattern of {self.rule} with one of {other.rule}")
        if self.phase != other.phase:
            raise UsageError("cannot join patterns of even and of odd generations: move one by 1")
        box = self.box | other.box
        one, two = self.in_box(box), other.in_box(box)
        both = np.argwhere((one > DEAD) & (two > DEAD) & (one != two))
        if len(both):
            y, x = both[0].tolist()
            place = f"({x + box.x}, {y + box.y})"
            raise UsageError(
                f"cannot join: {place} is {one[y, x]} in one, {two[y, x]} in the other"
            )
        return self._derive(None, cells=one | two, x=box.x, y=box.y)

    def _key(self) -> tuple[Any, ...]:
        place = self.x, self.y, self.phase
        return *place, self.rule, self.cells.shape, self.cells.tobytes()

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Pattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        whole = np.array(self.cells), self.x, self.y, self.rule, self.phase
        return _build, (*whole, self.frame)

    def __str__(self) -> str:
        """Draw the pattern; with more than two states, with the letters of RLE.

        >>> print(Pattern.from_rle("bo$2bo$3o!"))
        .O.
        ..O
        OOO
        """
        letters = name_states(self.rule.states)
        return "\n".join("".join(letters[state] for state in row) for row in self.cells.tolist())

    def _repr_svg_(self) -> str:
        """Draw the pattern in a notebook."""
        from satlife.life.draw.svg import draw_svg  # noqa: PLC0415 - only when shown

        return draw_svg(self)

    def _repr_html_(self) -> str:
        from satlife.life.draw.svg import let_scroll  # noqa: PLC0415 - only when shown

        return let_scroll(self._repr_svg_())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Draw the pattern in text, where a notebook or IPython shows no pictures."""
        from satlife.life.draw.text import draw_text  # noqa: PLC0415 - only when shown

        is_drawn = 0 < self.box.width <= _WIDEST_DRAWING
        printer.text(draw_text(self) if is_drawn else repr(self))

    def __repr__(self) -> str:
        *head, header, text = self.normalized.to_rle().split("\n", 1 + (self.phase > 0))
        body = text.replace("\n", "")
        if len(body) > _LONGEST_REPR:
            place = f"{self.box} at ({self.x}, {self.y})"
            return f"<Pattern {place}, population {self.population}, {self.rule}>"
        if self.rule != LIFE:
            body = "\n".join([*head, header, body])
        moved = f".shift({self.x}, {self.y})" if (self.x, self.y) != (0, 0) else ""
        return f"Pattern.from_rle({body!r}){moved}"


def _build(
    cells: Cells, x: int, y: int, rule: Rule, phase: int, frame: Box | None = None
) -> Pattern:
    """Build a pattern from its pickle."""
    return Pattern(cells, x, y, rule, phase)._derive(frame)
