"""What can be drawn, and how its cells are seen through a box.

It knows arrays and boxes; patterns, which draw themselves, are above it.

>>> see(np.array([[1, 1, 1]], np.uint8), Box(-1, 0, 5, 1)).tolist()
[[0, 1, 1, 1, 0]]
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.box import Box, look_through
from satlife.life.cells import Cells
from satlife.life.draw.palette import LAST_DYING
from satlife.life.rule import Rule


class HasCells(Protocol):
    """A pattern, or a partial one, of which generation 0 is drawn."""

    @property
    def rule(self) -> Rule:
        """The rule that it lives by."""

    @property
    def box(self) -> Box:
        """The box that it speaks of."""

    def in_box(self, box: Box) -> Cells:
        """Return the states of a box's cells, dead where nothing is said."""


Drawable: TypeAlias = HasCells | Cells
"""A pattern, a partial one, or an array [y, x] of states at (0, 0)."""


def find_box(what: Drawable) -> Box:
    """Return the box that a drawing must hold."""
    if isinstance(what, np.ndarray):
        states = as_picture(what)
        return Box(0, 0, states.shape[1], states.shape[0])
    return what.box


def see(what: Drawable, box: Box) -> Cells:
    """Return the states of a box's cells; where nothing is said they look dead."""
    if isinstance(what, np.ndarray):
        return look_through(box, as_picture(what), find_box(what))
    return what.in_box(box)


def as_picture(states: NDArray[np.generic]) -> Cells:
    """Check an array of states."""
    if states.ndim != 2:
        raise UsageError(f"a picture is an array [y, x] of states, not of {states.ndim} dimensions")
    cells = states.astype(np.uint8, copy=False)
    if states.dtype.kind not in "biu" or not np.array_equal(cells, states):
        raise UsageError("the states of cells are whole numbers from 0 to 255")
    return cells


def count_states(cells: Cells) -> int:
    """Return how many states a rule has at the least, so that these cells can live by it."""
    ordinary = cells[cells <= LAST_DYING]
    return max(2, int(ordinary.max()) + 1) if ordinary.size else 2
