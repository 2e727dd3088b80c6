"""Species: what a cluster of cells is by itself, and where it will be and has been.

A species is one phase of an object that recurs, in one orientation. What is known about it is
computed once, however often it occurs.

>>> from satlife.life.rule import LIFE
>>> glider = Recogniser(LIFE).recognise(pack(*Pattern.from_rle("bo$2bo$3o!").coordinates.T))
>>> glider.recurrence.speed, glider.codes
('c/4d', Counter({'xq4_153': 1}))
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.life.identity.apgcode import encode_phases
from satlife.life.identity.longrun.keys import Keys, offset, pack, unpack
from satlife.life.identity.parts import parts
from satlife.life.identity.recurrence import Recurrence, find_recurrence, trace_phases
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule

PATIENCE: Final = 320
"""For how many generations a cluster may take to recur."""
_GROWTH: Final = 48  # by how much it may become wider or taller meanwhile

# Larger objects are counted as a whole.
_DIVIDED_AREA: Final = 4096
_DIVIDED_PERIOD: Final = 60

DIRECTIONS: Final = np.array(
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)], dtype=np.int64
)
"""Where objects may fly away from each other; each is followed, or preceded, by its opposite."""


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
        """How fast it flies in each of the ``DIRECTIONS``."""
        speeds: NDArray[np.float64] = (
            DIRECTIONS @ self.recurrence.displacement / self.recurrence.period
        )
        return speeds

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """How far its cells reach in each direction, in all phases, its flight deducted."""
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
        return Counter(code for member in members for code in _find_code(member))

    def at(self, generations: int) -> Keys:
        """Return its cells some generations later, or earlier if the number is negative."""
        periods, phase = divmod(generations, self.recurrence.period)
        dx, dy = self.recurrence.displacement
        return pack(*self.phases[phase].coordinates.T) + periods * offset(dx, dy)


def _find_code(part: Pattern) -> list[str]:
    recurrence = find_recurrence(part, generations=_DIVIDED_PERIOD)
    if recurrence is None:
        return []
    return [encode_phases(trace_phases(part, recurrence.period), recurrence)]


class Recogniser:
    """Finds the species of clusters, each distinct one once."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._known: dict[bytes, Species | None] = {}

    def recognise(self, keys: Keys) -> Species | None:
        """Return the species of some cells; ``None`` if they do not recur by themselves."""
        shape = keys - corner(keys)
        word = shape.tobytes()
        if word not in self._known:
            self._known[word] = self._follow(shape)
        return self._known[word]

    def _follow(self, shape: Keys) -> Species | None:
        x, y = unpack(shape)
        cells = np.zeros((int(y.max()) + 1, int(x.max()) + 1), dtype=np.uint8)
        cells[y, x] = 1
        pattern = Pattern(cells, rule=self.rule)
        found = find_recurrence(pattern, generations=PATIENCE, growth=_GROWTH)
        return None if found is None else Species(pattern, found)


def corner(keys: Keys) -> int:
    """Return the key of the top left cell of the box around some cells."""
    x, y = unpack(keys)
    return offset(int(x.min()), int(y.min()))
