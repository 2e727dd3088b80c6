"""What a solution says of an open rule: the neighbourhoods in it, and what follows from each."""

from __future__ import annotations

from itertools import product

from satlife.life import Box
from satlife.life.box import EMPTY_BOX
from satlife.life.neighbourhood import BITS
from satlife.problem import Problem
from satlife.verifier.boundaries import determined_box
from satlife.verifier.generations import Generations


def read_step(problem: Problem, life: Generations, t: int) -> tuple[list[int], list[bool]]:
    """Return the neighbourhoods in generation t, and whether their cells live in the next one.

    Only cells that must follow by the rule say something of it.
    """
    now, then = life.at(t), life.at(t + 1)
    box = _box_to_read(problem, life, t)
    exempt = {(x, y) for x, y, k in problem.exempt if k == t + 1}
    places = product(range(box.y, box.bottom), range(box.x, box.right))
    cells = [(x, y) for y, x in places if (x, y) not in exempt]
    numbers = [
        sum(bit for (dx, dy), bit in BITS.items() if life.home((x + dx, y + dy)) in now)
        for x, y in cells
    ]
    return numbers, [cell in then for cell in cells]


def _box_to_read(problem: Problem, life: Generations, t: int) -> Box:
    if problem.boundary == "free":
        return determined_box(life, t)
    if problem.boundary != "dead":
        return life.boxes[t]
    cells = life.at(t) | life.at(t + 1)
    if not cells:
        return EMPTY_BOX
    columns, rows = zip(*cells, strict=True)
    left, top = min(columns), min(rows)
    return Box(left, top, max(columns) - left + 1, max(rows) - top + 1).grow(1)
