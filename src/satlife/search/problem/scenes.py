"""Problems and findings as scenes: what is asked, and what was found, to be drawn.

>>> from satlife.search.kinds import ship
>>> sketch = make_sketch(ship("c/3", box="16x6"))
>>> len(sketch.frames), str(sketch.box)
(3, '16x6')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from satlife.life import Torus
from satlife.life.box import Box
from satlife.life.cells import ALIVE, DEAD, UNKNOWN, Cells
from satlife.life.draw import DONT_CARE
from satlife.search.problem.open_rule import any_rule
from satlife.show.caption import Caption, describe_partial, describe_rule
from satlife.show.scene import TILED, Frame, Scene

if TYPE_CHECKING:
    from satlife.search.problem.lls_grid import Grid
    from satlife.search.problem.outcome import Finding
    from satlife.search.problem.problem import Problem

MOST_SKETCHED: Final = 20_000
"""Cells of all generations; a larger problem is sketched by its first generation."""


def make_scene(finding: Finding) -> Scene:
    """Return the generations of a finding; of an object, for one period."""
    problem = finding.problem
    if problem.motion is not None and problem.boundary == "dead":
        return Scene.of(finding.pattern)
    rule = finding.rule
    if problem.boundary == "torus":
        torus = Torus(problem.all_boxes[0].width, problem.all_boxes[0].height, *problem.wrap)
        frames = tuple(map(Frame.at_origin, (torus.tile(c, TILED) for c in finding.history)))
        facts = (f"on a torus of {problem.boxes[0]}", describe_rule(rule))
    else:
        frames = tuple(
            Frame(cells, box) for cells, box in zip(finding.history, problem.all_boxes, strict=True)
        )
        facts = (f"generations 0 to {len(frames) - 1}", describe_rule(rule))
    population = f"{finding.pattern.population} cells"
    margin = 0 if problem.boundary == "torus" else 1
    return Scene(frames, Caption(problem.kind, (population, *facts)), rule, margin=margin)


def make_sketch(problem: Problem) -> Scene:
    """Return the boxes of a problem with the cells that are known; the others are unknown."""
    cells = sum(box.area for box in problem.all_boxes)
    boxes = problem.all_boxes if cells <= MOST_SKETCHED else problem.all_boxes[:1]
    frames = []
    for t, box in enumerate(boxes):
        states = np.full((box.height, box.width), UNKNOWN, np.uint8)
        for known in problem.known:
            if known.t == t:
                _fill_in(states, box, known.x, known.y, known.rows)
        frames.append(Frame(states, box))
    return Scene(tuple(frames), Caption(), any_rule(problem))


def show_grid(grid: Grid) -> Scene:
    """Return a search pattern; cells that need not follow by the rule are don't care."""
    states = np.array(grid.pattern.states)
    for x, y, t in grid.exempt:
        if states[t, y, x] == UNKNOWN:
            states[t, y, x] = DONT_CARE
    frames = tuple(Frame(cells, grid.pattern.box) for cells in states)
    return Scene(frames, describe_partial(grid.pattern), grid.pattern.rule)


def _fill_in(states: Cells, box: Box, x: int, y: int, rows: tuple[str, ...]) -> None:
    for row, line in enumerate(rows, y - box.y):
        for column, letter in enumerate(line, x - box.x):
            if letter != "?" and 0 <= row < box.height and 0 <= column < box.width:
                states[row, column] = ALIVE if letter == "o" else DEAD
