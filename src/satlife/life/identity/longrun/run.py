"""A long run of a pattern, within limits of generations, time and memory.

>>> run = LongRun(Pattern.from_rle("b2o$2o$bo!"), generations=1200)
>>> run.reach(1103)
>>> run.population, run.populations.size
(116, 1104)

A :class:`Trend` is the long-term course of a population, which is bounded or grows linearly.
apgsearch recognises linear growth by the population alone, and so do the codes ``yl…`` that
Catagolue has for guns and puffers. ``yl144_1_16_…`` means: in 144 generations the population grows
by 16 cells; the 1 is the period of the growth itself, and a hash of its moments ends the code.

>>> rising = [generation // 3 for generation in range(40)]
>>> trend = find_trend(np.array(rising))
>>> trend, encode_growth(np.array(rising), trend)
(Trend(period=3, growth=1), 'yl3_1_1_90240ee96c4ba43f3a1dea919744b9dd')
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import md5
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.identity.limits import LimitReached, WatchLimit
from satlife.life.identity.longrun.packed import Keys, pack
from satlife.life.pattern import Pattern
from satlife.life.universe import HALO, Universe
from satlife.quantities import write_count

_MOST_TILES: Final = 1 << 20  # about half a gigabyte
_MARKS: Final = 8


class LongRun:
    """A universe with its past: the populations of all generations, and some states."""

    def __init__(
        self, pattern: Pattern, *, generations: int, deadline: WatchLimit | None = None
    ) -> None:
        self.generations = generations
        self.deadline = deadline or WatchLimit(None)
        self.universe = Universe.of(pattern)
        self._start = self.universe.copy()
        self._marks: list[Universe] = []
        self._populations = np.full(1024, pattern.population, dtype=np.int64)

    @property
    def generation(self) -> int:
        """The current generation."""
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
        self.check()
        return read_keys(self.universe)

    def reach(self, generation: int) -> None:
        """Run on to a generation."""
        while self._populations.size <= generation:
            self._populations = np.concatenate([self._populations, self._populations])
        while self.generation < generation:
            self.check()
            now = self.generation
            if now >= self.generations:
                raise LimitReached(f"within {write_count(self.generations, 'generation')}")
            # One stride at a time: if its time is over, then nothing of it is done.
            end = min(generation, self.generations, now + HALO - now % HALO)
            piece = self.universe.advance(end - now, self.check)
            self._populations[now + 1 : now + 1 + piece.size] = piece

    def check(self) -> None:
        """Raise ``LimitReached`` at the limit on time or memory."""
        now = self.generation
        if self.deadline.is_over:
            raise LimitReached(f"{self.deadline} ({write_count(now, 'generation')})")
        if self.universe.tiles > _MOST_TILES:
            raise LimitReached(f"within {write_count(now, 'generation')}, and becomes too large")

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
            nearest.advance(min(HALO, generation - nearest.generation), self.check)
        return nearest


def read_keys(universe: Universe) -> Keys:
    """Return the living cells of a universe."""
    return pack(*universe.cells)


_REPEATS: Final = 3  # how often a trend must be seen


@dataclass(frozen=True)
class Trend:
    """A population that grows by ``growth`` cells in every ``period`` generations."""

    period: int
    growth: float
    """The mean over the phases; a whole number, unless phases grow differently."""


def find_trend(populations: NDArray[np.int64]) -> Trend | None:
    """Find the shortest period in which each phase of the population changes by the same amount.

    The whole of the populations must follow it, for three periods at least.
    """
    size = populations.size
    periods = np.arange(1, size // _REPEATS + 1)
    # Most periods are refuted by one of the last few generations.
    for back in range(1, min(16, size // _REPEATS) + 1):
        ends = size - back - 2 * periods
        second = populations[ends] - 2 * populations[ends + periods] + populations[size - back]
        periods = periods[second == 0]
    for period in periods.tolist():
        change = populations[period:] - populations[:-period]
        if np.array_equal(change[period:], change[:-period]):
            growth = float(change[-period:].mean())
            return Trend(period, int(growth) if growth.is_integer() else growth)
    return None


def encode_growth(populations: NDArray[np.int64], trend: Trend) -> str:
    """Return the code of linear growth, as apgsearch defines it, from populations of the trend.

    The codes on Catagolue come from a program whose numbers have 32 bits, and so do these.
    """
    period = trend.period
    change = populations[period:] - populations[:-period]
    inner = next(q for q in range(1, period + 1) if np.array_equal(change[q:], change[:-q]))
    steps = (populations[inner : inner + period] - populations[:period]).astype(np.int32)
    total, squares, cubes = (int((steps**n).sum(dtype=np.int32)) for n in (1, 2, 3))
    digest = md5(f"{squares}#{cubes}".encode(), usedforsecurity=False).hexdigest()
    return f"yl{period}_{inner}_{total}_{digest}"
