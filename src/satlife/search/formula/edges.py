"""Clauses that place a pattern that could be shifted: it reaches an edge of the box.

>>> from satlife.search.kinds import still_life
>>> builder = FormulaBuilder(variables=9)
>>> reach(SpaceTime(still_life(box="3x3")), builder, TOP, LEFT)
>>> list(builder.build())
[(1, 2, 3), (1, 4, 7)]
"""

from __future__ import annotations

from typing import Final

import numpy as np

from satlife.sat.builder import FormulaBuilder
from satlife.sat.logic import add_clauses
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Problem
from satlife.search.problem.constraints import DRAWINGS

Edge = tuple[slice | int, slice | int]
"""The index of an edge in the array of a generation, [y, x]."""

TOP: Final[Edge] = (0, slice(None))
BOTTOM: Final[Edge] = (-1, slice(None))
LEFT: Final[Edge] = (slice(None), 0)
RIGHT: Final[Edge] = (slice(None), -1)


def reach(spacetime: SpaceTime, builder: FormulaBuilder, *edges: Edge) -> None:
    """Require a live cell at each of the edges, in any generation."""
    for edge in edges:
        cells = [spacetime.generation(t)[edge].ravel() for t in range(len(spacetime.boxes))]
        add_clauses(builder, "reaches the edge", np.concatenate(cells)[None])


def can_be_shifted(problem: Problem) -> bool:
    """Whether a solution that is shifted within the box is a solution again."""
    fixed = problem.known or problem.links or problem.exempt or problem.include_last
    drawn = any(isinstance(constraint, DRAWINGS) for constraint in problem.constraints)
    plain = problem.boundary == "dead" and problem.symmetry == "C1" and len(problem.boxes) == 1
    # A transform is about the centre of the box, which does not move with the pattern.
    moves = problem.motion is not None and problem.motion.transform == "identity"
    return plain and moves and not fixed and not drawn
