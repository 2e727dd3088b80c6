"""The range of rules in which a pattern evolves as in its own, from the least to the greatest.

Every neighbourhood that occurs in the evolution fixes an entry; all others are free.  That is the
one definition of "works in these rules", for ``rules-of``, solutions, maps and campaigns alike.

>>> rules_of(Pattern.from_rle("bo$2bo$3o!"))
RuleSpace('B3[6][7][8]/S[0]23[5][6][7][8]')
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satlife.errors import UsageError
from satlife.life.cells import Cells
from satlife.life.identity.recurrence import find_recurrence
from satlife.life.motion import Motion
from satlife.life.neighbourhood import BITS
from satlife.life.pattern import Pattern
from satlife.life.rulespaces.space import CLASSES, RuleSpace, find_classes

Step = tuple[ArrayLike, ArrayLike]
"""The neighbourhoods of some cells, as numbers, and whether each of the cells lives next."""


def rules_of(
    pattern: Pattern, motion: str | Motion | None = None, *, family: str | None = None
) -> RuleSpace:
    """Return all rules in which a still life, oscillator or spaceship evolves as in its own.

    With a motion, such as ``c/3``, the pattern must have it; otherwise its own is found.  The set
    is outer-totalistic where such a rule has this evolution, and isotropic otherwise; ``family``
    asks for one of the two.
    """
    if pattern.rule.states > 2 or pattern.rule.table[0]:
        raise UsageError(
            f"rules of more than two states and rules with B0 have no ranges yet: {pattern.rule}"
        )
    if pattern.is_empty:
        raise UsageError("the empty pattern works in every rule; draw a cell")
    period = _find_period(pattern, motion)
    wanted = CLASSES if family is None else (find_classes(family),)
    for classes in wanted:
        found = narrow(RuleSpace(classes.family), _find_steps(pattern, period))
        if found is not None:
            return found
    hints = {"outer-totalistic": "ask for isotropic ones", "isotropic": "directions matter to it"}
    raise UsageError(
        f"no {wanted[-1].family} rule lets this pattern evolve as {pattern.rule} does; "
        + hints[wanted[-1].family]
    )


def narrow(space: RuleSpace, steps: Iterable[Step]) -> RuleSpace | None:
    """Return the rules of a set that make all these steps; None if there are none.

    A pattern works in every rule of a set if its generations leave the whole set.
    """
    entries = space.entries.copy()
    for numbers, fates in steps:
        kinds, alive = space.classes.kinds[np.asarray(numbers, np.intp)], np.asarray(fates)
        for fate in (0, 1):
            met = np.unique(kinds[alive == fate])
            if (entries[met] == 1 - fate).any():
                return None
            entries[met] = fate
    return RuleSpace.from_entries(space.classes, entries)


def number_neighbourhoods(cells: Cells) -> NDArray[np.intp]:
    """Return the neighbourhood of every cell of a box, as a number; the outside is dead."""
    height, width = cells.shape
    padded = np.pad(cells, 1).astype(np.intp)
    numbers = np.zeros((height, width), dtype=np.intp)
    for (dx, dy), bit in BITS.items():
        numbers += bit * padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
    return numbers


def _find_steps(pattern: Pattern, period: int) -> Iterable[Step]:
    """Yield the steps of one period, each with everything around that could be born."""
    now = pattern
    for _ in range(period):
        then = now[1]
        frame = (now.box | then.box).grow(1)
        yield number_neighbourhoods(now.in_box(frame)), then.in_box(frame)
        now = then


def _find_period(pattern: Pattern, motion: str | Motion | None) -> int:
    """Return the period of the pattern, which must have the motion if one is given."""
    if motion is None:
        recurrence = find_recurrence(pattern)
        if recurrence is None:
            raise UsageError(
                f"this pattern does not recur in {pattern.rule}; only still lifes, oscillators and "
                "spaceships have a range of rules"
            )
        return recurrence.period
    asked = motion if isinstance(motion, Motion) else Motion.parse(motion)
    later, far = pattern[asked.period], sorted(map(abs, asked.displacement))
    dx, dy = later.box.x - pattern.box.x, later.box.y - pattern.box.y
    if sorted((abs(dx), abs(dy))) != far or later != pattern.shift(dx, dy):
        recurrence = find_recurrence(pattern, generations=10 * asked.period)
        own = "it does not recur soon" if recurrence is None else f"it is {recurrence.describe()}"
        if recurrence is not None and recurrence.is_moving:
            own += f" and speed {recurrence.speed}"
        raise UsageError(f"this pattern does not have the motion {asked} in {pattern.rule}: {own}")
    return asked.period
