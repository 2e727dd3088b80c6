"""The rotor and the stator of an oscillator, and its cells of full period.

>>> blinker = Pattern.from_rle("3o!")
>>> measure_activity([blinker, blinker[1]])
Activity(stator=1, rotor=4, full_period_cells=4, heat=4.0)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from satlife.life.box import EMPTY_BOX, Box
from satlife.life.pattern import Pattern


class Activity(Struct, frozen=True):
    """The numbers of cells of an oscillator that change, and that do not."""

    stator: int
    """Cells that live in every phase."""
    rotor: int
    """Cells that live in some phases and not in others."""
    full_period_cells: int
    """Cells whose own period is the pattern's; none if it only has parts of smaller periods."""
    heat: float
    """The mean number of cells that change from one generation to the next."""


def measure_activity(phases: Sequence[Pattern]) -> Activity:
    """Measure an oscillator, or a still life, all of whose phases are given, in one frame."""
    envelope = find_envelope(phases)
    if envelope.is_empty:
        return Activity(0, 0, 0, 0.0)
    ever = np.zeros((envelope.height, envelope.width), dtype=np.bool_)
    always = np.ones_like(ever)
    for phase in phases:
        cells = phase.in_box(envelope).astype(np.bool_)
        ever |= cells
        always &= cells
    changing = ever & ~always
    # Only the rotor is kept in all phases: a row for each generation, a column for each cell.
    lives = np.stack([phase.in_box(envelope)[changing] for phase in phases])
    stator, rotor = int(always.sum()), int(changing.sum())
    period = len(phases)
    smaller = [period // prime for prime in _prime_factors(period)]
    if phases[0].rule.is_strobing:  # an odd number of generations changes the background
        smaller = [each for each in smaller if each % 2 == 0]
    full = stator + rotor
    if smaller:
        has_full_period = np.ones(rotor, dtype=np.bool_)
        for each in smaller:
            has_full_period &= (lives != np.roll(lives, each, axis=0)).any(axis=0)
        full = int(has_full_period.sum())
    heat = float((lives != np.roll(lives, 1, axis=0)).sum()) / period
    return Activity(stator, rotor, full, heat)


def find_envelope(phases: Sequence[Pattern]) -> Box:
    """Return the smallest box that holds all the phases."""
    envelope = EMPTY_BOX
    for phase in phases:
        envelope |= phase.box
    return envelope


def _prime_factors(number: int) -> list[int]:
    factors = []
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            factors.append(divisor)
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    return [*factors, number] if number > 1 else factors
