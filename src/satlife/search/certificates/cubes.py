"""Cutting a problem into cubes: cases that together are everything, each easier than the whole.

Which cells are split on is a guess, and need not be trusted: that the cubes cover everything is
proved with the rest.

>>> from satlife.search.kinds import oscillator
>>> cubes = choose_cubes(oscillator(3, box="4x4"), 3)
>>> [len(cube) for cube in cubes]
[1, 2, 2]
"""

from __future__ import annotations

from satlife.errors import UsageError
from satlife.search.audit import audit_formula
from satlife.search.certificates.obligations import Cube
from satlife.search.problem import Problem
from satlife.search.spacetime import SpaceTime
from satlife.search.transitions import TRUE

MOST_CUBES = 100_000


def choose_cubes(problem: Problem, count: int) -> tuple[Cube, ...]:
    """Return so many cubes, or fewer if there are not so many: none is cut if 1 is asked for."""
    if not 1 <= count <= MOST_CUBES:
        raise UsageError(f"1 to {MOST_CUBES:,} cubes can be made, got {count}")
    names = audit_formula(problem) if count > 1 else None
    cells = _central_cells(problem)
    leaves: list[Cube] = [()]
    while len(leaves) < count and names is not None:
        cube = leaves.pop(0)
        if len(cube) == len(cells):
            leaves.append(cube)
            break
        x, y = cells[len(cube)]
        variable = names.variable(f"x{x}y{y}t0")
        leaves += [(*cube, variable), (*cube, -variable)]
    return tuple(leaves) if len(leaves) > 1 else ()


def _central_cells(problem: Problem) -> list[tuple[int, int]]:
    """Return the cells of generation 0 from the middle outward, one of those that must be equal."""
    spacetime = SpaceTime(problem)
    box = problem.all_boxes[0]
    middle_x, middle_y = 2 * box.x + box.width - 1, 2 * box.y + box.height - 1
    places = [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]
    places.sort(key=lambda p: ((2 * p[0] - middle_x) ** 2 + (2 * p[1] - middle_y) ** 2, p))
    chosen: dict[int, tuple[int, int]] = {}
    if spacetime.clash:
        return []
    literals = spacetime.generation(0)
    for x, y in places:
        variable = abs(int(literals[y - box.y, x - box.x]))
        if variable != TRUE:
            chosen.setdefault(variable, (x, y))
    return list(chosen.values())
