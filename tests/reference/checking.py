"""Is one history a solution?  The definition, one condition after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.reference.arriving import arrivals, fits
from tests.reference.asked import ALIVE, DEAD, UNSAID, Asked, Cell, History, Place, nine
from tests.reference.measuring import in_bound, live_cells, numbers
from tests.reference.restoring import is_met, list_disturbed, ways
from tests.reference.rules import Table
from tests.reference.symmetries import axis_cells, centres, equal_cells


def is_solution(problem: bytes | str, history: History) -> bool:
    """Return whether the history is one of the problem's solutions."""
    return next(broken(problem, history), None) is None


def broken(problem: bytes | str, history: History) -> Iterator[str]:  # noqa: PLR0912, PLR0915 - a list
    """Yield what the history breaks, in words."""
    asked = Asked(problem)

    def state(place: Place, t: int) -> int | None:
        """Whether the cell lives; None if nothing is said of it."""
        if t < 0 and asked.shows_dying:
            return int(shown(place, 0) == 1 - t)
        value = shown(place, t)
        return None if value is None else int(value == 1)

    def shown(place: Place, t: int) -> int | None:
        cell = asked.cell(place, t)
        if isinstance(cell, str):
            return {DEAD: 0, ALIVE: 1, UNSAID: None}[cell]
        (x, y), t = cell
        return int(history[t][y - asked.boxes[t].y, x - asked.boxes[t].x])

    def whole(place: Place, t: int) -> int:
        """The state of the cell: how long ago it lived."""
        ages = range(asked.rules.states - 1)
        return next((age + 1 for age in ages if state(place, t - age)), 0)

    for t, states in enumerate(history):
        if states.max(initial=0) >= (asked.rules.states if t == 0 and asked.shows_dying else 2):
            yield f"generation {t} has a state that no cell has"
    # By one rule of a set all generations must follow; mostly there is one rule.
    yield from min((list(steps(asked, state, table)) for table in asked.rules.tables), key=len)
    if asked.include_last:
        for place in asked.places(asked.steps) - set(asked.boxes[0]):
            if state(place, asked.steps):
                yield f"{place} of generation {asked.steps} is outside"
    for first, second in equal_cells(asked):
        if None not in (state(*first), state(*second)) and state(*first) != state(*second):
            yield f"{first} and {second} are not symmetric"
        if asked.shows_dying and shown(*first) != shown(*second):
            yield f"{first} and {second} are not in symmetric states"
    for cell, wanted in asked.known.items():
        if whole(*cell) != wanted:
            yield f"{cell} is not as known"
    for first, second, opposite in asked.links:
        if (state(*first) != state(*second)) != opposite:
            yield f"{first} and {second} are not as linked"
    for constraint in asked.constraints:
        match constraint["type"]:
            case "not-empty":
                if not live_cells(asked, history, constraint.get("t", 0)):
                    yield "it is empty"
            case "full-period" | "pattern-period" if not earlier_returns(asked):
                if not live_cells(asked, history, 0):
                    yield "it is empty"
            case "full-period":
                if not any(
                    all(
                        any(state(*cell) != state(*later) for cell, later in comparisons)
                        for comparisons in full_period(asked, place)
                    )
                    for place in full_period_places(asked)
                ):
                    yield "no cell has the full period"
            case "lacks":
                for pairs in centres(asked, constraint["symmetry"]):
                    if all(state(*cell) == state(*image) for cell, image in pairs):
                        yield f"it has the symmetry {constraint['symmetry']}"
            case "gutter":
                if any(state(place, t) for place, t in axis_cells(asked)):
                    yield "a cell on an axis lives"
            case "arrival":
                pairs = arrivals(asked, constraint)
                if not any(
                    all(fits(state(*a), state(*b), c) for a, b, c in each) for each in pairs
                ):
                    yield "nothing comes in one of the lanes, at one of the times"
            case "restored":
                alone = constraint["alone"]
                film = [list_disturbed(asked, history, alone, t) for t in range(len(history))]
                active, ever = (constraint.get(each) for each in ("active", "ever_active"))
                if not any(
                    is_met(asked, history, constraint, contact)
                    and not any(film[t] for t in held)
                    and (active is None or all(len(film[t]) <= active for t in quiet))
                    and (ever is None or len(set().union(*(film[t] for t in quiet))) <= ever)
                    for contact, quiet, held in ways(constraint)
                ):
                    yield "the catalyst is not disturbed, or not restored"
            case "pattern-period":
                for q in earlier_returns(asked):
                    if all(whole(*cell) == whole(*later) for cell, later in returns(asked, q)):
                        yield f"it is back after a {q}-th of its period"
            case _:
                for number in numbers(asked, history, constraint):
                    if not in_bound(number, constraint):
                        yield f"{number} is out of the bound {constraint}"


def steps(asked: Asked, state: Callable[[Place, int], int | None], table: Table) -> Iterator[str]:
    """Yield what does not follow by a rule."""
    for t in range(1, asked.steps + 1):
        for place in asked.ruled(t):
            cells = [state(near, t - 1) for near in nine(place)]
            earlier = [state(place, k) for k in asked.ages(t)]
            if state(place, t) != asked.follow(table, cells, earlier, t):
                yield f"{place} of generation {t} does not follow"


def earlier_returns(asked: Asked) -> list[int]:
    """Return Q: the pattern may be back after a q-th of its period and of its displacement."""
    if not asked.motion or asked.transform != "identity":
        return []
    return [
        q
        for q in range(2, asked.steps + 1)
        if asked.steps % (q * asked.beat) == asked.dx % q == asked.dy % q == 0
    ]


def full_period(asked: Asked, place: Place) -> Iterator[list[tuple[Cell, Cell]]]:
    """Yield for each q the pairs of cells of which at least one must differ, at a place."""
    for q in earlier_returns(asked):
        later = place[0] + asked.dx // q, place[1] + asked.dy // q
        yield [((place, t), (later, t + asked.steps // q)) for t in range(asked.steps)]


def full_period_places(asked: Asked) -> set[Place]:
    """Return all places where a cell can differ from one of its returns."""
    places = set().union(*(asked.places(t) for t in range(asked.steps)))
    for q in earlier_returns(asked):
        for t in range(asked.steps):
            for x, y in asked.places(t + asked.steps // q):
                places.add((x - asked.dx // q, y - asked.dy // q))
    return places


def returns(asked: Asked, q: int) -> Iterator[tuple[Cell, Cell]]:
    """Yield the pairs that are all equal if generation 0 is back after a q-th of its period."""
    dx, dy, later = asked.dx // q, asked.dy // q, asked.steps // q
    for x, y in [*asked.places(0), *asked.past_places()]:
        yield ((x, y), 0), ((x + dx, y + dy), later)
    for age in range(asked.rules.states - 1):
        # Some periods later it is the same, and every place of it has moved.
        turns = asked.rules.states
        for i, j in asked.places(later + turns * asked.steps - age):
            x, y = i - turns * asked.dx, j - turns * asked.dy
            yield ((x - dx, y - dy), 0), ((x, y), later)
