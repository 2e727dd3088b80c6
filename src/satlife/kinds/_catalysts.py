"""Shared parts of the kinds that search for a catalyst: windows, fields, restored cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from satlife.errors import UsageError
from satlife.given import check_number, check_type
from satlife.kinds._common import check_cells, read_bounds, read_pair, read_whole
from satlife.kinds._kind import SPAN
from satlife.life.box import Box, format_placed_box, format_window, parse_window
from satlife.life.identity.flight import follow_ship
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule
from satlife.problem import LARGEST, Known, Link, Place, Problem
from satlife.problem.arrivals import MOST, Arrival, Span, Still
from satlife.problem.bounds import Population
from satlife.problem.conditions import NotEmpty
from satlife.quantities import write_count

# Ships that come in any of several lanes and at any of several times, as people write them.


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
    flight = follow_ship(ship)
    if flight is None:
        raise UsageError(
            "lanes and times are those of a spaceship, and the input is not one; leave them out"
        )
    stills = []
    for age in range(-times[1], len(alone) - times[0]):
        now = flight[age]
        rows = tuple("".join(".o"[cell] for cell in row) for row in now.cells.tolist())
        stills.append(Still(x=now.x, y=now.y, rows=rows))
    return Arrival(
        flight=tuple(stills),
        across="right" if flight.recurrence.displacement[1] else "down",
        lanes=lanes,
        times=times,
        alone=tuple(alone),
    )


def count_approach(ship: Pattern, home: Box, lanes: Span, times: Span) -> int:
    """Return how many generations earlier a ship is clear of the region, and was always before.

    That holds in every lane, and for the earliest time: what comes later is further away.
    """
    flight = follow_ship(ship)
    if flight is None:
        raise UsageError("the approach is far for a spaceship only, and the input is not one")
    across = flight.recurrence.displacement[1] != 0
    moved = [home.shift(*((-n, 0) if across else (0, -n))) for n in range(lanes[0], lanes[1] + 1)]
    return max(0, max(map(flight.count_back, moved)) - times[0])


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


def list_arrivals(problem: Problem) -> list[Arrival]:
    """Return what may arrive in several lanes or at several times."""
    return [each for each in problem.constraints if isinstance(each, Arrival)]


def describe_arrivals(arrival: Arrival) -> str:
    """Return the lanes and times that were given."""
    spans = (("lane", arrival.lanes), ("time", arrival.times))
    return " and ".join(
        f"{noun} {first}" if first == last else f"any {noun} {first}..{last}"
        for noun, (first, last) in spans
    )


MARGIN = 2
"""Margin of a default field around everything in it."""
REACH = 32
"""How far beyond everything given it follows an input that grows or flies on."""


def as_window(window: Box | str, name: str) -> Box:
    """Read a window, if it is not one already."""
    check_type(window, (str, Box), name, "a window such as '4..11,4..11', or a Box")
    return parse_window(window, name) if isinstance(window, str) else window


def check_field(
    field: Box | str | None,
    home: Box,
    within: int,
    period: int,
    given: Sequence[Pattern],
    flights: Sequence[Pattern],
    late: int = 0,
) -> Box:
    """Return the field; raise if the parts do not go together.

    If it is not given, it holds what is given and what becomes of the flights by themselves until
    the reaction is over, ``late`` generations more if they may come so much later.
    """
    read_whole(within, "within", 1)
    read_whole(period, "period", 1)
    if home.is_empty:
        raise UsageError("the region is empty: there is no place for a catalyst")
    if given[0].is_empty:
        raise UsageError("there is nothing to react with: the input is empty")
    whole = home
    for pattern in given:
        whole |= pattern.box
    if field is None:
        arena = _follow(flights, within + late, whole).grow(MARGIN)
    else:
        arena = as_window(field, "field")
    check_cells(arena, within + period)
    if not arena.contains_box(whole):
        need = format_window(whole)
        raise UsageError(f"the field must hold the region and the patterns, all of {need}")
    return arena


def _follow(flights: Sequence[Pattern], generations: int, whole: Box) -> Box:
    """Return the box of all cells given, and reached by the flights until they are too far away."""
    room, reached = whole.grow(REACH), whole
    for flight in flights:
        flying = flight
        for _ in range(generations):
            flying = flying[1]
            reached |= flying.box & room
            if flying.is_empty or not room.contains_box(flying.box):
                break
    return reached


def placed_boxes(arena: Box, first: int, home: Box, then: int) -> tuple[str, ...]:
    """Return the boxes: ``first`` generations in the field, ``then`` more in the region."""
    return (format_placed_box(arena),) * first + (format_placed_box(home),) * then


def draw_alive(pattern: Pattern, t: int) -> Known:
    """Return the pattern's live cells as known to be alive; its other cells stay unknown."""
    return _draw(pattern, t, "o")


def draw_dead(pattern: Pattern, t: int) -> Known:
    """Return the pattern's live cells as known to be dead."""
    return _draw(pattern, t, ".")


