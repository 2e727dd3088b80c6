"""The bounds of a problem on many histories at once; shares no code with the search."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from satlife import Problem
from satlife.life.box import Box
from satlife.problem.constraints import (
    Area,
    Bound,
    Difference,
    Height,
    Population,
    Rotor,
    Stator,
    Width,
)

States = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]


def holds(
    problem: Problem, generations: list[States], bound: Bound, frame: Box
) -> npt.NDArray[np.bool_]:
    """Which histories are within the bound; ``generations[t]`` is indexed [history, y, x]."""
    own = np.stack(generations[: problem.generations], axis=1).astype(bool)
    population = own.sum(axis=(2, 3))
    match bound:
        case Population(generation="every"):
            low, high = population.min(axis=1), population.max(axis=1)
        case Population(generation="least"):
            low = high = population.min(axis=1)
        case Population(generation="most"):
            low = high = population.max(axis=1)
        case Population(generation=int(t)):
            low = high = generations[t].sum(axis=(1, 2), dtype=int)
        case Rotor():
            low = high = (own.any(axis=1) != own.all(axis=1)).sum(axis=(1, 2))
        case Stator():
            low = high = own.all(axis=1).sum(axis=(1, 2))
        case Width():
            low = high = _extent(own.any(axis=(1, 2)))
        case Height():
            low = high = _extent(own.any(axis=(1, 3)))
        case Area():
            low = high = _extent(own.any(axis=(1, 2))) * _extent(own.any(axis=(1, 3)))
        case Difference():
            low = high = _difference(generations[bound.generation], bound, frame)
        case _:
            raise AssertionError(bound)
    return (low >= bound.least) & (high <= (10**9 if bound.most is None else bound.most))


def _extent(used: npt.NDArray[np.bool_]) -> Numbers:
    """From the first true entry of each row to the last."""
    first = used.argmax(axis=1)
    last = used.shape[1] - used[:, ::-1].argmax(axis=1)
    return np.where(used.any(axis=1), last - first, 0)


def _difference(states: States, drawing: Difference, frame: Box) -> Numbers:
    expected = np.zeros((frame.height, frame.width), np.uint8)
    counted = np.ones_like(expected)
    for j, row in enumerate(drawing.rows):
        for i, state in enumerate(row):
            place = drawing.y + j - frame.y, drawing.x + i - frame.x
            expected[place], counted[place] = state == "o", state != "?"
    return ((states != expected) & counted.astype(bool)).sum(axis=(1, 2))
