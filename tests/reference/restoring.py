"""Still lifes that something disturbs, and that are restored: what it means, and all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numpy as np

from tests.reference.asked import UNSAID, Asked, History, Place, nine

Cells = frozenset[Place]


def zone(asked: Asked, constraint: dict[str, Any], t: int) -> Iterator[tuple[Place, list[Place]]]:
    """Yield the cells that are compared in a generation, and the nine that may put each there.

    A cell is in the zone if one of the nine lives in the generation of the catalyst alone.
    """
    alone = constraint["alone"]
    near = {each for place in asked.boxes[alone] for each in nine(place)}
    for place in near:
        if UNSAID not in (asked.cell(place, t), asked.cell(place, alone)):
            yield place, [each for each in nine(place) if each in asked.boxes[alone]]


def is_disturbed(asked: Asked, history: History, alone: int, t: int) -> bool:
    """Whether a cell of the zone is not as it is alone."""
    return count_disturbed(asked, history, alone, t) > 0


def count_disturbed(asked: Asked, history: History, alone: int, t: int) -> int:
    """Return how many cells of the zone are not as they are alone."""
    return len(list_disturbed(asked, history, alone, t))


def list_disturbed(asked: Asked, history: History, alone: int, t: int) -> set[Place]:
    """Return the cells of the zone that are not as they are alone."""

    def lives(place: Place, when: int) -> bool:
        box = asked.boxes[when]
        return place in box and bool(history[when][place[1] - box.y, place[0] - box.x] == 1)

    return {
        place
        for place, near in zone(asked, {"alone": alone}, t)
        if lives(place, t) != lives(place, alone) and any(lives(each, alone) for each in near)
    }


def drawn_cells(constraint: dict[str, Any], t: int) -> list[Place]:
    """Return the cells that would live without the catalyst in a generation of contact."""
    early, late = constraint["contact"]
    if not constraint.get("free") or not early <= t <= late:
        return []
    still = constraint["free"][t - early]
    return [
        (x, y)
        for y, row in enumerate(still["rows"], still.get("y", 0))
        for x, state in enumerate(row, still.get("x", 0))
        if state == "o"
    ]


def is_met(asked: Asked, history: History, constraint: dict[str, Any], t: int) -> bool:
    """Whether the catalyst is disturbed, or next to a cell that would live without it."""
    alone = constraint["alone"]
    box = asked.boxes[alone]
    living = {place for place in box if history[alone][place[1] - box.y, place[0] - box.x] == 1}
    near = any(each in living for cell in drawn_cells(constraint, t) for each in nine(cell))
    return near or is_disturbed(asked, history, alone, t)


def ways(constraint: dict[str, Any]) -> Iterator[tuple[int, range, range]]:
    """Yield each way to be restored: the contact, and what must be quiet, and undisturbed."""
    (early, late), (first, last) = constraint["contact"], constraint["times"]
    for contact in range(early, late + 1):
        for r in range(first, last + 1):
            if contact < r:
                is_bounded = {"active", "ever_active"} & constraint.keys()
                quiet = range(early, r) if is_bounded else range(0)
                yield contact, quiet, range(r, r + constraint["hold"] + 1)


def compared(constraint: dict[str, Any]) -> list[int]:
    """Return the generations of which some way asks whether the catalyst is disturbed."""
    return sorted({t for contact, *spans in ways(constraint) for t in (contact, *chain(*spans))})


# Catalysts of Life in the open plane, one still life after the other.


def evolve(cells: Cells) -> Cells:
    """Return the next generation in Life."""
    count = Counter(
        (x + i, y + j) for x, y in cells for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j
    )
    return frozenset(v for v, n in count.items() if n == 3 or (n == 2 and v in cells))


def follow(cells: Cells, generations: int) -> list[Cells]:
    """Return generations 0 to the given one."""
    film = [cells]
    for _ in range(generations):
        film.append(evolve(film[-1]))
    return film


@cache
def still_lifes(width: int, height: int) -> tuple[Cells, ...]:
    """Return every still life of Life in a box with the corner (0, 0), also those of parts."""
    numbers = np.arange(1, 2 ** (width * height))
    room = np.zeros((len(numbers), height + 4, width + 4), np.uint8)
    for place in range(width * height):
        room[:, 2 + place // width, 2 + place % width] = numbers >> place & 1
    around = sum(
        room[:, 1 + j : height + 3 + j, 1 + i : width + 3 + i]
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        if i or j
    )
    inner = room[:, 1:-1, 1:-1]
    same = ((around == 3) | ((around == 2) & (inner == 1))) == (inner == 1)
    return tuple(
        frozenset((x, y) for y in range(height) for x in range(width) if room[n, y + 2, x + 2])
        for n in np.flatnonzero(same.all(axis=(1, 2)))
    )


@cache
def grow(cells: Cells) -> Cells:
    """Return the cells and their neighbours."""
    return frozenset(near for each in cells for near in nine(each))


@dataclass(frozen=True, eq=False)
class Meeting:
    """A still life and something that comes."""

    alone: Cells
    film: list[Cells]
    """Both together, as far as they have been followed."""
    flight: list[Cells]
    """What comes, without the still life."""

    @classmethod
    def of(cls, alone: Cells, coming: Cells) -> Meeting:
        return cls(alone, [alone | coming], [coming])

    def at(self, t: int) -> Cells:
        """Return the live cells of a generation."""
        while len(self.film) <= t:
            self.film.append(evolve(self.film[-1]))
        return self.film[t]

    @cached_property
    def zone(self) -> Cells:
        """All cells that live, or have a neighbour that does."""
        return grow(self.alone)

    def outcome(self, t: int) -> Cells:
        """Return what is not as in the still life."""
        return self.at(t) ^ self.alone

    def is_disturbed(self, t: int) -> bool:
        """Whether some cell next to a live one of the still life, or itself, is not as alone."""
        return not self.outcome(t).isdisjoint(self.zone)

    def is_met(self, t: int) -> bool:
        """Whether it is disturbed, or would be if it did not prevent a birth."""
        while len(self.flight) <= t:
            self.flight.append(evolve(self.flight[-1]))
        return self.is_disturbed(t) or not self.flight[t].isdisjoint(self.zone)

    def find_contact(self, most: int) -> int | None:
        """Return the first generation in which the still life is met."""
        return next((t for t in range(most) if self.is_met(t)), None)

    def is_restored(
        self,
        early: int,
        late: int,
        latest: int,
        hold: int,
        active: int | None = None,
        ever: int | None = None,
    ) -> bool:
        """Whether it is met, and later undisturbed from ``latest`` on at most."""
        film = [self.outcome(t) & self.zone for t in range(latest + hold + 1)]
        disturbed = [*map(len, film)]
        return any(
            self.is_met(t)
            and not any(disturbed[r : r + hold + 1])
            and (active is None or max(disturbed[early:r]) <= active)
            and (ever is None or len(frozenset[Place]().union(*film[early:r])) <= ever)
            for t in range(early, late + 1)
            for r in range(t + 1, latest + 1)
        )
