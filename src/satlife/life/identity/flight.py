"""Ships that come from far away: where they were, and whether anything was in their way.

>>> from satlife.life.pattern import Pattern
>>> glider = follow_ship(Pattern.from_rle("bo$2bo$3o!"))
>>> glider[4].box, glider[-4].box
(Box(x=1, y=1, width=3, height=3), Box(x=-1, y=-1, width=3, height=3))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from satlife.given import check_number
from satlife.life.box import Box
from satlife.life.identity.recurrence import Recurrence, find_recurrence
from satlife.life.pattern import Pattern

CLEAR: Final = 2
"""Dead cells between two patterns that keep both from noticing each other in this generation."""
MOST_BACK: Final = 20_000
"""Maximum number of generations through which a ship is followed back."""


@dataclass(frozen=True)
class Flight:
    """A ship at all ages: given at age 0, and flying for ever before that."""

    ship: Pattern
    recurrence: Recurrence

    def __getitem__(self, age: int) -> Pattern:
        turns, phase = divmod(age, self.recurrence.period)
        dx, dy = self.recurrence.displacement
        return self.ship[phase].shift(turns * dx, turns * dy)

    __iter__ = None

    def count_back(self, box: Box) -> int:
        """Return the least number of generations before which it was always clear of a box."""
        near = box.grow(CLEAR)
        period, (dx, dy) = self.recurrence.period, self.recurrence.displacement
        whole = self[0].box
        for age in range(1, period):
            whole |= self[-age].box
        # After so many periods, all of its phases were beyond one side of the box.
        sides = (
            (dx, whole.right - near.x if dx > 0 else near.right - whole.x),
            (dy, whole.bottom - near.y if dy > 0 else near.bottom - whole.y),
        )
        periods = min(max(0, -(-over // abs(step))) for step, over in sides if step)
        check_number(periods * period, MOST_BACK, "generations before an approach")
        ages = range(periods * period, 0, -1)
        return next((age for age in ages if not self[1 - age].crop(near).is_empty), 0)


@lru_cache
def follow_ship(pattern: Pattern) -> Flight | None:
    """Return the flight of a pattern; None if it is not a ship."""
    recurrence = find_recurrence(pattern)
    if recurrence is None or not recurrence.is_moving:
        return None
    return Flight(pattern, recurrence)


def can_arrive(ship: Pattern, catalyst: Pattern) -> bool | None:
    """Return whether a ship beside an object can have flown there; None if it is not a ship.

    The object is a still life or an oscillator.  The ship is moved back until it is clear of it,
    and both are simulated.

    >>> from satlife.life.pattern import Pattern
    >>> glider, block = Pattern.from_rle("bo$2bo$3o!"), Pattern.from_rle("2o$2o!")
    >>> can_arrive(glider, block.shift(4, 4)), can_arrive(glider, block.shift(-3, -2))
    (True, False)
    """
    flight, recurrence = follow_ship(ship), find_recurrence(catalyst)
    if flight is None or recurrence is None:
        return None
    home = catalyst.box
    for t in range(1, recurrence.period):
        home |= catalyst[t].box
    back = flight.count_back(home)
    start = flight[-back] | catalyst[-back % recurrence.period]
    return start[back] == ship | catalyst
