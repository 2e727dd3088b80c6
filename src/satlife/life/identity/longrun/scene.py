"""A scene: one generation of a universe, divided into the bodies that are in it.

>>> from satlife.life.identity.longrun.keys import pack
>>> from satlife.life.pattern import Pattern
>>> from satlife.life.rule import LIFE
>>> scene = Scene.of(pack(*Pattern.from_rle("bo5b2o$2bo4b2o$3o!").coordinates.T), Recogniser(LIFE))
>>> [body.species.recurrence.kind for body in scene.bodies], scene.rest.size
(['spaceship', 'still life'], 0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.identity.longrun.clusters import find_clusters, find_groups
from satlife.life.identity.longrun.keys import Keys, displacement, pack, unpack
from satlife.life.identity.longrun.species import DIRECTIONS, Recogniser, Species, corner
from satlife.life.identity.recurrence import Recurrence
from satlife.life.pattern import Pattern

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
        """How far it reaches in each direction, its flight deducted."""
        reach: NDArray[np.float64] = self.species.reach + DIRECTIONS @ displacement(self.place)
        return reach


@dataclass(frozen=True)
class Scene:
    """The bodies in a state, and the cells that belong to none."""

    keys: Keys
    bodies: tuple[Body, ...]
    rest: Keys
    """The cells of clusters that do not recur by themselves."""

    @classmethod
    def of(cls, keys: Keys, recogniser: Recogniser) -> Scene:
        """Divide a state."""
        bodies, strange = _recognise(find_clusters(keys), recogniser)
        if strange:  # perhaps the parts of a large ship
            more, strange = _recognise(find_groups(join(strange), _NEAR), recogniser)
            bodies += more
        return cls(keys, tuple(bodies), join(strange))

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

        They are found by directions in which they and the other body move apart, and are apart
        already; so a ship that is not among them may fly freely all the same. Cells of the rest
        are taken to stay where they are.
        """
        reaches = [body.reach for body in self.bodies]
        speeds = [body.species.velocity for body in self.bodies]
        for cluster in find_clusters(self.rest):
            x, y = unpack(cluster)
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


def join(states: Iterable[Keys]) -> Keys:
    """Return the cells of several states that have none in common."""
    joined = [np.zeros(0, dtype=np.int64), *states]
    return np.sort(np.concatenate(joined))


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
            bodies.append(Body(species, corner(cluster)))
    return bodies, strange


def divide(pattern: Pattern) -> tuple[list[tuple[Pattern, Recurrence]], int]:
    """Divide a pattern into the objects that recur; also return how many cells are left over.

    >>> from satlife.life.pattern import Pattern
    >>> objects, rest = divide(Pattern.from_rle("3o5b2o$8b2o$16bo!"))
    >>> [found.kind for _, found in objects], rest
    (['oscillator', 'still life'], 1)
    """
    scene = Scene.of(pack(*pattern.coordinates.T), Recogniser(pattern.rule))
    species = dict.fromkeys(body.species for body in scene.bodies)
    return [(each.pattern, each.recurrence) for each in species], scene.rest.size
