"""A long run of a pattern, within limits of generations, time and memory.

>>> run = Run(Pattern.from_rle("b2o$2o$bo!"), generations=1200)
>>> run.reach(1103)
>>> run.population, run.populations.size
(116, 1104)
"""

from __future__ import annotations

from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.identity.longrun.keys import Keys, pack
from satlife.life.pattern import Pattern
from satlife.life.universe import Universe

_PIECE: Final = 64  # generations between two looks at the clock
_MOST_TILES: Final = 1 << 20  # about half a gigabyte
_MARKS: Final = 8


class LimitReached(Exception):  # noqa: N818 - not an error: the answer is "unknown"
    """A run was to go on beyond its limits; its text says which."""


class Run:
    """A universe with its past: the populations of all generations, and some states."""

    def __init__(self, pattern: Pattern, *, generations: int, seconds: float | None = None) -> None:
        self.generations = generations
        self.seconds = seconds
        self._end = None if seconds is None else monotonic() + seconds
        self.universe = Universe.of(pattern)
        self._start = self.universe.copy()
        self._marks: list[Universe] = []
        self._populations = np.full(1024, pattern.population, dtype=np.int64)

    @property
    def generation(self) -> int:
        """How far the run has come."""
        return self.universe.generation

    @property
    def populations(self) -> NDArray[np.int64]:
        """The population of each generation, from 0 to the present one."""
        return self._populations[: self.generation + 1]

    @property
    def population(self) -> int:
        """The present population."""
        return int(self.populations[-1])

    @property
    def keys(self) -> Keys:
        """The living cells."""
        return read_keys(self.universe)

    def reach(self, generation: int) -> None:
        """Run on to a generation."""
        while self._populations.size <= generation:
            self._populations = np.concatenate([self._populations, self._populations])
        while self.generation < generation:
            self.check()
            now = self.generation
            if now >= self.generations:
                raise LimitReached(f"within {self.generations} generations")
            piece = self.universe.advance(min(_PIECE, generation - now, self.generations - now))
            self._populations[now + 1 : now + 1 + piece.size] = piece

    def check(self) -> None:
        """Raise ``LimitReached`` if the time is over, or the memory used up."""
        now = self.generation
        if self._end is not None and monotonic() > self._end:
            raise LimitReached(f"within {self.seconds:g} seconds ({now} generations)")
        if self.universe.tiles > _MOST_TILES:
            raise LimitReached(f"within {now} generations, and becomes too large")

    def mark(self) -> None:
        """Keep the present state, so that the generations after it are near."""
        self._marks = [*self._marks[-_MARKS:], self.universe.copy()]

    def replay(self, generation: int) -> Universe:
        """Return a universe in an earlier generation, or in the present one."""
        states = [self._start, *self._marks]
        nearest = max(
            (state for state in states if state.generation <= generation),
            key=lambda state: state.generation,
        ).copy()
        while nearest.generation < generation:
            self.check()
            nearest.advance(min(_PIECE, generation - nearest.generation))
        return nearest


def read_keys(universe: Universe) -> Keys:
    """Return the living cells of a universe."""
    return pack(*universe.cells)