def same_cells(box: Box, t: int, later: int, but: Pattern | None = None) -> Iterator[Link]:
    """Yield links between two generations, except for the live cells of a pattern."""
    for x, y, _ in places(box, t):
        if but is None or (x, y) not in but:
            yield Link(first=(x, y, t), second=(x, y, later))


def catalyst_constraints(population: str | int | None, t: int) -> tuple[NotEmpty | Population, ...]:
    """Return the conditions on the catalyst alone: not empty, and its population."""
    bounds = cast("tuple[Population, ...]", read_bounds(population, "population"))
    for bound in bounds:
        if bound.generation != 0:
            which = f"@{bound.generation}"
            raise UsageError(f"population is that of the catalyst alone; leave out {which}")
    return (
        NotEmpty(t),
        *(msgspec.structs.replace(bound, generation=t) for bound in bounds),
    )


def describe_region(problem: Problem) -> str:
    """Return where the catalyst and everything else may be, and how many cells it may have."""
    field, home = (format_window(problem.all_boxes[t]) for t in (0, -1))
    bounds = [f"of {each}" for each in problem.constraints if isinstance(each, Population)]
    where = f"in the region {home}, with nothing outside the field {field},"
    return " ".join([*(words.partition(" in generation")[0] for words in bounds), where])


@dataclass(frozen=True)
class _Flight:
    """The course of an input by itself, during the reaction."""

    meets: bool
    """Whether it comes so near to the region that a cell there could make a difference."""
    dies: bool
    leaves: int | None
    """The generation in which it is not all inside the field."""
    recedes: bool
    """Whether it is further from the region at the end than at the start."""


def hint_at_flight(problem: Problem, within: int) -> str:
    """Return what the input does by itself, if that may be why there is no eater."""
    flights = _fly_all(problem)
    if not flights:
        return ""
    met = any(flight.meets for flight in flights)
    if not met and not any(flight.dies for flight in flights):
        # No field would help: what never comes near is there in the end, too.
        if all(flight.recedes for flight in flights):
            return "the input moves away from the region: --turn half-turn turns it, --at moves it"
        time = write_count(within, "generation")
        return f"the input alone does not reach the region within {time}"
    missing = "" if met else "the input alone never reaches the region, and dies"
    return "; ".join(filter(None, [missing, _hint_at_leaving(flights)]))


def note_death(problem: Problem) -> str:
    """Return a note if the input dies by itself: then no eater is needed."""
    flights = _fly_all(problem)
    dies = flights and all(flight.dies for flight in flights)
    return "the input dies by itself, without any eater" if dies else ""


def hint_at_field(problem: Problem) -> str:
    """Return a hint if an input leaves the field by itself."""
    return _hint_at_leaving(_fly_all(problem))


def _hint_at_leaving(flights: Sequence[_Flight]) -> str:
    leaving = [flight.leaves for flight in flights if flight.leaves is not None]
    if not leaving:
        return ""
    when = f"in generation {min(leaving)}"
    return f"alone, the input leaves the field {when}, so a larger --field may hold one"


def _fly_all(problem: Problem) -> list[_Flight]:
    """Follow each possible input by itself."""
    rule = problem.parsed.rule
    given = [Pattern.from_cells(each.alive, rule) for each in problem.known if each.t == 0]
    for arrival in list_arrivals(problem):
        given += list_inputs(arrival, rule)
    return [_fly(problem, flying) for flying in given]


def _fly(problem: Problem, flying: Pattern) -> _Flight:
    field, home = problem.all_boxes[0], problem.all_boxes[-1]
    near, start = home.grow(2), _gap(flying.box, home)
    leaves, meets, dies = None, False, False
    for t in range(problem.steps):
        # What grows too large to be followed counts as coming near.
        huge = flying.box.area * problem.steps > LARGEST
        meets = meets or huge or not flying.crop(near).is_empty
        if leaves is None and not field.contains_box(flying.box):
            leaves = t
        dies = flying.is_empty
        if dies or huge or (meets and leaves is not None):
            break
        flying = flying[1]
    return _Flight(meets, dies, leaves, _gap(flying.box, home) > start)


def _gap(one: Box, other: Box) -> int:
    """Return the number of columns or rows between two boxes, the larger of the two."""
    return max(
        one.x - other.right, other.x - one.right, one.y - other.bottom, other.y - one.bottom, 0
    )


def _draw(pattern: Pattern, t: int, state: str) -> Known:
    rows = tuple("".join(state if cell else "?" for cell in row) for row in pattern.cells.tolist())
    return Known(t=t, x=pattern.x, y=pattern.y, rows=rows)


def outside(mask: Pattern | None, first: int, period: int) -> Iterator[Known]:
    """Yield the cells where the catalyst cannot be: all in the box that are not in the mask."""
    if mask is not None:
        rows = tuple("".join("?" if cell else "." for cell in row) for row in mask.cells.tolist())
        for t in range(first, first + period):
            yield Known(t=t, x=mask.x, y=mask.y, rows=rows)


def places(box: Box, t: int) -> Iterator[Place]:
    """Yield the cells of a box."""
    return ((x, y, t) for y in range(box.y, box.bottom) for x in range(box.x, box.right))
