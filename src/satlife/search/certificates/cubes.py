"""Cutting a problem into cubes: cases that together are everything, each a problem of its own."""

from __future__ import annotations

from collections import deque

from msgspec.structs import replace

from satlife.errors import UsageError
from satlife.sat.logic import TRUE
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Known, Problem

MOST_CUBES = 100_000


def cut_problem(problem: Problem, count: int) -> tuple[Problem, ...]:
    """Return this many cases, or fewer if there are fewer; none if it cannot be cut.

    >>> from satlife.search.kinds import still_life
    >>> [case.known[0].rows for case in cut_problem(still_life(box="3x3"), 2)]
    [('o',), ('.',)]
    """
    return tuple(
        replace(problem, known=(*problem.known, *(_known(*cell) for cell in case.items())))
        for case in _cases(problem, count)
    )


def _known(place: tuple[int, int], alive: bool) -> Known:
    return Known(t=0, x=place[0], y=place[1], rows=("o" if alive else ".",))


def _cases(problem: Problem, count: int) -> list[dict[tuple[int, int], bool]]:
    """Split the case with the fewest cells on one cell more, until there are enough."""
    if not 1 <= count <= MOST_CUBES:
        raise UsageError(f"1 to {MOST_CUBES:,} cubes can be made, got {count}")
    cells = _central_cells(problem)
    leaves: deque[dict[tuple[int, int], bool]] = deque([{}])
    while len(leaves) < count and len(leaves[0]) < len(cells):
        case = leaves.popleft()
        cell = cells[len(case)]
        leaves += [case | {cell: True}, case | {cell: False}]
    return list(leaves) if len(leaves) > 1 else []


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
