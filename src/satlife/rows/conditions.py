"""What else is asked of a ship that is found by rows: few live cells, and rows that are given.

Both are values.  A limit is on the live cells of generations; a state then keeps what has led to it
with the fewest cells, in each generation by itself, so no ship within the limits is lost.  Given
rows are the first ones: how row n of the sequence may look, for n from 0 on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

NO_LIMIT = 1 << 40
GREATEST_LIMIT = (1 << 16) - 2
"""The greatest limit: more cells are one number."""


class Limits(Struct, frozen=True):
    """How many cells may live; of any generation alone, the ship may be in any phase."""

    one: int = NO_LIMIT
    """In some generation."""
    each: int = NO_LIMIT
    """In every generation."""
    total: int = NO_LIMIT
    """In all generations together, those of the quotient: half of them if the ship glides."""

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """What the compiled part needs: a number beyond every limit, and the limits."""
        limits = self.one, self.each, self.total
        beyond = max((each for each in limits if each < NO_LIMIT), default=-1) + 1
        return np.array([beyond, *limits], np.int64)


class Given(Struct, frozen=True):
    """The cells of a row that are given, in all lanes."""

    mask: int = 0
    """Which cells are given."""
    alive: int = 0
    """Which of them live."""

    def fits(self, rows: npt.NDArray[np.uint16]) -> npt.NDArray[np.bool_]:
        """Return which rows are as given."""
        fitting: npt.NDArray[np.bool_] = np.equal(rows & np.uint16(self.mask), self.alive)
        return fitting
