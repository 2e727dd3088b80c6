"""The measures of a solution, from the states of its generations: for checking what was counted.

Nothing here knows literals, clauses or folding, and no encoder uses it.  ``history[t]`` holds the
states of the box of generation t, indexed [y, x]; outside the boxes all is taken as dead.  Dying
cells do not count as alive.

>>> from satlife.kinds import oscillator
>>> blinker = oscillator(2, box="3x3")
>>> rows = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], np.uint8)
>>> [evaluate(blinker, (rows, rows.T), what) for what in (Rotor(), Stator(), Area())]
[4, 1, 9]
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.problem.constraints import (
    Area,
    Bound,
    Decay,
    Difference,
    Growth,
    Height,
    Population,
    Rotor,
    Stator,
    Width,
)

History = tuple[npt.NDArray[np.uint8], ...]


def evaluate(problem: Problem, history: History, what: Bound) -> int:
    """Return the number that a bound is about; of "every" generation there is none."""
    value = VALUES[type(what)](problem, history, what)
    return int(value)


def populations(history: History) -> list[int]:
    """How many cells of each generation live."""
    return [int(np.count_nonzero(states == 1)) for states in history]


def population(problem: Problem, history: History, which: Population) -> int:
    """How many cells live in a generation; with a motion it may be any generation."""
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
    """By how many cells a generation outnumbers the one before, at most."""
    return max([0, *(after - before for before, after in _steps(problem, history))])


def decay(problem: Problem, history: History, _: Decay) -> int:
    """By how many cells a generation falls short of the one before, at most."""
    return max([0, *(before - after for before, after in _steps(problem, history))])


def _steps(problem: Problem, history: History) -> list[tuple[int, int]]:
    """Return the populations before and after each step; after a period it is the first again."""
    numbers = populations(history)
    return list(pairwise([*numbers, numbers[0]] if problem.motion is not None else numbers))


def rotor(problem: Problem, history: History, _: Rotor) -> int:
    """How many cells are not the same in all generations."""
    film = _film(problem, history)
    return int((film.any(axis=0) & ~film.all(axis=0)).sum())


def stator(problem: Problem, history: History, _: Stator) -> int:
    """How many cells live in all generations."""
    return int(_film(problem, history).all(axis=0).sum())


def width(problem: Problem, history: History, _: Width | Area) -> int:
    """How many columns the least box has that holds all generations."""
    return _span(np.nonzero(_film(problem, history))[2])


def height(problem: Problem, history: History, _: Height | Area) -> int:
    """How many rows the least box has that holds all generations."""
    return _span(np.nonzero(_film(problem, history))[1])


def area(problem: Problem, history: History, which: Area) -> int:
    """How many cells the least box has that holds all generations."""
    return width(problem, history, which) * height(problem, history, which)


def difference(problem: Problem, history: History, drawing: Difference) -> int:
    """How many cells of a generation are not as drawn."""
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
    Width: width,
    Height: height,
    Area: area,
    Difference: difference,
}
"""How each number is found in a solution."""


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
