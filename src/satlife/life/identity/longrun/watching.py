"""Watching a pattern until it can be shown what becomes of it.

Looks are taken at generations that grow geometrically. A look is cheap as long as the population
follows no simple course; only then are cells compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from satlife.life.identity.limits import GENERATIONS, SECONDS
from satlife.life.identity.longrun.growing import Growth, find_growth
from satlife.life.identity.longrun.keys import displacement, find_offset
from satlife.life.identity.longrun.run import LimitReached, Run, read_keys
from satlife.life.identity.longrun.settling import Settlement, find_settlement
from satlife.life.identity.longrun.species import Recogniser
from satlife.life.identity.longrun.trend import Trend, find_trend
from satlife.life.identity.recurrence import Recurrence
from satlife.life.pattern import Pattern

_FIRST_LOOK: Final = 48
_SHORT: Final = 12
_LONG: Final = 3  # the parts of the past that a population's course must have lasted
_MULTIPLES: Final = 24  # of the population's period, in which the whole may recur
_CONFIRMED: Final = 4  # how many times older growth must become to count unexplained


@dataclass(frozen=True)
class Death:
    """All cells are dead from a generation on."""

    generation: int


@dataclass(frozen=True)
class Return:
    """From a generation on the whole pattern recurs, perhaps elsewhere."""

    generation: int
    recurrence: Recurrence


@dataclass(frozen=True)
class Lost:
    """A limit was reached before anything could be shown."""

    reason: str
    """The limit, and what was seen last."""


Prospect: TypeAlias = Death | Return | Settlement | Growth | Lost


def watch(
    pattern: Pattern, *, generations: int = GENERATIONS, seconds: float | None = SECONDS
) -> Prospect:
    """Run a pattern until it is clear what becomes of it, or a limit is reached."""
    run = Run(pattern, generations=generations, seconds=seconds)
    try:
        return _Watch(run, Recogniser(pattern.rule)).look_on()
    except LimitReached as limit:
        if run.population == 0:
            return _find_death(run)
        return Lost(f"neither recurs, settles nor grows linearly {limit}; {_last_seen(run)}")


def _find_death(run: Run) -> Death:
    return Death(int(np.argmin(run.populations)))


def _last_seen(run: Run) -> str:
    x, y = run.universe.cells
    box = f"{np.ptp(x) + 1}x{np.ptp(y) + 1}"
    return f"{run.population} cells in {box} at the end"


class _Watch:
    def __init__(self, run: Run, recogniser: Recogniser) -> None:
        self.run = run
        self.recogniser = recogniser
        self._since: dict[Trend, int] = {}  # when linear growth was first seen

    def look_on(self) -> Prospect:
        """Run and look until there is an answer."""
        look = _FIRST_LOOK
        while True:
            self.run.reach(max(look, self.run.generation))
            self.run.mark()
            answer = self._look()
            if answer is not None:
                return answer
            look = self.run.generation + max(8, self.run.generation // 8)

    def _look(self) -> Prospect | None:
        run = self.run
        if run.population == 0:
            return _find_death(run)
        for part in (_SHORT, _LONG):
            trend = find_trend(run.populations[-max(_FIRST_LOOK, run.generation // part) :])
            if trend is None:
                continue
            if trend.growth == 0:
                return find_settlement(run, self.recogniser, trend) or self._find_return(trend)
            if trend.growth > 0:
                since = self._since.setdefault(trend, run.generation)
                is_lasting = run.generation >= _CONFIRMED * since
                return find_growth(run, self.recogniser, trend, is_lasting=is_lasting)
        return None

    def _find_return(self, trend: Trend) -> Return | None:
        """Find out whether the whole recurs, as a ship of several parts does."""
        run, now = self.run, self.run.generation
        before = run.keys
        for multiple in range(1, _MULTIPLES + 1):
            period = multiple * trend.period
            if period > max(240, now):
                break
            run.reach(now + period)
            moved = find_offset(before, run.keys)
            if moved is not None:
                first = self._find_beginning(period, moved, now)
                return Return(first, Recurrence(period, displacement(moved)))
        return None

    def _find_beginning(self, period: int, moved: int, now: int) -> int:
        """Find the first generation that recurs."""
        run = self.run
        change = run.populations[period : now + period] != run.populations[:now]
        first = int(np.flatnonzero(change)[-1]) + 1 if change.any() else 0
        one, other = run.replay(first), run.replay(first + period)
        while one.generation < now:
            run.check()
            if find_offset(*map(read_keys, (one, other))) == moved:
                break
            one.advance(1)
            other.advance(1)
        return one.generation
