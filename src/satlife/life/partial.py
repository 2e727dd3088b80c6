r"""Partial patterns: cells that are dead, alive or unknown, in a fixed box.

A partial pattern is the part of a pattern that is known before a search. It does not evolve, and it
is not trimmed: a dead cell at its edge is known to be dead.

>>> PartialPattern.from_rle("x = 3, y = 2\no?o$3?!").unknown
4
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from satlife.errors import FormatError, UsageError
from satlife.life.box import Box, look_through
from satlife.life.cells import (
    UNKNOWN,
    Cells,
    as_integer,
    as_states,
    check_extent,
    describe_unknown,
    freeze,
)
from satlife.life.formats import Format, choose_format, read_raster
from satlife.life.pattern import Pattern
from satlife.life.raster import Raster
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule
from satlife.life.torus import Torus
from satlife.life.transforms import Transform

_WIDEST_DRAWING = 60
# More cells would fill the page without being informative.
_MOST_CELLS_IN_REPR = 1000


@dataclass(frozen=True, eq=False)
class PartialPattern:
    r"""Known and unknown cells of a box, in one generation or in several.

    ``PartialPattern(states, x, y, rule)`` takes an array [t, y, x], or [y, x] for generation 0
    alone, of ``DEAD``, ``ALIVE`` and ``UNKNOWN``.

    >>> PartialPattern([[1, UNKNOWN], [0, 1]])
    PartialPattern.from_rle('x = 2, y = 2, rule = B3/S23\no?$bo!')
    """

    states: Cells
    """The states of the box's cells, generation by generation; indexed [t, y, x]; read-only."""
    x: int = 0
    """The box's leftmost column."""
    y: int = 0
    """The box's topmost row."""
    rule: Rule = LIFE
    """The rule of the finished pattern."""
    torus: Torus | None = None
    """The torus, if any, whose cells are those of the box; the box is then at (0, 0)."""

    def __init__(
        self,
        states: ArrayLike,
        x: int = 0,
        y: int = 0,
        rule: RuleLike = LIFE,
        torus: Torus | None = None,
    ) -> None:
        array, rule = np.asarray(states), as_rule(rule)
        allowed = (*range(rule.states), UNKNOWN)
        if array.ndim <= 2:
            array = as_states(array, allowed=allowed, dimensions=2)[np.newaxis]
        else:
            array = as_states(array, allowed=allowed, dimensions=3)
        if not array.size:
            array = np.zeros((1, 0, 0), dtype=np.uint8)
        x, y = as_integer(x, "a pattern's x"), as_integer(y, "a pattern's y")
        if torus is not None:
            height, width = array.shape[1:]
            if (torus.width or width, torus.height or height) != (width, height):
                raise UsageError(
                    f"a box of {width}x{height} is not the whole torus :{torus}; give all its cells"
                )
            x = y = 0  # a torus has no position
        check_extent(x, y, array.shape[2], array.shape[1])
        fields = {"states": freeze(array), "x": x, "y": y, "rule": rule, "torus": torus}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_pattern(cls, pattern: Pattern, box: Box | None = None) -> PartialPattern:
        """Build a partial pattern in which every cell of a box, by default its own, is known."""
        box = pattern.box if box is None else box
        return cls(pattern.in_box(box), box.x, box.y, pattern.rule)

    @classmethod
    def from_text(cls, text: str, format: str | Format | None = None) -> PartialPattern:  # noqa: A002 - public
        """Read a text, keeping the box that it describes; without a format, detect it."""
        return cls.from_raster(read_raster(text, format))

    @classmethod
    def from_raster(cls, raster: Raster) -> PartialPattern:
        """Build a partial pattern from the cells that a format has read."""
        if raster.phase:
            raise FormatError("a partial pattern begins in an even generation, not in an odd one")
        return cls(raster.states, raster.x, raster.y, raster.rule, raster.torus)

    @classmethod
    def from_rle(cls, text: str) -> PartialPattern:
        """Read run-length encoded text; the header's size, if any, is the box."""
        return cls.from_text(text, "rle")

    @classmethod
    def from_plaintext(cls, text: str) -> PartialPattern:
        """Read rows of ``.``, ``O`` and ``?``."""
        return cls.from_text(text, "plaintext")

    def to_text(self, format: str | Format) -> str:  # noqa: A002 - public
        """Write the cells in a format that has a symbol for unknown cells."""
        chosen = choose_format(format)
        if self.generations > 1:
            raise UsageError(f"{chosen.title} holds one generation, got {self.generations}")
        return chosen.write(Raster(self.states[0], self.x, self.y, self.rule, torus=self.torus))

    def to_rle(self) -> str:
        """Write as RLE with ``?`` for unknown cells; reading it gives an equal value."""
        return self.to_text("rle")

    def to_plaintext(self) -> str:
        """Write as rows of ``.``, ``O`` and ``?``; the place on the plane is not kept."""
        return self.to_text("plaintext")

    @property
    def generations(self) -> int:
        """The number of generations."""
        return int(self.states.shape[0])

    @property
    def box(self) -> Box:
        """The box that holds the cells."""
        return Box(self.x, self.y, self.states.shape[2], self.states.shape[1])

    @property
    def unknown(self) -> int:
        """The number of unknown cells, in all generations."""
        return int(np.count_nonzero(self.states == UNKNOWN))

    @property
    def is_complete(self) -> bool:
        """Whether every cell is known."""
        return not (self.states == UNKNOWN).any()

    def describe_unknown(self) -> str:
        """Describe the place of the first unknown cell."""
        return describe_unknown(self.states, self.x, self.y)

    def pattern(self) -> Pattern:
        """Return generation 0 as a pattern; every cell must be known."""
        if not self.is_complete:
            raise UsageError(f"not a complete pattern: {self.describe_unknown()}")
        if self.torus is not None:
            raise UsageError(self.torus.describe_refusal())
        return Pattern(self.states[0], self.x, self.y, self.rule)

    def in_box(self, box: Box) -> Cells:
        """Return the states of a box's cells in generation 0; cells outside its own are dead."""
        return look_through(box, self.states[0], self.box)

    def shift(self, dx: int, dy: int) -> PartialPattern:
        """Move the cells dx to the right and dy down."""
        dx, dy = as_integer(dx, "a shift's dx"), as_integer(dy, "a shift's dy")
        return PartialPattern(self.states, self.x + dx, self.y + dy, self.rule, self.torus)

    def with_rule(self, rule: RuleLike) -> PartialPattern:
        """Return the same cells under another rule."""
        return PartialPattern(self.states, self.x, self.y, rule, self.torus)

    def transformed(self, transform: Transform) -> PartialPattern:
        """Turn or mirror it about the cell (0, 0)."""
        if self.torus is not None:
            raise UsageError(self.torus.describe_refusal())
        box = self.box.transformed(transform)
        return PartialPattern(transform.apply_to_array(self.states), box.x, box.y, self.rule)

    def _key(self) -> tuple[Any, ...]:
        return self.x, self.y, self.rule, self.torus, self.states.shape, self.states.tobytes()

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, PartialPattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[type[PartialPattern], tuple[Any, ...]]:
        return PartialPattern, (np.array(self.states), self.x, self.y, self.rule, self.torus)

    def _repr_svg_(self) -> str:
        """Draw the cells in a notebook, the unknown ones hatched."""
        from satlife.life.draw.svg import draw_svg  # noqa: PLC0415 - only when shown

        later = (
            PartialPattern(states, self.x, self.y, self.rule, self.torus)
            for states in self.states[1:]
        )
        return draw_svg([self, *later])

    _repr_html_ = Pattern._repr_html_

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Draw generation 0 in text, where a notebook or IPython shows no pictures."""
        from satlife.life.draw.text import draw_text  # noqa: PLC0415 - only when shown

        is_drawn = 0 < self.box.width <= _WIDEST_DRAWING
        printer.text(draw_text(self) if is_drawn else repr(self))

    def __repr__(self) -> str:
        if self.generations > 1 or self.states.size > _MOST_CELLS_IN_REPR:
            return (
                f"<PartialPattern {self.box} at ({self.x}, {self.y}), generations "
                f"{self.generations}, unknown {self.unknown}, {self.rule}>"
            )
        return f"PartialPattern.from_rle({self.to_rle()!r})"


def read_pattern(text: str, format: str | Format | None = None) -> Pattern | PartialPattern:  # noqa: A002 - public
    """Read a pattern, or a partial pattern if it has unknown cells or is on a torus.

    Without a format, detect it.

    >>> read_pattern("3o!")
    Pattern.from_rle('3o!')
    """
    return from_raster(read_raster(text, format))


def from_raster(raster: Raster) -> Pattern | PartialPattern:
    """Return a pattern of these cells; a partial one if some are unknown, or on a torus."""
    is_whole = raster.is_complete and raster.torus is None
    return (Pattern if is_whole else PartialPattern).from_raster(raster)
