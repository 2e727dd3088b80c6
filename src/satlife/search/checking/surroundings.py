"""Checking a solution in a background: the box and what is around it are simulated together.

The background is simulated here too: nine copies of its tile side by side are stepped on the plane,
and the one in the middle is what becomes of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from satlife.life import Box, Pattern
from satlife.search.problem import Problem

if TYPE_CHECKING:
    from satlife.search.checking.verify import Generations

Cell = tuple[int, int]


def step_in_background(problem: Problem, life: Generations, t: int) -> tuple[frozenset[Cell], Box]:
    """Return what must be in generation t + 1, and where it is asked: in the box and around it.

    Around the box, these are the cells that are not as in the background: there should be none.
    Farther away, a cell sees nothing but background.
    """
    box = life.boxes[0]
    ring = box.grow(1)
    seen = life.at(t).union(_around(problem, box, ring.grow(1), t))
    grown = Pattern.from_cells(seen, problem.rule)[1]
    follows = frozenset((x, y) for x, y in grown.coordinates.tolist() if (x, y) in ring)
    return follows.symmetric_difference(_around(problem, box, ring, t + 1)), ring


def comes_back(problem: Problem) -> bool:
    """Whether the background is itself again after all steps."""
    film = _film(problem.background, problem.rule, problem.steps)
    return film[0] == film[-1]


def _around(problem: Problem, box: Box, room: Box, t: int) -> Iterator[Cell]:
    """Yield the live cells of the background in a room, but not in the box."""
    alive = _film(problem.background, problem.rule, problem.steps)[t]
    width, height = len(problem.background[0]), len(problem.background)
    for x, y in product(range(room.x, room.right), range(room.y, room.bottom)):
        if (x, y) not in box and (x % width, y % height) in alive:
            yield x, y


@lru_cache(maxsize=8)
def _film(rows: tuple[str, ...], rule: str, steps: int) -> list[frozenset[Cell]]:
    """Return the live cells of the tile in every generation."""
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
