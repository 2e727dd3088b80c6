"""Sketches of problems: the boxes with the known cells, and a card for notebooks.

>>> from satlife.kinds import ship
>>> sketch = make_sketch(ship("c/3", box="16x6"))
>>> len(sketch.frames), str(sketch.box)
(3, '16x6')
"""

from __future__ import annotations

from itertools import chain
from typing import Final

import numpy as np

from satlife.life.cells import ALIVE, DEAD, UNKNOWN
from satlife.life.draw import DONT_CARE
from satlife.problem.lls_grid import Grid
from satlife.problem.statement import Statement
from satlife.problem.words import describe, write_command
from satlife.show.caption import Caption, describe_partial
from satlife.show.card import Card
from satlife.show.formats.svg import write_svg
from satlife.show.scene import Frame, Scene
from satlife.show.style import Style

MOST_SKETCHED: Final = 20_000
"""Cells of all generations; a larger problem is sketched by its first generation."""


def make_sketch(problem: Statement) -> Scene:
    """Return the boxes of a problem with the cells that are known; the others are unknown."""
    cells = sum(box.area for box in problem.all_boxes)
    boxes = problem.all_boxes if cells <= MOST_SKETCHED else problem.all_boxes[:1]
    frames = []
    for t, box in enumerate(boxes):
        states = np.full((box.height, box.width), UNKNOWN, np.uint8)
        given = chain.from_iterable(known.cells.items() for known in problem.known if known.t == t)
        for (x, y), state in given:
            if (x, y) in box:
                states[y - box.y, x - box.x] = ALIVE if state == "o" else DEAD
        frames.append(Frame(states, box))
    return Scene(tuple(frames), Caption(), problem.parsed.rule)


def show_grid(grid: Grid) -> Scene:
    """Return a search pattern; cells that need not follow by the rule are don't care."""
    states = np.array(grid.pattern.states)
    for x, y, t in grid.exempt:
        if states[t, y, x] == UNKNOWN:
            states[t, y, x] = DONT_CARE
    frames = tuple(Frame(cells, grid.pattern.box) for cells in states)
    return Scene(frames, describe_partial(grid.pattern), grid.pattern.rule)


def make_card(problem: Statement, document: str) -> Card:
    """Return the question: its sentence, its boxes, and the command, or the document for it."""
    command = write_command(problem)
    command_line = command or "satlife find problem.toml"
    return Card(
        "question",
        f"Problem: {problem.kind}",
        (f"Find {describe(problem)}.",),
        picture=write_svg([make_sketch(problem)], Style(caption=False)),
        notes=(f"On the command line: {command_line}",),
        details=() if command else (("problem.toml", document),),
    )
