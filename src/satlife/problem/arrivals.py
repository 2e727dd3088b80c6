"""Arrivals: an input whose lane and time the search chooses.

>>> dot = Still(x=0, y=0, rows=("o",))
>>> print(Arrival(flight=(dot,), across="right", lanes=(0, 3), times=(0, 0), alone=(5,)))
the input comes in one of the lanes 0 to 3, at time 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import ClassVar, Final, Literal

import msgspec

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.problem.statement import Condition, Drawn, Rows, Statement, trim
from satlife.quantities import write_count

MOST: Final = 1000
"""Maximum number of arrivals (lanes times times) among which a search may choose."""


Across = Literal["right", "down"]


Span = tuple[int, int]
"""The first and the last of some consecutive numbers."""


class Still(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One generation of a flight: ``o`` alive, ``.`` not; the corner is (x, y)."""

    x: int
    y: int
    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        x, y, rows = trim(self.x, self.y, self.rows, "o.")
        for name, value in (("x", x), ("y", y), ("rows", rows)):
            msgspec.structs.force_setattr(self, name, value)

    @property
    def cells(self) -> list[tuple[int, int]]:
        """The live cells."""
        return [
            (x, y)
            for y, row in enumerate(self.rows, self.y)
            for x, state in enumerate(row, self.x)
            if state == "o"
        ]


class Arrival(Condition, frozen=True, kw_only=True, tag="arrival"):
    """The first generations are a catalyst and an input, in one of several lanes and times.

    With a lane L and a time T that the solution chooses, generation t (0, 1 … as many as there are
    in ``alone``) has the input of age t - T, moved L cells across, and what generation
    ``alone[t]`` has; no cell is in both.
    """

    is_symmetric = True

    flight: tuple[Still, ...]
    """The input at every age from -T to t - T, for the greatest T first, for the least last."""
    across: Across
    """The side of higher lanes: a lane is one column further right, or one row further down."""
    lanes: Span
    times: Span
    """In which generations the input may have the age 0."""
    alone: tuple[int, ...]
    """The generations that have what generations 0, 1 … have without the input."""

    drawn_as, phrase = "flight", "an input whose lane or time is open"
    slow_refusal = "nothing can arrive"
    refusals: ClassVar = dict.fromkeys(
        ("torus", "free", "agar"), "an arrival needs an outside that is dead"
    )

    def __post_init__(self) -> None:
        for name, (first, last) in (("lanes", self.lanes), ("times", self.times)):
            if first > last:
                raise UsageError(f"the {name} {first}..{last} are none; write the lower one first")
        (low, high), (early, late) = self.lanes, self.times
        if (count := (high - low + 1) * (late - early + 1)) > MOST:
            raise UsageError(f"{count:,} lanes and times are too many; {MOST:,} is the most")
        if not self.alone:
            raise UsageError("an arrival says of one generation at least what it is alone")
        if len(self.flight) != (ages := late - early + len(self.alone)):
            raise UsageError(
                f"a flight of {write_count(ages, 'generation')} is wanted, got {len(self.flight)}"
            )

    @property
    def generations(self) -> tuple[int, ...]:
        """Those without the input."""
        return self.alone

    @property
    def numbers(self) -> Iterable[int]:
        """Also the lanes and times, and where the flight is drawn."""
        corners = (number for still in self.flight for number in (still.x, still.y))
        return [*self.lanes, *self.times, *self.alone, *corners]

    @property
    def drawings(self) -> frozenset[Drawn]:
        """The live cells of the input, for each lane and time."""
        dx, dy = (1, 0) if self.across == "right" else (0, 1)
        lanes, times = (range(first, last + 1) for first, last in (self.lanes, self.times))
        return frozenset(
            frozenset(
                ((x + lane * dx, y + lane * dy, t), "o")
                for t in range(len(self.alone))
                for x, y in self.flight[t - time + times[-1]].cells
            )
            for lane, time in product(lanes, times)
        )

    @property
    def copies(self) -> Iterable[tuple[int, int]]:
        """Where no input comes, a generation is as without it."""
        return enumerate(self.alone)

    def check(self, problem: Statement, box: Box) -> None:
        """Raise if the problem has fewer generations."""
        if len(self.alone) > problem.generations:
            raise UsageError(
                f"the problem has fewer than {write_count(len(self.alone), 'generation')}"
            )

    def note(self, problem: Statement) -> str:
        """Return what is asked of generation 0 and those after it."""
        pairs = (
            f"generations {t} and {alone}, age {f'{t} - T' if t else '-T'}"
            for t, alone in enumerate(self.alone)
        )
        return (
            " That is: there are such a lane L and such a time T, whole numbers, that for each "
            "pair of generations named here, the cells of the flight at the age named, moved L "
            f"cells {self.across}, are alive in the first generation and dead in the second, and "
            f"every other cell is the same in both: {'; '.join(pairs)}. The flight is drawn below."
        )

    def pictures(self) -> Iterator[tuple[str, int, int, Rows]]:
        """Yield the input at every age."""
        for age, still in enumerate(self.flight, -self.times[1]):
            yield f"age {age}", still.x, still.y, still.rows

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses compare all cells for each lane and time."""
        drawn = max(len(still.cells) for still in self.flight)
        (low, high), (early, late) = self.lanes, self.times
        choices = (high - low + 1) * (late - early + 1)
        return 2 * choices * len(self.alone) * (width * height + drawn)

    def __str__(self) -> str:
        return f"the input comes {_span_words('in', 'lane', self.lanes)}, " + _span_words(
            "at", "time", self.times
        )


def _span_words(preposition: str, noun: str, span: Span) -> str:
    first, last = span
    if first == last:
        return f"{preposition} {noun} {first}"
    return f"{preposition} one of the {noun}s {first} to {last}"
