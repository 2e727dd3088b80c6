"""Measures that are a number of cells: each is an array of literals, and the true ones count.

A literal that stands for several cells occurs several times; TRUE and FALSE may occur.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import FALSE, all_of, differ
from satlife.search.formula.spacetime import SpaceTime, places
from satlife.search.problem import Problem
from satlife.search.problem.constraints import Difference, Population, Rotor, Stator


def live_cells(spacetime: SpaceTime, _: FormulaBuilder, which: Population) -> IntArray:
    """Return the cells of one generation, or of all."""
    if which.generation == "sum":
        generations = range(spacetime.problem.generations)
        return np.concatenate([spacetime.generation(t).ravel() for t in generations])
    if not isinstance(which.generation, int):
        raise AssertionError("this needs a single generation")
    return spacetime.generation(place_generation(spacetime.problem, which.generation))


def changing_cells(spacetime: SpaceTime, builder: FormulaBuilder, _: Rotor) -> IntArray:
    """Return which cells change in p generations: a variable and p + 2 clauses for each."""
    return differ(builder, "rotor", cell_histories(spacetime))


def staying_cells(spacetime: SpaceTime, builder: FormulaBuilder, _: Stator) -> IntArray:
    """Return which cells live in all p generations: a variable and p + 1 clauses for each."""
    return all_of(builder, "stator", cell_histories(spacetime))


def wrong_cells(spacetime: SpaceTime, _: FormulaBuilder, drawing: Difference) -> IntArray:
    """Return which cells are not as drawn."""
    t = place_generation(spacetime.problem, drawing.generation, moved=False)
    box = spacetime.boxes[t]
    if spacetime.problem.boundary == "dead":
        box |= Box(drawing.x, drawing.y, max(map(len, drawing.rows), default=0), len(drawing.rows))
    x, y = places(box)
    drawn = np.full((box.height, box.width), ".", "U1")
    for j, row in enumerate(drawing.rows, drawing.y - box.y):
        for i, state in enumerate(row, drawing.x - box.x):
            if 0 <= i < box.width and 0 <= j < box.height:
                drawn[j, i] = state
    cells = spacetime.literals(x, y, t)
    wrong = np.select([drawn.ravel() == ".", drawn.ravel() == "o"], [cells, -cells], FALSE)
    return wrong.astype(np.int32)


TERMS: dict[type[Any], Callable[[SpaceTime, FormulaBuilder, Any], IntArray]] = {
    Population: live_cells,
    Rotor: changing_cells,
    Stator: staying_cells,
    Difference: wrong_cells,
}
"""The cells that each of these measures counts."""


def place_generation(problem: Problem, t: int, moved: bool = True) -> int:
    """Return the generation with its own cells that equals generation t, moved or not."""
    if moved and problem.motion is not None:
        return t % problem.steps
    if t >= problem.generations:
        raise UsageError(f"the problem has generations 0 to {problem.generations - 1}, not {t}")
    return t


def cell_histories(spacetime: SpaceTime) -> IntArray:
    """Return the literals of every cell in all generations: a row for each cell, row by row."""
    x, y = places(frame(spacetime))
    generations = range(spacetime.problem.generations)
    return np.stack([spacetime.literals(x, y, t) for t in generations], axis=1)


def frame(spacetime: SpaceTime) -> Box:
    """Return the least box that contains those of all generations."""
    whole = spacetime.boxes[0]
    for box in spacetime.boxes:
        whole |= box
    return whole
