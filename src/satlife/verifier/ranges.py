"""The rules of an open problem by which a solution's generations follow each other.

Every cell of which something is asked fixes the entry of its neighbourhood.  Like the verifier,
this knows no literals and no clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from satlife.life.box import Box
from satlife.life.neighbourhood import BITS
from satlife.life.rulespaces import RuleSpace, narrow
from satlife.problem import Problem

Cell = tuple[int, int]


class Life(Protocol):
    """The live cells of every generation."""

    def at(self, t: int) -> frozenset[Cell]:
        """Return the live cells of generation t."""

    def home(self, cell: Cell) -> Cell:
        """Return the cell of the torus that a cell of the plane is."""


def find_rules(problem: Problem, life: Life) -> RuleSpace | None:
    """Return all rules of the problem's set with these generations; None if there are none."""
    return narrow(RuleSpace(problem.rule), (_step(problem, life, t) for t in range(problem.steps)))


def _step(problem: Problem, life: Life, t: int) -> tuple[list[int], list[bool]]:
    """Return the neighbourhoods in generation t, and whether their cells live in the next one."""
    now, then, asked = life.at(t), life.at(t + 1), list(_asked(problem, life, t))
    numbers = [
        sum(bit for (dx, dy), bit in BITS.items() if life.home((x + dx, y + dy)) in now)
        for x, y in asked
    ]
    return numbers, [cell in then for cell in asked]


def _asked(problem: Problem, life: Life, t: int) -> Iterator[Cell]:
    """Yield the cells that must follow from generation t."""
    exempt = {(x, y) for x, y, k in problem.exempt if k == t + 1}
    for cell in _frame(problem, life, t):
        if cell not in exempt:
            yield cell


def _frame(problem: Problem, life: Life, t: int) -> Iterator[Cell]:
    if problem.boundary == "dead":
        cells = life.at(t) | life.at(t + 1)
        if not cells:
            return
        columns, rows = zip(*cells, strict=True)
        left, top, right, bottom = min(columns), min(rows), max(columns), max(rows)
        frame = Box(left - 1, top - 1, right - left + 3, bottom - top + 3)
    else:
        frame = problem.all_boxes[t]
    free = problem.boundary == "free"
    for y in range(frame.y + free, frame.bottom - free):
        for x in range(frame.x + free, frame.right - free):
            if not free or (x, y) in problem.all_boxes[t + 1]:
                yield x, y
