"""Symmetries in space and time: when a pattern becomes a turned, mirrored or moved copy of itself.

>>> [str(symmetry) for symmetry in spacetime_symmetries(Pattern.from_rle("bo$2bo$3o!"))]
['generation 0: identity', 'generation 2: flip-diagonal, then shift by (0, 1)']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from satlife.errors import UsageError
from satlife.life.identity.orientations import orientations
from satlife.life.identity.recurrence import GENERATIONS, GROWTH, follow, trace_phases
from satlife.life.pattern import Pattern
from satlife.life.transforms import Transform


@dataclass(frozen=True)
class SpacetimeSymmetry:
    """``pattern.transformed(transform).shift(*shift) == pattern[phase]``."""

    transform: Transform
    phase: int
    shift: tuple[int, int]

    def __str__(self) -> str:
        moved = f", then shift by {self.shift}" if self.shift != (0, 0) else ""
        return f"generation {self.phase}: {self.transform}{moved}"


def spacetime_symmetries(
    pattern: Pattern, *, generations: int = GENERATIONS, growth: int = GROWTH
) -> tuple[SpacetimeSymmetry, ...]:
    """Find all symmetries of a pattern that recurs, by phase, from 0 to the period minus 1.

    Those of phase 0 are its static symmetry. A transform that the rule does not respect does not
    count. A pattern that does not recur within the limits of
    :func:`~satlife.life.identity.follow` is a :class:`~satlife.errors.UsageError`.
    """
    fate = follow(pattern, generations=generations, growth=growth)
    if fate.outcome != "recurs" or fate.recurrence is None:
        raise UsageError(f"only a pattern that recurs has space-time symmetries: it {fate.reason}")
    phases = trace_phases(pattern, fate.recurrence.period)
    found = []
    for transform, t in match_phases(phases):
        later = phases[t].box.shift(pattern.x, pattern.y)
        turned = pattern.box.transformed(transform)
        found.append(SpacetimeSymmetry(transform, t, (later.x - turned.x, later.y - turned.y)))
    return tuple(found)


def match_phases(phases: Sequence[Pattern]) -> list[tuple[Transform, int]]:
    """Find each phase, and each transform that makes it of the first one, up to a shift."""
    first = phases[0]
    population, sides = first.population, sorted(first.cells.shape)
    turned = [(g, g.apply_to_array(first.cells)) for g in first.rule.symmetries]
    return [
        (transform, t)
        for t, phase in enumerate(phases)
        if sorted(phase.cells.shape) == sides and phase.population == population
        if phase.phase == first.phase
        for transform, cells in turned
        if np.array_equal(cells, phase.cells)
    ]


def find_mod(phases: Sequence[Pattern]) -> int:
    """Find the least number of generations after which a pattern is a copy of itself.

    The copy may be turned, mirrored and moved: a glider's mod is 2, its period 4.
    """
    first = list(orientations(phases[0]))
    same = (
        t
        for t, phase in enumerate(phases)
        if t and phase.phase == phases[0].phase and phase.population == phases[0].population
        if any(np.array_equal(phase.cells, cells) for cells in first)
    )
    return next(same, len(phases))
