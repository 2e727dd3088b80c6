"""A scene: a generation of a universe as clusters of cells, each of a species, with their counts.

>>> from satlife.life.pattern import Pattern
>>> from satlife.life.rule import LIFE
>>> scene = Bodies.of(pack(*Pattern.from_rle("bo5b2o$2bo4b2o$3o!").coordinates.T), Recogniser(LIFE))
>>> [body.species.recurrence.kind for body in scene.bodies], scene.rest.size
(['spaceship', 'still life'], 0)

A species is one phase of an object that recurs, in one orientation. Its properties are computed
once, however often it occurs.

>>> glider = Recogniser(LIFE).recognise(pack(*Pattern.from_rle("bo$2bo$3o!").coordinates.T))
>>> glider.recurrence.speed, glider.codes
('c/4d', Counter({'xq4_153': 1}))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.identity.apgcode import encode_phases
from satlife.life.identity.limits import Check, go_on
from satlife.life.identity.longrun import packed
from satlife.life.identity.longrun.packed import Keys, pack
from satlife.life.identity.names import Tally, tally
from satlife.life.identity.parts import number_islands, parts
from satlife.life.identity.recurrence import Recurrence, find_recurrence, trace_phases
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule

PATIENCE: Final = 320
"""The number of generations within which a cluster must recur."""
_GROWTH: Final = 48  # by how much it may become wider or taller meanwhile

# Larger objects are counted as a whole.
_DIVIDED_AREA: Final = 4096
_DIVIDED_PERIOD: Final = 60

DIRECTIONS: Final = np.array(
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)], dtype=np.int64
)
"""The directions in which objects may fly apart, in pairs of opposites."""


@dataclass(frozen=True, eq=False)
class Species:
    """An object that recurs, in one of its phases, with the box of that phase at (0, 0)."""

    pattern: Pattern
    recurrence: Recurrence

    @cached_property
    def phases(self) -> tuple[Pattern, ...]:
        """Its generations over one period, in one frame."""
        return trace_phases(self.pattern, self.recurrence.period)

    @cached_property
    def populations(self) -> NDArray[np.int64]:
        """Its populations over one period."""
        return np.array([phase.population for phase in self.phases])

    @cached_property
    def velocity(self) -> NDArray[np.float64]:
        """The speed in each of the ``DIRECTIONS``."""
        speeds: NDArray[np.float64] = (
            DIRECTIONS @ self.recurrence.displacement / self.recurrence.period
        )
        return speeds

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """The reach of its cells in each direction, in all phases, without its flight."""
        reaches = [
            (phase.coordinates @ DIRECTIONS.T).max(axis=0) - t * self.velocity
            for t, phase in enumerate(self.phases)
        ]
        furthest: NDArray[np.float64] = np.max(reaches, axis=0)
        return furthest

    @cached_property
    def codes(self) -> Counter[str]:
        """The apgcodes of the objects that it consists of."""
        first = self.pattern
        members: tuple[Pattern, ...] = (first,)
        if first.box.area <= _DIVIDED_AREA and self.recurrence.period <= _DIVIDED_PERIOD:
            members = parts(first)
        if len(members) == 1:
            return Counter({encode_phases(self.phases, self.recurrence): 1})
        found = ((each, find_recurrence(each, generations=_DIVIDED_PERIOD)) for each in members)
        return Counter(
            encode_phases(trace_phases(each, recurrence.period), recurrence)
            for each, recurrence in found
            if recurrence is not None
        )

    def at(self, generations: int) -> Keys:
        """Return its cells some generations later, or earlier if the number is negative."""
        periods, phase = divmod(generations, self.recurrence.period)
        dx, dy = self.recurrence.displacement
        return pack(*self.phases[phase].coordinates.T) + periods * packed.offset(dx, dy)


class Recogniser:
    """Finds the species of clusters, each distinct one once."""

    def __init__(self, rule: Rule, check: Check = go_on) -> None:
        self.rule = rule
        self.check = check
        self._known: dict[bytes, Species | None] = {}

    def recognise(self, keys: Keys) -> Species | None:
        """Return the species of some cells; ``None`` if they do not recur by themselves."""
        self.check()
        shape = keys - packed.corner(keys)
        key = shape.tobytes()
        if key not in self._known:
            self._known[key] = self._follow(shape)
        return self._known[key]

    def _follow(self, shape: Keys) -> Species | None:
        x, y = packed.unpack(shape)
        cells = np.zeros((int(y.max()) + 1, int(x.max()) + 1), dtype=np.uint8)
        cells[y, x] = 1
        pattern = Pattern(cells, rule=self.rule)
        found = find_recurrence(pattern, generations=PATIENCE, growth=_GROWTH, check=self.check)
        return None if found is None else Species(pattern, found)


# Cells this far apart in a direction have no neighbour in common; for diagonals, in x + y.
_GAPS: Final = np.where(np.abs(DIRECTIONS).sum(axis=1) == 2, 5, 3)
_OPPOSITE: Final = np.arange(len(DIRECTIONS)) ^ 1
_SMALL: Final = 1e-6
_NEAR: Final = 12  # how far apart the parts of one ship may be


@dataclass(frozen=True)
class Body:
    """An object of a known species at its place."""

    species: Species
    place: int
    """The key of the top left cell of its box."""

    @property
    def is_moving(self) -> bool:
        """Whether it is a spaceship."""
        return self.species.recurrence.is_moving

    def at(self, generations: int) -> Keys:
        """Return its cells some generations later, or earlier, if nothing hinders it."""
        return self.species.at(generations) + self.place

    @property
    def reach(self) -> NDArray[np.float64]:
        """Its reach in each direction, without its flight."""
        place = packed.displacement(self.place)
        reach: NDArray[np.float64] = self.species.reach + DIRECTIONS @ place
        return reach


@dataclass(frozen=True)
class Bodies:
    """The bodies in a state, and the cells that belong to none."""

    keys: Keys
    bodies: tuple[Body, ...]
    rest: Keys
    """The cells of clusters that do not recur by themselves."""

    @classmethod
    def of(cls, keys: Keys, recogniser: Recogniser) -> Bodies:
        """Divide a state."""
        bodies, strange = _recognise(packed.find_clusters(keys), recogniser)
        if strange:  # perhaps the parts of a large ship
            more, strange = _recognise(packed.find_groups(packed.join(strange), _NEAR), recogniser)
            bodies += more
        return cls(keys, tuple(bodies), packed.join(strange))

    @property
    def ships(self) -> tuple[Body, ...]:
        """The bodies that move."""
        return tuple(body for body in self.bodies if body.is_moving)

    @property
    def ash(self) -> tuple[Body, ...]:
        """The bodies that stay where they are."""
        return tuple(body for body in self.bodies if not body.is_moving)

    def find_free(self, ships: Iterable[Body]) -> tuple[Body, ...]:
        """Find the ships that nothing in this scene will ever meet.

        A ship is free if, for every other body, there is a direction in which the two are apart
        and do not approach; others may fly freely all the same. Cells of the rest are
        assumed to stay where they are.
        """
        reaches = [body.reach for body in self.bodies]
        speeds = [body.species.velocity for body in self.bodies]
        for cluster in packed.find_clusters(self.rest):
            x, y = packed.unpack(cluster)
            reaches.append((DIRECTIONS @ np.stack([x, y])).max(axis=1).astype(np.float64) + 2)
            speeds.append(np.zeros(len(DIRECTIONS)))
        reach, speed = np.array(reaches), np.array(speeds)
        free = []
        for body in ships:
            low = -body.reach[_OPPOSITE]
            apart = low - reach >= _GAPS - _SMALL
            parting = body.species.velocity >= speed - _SMALL
            alone = (apart & parting).any(axis=1)
            if alone.sum() == len(alone) - 1:  # all but itself
                free.append(body)
        return tuple(free)


def count_codes(bodies: Iterable[Body]) -> Counter[str]:
    """Count the objects among some bodies by their apgcodes."""
    total: Counter[str] = Counter()
    for species, number in Counter(body.species for body in bodies).items():
        for code, count in species.codes.items():
            total[code] += number * count
    return total


def _recognise(clusters: Iterable[Keys], recogniser: Recogniser) -> tuple[list[Body], list[Keys]]:
    bodies, strange = [], []
    for cluster in clusters:
        species = recogniser.recognise(cluster)
        if species is None:
            strange.append(cluster)
        else:
            bodies.append(Body(species, packed.corner(cluster)))
    return bodies, strange


def divide(pattern: Pattern, check: Check = go_on) -> tuple[list[tuple[Pattern, Recurrence]], int]:
    """Divide a pattern into the objects that recur; also return how many cells are left over.

    >>> from satlife.life.pattern import Pattern
    >>> objects, rest = divide(Pattern.from_rle("3o5b2o$8b2o$16bo!"))
    >>> [found.kind for _, found in objects], rest
    (['oscillator', 'still life'], 1)
    """
    scene = Bodies.of(pack(*pattern.coordinates.T), Recogniser(pattern.rule, check))
    species = dict.fromkeys(body.species for body in scene.bodies)
    return [(each.pattern, each.recurrence) for each in species], scene.rest.size


def find_parts(phases: Sequence[Pattern], found: Recurrence) -> tuple[Tally, ...]:
    """Return the objects of a pattern that recurs, if they are several.

    Clusters that live in the whole as they do alone are objects, or divided into them.
    """
    first = phases[0]
    if first.rule.states > 2 or first.rule.is_strobing or number_islands(first.cells)[1] < 2:
        return ()
    scene = Bodies.of(pack(*first.coordinates.T), Recogniser(first.rule))
    is_divided = not scene.rest.size and all(
        np.array_equal(packed.join(body.at(t) for body in scene.bodies), pack(*phase.coordinates.T))
        for t, phase in enumerate(phases)
    )
    codes = count_codes(scene.bodies) if is_divided else Species(first, found).codes
    return tally(codes, first.rule) if codes.total() > 1 else ()
