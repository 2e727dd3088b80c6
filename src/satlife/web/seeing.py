"""What is known of a question before anything is solved: the cells that follow, and contradictions.

>>> from satlife.search.kinds import complete
>>> seen = look_at(complete("o?$??!", symmetry="D2v"))
>>> seen["cells"], seen["wrong"]
([['oo', '??']], [])
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from satlife.life import Rule
from satlife.sat.logic import FALSE, TRUE
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Problem
from satlife.search.problem.open_rule import is_open
from satlife.search.problem.slow import read_slow

MOST: Final = 20_000
"""Cells of a drawing that is looked at."""


def look_at(problem: Problem) -> dict[str, Any]:
    """Return the known cells of each box, mirror images included, and the cells that clash."""
    if problem.has_open_height or sum(box.area for box in problem.all_boxes) > MOST:
        return {"cells": [], "places": [], "wrong": [], "clash": ""}
    space = SpaceTime(problem)
    if space.clash is not None:
        return {"cells": [], "places": [], "wrong": [], "clash": space.clash}
    return {
        "cells": [_draw(space.generation(t)) for t in range(len(space.boxes))],
        "places": [[box.x, box.y] for box in space.boxes],
        "wrong": _find_wrong(space),
        "clash": "",
    }


def _draw(literals: Any) -> list[str]:
    letters = np.full(literals.shape, "?")
    letters[literals == TRUE] = "o"
    letters[literals == FALSE] = "."
    return ["".join(row) for row in letters.tolist()]


def _find_wrong(space: SpaceTime) -> list[list[int]]:
    """Return cells (x, y, t) that cannot follow, whatever the unknown cells are."""
    if not space.problem.steps or is_open(space.problem) or read_slow(space.problem):
        return []
    steps = space.transitions()
    said = np.abs(steps.successors) == TRUE
    cells, then = steps.cells[said], steps.successors[said] == TRUE
    bits = 1 << np.arange(8, -1, -1)
    alive = (cells == TRUE) @ bits
    fixed = (np.abs(cells) == TRUE) @ bits
    every = np.arange(512)
    fits = (every[None, :] & fixed[:, None]) == alive[:, None]
    fits &= Rule(space.problem.rule).table.astype(bool)[None, :] == then[:, None]
    wrong = ~fits.any(axis=1)
    return [_find_drawn(space.problem, *map(int, place)) for place in steps.places[said][wrong]]


def _find_drawn(problem: Problem, x: int, y: int, t: int) -> list[int]:
    """Return the place of a cell's successor; that of generation p is a cell of generation 0."""
    motion = problem.motion
    if motion is None or t + 1 < motion.period:
        return [x, y, t + 1]
    return [x - motion.dx, y - motion.dy, 0]
