"""Ships that come in any of several lanes and at any of several times, as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from satlife.errors import UsageError
from satlife.given import check_type
from satlife.life.identity.recurrence import find_recurrence
from satlife.life.numbers import check_number
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule
from satlife.search.kinds._common import read_pair
from satlife.search.kinds._parameter import SPAN
from satlife.search.problem.arrival import MOST, Arrival, Span, Still

SpanLike = str | int | Sequence[int]
"""``-3..3``, or one number, or the first and the last."""

_WORDS = "a range such as '0..3', or (first, last)"


def read_span(given: Any, name: str) -> Span:
    """Read the first and the last of several numbers; None is 0 alone."""
    if given is None:
        return 0, 0
    check_type(given, (str, int, tuple, list), name, _WORDS)
    if isinstance(given, str):
        first, last = SPAN.read(given, lambda text: text)
    elif isinstance(given, tuple | list):
        first, last = read_pair(given, name, _WORDS)
    else:
        first = last = int(given)
    if first > last:
        raise UsageError(f"there are no {name} {first}..{last}; write the lower number first")
    check_number(max(abs(first), abs(last)), MOST, name)
    return first, last


def make_arrival(ship: Pattern, lanes: Span, times: Span, alone: Sequence[int]) -> Arrival:
    """Return the arrivals of a ship, which is where it is given at its time."""
    recurrence = find_recurrence(ship)
    if recurrence is None or not recurrence.is_moving:
        raise UsageError(
            "lanes and times are those of a spaceship, and the input is not one; leave them out"
        )
    dx, dy = recurrence.displacement
    flight = []
    for age in range(-times[1], len(alone) - times[0]):
        # Also before it is where it is given, for a ship has flown for ever.
        turns, phase = divmod(age, recurrence.period)
        now = ship[phase].shift(turns * dx, turns * dy)
        rows = tuple("".join(".o"[cell] for cell in row) for row in now.cells.tolist())
        flight.append(Still(x=now.x, y=now.y, rows=rows))
    return Arrival(
        flight=tuple(flight),
        across="right" if dy else "down",
        lanes=lanes,
        times=times,
        alone=tuple(alone),
    )


def list_inputs(arrival: Arrival, rule: Rule) -> list[Pattern]:
    """Return what may be there in generation 0: at each time, in each lane."""
    (first, last), (early, late) = arrival.lanes, arrival.times
    return [
        Pattern.from_cells(still.cells, rule).shift(
            *((lane, 0) if arrival.across == "right" else (0, lane))
        )
        for still in arrival.flight[: late - early + 1]
        for lane in range(first, last + 1)
    ]


def describe_arrivals(arrival: Arrival) -> str:
    """Return the lanes and times that were given."""
    spans = (("lane", arrival.lanes), ("time", arrival.times))
    return " and ".join(
        f"{noun} {first}" if first == last else f"any {noun} {first}..{last}"
        for noun, (first, last) in spans
    )
