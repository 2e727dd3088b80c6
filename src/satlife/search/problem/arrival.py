"""What flies in, when only some of its lanes and times of arrival are given: the search chooses.

>>> dot = Still(x=0, y=0, rows=("o",))
>>> print(Arrival(flight=(dot,), across="right", lanes=(0, 3), times=(0, 0), alone=(5,)))
the input comes in one of the lanes 0 to 3, at time 0
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from satlife.errors import UsageError
from satlife.search.problem.trimming import trim

MOST: Final = 1000
"""Arrivals, lanes times times, among which a search may choose."""

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


class Arrival(msgspec.Struct, frozen=True, kw_only=True, tag="arrival", forbid_unknown_fields=True):
    """The first generations are a catalyst and an input, in one of several lanes and times.

    With a lane L and a time T that the solution chooses, generation t (0, 1 … as many as there are
    in ``alone``) has the input of age t - T, moved L cells across, and what generation
    ``alone[t]`` has; no cell is in both.
    """

    flight: tuple[Still, ...]
    """The input at every age from -T to t - T, for the greatest T first, for the least last."""
    across: Across
    """Where higher lanes lie: so many columns further right, or so many rows further down."""
    lanes: Span
    times: Span
    """In which generations the input may have the age 0."""
    alone: tuple[int, ...]
    """The generations that have what generations 0, 1 … have without the input."""

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
            raise UsageError(f"a flight of {ages} generations is wanted, got {len(self.flight)}")

    def __str__(self) -> str:
        return f"the input comes {_span_words('in', 'lane', self.lanes)}, " + _span_words(
            "at", "time", self.times
        )


def _span_words(preposition: str, noun: str, span: Span) -> str:
    first, last = span
    if first == last:
        return f"{preposition} {noun} {first}"
    return f"{preposition} one of the {noun}s {first} to {last}"
