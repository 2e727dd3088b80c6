"""Rasters: the states of a box of cells, as file formats read and write them.

A raster is a plain value without behaviour. :class:`~satlife.life.Pattern` and
:class:`~satlife.life.PartialPattern` are made of rasters and turn into them; the formats know
nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

from satlife.life.cells import ALIVE, UNKNOWN, Cells, describe_unknown
from satlife.life.rule import LIFE, Rule
from satlife.life.torus import Torus


@dataclass(frozen=True, eq=False)
class Raster:
    """The states of a box of cells in one generation."""

    states: Cells
    """Indexed [y, x]; ``UNKNOWN`` for a cell that is not given."""
    x: int = 0
    """The leftmost column."""
    y: int = 0
    """The topmost row."""
    rule: Rule = LIFE
    """The rule of the pattern."""
    phase: int = 0
    """Which of the rule's phases it is in; not 0 only in odd generations of some B0 rules."""
    torus: Torus | None = None
    """The torus of which the cells are the whole; None on the unbounded plane."""

    @property
    def is_complete(self) -> bool:
        """Whether every cell is known."""
        return not (self.states == UNKNOWN).any()

    @property
    def has_dying(self) -> bool:
        """Whether a cell is in one of the states from 2 on."""
        return bool(((self.states > ALIVE) & (self.states != UNKNOWN)).any())

    def describe_unknown(self) -> str:
        """Return where the first unknown cell is, in words."""
        return describe_unknown(self.states[None], self.x, self.y)
