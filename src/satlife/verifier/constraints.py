"""The meaning of each constraint on the generations of a solution, for the verifier.

Nothing here knows literals, clauses or folding, and no encoder uses it.  ``history[t]`` holds the
states of the box of generation t, indexed [y, x]; outside the boxes all is taken as dead.  Dying
cells do not count as alive.

>>> from satlife.kinds import oscillator
>>> blinker = oscillator(2, box="3x3")
>>> rows = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], np.uint8)
>>> [evaluate(blinker, (rows, rows.T), what) for what in (Rotor(), Stator(), Area())]
[4, 1, 9]

The lane and the time of an arrival are read from a solution too: the input is the difference
between a generation and the one without the input.

>>> from satlife.problem.constraints import Still
>>> dot = Still(x=0, y=0, rows=("o",))
>>> arrival = Arrival(flight=(dot,), across="right", lanes=(0, 3), times=(0, 0), alone=(1,))
>>> find_arrival(arrival, [frozenset({(2, 0), (9, 9)}), frozenset({(9, 9)})].__getitem__)
(2, 0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.life import Transform
from satlife.problem import Problem
from satlife.problem.constraints import (
    BOUNDS,
    Area,
    Arrival,
    Bound,
    Changes,
    Decay,
    Difference,
    FullPeriod,
    Growth,
    Gutter,
    Height,
    Lacks,
    NotEmpty,
    PatternPeriod,
    Population,
    Restored,
    Rotor,
    Stator,
    Width,
)
from satlife.verifier.generations import (
    Cell,
    Generations,
    History,
    elements,
    moved,
    static_turns,
)


def evaluate(problem: Problem, history: History, what: Bound) -> int:
    """Return the number that a bound restricts; for "every" generation there is none."""
    value = VALUES[type(what)](problem, history, what)
    return int(value)


def populations(history: History) -> list[int]:
    """Return the population of each generation."""
    return [int(np.count_nonzero(states == 1)) for states in history]


def population(problem: Problem, history: History, which: Population) -> int:
    """Return the population of a generation; with a motion it may be any generation."""
    match which.generation:
        case "least":
            return min(populations(history))
        case "most":
            return max(populations(history))
        case "sum":
            return sum(populations(history))
        case "every":
            raise UsageError("every generation has its own population")
    t = which.generation
    return populations(history)[t % problem.steps if problem.motion else t]


def growth(problem: Problem, history: History, _: Growth) -> int:
    """Return the greatest increase of the population in a step."""
    return max([0, *(after - before for before, after in _steps(problem, history))])


def decay(problem: Problem, history: History, _: Decay) -> int:
    """Return the greatest decrease of the population in a step."""
    return max([0, *(before - after for before, after in _steps(problem, history))])


def _steps(problem: Problem, history: History) -> list[tuple[int, int]]:
    """Return the populations before and after each step; after a period it is the first again."""
    numbers = populations(history)
    return list(pairwise([*numbers, numbers[0]] if problem.motion is not None else numbers))


def changes(problem: Problem, history: History, _: Changes) -> int:
    """Return the most cells that are alive in only one of two generations, one after the other."""
    life = Generations(problem, history)
    film = [life.at(t) for t in range(problem.steps + 1)]
    return max([0, *(len(before ^ after) for before, after in pairwise(film))])


def rotor(problem: Problem, history: History, _: Rotor) -> int:
    """Return the number of cells that change."""
    film = _film(problem, history)
    return int((film.any(axis=0) & ~film.all(axis=0)).sum())


def stator(problem: Problem, history: History, _: Stator) -> int:
    """Return the number of cells that are alive in all generations."""
    return int(_film(problem, history).all(axis=0).sum())


def width(problem: Problem, history: History, _: Width | Area) -> int:
    """Return the width of the smallest box that holds all generations."""
    return _span(np.nonzero(_film(problem, history))[2])


def height(problem: Problem, history: History, _: Height | Area) -> int:
    """Return the height of the smallest box that holds all generations."""
    return _span(np.nonzero(_film(problem, history))[1])


def area(problem: Problem, history: History, which: Area) -> int:
    """Return the area of the smallest box that holds all generations."""
    return width(problem, history, which) * height(problem, history, which)


def difference(problem: Problem, history: History, drawing: Difference) -> int:
    """Return the number of cells of a generation that differ from the drawing."""
    box = problem.all_boxes[drawing.generation]
    drawn = {
        (x, y): state
        for y, row in enumerate(drawing.rows, drawing.y)
        for x, state in enumerate(row, drawing.x)
    }
    count = 0
    for (j, i), alive in np.ndenumerate(history[drawing.generation]):
        state = drawn.pop((box.x + i, box.y + j), ".")
        count += state != "?" and (state == "o") != (alive == 1)
    if problem.boundary == "dead":
        count += sum(state == "o" for state in drawn.values())
    return count


VALUES: dict[type[Any], Callable[[Problem, History, Any], int]] = {
    Population: population,
    Rotor: rotor,
    Stator: stator,
    Growth: growth,
    Decay: decay,
    Changes: changes,
    Width: width,
    Height: height,
    Area: area,
    Difference: difference,
}
"""The function that evaluates each bound on a solution."""


def _film(problem: Problem, history: History) -> npt.NDArray[np.bool_]:
    """All generations in one frame, indexed [t, y, x]."""
    boxes = problem.all_boxes
    frame = boxes[0]
    for box in boxes:
        frame |= box
    film = np.zeros((len(history), frame.height, frame.width), np.bool_)
    for picture, box, states in zip(film, boxes, history, strict=True):
        top, left = box.y - frame.y, box.x - frame.x
        picture[top : top + box.height, left : left + box.width] = states == 1
    return film


def _span(places: npt.NDArray[np.intp]) -> int:
    """From the first place to the last."""
    return int(places.max() - places.min()) + 1 if places.size else 0


# The period of a solution: it must not recur earlier.


def _smaller(problem: Problem) -> list[tuple[int, int, int]]:
    """Return the motions (dx, dy, period) that divide the problem's own."""
    motion = problem.motion
    if motion is None or not motion.only_shifts:
        return []
    # A strobing background is the same again only after an even number of generations.
    beats = len(problem.parsed.rule.phases)
    return [
        (motion.dx // q, motion.dy // q, motion.period // q)
        for q in range(2, motion.period + 1)
        if motion.period % (q * beats) == motion.dx % q == motion.dy % q == 0
    ]


def has_pattern_period(life: Generations) -> bool:
    """Whether the pattern as a whole does not recur after any part of the period."""
    smaller = _smaller(life.problem)
    if not smaller:
        return bool(life.at(0))
    # So many generations determine the states of all cells; with two states, one does.
    times = range(life.problem.states - 1)
    return all(
        any(moved(life, life.at(t), dx, dy) != life.at(t + p) for t in times)
        for dx, dy, p in smaller
    )


def has_full_period(life: Generations) -> bool:
    """Whether some cell differs, for every smaller motion, from itself in some generation."""
    smaller, steps = _smaller(life.problem), range(life.problem.steps)
    if not smaller:
        return bool(life.at(0))
    differing = [
        frozenset().union(*(life.at(t) ^ moved(life, life.at(t + p), -dx, -dy) for t in steps))
        for dx, dy, p in smaller
    ]
    return bool(frozenset.intersection(*differing))


# Axes and symmetries.


def has_gutter(life: Generations) -> bool:
    """Whether no live cell is its own image in one of the mirrors."""
    mirrors = [turn for turn in static_turns(life.problem.symmetry) if turn.startswith("flip")]
    return not any(
        life.carry([cell], mirror, (0, 0)) == {cell}
        for t in range(life.problem.generations)
        for cell in life.at(t)
        for mirror in mirrors
    )


def has_symmetry(life: Generations, symmetry: str) -> bool:
    """Whether generation 0 has the symmetry about some centre."""
    alive = life.at(0)
    if life.problem.boundary != "torus":
        # Whatever maps a finite set of cells to itself keeps its centre of mass.
        return all(_shape(_turned(alive, turn)) == _shape(alive) for turn in elements(symmetry))
    box = life.boxes[0]
    return any(
        all(_is_turned(life, alive, turn, (u, v)) for turn in elements(symmetry))
        for u in range(2 * box.width)
        for v in range(2 * box.height)
    )


def _is_turned(life: Generations, alive: frozenset[Cell], turn: str, centre: Cell) -> bool:
    """Whether a turn about a centre, in half cells, keeps the live cells of a torus."""
    (u, v), (i, j) = centre, Transform(turn).apply_to_point(*centre)
    dx, dy = u - i, v - j
    if dx % 2 or dy % 2:
        return False
    return moved(life, _turned(alive, turn), dx // 2, dy // 2) == alive


def _turned(cells: frozenset[Cell], turn: str) -> frozenset[Cell]:
    return frozenset(Transform(turn).apply_to_point(x, y) for x, y in cells)


def _shape(cells: frozenset[Cell]) -> frozenset[Cell]:
    """Return the cells, moved so that their box begins at (0, 0)."""
    left, top = (min((cell[axis] for cell in cells), default=0) for axis in (0, 1))
    return frozenset((x - left, y - top) for x, y in cells)


# Arrivals.


def find_arrival(arrival: Arrival, at: Callable[[int], frozenset[Cell]]) -> tuple[int, int] | None:
    """Return the lane and the time, given the live cells of generations; None if it is neither."""
    arrived = []
    for t, later in enumerate(arrival.alone):
        if not at(later) <= at(t):
            return None
        arrived.append(at(t) - at(later))
    for time in range(arrival.times[0], arrival.times[1] + 1):
        flown = arrival.flight[arrival.times[1] - time :]
        for lane in range(arrival.lanes[0], arrival.lanes[1] + 1):
            dx, dy = (lane, 0) if arrival.across == "right" else (0, lane)
            if all(
                {(x + dx, y + dy) for x, y in still.cells} == cells
                for still, cells in zip(flown, arrived, strict=False)
            ):
                return lane, time
    return None


def find_arrivals(life: Generations) -> list[tuple[int, int]]:
    """Return the lane and the time of each input whose arrival the search could choose."""
    asked = [each for each in life.problem.constraints if isinstance(each, Arrival)]
    return [arrived for each in asked if (arrived := find_arrival(each, life.at)) is not None]


# Catalysts.


def is_restored(life: Generations, it: Restored) -> bool:
    """Whether the zone around the catalyst is disturbed, and later is not, for long enough."""
    alone = life.at(it.alone)
    zone = {(x + dx, y + dy) for x, y in alone for dx in (-1, 0, 1) for dy in (-1, 0, 1)}

    @cache
    def disturbed(t: int) -> frozenset[Cell]:
        changed: Iterable[Cell] = (life.at(t) ^ alone) & zone
        if life.problem.boundary == "free":
            changed = {c for c in changed if c in life.boxes[t] and c in life.boxes[it.alone]}
        return frozenset(changed)

    def is_met(t: int) -> bool:
        free = it.free[t - early].cells if it.free else ()
        return bool(disturbed(t)) or any(cell in zone for cell in free)

    def is_bounded(film: list[frozenset[Cell]]) -> bool:
        at_once, ever = max(map(len, film)), len(frozenset[Cell]().union(*film))
        counts = ((at_once, it.active), (ever, it.ever_active))
        return all(most is None or count <= most for count, most in counts)

    (early, late), (first, last) = it.contact, it.times
    return any(
        is_met(t)
        and not any(map(disturbed, range(r, r + it.hold + 1)))
        and is_bounded([disturbed(s) for s in range(early, r)])
        for t in range(early, late + 1)
        for r in range(max(first, t + 1), last + 1)
    )


def is_within(life: Generations, bound: Bound) -> bool:
    """Whether the number is within the bound."""
    if isinstance(bound, Population) and bound.generation == "every":
        return all(map(bound.holds, populations(life.history)))
    return bound.holds(evaluate(life.problem, life.history, bound))


HOLDS: dict[type[Any], Callable[[Generations, Any], bool]] = {
    NotEmpty: lambda life, it: bool(life.at(it.t)),
    FullPeriod: lambda life, _: has_full_period(life),
    PatternPeriod: lambda life, _: has_pattern_period(life),
    Gutter: lambda life, _: has_gutter(life),
    Lacks: lambda life, it: not has_symmetry(life, it.symmetry),
    Arrival: lambda life, it: find_arrival(it, life.at) is not None,
    Restored: is_restored,
    **dict.fromkeys(BOUNDS, is_within),
}
"""Whether a solution meets each kind of constraint."""
