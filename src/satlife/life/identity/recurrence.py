"""The recurrence of still lifes, oscillators and spaceships: their period and displacement.

Only the simulator is used. The answer is exact: a repetition is seen on the cells themselves, and
"undecided" comes with the limit that was reached.

>>> find_recurrence(Pattern.from_rle("bo$2bo$3o!"))
Recurrence(period=4, displacement=(1, 1))
>>> follow(Pattern.from_rle("b2o$2o$bo!"), generations=100).reason
'does not recur within 100 generations'
"""

from __future__ import annotations

from hashlib import blake2b
from math import gcd
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from satlife.errors import UsageError
from satlife.life.cells import ALIVE, Cells, as_integer
from satlife.life.identity.limits import Check, go_on
from satlife.life.motion import Motion
from satlife.life.pattern import Pattern
from satlife.life.steps import advance_array
from satlife.quantities import write_count

GENERATIONS: Final = 5000
"""The default limit on generations."""
GROWTH: Final = 256
"""The default limit on the growth of the box, in width or height."""

Outcome: TypeAlias = Literal["recurs", "dies", "settles", "undecided"]
RecurrentKind: TypeAlias = Literal["still life", "oscillator", "spaceship"]
GrowingKind: TypeAlias = Literal["gun", "puffer", "rake", "wickstretcher", "linear growth"]


class Recurrence(Struct, frozen=True):
    """After ``period`` generations, and not before, the pattern is itself again, displaced."""

    period: int
    displacement: tuple[int, int]
    """The displacement in a period: (dx, dy), to the right and down."""

    @property
    def is_moving(self) -> bool:
        """Whether it is a spaceship."""
        return self.displacement != (0, 0)

    @property
    def kind(self) -> RecurrentKind:
        """The kind of pattern."""
        if self.is_moving:
            return "spaceship"
        return "still life" if self.period == 1 else "oscillator"

    def describe(self) -> str:
        """Return the kind of pattern, with its article and period.

        >>> Recurrence(2, (0, 0)).describe()
        'an oscillator of period 2'
        """
        if self.kind == "still life":
            return "a still life"
        article = "an" if self.kind == "oscillator" else "a"
        return f"{article} {self.kind} of period {self.period}"

    @property
    def speed(self) -> str | None:
        """The speed in the usual notation, with the period in it: 2c/4 is not reduced to c/2.

        >>> Recurrence(5, (0, -2)).speed, Recurrence(4, (1, 1)).speed, Recurrence(6, (-1, 2)).speed
        ('2c/5', 'c/4d', '(2,1)c/6')
        """
        return str(Motion(self.period, *self.displacement)) if self.is_moving else None

    @property
    def simplified_speed(self) -> str | None:
        """The speed in lowest terms.

        >>> Recurrence(4, (2, 0)).simplified_speed, Recurrence(96, (8, -8)).simplified_speed
        ('c/2', 'c/12d')
        """
        if not self.is_moving:
            return None
        (dx, dy), n = self.displacement, gcd(*self.displacement, self.period)
        return str(Motion(self.period // n, dx // n, dy // n))


class Fate(Struct, frozen=True):
    """The fate of a pattern, as far as it was followed."""

    outcome: Outcome
    """``settles``: it becomes periodic without its first generation, which never comes back."""
    generation: int
    """When it first recurs, is empty or is periodic; or the last generation that was seen."""
    recurrence: Recurrence | None
    """Its own, or of what it settles into."""
    reason: str
    """A description of the outcome, to follow "the pattern"."""


def find_recurrence(
    pattern: Pattern,
    *,
    generations: int = GENERATIONS,
    growth: int = GROWTH,
    check: Check = go_on,
) -> Recurrence | None:
    """Find when the pattern itself recurs; ``None`` if it does not, or not within the limits.

    :func:`follow` distinguishes the two.
    """
    fate = follow(pattern, generations=generations, growth=growth, check=check)
    return fate.recurrence if fate.outcome == "recurs" else None


def follow(
    pattern: Pattern,
    *,
    generations: int = GENERATIONS,
    growth: int = GROWTH,
    check: Check = go_on,
) -> Fate:
    """Run a pattern until it repeats itself, dies, or reaches a limit.

    ``generations`` is how long to run, ``growth`` by how much the box may become wider or taller.
    ``check`` is called in each generation, and may raise to end it.

    >>> follow(Pattern.from_rle("2o$o!")).reason
    'becomes a still life in generation 1'
    """
    generations = as_integer(generations, "a limit of generations")
    growth = as_integer(growth, "a limit of growth")
    if generations < 1 or growth < 0:
        raise UsageError(
            f"limits are at least 1 generation and a growth of 0, got {generations} and {growth}"
        )
    rule, phases = pattern.rule, len(pattern.rule.phases)
    if pattern.is_empty:
        return Fate("recurs", phases, Recurrence(phases, (0, 0)), "the empty pattern")
    start = cells = pattern.cells
    tallest, widest = start.shape[0] + growth, start.shape[1] + growth
    x = y = 0
    seen = {_digest(start, 0): (0, 0, 0)}
    for t in range(1, generations + 1):
        check()
        cells, dx, dy = advance_array(cells, rule, 1, pattern.phase + t - 1)
        x, y = x + dx, y + dy
        if not cells.size:
            return Fate("dies", t, None, f"dies in generation {t}")
        if t % phases == 0 and np.array_equal(cells, start):
            return Fate("recurs", t, Recurrence(t, (x, y)), f"recurs in generation {t}")
        then, then_x, then_y = seen.setdefault(_digest(cells, t % phases), (t, x, y))
        if then < t:
            recurrence = Recurrence(t - then, (x - then_x, y - then_y))
            reason = f"becomes {recurrence.describe()} in generation {then}"
            return Fate("settles", then, recurrence, reason)
        if cells.shape[0] > tallest or cells.shape[1] > widest:
            growing = f"grows by more than {growth} cells in width or height by generation {t}"
            return Fate("undecided", t, None, f"{growing} and has not recurred")
    reason = f"does not recur within {write_count(generations, 'generation')}"
    return Fate("undecided", generations, None, reason)


def trace_phases(pattern: Pattern, period: int) -> tuple[Pattern, ...]:
    """Return generations 0 to period - 1, in one frame, with the first one's box at (0, 0)."""
    phases = [pattern.normalized]
    for _ in range(period - 1):
        phases.append(phases[-1][1])
    return tuple(phases)


def _digest(cells: Cells, phase: int) -> bytes:
    # The generations themselves would fill the memory; two of them with one digest of 16 bytes
    # would be a discovery of its own.
    size = f"{cells.shape} {phase}".encode()
    packed = np.packbits(cells) if cells.max() <= ALIVE else cells
    return blake2b(packed.tobytes() + size, digest_size=16).digest()
