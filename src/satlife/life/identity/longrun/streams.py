"""Streams: spaceships that follow each other along one line, as a gun emits them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from satlife.life.identity.longrun.keys import Keys, displacement
from satlife.life.identity.longrun.scene import Body
from satlife.life.identity.longrun.species import corner

_COMPASS: Final = {
    (0, -1): "north", (1, -1): "north-east", (1, 0): "east", (1, 1): "south-east",
    (0, 1): "south", (-1, 1): "south-west", (-1, 0): "west", (-1, -1): "north-west",
}  # fmt: skip


@dataclass(frozen=True)
class Stream:
    """Spaceships of one kind on one line."""

    code: str
    """Their apgcode."""
    count: int
    """How many there are in a period."""
    interval: int | None
    """How many generations after each other; ``None`` if the intervals differ."""
    direction: str
    """Where they fly: north, north-east …"""


def find_streams(ships: Iterable[Body], period: int) -> tuple[Stream, ...]:
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
        streams.append(Stream(code, len(times), interval, direction))
    return tuple(streams)


def _place_on_line(body: Body) -> tuple[tuple[int, int], int, float]:
    """Return how a ship moves in a period, on which line, and when it passes the origin."""
    species = body.species
    period, (dx, dy) = species.recurrence.period, species.recurrence.displacement
    # All ships of a stream are compared in the same phase.
    phases = [(_shape(body.at(t)), t) for t in range(period)]
    t = min(phases)[1]
    x, y = displacement(corner(body.at(t)))
    along = (x * dx + y * dy) / (dx * dx + dy * dy)
    return (dx, dy), x * dy - y * dx, t - along * period


def _shape(keys: Keys) -> bytes:
    return (keys - corner(keys)).tobytes()


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
