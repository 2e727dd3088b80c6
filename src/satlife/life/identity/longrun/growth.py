"""Patterns that grow linearly (guns, puffers, rakes, wickstretchers), and their streams.

Generations that are a period apart are compared. Ships that are where their flight alone would
bring them are set aside; what changes in the rest must change again in the next period, at the
same place (a gun) or moved on (an engine that leaves things, or shoots, or stretches a wick).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np

from satlife.life.identity.longrun import packed
from satlife.life.identity.longrun.packed import Keys
from satlife.life.identity.longrun.run import LongRun, Trend, encode_growth
from satlife.life.identity.longrun.scene import Bodies, Body, Recogniser, count_codes
from satlife.life.identity.names import Tally, tally
from satlife.life.identity.recurrence import GrowingKind

_COMPASS: Final = {
    (0, -1): "north", (1, -1): "north-east", (1, 0): "east", (1, 1): "south-east",
    (0, 1): "south", (-1, 1): "south-west", (-1, 0): "west", (-1, -1): "north-west",
}  # fmt: skip


@dataclass(frozen=True)
class ShipStream:
    """Spaceships of one kind that follow each other along one line, as a gun emits them."""

    code: str
    """Their apgcode."""
    count: int
    """The number of ships in a period."""
    interval: int | None
    """The generations from one ship to the next; ``None`` if the intervals differ."""
    direction: str
    """The direction of flight: north, north-east …"""


def find_streams(ships: Iterable[Body], period: int) -> tuple[ShipStream, ...]:
    """Sort the ships that are emitted in a period into streams."""
    lines: dict[tuple[str, tuple[int, int], int], list[float]] = defaultdict(list)
    for body in ships:
        move, line, time = _place_on_line(body)
        for code, count in body.species.codes.items():
            lines[code, move, line] += [time] * count
    streams = []
    for (code, (dx, dy), _), times in sorted(lines.items()):
        phases = np.sort(np.array(times) % period)
        gaps = np.diff(phases, append=phases[0] + period)
        is_even = np.allclose(gaps, period / len(times))
        interval = period // len(times) if is_even else None
        direction = _COMPASS[_sign(dx), _sign(dy)]
        streams.append(ShipStream(code, len(times), interval, direction))
    return tuple(streams)


def _place_on_line(body: Body) -> tuple[tuple[int, int], int, float]:
    """Return how a ship moves in a period, on which line, and when it passes the origin."""
    species = body.species
    period, (dx, dy) = species.recurrence.period, species.recurrence.displacement
    # All ships of a stream are compared in the same phase.
    phases = [(_shape(body.at(t)), t) for t in range(period)]
    t = min(phases)[1]
    x, y = packed.displacement(packed.corner(body.at(t)))
    along = (x * dx + y * dy) / (dx * dx + dy * dy)
    return (dx, dy), x * dy - y * dx, t - along * period


def _shape(keys: Keys) -> bytes:
    """Return a key of some cells that does not depend on their place."""
    return (keys - packed.corner(keys)).tobytes()


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


_Mark: TypeAlias = tuple[bytes, tuple[int, int]]
"""A shape and its place."""

_MOST_ENGINES: Final = 64
_MULTIPLES: Final = 4  # of the population's period, for the true one


@dataclass(frozen=True)
class LinearGrowth:
    """The linear growth of a pattern."""

    kind: GrowingKind
    """``linear growth``: the population grows linearly, but what grows is unknown."""
    code: str
    """The code ``yl…`` of its population."""
    generation: int
    """The first generation from which on the population follows this course."""
    period: int
    """The number of generations after which the growth repeats; of a gun, its true period."""
    population: float
    """The number of cells added in a period."""
    displacement: tuple[int, int] | None = None
    """The displacement of the engine in a period; ``None`` if there are several."""
    engines: int = 0
    """The number of moving engines."""
    streams: tuple[ShipStream, ...] = ()
    """The spaceships that are emitted in a period."""
    debris: tuple[Tally, ...] = ()
    """The objects left behind in a period."""

    @property
    def interval(self) -> int | None:
        """The generations from one ship to the next, if all streams agree on it."""
        intervals = {stream.interval for stream in self.streams}
        return intervals.pop() if len(intervals) == 1 else None

    def to_dict(self) -> dict[str, Any]:
        """Return it as numbers, texts and lists for JSON."""
        return {
            "generation": self.generation,
            "period": self.period,
            "population": self.population,
            "engines": self.engines,
            "interval": self.interval,
            "streams": [asdict(stream) for stream in self.streams],
            "debris": [each.to_dict() for each in self.debris],
        }


def find_growth(
    run: LongRun, recogniser: Recogniser, trend: Trend, *, is_lasting: bool = False
) -> LinearGrowth | None:
    """Find out what grows; the run goes on for up to twelve periods meanwhile.

    Growth that ``is_lasting`` counts as linear even if what grows is unknown, unless ships are on
    their way to something.
    """
    now = run.generation
    scenes: list[Bodies] = []
    for multiple in range(1, _MULTIPLES + 1):
        while len(scenes) <= 3 * multiple:
            run.reach(now + len(scenes) * trend.period)
            scenes.append(Bodies.of(run.keys, recogniser))
        mechanism = _Mechanism(scenes[::multiple][:4], multiple * trend.period)
        if _first(run, trend) > now:
            return None  # it has ended meanwhile
        if mechanism.kind != "linear growth":
            return _describe(run, recogniser, trend, mechanism)
    return _describe_population(run, trend) if is_lasting and mechanism.is_clear else None


def _describe_population(run: LongRun, trend: Trend) -> LinearGrowth:
    """Describe a growing pattern by its population alone."""
    first = _first(run, trend)
    code = encode_growth(run.populations[first:], trend)
    return LinearGrowth("linear growth", code, first, trend.period, trend.growth)


def _describe(
    run: LongRun, recogniser: Recogniser, trend: Trend, mechanism: _Mechanism
) -> LinearGrowth:
    moves = mechanism.moves or [(0, 0)]
    return replace(
        _describe_population(run, trend),
        kind=mechanism.kind,
        period=mechanism.period,
        population=trend.growth * (mechanism.period // trend.period),
        displacement=moves[0] if len(moves) == 1 else None,
        engines=len(mechanism.moves),
        streams=mechanism.streams,
        debris=tally(mechanism.debris, recogniser.rule),
    )


def _first(run: LongRun, trend: Trend) -> int:
    """Return the first generation from which on the population follows the trend."""
    change = run.populations[trend.period :] - run.populations[: -trend.period]
    wrong = np.flatnonzero(change[trend.period :] != change[: -trend.period])
    return int(wrong[-1]) + 1 if wrong.size else 0


class _Mechanism:
    """The mechanism of growth, from four scenes that are a period apart."""

    def __init__(self, scenes: Sequence[Bodies], period: int) -> None:
        self.period = period
        flying = [_find_persisting(scene, after, period) for scene, after in pairwise(scenes)]
        before, later, last = (
            packed.without(scene.keys, packed.join(body.at(0) for body in ships))
            for scene, ships in zip(scenes, flying, strict=False)
        )
        engines = find_engines(np.setxor1d(before, later), np.setxor1d(later, last), period)
        self.moves = [engine.move for engine in engines or ()]
        predicted = {_mark(body.at(period)) for body in flying[1]}
        new = [body for body in flying[2] if _mark(body.at(0)) not in predicted]
        self.streams = find_streams(new, period)
        # Counted twice, for objects near an engine may be seen as one of its parts.
        self.debris = count_codes(scenes[2].ash) - count_codes(scenes[1].ash)
        near = [
            _find_near(scene, ships) for scene, ships in zip(scenes[1:3], flying[1:3], strict=True)
        ]
        self.is_clear = len(near[0]) == len(near[1])
        """Whether the number of ships that may still meet something stays the same."""
        self.kind: GrowingKind = "linear growth"
        if (
            engines is not None
            and self.is_clear
            and self._repeats(near)
            and not any(engine.will_meet(scenes[2].ash) for engine in engines)
        ):
            self.kind = self._find_kind()

    def _find_kind(self) -> GrowingKind:
        if not self.moves:
            return "gun" if self.streams else "linear growth"
        if self.debris:
            return "puffer"
        return "rake" if self.streams else "wickstretcher"

    def _repeats(self, near: Sequence[set[_Mark]]) -> bool:
        """Whether the ships that are near something only move on with the single engine."""
        if len(self.moves) > 1:
            return True
        dx, dy = self.moves[0] if self.moves else (0, 0)
        return {(shape, (x + dx, y + dy)) for shape, (x, y) in near[0]} == near[1]


def _find_near(scene: Bodies, ships: Sequence[Body]) -> set[_Mark]:
    """Find the ships that may meet something."""
    free = {id(body) for body in scene.find_free(ships)}
    return {_mark(body.at(0)) for body in ships if id(body) not in free}


@dataclass(frozen=True)
class GrowthEngine:
    """An engine: the part of a growing pattern that moves on in each period."""

    move: tuple[int, int]
    """The displacement in a period."""
    changes: Keys
    """The cells that were not the same a period ago: where it is, where it was, what it left."""

    def will_meet(self, bodies: Sequence[Body]) -> bool:
        """Whether one of some bodies at rest lies before the engine, in its way."""
        (dx, dy), (x, y) = self.move, packed.unpack(self.changes)
        along, aside = x * dx + y * dy, x * dy - y * dx
        front, gap = along.max(), 3 * (abs(dx) + abs(dy))
        low, high = aside.min() - gap, aside.max() + gap
        for body in bodies:
            x, y = packed.unpack(body.at(0))
            side = x * dy - y * dx
            if (x * dx + y * dy).max() > front and side.max() >= low and side.min() <= high:
                return True
        return False


def find_engines(one: Keys, other: Keys, period: int) -> list[GrowthEngine] | None:
    """Find how the changes of one period move on to the next; ``None`` if they do not repeat.

    Each group of changes that moves on its own is an engine.
    """
    if not one.size and not other.size:
        return []
    whole = packed.find_offset(one, other)
    if whole is not None:  # changes that come back in place take twice as long to repeat
        return [GrowthEngine(packed.displacement(whole), other)] if whole else None
    groups, later = packed.find_groups(one, period), packed.find_groups(other, period)
    if len(groups) != len(later) or len(groups) > _MOST_ENGINES:
        return None
    shapes = {_shape(group): group for group in later}
    engines = []
    for group in groups:
        moved = shapes.get(_shape(group), group)
        shift = packed.corner(moved) - packed.corner(group)
        if not shift:
            return None
        engines.append(GrowthEngine(packed.displacement(shift), moved))
    return engines


def _mark(keys: Keys) -> _Mark:
    return _shape(keys), packed.displacement(packed.corner(keys))


def _find_persisting(scene: Bodies, later: Bodies, period: int) -> list[Body]:
    """Find the ships that are in the later scene where their flight alone brings them."""
    marks = {_mark(body.at(0)) for body in later.ships}
    return [body for body in scene.ships if _mark(body.at(period)) in marks]
