"""Rasters: the states of a box of cells, as file formats read and write them.

A raster is a plain value without behaviour. :class:`~satlife.life.Pattern` and
:class:`~satlife.life.PartialPattern` convert from and to rasters; the formats know nothing else.
"""

from __future__ import annotations

from msgspec import Struct

from satlife.life.cells import ALIVE, UNKNOWN, Cells, describe_unknown
from satlife.life.rule import LIFE, Rule
from satlife.life.torus import Torus


class Raster(Struct, frozen=True, eq=False):
    """The states of a box of cells in one generation."""

    states: Cells
    """The states, indexed [y, x]; ``UNKNOWN`` for an unknown cell."""
    x: int = 0
    """The leftmost column."""
    y: int = 0
    """The topmost row."""
    rule: Rule = LIFE
    """The rule of the pattern."""
    phase: int = 0
    """The index of the rule's phase; not 0 only in odd generations of some B0 rules."""
    torus: Torus | None = None
    """The torus that the cells fill; None on the unbounded plane."""

    @property
    def is_complete(self) -> bool:
        """Whether every cell is known."""
        return not (self.states == UNKNOWN).any()

    @property
    def has_dying(self) -> bool:
        """Whether a cell is in state 2 or above."""
        return bool(((self.states > ALIVE) & (self.states != UNKNOWN)).any())

    def describe_unknown(self) -> str:
        """Describe the place of the first unknown cell."""
        return describe_unknown(self.states[None], self.x, self.y)
