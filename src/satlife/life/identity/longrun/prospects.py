"""The prospect of a pattern: running it until its fate is clear, and describing that fate.

The run is examined at generations that grow geometrically. That is cheap as long as the population
follows no trend; only then are cells compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from satlife.life.identity.limits import GENERATIONS, SECONDS, LimitReached, WatchLimit
from satlife.life.identity.longrun.growth import LinearGrowth, ShipStream, find_growth
from satlife.life.identity.longrun.packed import displacement, find_offset
from satlife.life.identity.longrun.run import LongRun, Trend, find_trend, read_keys
from satlife.life.identity.longrun.scene import Recogniser
from satlife.life.identity.longrun.settled import Settlement, find_settlement
from satlife.life.identity.names import Tally, find_object_name
from satlife.life.identity.recurrence import Recurrence
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule
from satlife.quantities import write_count, write_span

_FIRST_LOOK: Final = 48
_SHARES: Final = (12, 3)  # a trend must have lasted for a twelfth of the past, or for a third
_MULTIPLES: Final = 24  # of the population's period, in which the whole may recur
_LEAST_PERIOD_LIMIT: Final = 240  # periods up to this are tried in a young run, too
_CONFIRMED: Final = 4  # how many times older unexplained growth must become to count as linear


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


Prospect: TypeAlias = Death | Return | Settlement | LinearGrowth | Lost


def watch(
    pattern: Pattern, *, generations: int = GENERATIONS, deadline: WatchLimit | None = None
) -> Prospect:
    """Run a pattern until its fate is clear, or a limit is reached."""
    run = LongRun(pattern, generations=generations, deadline=deadline or WatchLimit(SECONDS))
    try:
        return _Watch(run, Recogniser(pattern.rule, run.check)).find_prospect()
    except LimitReached as limit:
        if run.population == 0:
            return _find_death(run)
        last = f"{write_count(run.population, 'cell')} in {run.universe.box} at the end"
        return Lost(f"neither recurs, settles nor grows linearly {limit}; {last}")


def _find_death(run: LongRun) -> Death:
    return Death(int(np.argmin(run.populations)))


class _Watch:
    """A run, and what has been seen of its growth."""

    def __init__(self, run: LongRun, recogniser: Recogniser) -> None:
        self.run = run
        self.recogniser = recogniser
        self._since: dict[Trend, int] = {}  # when linear growth was first seen

    def find_prospect(self) -> Prospect:
        """Run on and examine the run until there is an answer."""
        look = _FIRST_LOOK
        while True:
            self.run.reach(max(look, self.run.generation))
            self.run.mark()
            answer = self._examine()
            if answer is not None:
                return answer
            look = self.run.generation + max(8, self.run.generation // 8)

    def _examine(self) -> Prospect | None:
        run = self.run
        if run.population == 0:
            return _find_death(run)
        for share in _SHARES:
            trend = find_trend(run.populations[-max(_FIRST_LOOK, run.generation // share) :])
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
            if period > max(_LEAST_PERIOD_LIMIT, now):
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


_KINDS = {"s": "still life", "p": "oscillator", "q": "spaceship"}


def describe_prospect(prospect: Prospect, rule: Rule) -> str:
    """Describe the fate of a pattern, as the predicate of a sentence about it."""
    match prospect:
        case Death(generation):
            return f"dies in generation {generation}"
        case Return(generation, recurrence):
            if generation == 0:
                return f"recurs in generation {recurrence.period}"
            return f"becomes {recurrence.describe()} in generation {generation}"
        case Settlement():
            return _describe_settlement(prospect)
        case LinearGrowth():
            return _describe_growth(prospect, rule)
        case Lost(reason):
            return reason


def _describe_settlement(settled: Settlement) -> str:
    objects = [*settled.ash, *settled.escaping]
    if len(objects) == 1 and objects[0].count == 1 and not settled.unnamed:
        return f"becomes {_describe_object(objects[0])} in generation {settled.generation}"
    least, most = settled.populations
    stays = [str(each) for each in settled.ash]
    stays = [f"{settled.name} ({', '.join(stays)})"] if settled.name else stays
    stays += [f"an oscillator of {write_count(settled.unnamed, 'cell')}"] if settled.unnamed else []
    text = f"settles in generation {settled.generation} with {write_span(least, most, 'cell')}"
    text += f": {', '.join(stays)}" if stays else ""
    escaping = ", ".join(map(str, settled.escaping))
    return f"{text}; escaping: {escaping}" if escaping else text


def _describe_object(single: Tally) -> str:
    """Return a single object with its article, name and code.

    >>> _describe_object(Tally(1, "xp2_7", "blinker"))
    'a blinker (xp2_7, an oscillator of period 2)'
    """
    code = single.code.removeprefix("ov_").removeprefix("x")
    number = code[1:].split("_")[0]
    kind = _KINDS[code[0]]
    article = "an" if kind == "oscillator" else "a"
    what = f"{article} {kind}" + (f" of period {number}" if kind != "still life" else "")
    if single.name is None:
        return f"{what} ({single.code})"
    article = "an" if single.name[0] in "aeiou" else "a"
    return f"{article} {single.name} ({single.code}, {what})"


def _describe_growth(growth: LinearGrowth, rule: Rule) -> str:
    added = f"{growth.population:g} cells every {write_count(growth.period, 'generation')}"
    parts = [f"grows by {added} from generation {growth.generation} on"]
    if growth.engines > 1:
        parts.append(f"{growth.engines} engines")
    parts += describe_streams(growth.streams, growth.period, rule)
    if growth.debris:
        parts.append(f"leaves {', '.join(map(str, growth.debris))}")
    return "; ".join(parts)


def describe_streams(streams: Sequence[ShipStream], period: int, rule: Rule) -> list[str]:
    """Describe the emitted ships, one text for each stream."""
    texts = []
    for stream in streams:
        name = find_object_name(stream.code, rule) or stream.code
        article = "an" if name[0] in "aeiou" else "a"
        if stream.interval is not None:
            texts.append(f"emits {article} {name} {stream.direction} every {stream.interval}")
        else:
            texts.append(f"emits {stream.count} × {name} {stream.direction} every {period}")
    return texts
