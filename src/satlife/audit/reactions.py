"""Which cells of a catalyst matter: an independent implementation for certificates.

It follows the definition, with sets of cells.  What a cell becomes depends on the 3x3 around it, so
a reaction depends on the catalyst only within two cells of what is not as the catalyst is alone.
"""

from __future__ import annotations

from satlife.problem import Problem
from satlife.problem.constraints import Restored
from satlife.verifier.generations import Cell, Generations


def find_catalyst(problem: Problem) -> Restored | None:
    """Return the condition that a catalyst is restored, if it is asked for once."""
    asked = [each for each in problem.constraints if isinstance(each, Restored)]
    return asked[0] if len(asked) == 1 else None


def list_what_matters(problem: Problem, life: Generations, alone: int) -> dict[Cell, bool]:
    """Return the cells of the catalyst that matter in a solution, and whether they live."""
    catalyst, home = life.at(alone), problem.all_boxes[alone]
    matters: dict[Cell, bool] = {}
    for t in range(alone):
        for x, y in life.at(t) ^ catalyst:
            if (x, y) in problem.all_boxes[t]:
                near = [(x + i, y + j) for i in range(-2, 3) for j in range(-2, 3)]
                matters |= {cell: cell in catalyst for cell in near if cell in home}
    return matters
