"""Symmetries of a pattern: in space, by Catagolue's sixteen names, and in space-time.

The name is read off the group of transforms that leave the pattern as it is: ``C`` if all of them
turn it, ``D`` if some reflect it; the order of the group; ``+`` or ``x`` if the mirrors are only
orthogonal or only diagonal; and how many cells meet in the centre, or in the mirror.

>>> find_symmetry(Pattern.from_rle("3o!")), find_symmetry(Pattern.from_rle("b3o$3o!"))
('D4_+1', 'C2_4')

Which symmetries there are, and which boxes fit them, is in :mod:`satlife.life.symmetry`.

Symmetries in space and time: when a pattern becomes a turned, mirrored or moved copy of itself.

>>> [str(symmetry) for symmetry in spacetime_symmetries(Pattern.from_rle("bo$2bo$3o!"))]
['generation 0: identity', 'generation 2: flip-diagonal, then shift by (0, 1)']
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from msgspec import Struct

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.identity.apgcode import orientations
from satlife.life.identity.recurrence import GENERATIONS, GROWTH, follow, trace_phases
from satlife.life.neighbourhood import turn_hexagonally
from satlife.life.pattern import Pattern
from satlife.life.transforms import Transform


def find_symmetries(pattern: Pattern) -> tuple[Transform, ...]:
    """Find the transforms, about the middle of its box, that leave a pattern as it is.

    Only those count that its rule respects. Then the answer is the same in all generations of an
    object that recurs.
    """
    cells = pattern.cells
    return tuple(
        transform
        for transform in pattern.rule.symmetries
        if np.array_equal(transform.apply_to_array(cells), cells)
    )


def find_symmetry(pattern: Pattern) -> str:
    """Return Catagolue's name for the symmetry of a pattern; C3, C6, D6 or D12 in hexagonal rules.

    >>> find_symmetry(Pattern.from_rle("2o$obo$b2o!").with_rule("B2/S34H"))
    'D12'
    """
    maps = pattern.rule.hexagonal_symmetries
    kept = [m for m in maps if np.array_equal(turn_hexagonally(m, pattern.cells), pattern.cells)]
    squares = find_symmetries(pattern)
    if len(kept) > len(squares):  # thirds and sixths of a turn, which Catagolue's names do not have
        mirrored = any(a * d - b * c < 0 for (a, b), (c, d) in kept)
        return f"{'D' if mirrored else 'C'}{len(kept)}"
    return name_symmetry(squares, pattern.box)


def name_symmetry(group: Collection[Transform], box: Box) -> str:
    """Name a group of transforms that take a box to itself.

    >>> name_symmetry([Transform("identity"), Transform("flip-left-right")], Box(0, 0, 4, 9))
    'D2_+2'
    """
    mirrors = [transform for transform in group if transform.determinant < 0]
    name = f"{'D' if mirrors else 'C'}{len(group)}"
    kinds = {"x" if mirror.swaps_axes else "+" for mirror in mirrors}
    # An axis that some transform reverses has a middle: one cell, or the line between two.
    straight = [transform.matrix for transform in group if not transform.swaps_axes]
    middles = [
        2 - size % 2
        for axis, size in enumerate((box.width, box.height))
        if any(matrix[axis][axis] < 0 for matrix in straight)
    ]
    kind = kinds.pop() if len(kinds) == 1 else ""
    middle = str(np.prod(middles)) if middles else ""
    return f"{name}_{kind}{middle}" if kind or middle else name


class SpacetimeSymmetry(Struct, frozen=True):
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
    """Find each phase, and each transform that turns the first one into it, up to a shift."""
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
