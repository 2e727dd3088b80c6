"""The next generation in each boundary, by the simulator, for rules without dying cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

import numpy as np

from satlife.life import Box, Pattern
from satlife.life.box import EMPTY_BOX
from satlife.life.steps import step_by_table
from satlife.problem import Problem
from satlife.verifier.generations import Cell, Generations

Next = tuple[frozenset[Cell], Box | None]
"""The live cells that must follow, and the box in which they are compared; None for everywhere."""


def step_on_plane(problem: Problem, life: Generations, t: int) -> Next:
    """Step on the unbounded plane, where everything outside the box is dead."""
    rule = problem.parsed.rule
    now = Pattern.from_cells(life.at(t), rule)
    after = Pattern(now.cells, now.x, now.y, rule, t % len(rule.phases))[1]
    return frozenset((x, y) for x, y in after.coordinates.tolist()), None


def step_on_torus(problem: Problem, life: Generations, t: int) -> Next:
    """Step a torus, in which each cell next to the box is a copy of one in it."""
    return _step_box(problem, life, t), life.boxes[t]


def step_inside(problem: Problem, life: Generations, t: int) -> Next:
    """Step a box with an unknown outside."""
    return _step_box(problem, life, t), determined_box(life, t)


def determined_box(life: Generations, t: int) -> Box:
    """Return the cells of generation t + 1 that follow from the box alone, and are in their own."""
    box = life.boxes[t]
    inner = box.grow(-1) if min(box.width, box.height) > 2 else EMPTY_BOX
    return inner & life.boxes[t + 1]


def _step_box(problem: Problem, life: Generations, t: int) -> frozenset[Cell]:
    """Return the cells of the box that live next, seeing one cell beyond its edges."""
    phases, alive = problem.parsed.rule.phases, life.at(t)
    box = life.boxes[t]
    ring = box.grow(1)
    states = np.zeros((ring.height, ring.width), np.uint8)
    for y in range(ring.y, ring.bottom):
        for x in range(ring.x, ring.right):
            states[y - ring.y, x - ring.x] = life.home((x, y)) in alive
    # The result is larger than the ring by one cell on each side.
    stepped = step_by_table(states, phases[t % len(phases)].table)[2:-2, 2:-2]
    return frozenset((box.x + x, box.y + y) for y, x in np.argwhere(stepped).tolist())


def step_in_background(problem: Problem, life: Generations, t: int) -> Next:
    """Step a box in an agar together with what is around it.

    Around the box, what is returned are the cells that are not as in the background: there should
    be none.  Farther away, a cell sees nothing but background.
    """
    box = life.boxes[0]
    ring = box.grow(1)
    seen = life.at(t).union(_around(problem, box, ring.grow(1), t))
    grown = Pattern.from_cells(seen, problem.rule)[1]
    follows = frozenset((x, y) for x, y in grown.coordinates.tolist() if (x, y) in ring)
    return follows.symmetric_difference(_around(problem, box, ring, t + 1)), ring


def background_recurs(problem: Problem) -> bool:
    """Whether the background is itself again after all steps."""
    film = _tile_film(problem.background, problem.rule, problem.steps)
    return film[0] == film[-1]


def _around(problem: Problem, box: Box, room: Box, t: int) -> Iterator[Cell]:
    """Yield the live cells of the background in a room, but not in the box."""
    alive = _tile_film(problem.background, problem.rule, problem.steps)[t]
    width, height = len(problem.background[0]), len(problem.background)
    for x, y in product(range(room.x, room.right), range(room.y, room.bottom)):
        if (x, y) not in box and (x % width, y % height) in alive:
            yield x, y


@lru_cache(maxsize=8)
def _tile_film(rows: tuple[str, ...], rule: str, steps: int) -> list[frozenset[Cell]]:
    """Return the live cells of the tile in every generation.

    Nine copies side by side are stepped on the plane; the one in the middle is what becomes of it.
    """
    width, height = len(rows[0]), len(rows)
    film = [frozenset((x, y) for x, y in product(range(width), range(height)) if rows[y][x] == "o")]
    for _ in range(steps):
        copies = [
            (x + i * width, y + j * height)
            for x, y in film[-1]
            for i, j in product((-1, 0, 1), repeat=2)
        ]
        grown = Pattern.from_cells(copies, rule)[1].coordinates.tolist()
        film.append(frozenset((x, y) for x, y in grown if 0 <= x < width and 0 <= y < height))
    return film


STEPS: dict[str, Callable[[Problem, Generations, int], Next]] = {
    "dead": step_on_plane,
    "torus": step_on_torus,
    "free": step_inside,
    "agar": step_in_background,
}
"""How each boundary makes generation t + 1 from generation t."""
