r"""Partial patterns: cells that are dead, alive or unknown, in a box that matters.

What a person knows of a pattern before a search. A partial pattern does not evolve, and it is not
trimmed: a dead cell at its edge is known to be dead.

>>> PartialPattern.from_rle("x = 3, y = 2\no?o$3?!").unknown
4
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.cells import Cells, as_integer, as_states, check_extent, freeze
from satlife.life.pattern import Pattern, ask_format
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule
from satlife.life.transforms import Transform

DEAD: Final = 0
ALIVE: Final = 1
# Counted from the far end, so that rules of more states can have 2, 3, 4 …
UNKNOWN: Final = 255


@dataclass(frozen=True, eq=False, repr=False)
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
    """The rule that the finished pattern will live by."""

    def __init__(self, states: ArrayLike, x: int = 0, y: int = 0, rule: RuleLike = LIFE) -> None:
        array = np.asarray(states)
        if array.ndim <= 2:
            array = as_states(array, allowed=(DEAD, ALIVE, UNKNOWN), dimensions=2)[np.newaxis]
        else:
            array = as_states(array, allowed=(DEAD, ALIVE, UNKNOWN), dimensions=3)
        if not array.size:
            array = np.zeros((1, 0, 0), dtype=np.uint8)
        x, y = as_integer(x, "a pattern's x"), as_integer(y, "a pattern's y")
        check_extent(x, y, array.shape[2], array.shape[1])
        fields = {"states": freeze(array), "x": x, "y": y, "rule": as_rule(rule)}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_pattern(cls, pattern: Pattern, box: Box | None = None) -> PartialPattern:
        """Know every cell of a box, by default of the pattern's own."""
        box = pattern.box if box is None else box
        return cls(pattern.in_box(box), box.x, box.y, pattern.rule)

    @classmethod
    def from_text(cls, text: str, format: str) -> PartialPattern:  # noqa: A002 - its name
        """Read a text with ``?`` for unknown cells, keeping the box that it speaks of."""
        return ask_format(format).read_partial(text)

    @classmethod
    def from_rle(cls, text: str) -> PartialPattern:
        """Read run-length encoded text; the header's size, if any, is the box."""
        return cls.from_text(text, "rle")

    @classmethod
    def from_plaintext(cls, text: str) -> PartialPattern:
        """Read rows of ``.``, ``O`` and ``?``."""
        return cls.from_text(text, "plaintext")

    def to_rle(self) -> str:
        """Write as RLE with ``?`` for unknown cells; reading it gives this very value."""
        return ask_format("rle").write(self)

    def to_plaintext(self) -> str:
        """Write as rows of ``.``, ``O`` and ``?``; the place on the plane is not kept."""
        return ask_format("plaintext").write(self)

    @property
    def generations(self) -> int:
        """How many generations it speaks of."""
        return int(self.states.shape[0])

    @property
    def box(self) -> Box:
        """The box whose cells it speaks of."""
        return Box(self.x, self.y, self.states.shape[2], self.states.shape[1])

    @property
    def unknown(self) -> int:
        """How many cells are unknown, in all generations."""
        return int(np.count_nonzero(self.states == UNKNOWN))

    @property
    def is_complete(self) -> bool:
        """Whether every cell is known."""
        return not (self.states == UNKNOWN).any()

    def describe_unknown(self) -> str:
        """Say where the first unknown cell is."""
        t, row, column = map(int, np.argwhere(self.states == UNKNOWN)[0])
        when = f" in generation {t}" if self.generations > 1 else ""
        more = f" ({self.unknown} such cells)" if self.unknown > 1 else ""
        return f"the cell at x={self.x + column}, y={self.y + row}{when} is unknown{more}"

    def pattern(self) -> Pattern:
        """Give generation 0 as a pattern; every cell must be known."""
        if not self.is_complete:
            raise UsageError(f"not a complete pattern: {self.describe_unknown()}")
        return Pattern(self.states[0], self.x, self.y, self.rule)

    def shift(self, dx: int, dy: int) -> PartialPattern:
        """Move the cells dx to the right and dy down."""
        dx, dy = as_integer(dx, "a shift's dx"), as_integer(dy, "a shift's dy")
        return PartialPattern(self.states, self.x + dx, self.y + dy, self.rule)

    def transformed(self, transform: Transform) -> PartialPattern:
        """Turn or mirror it about the cell (0, 0)."""
        box = self.box.transformed(transform)
        return PartialPattern(transform.apply_to_array(self.states), box.x, box.y, self.rule)

    def _key(self) -> tuple[Any, ...]:
        return self.x, self.y, self.rule, self.states.shape, self.states.tobytes()

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, PartialPattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[type[PartialPattern], tuple[Any, ...]]:
        return PartialPattern, (np.array(self.states), self.x, self.y, self.rule)

    def __repr__(self) -> str:
        if self.generations > 1 or self.states.size > 1000:
            return (
                f"<PartialPattern {self.box} at ({self.x}, {self.y}), generations "
                f"{self.generations}, unknown {self.unknown}, {self.rule}>"
            )
        return f"PartialPattern.from_rle({self.to_rle()!r})"
