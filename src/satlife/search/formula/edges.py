"""Reaching an edge of the box: clauses that place a pattern which could be shifted.

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
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.formula.transitions import FALSE, TRUE
from satlife.search.problem import Problem
from satlife.search.problem.constraints import Difference

Edge = tuple[slice | int, slice | int]
"""The index of an edge in the array of a generation, [y, x]."""

TOP: Final[Edge] = (0, slice(None))
BOTTOM: Final[Edge] = (-1, slice(None))
LEFT: Final[Edge] = (slice(None), 0)
RIGHT: Final[Edge] = (slice(None), -1)


def reach(spacetime: SpaceTime, builder: FormulaBuilder, *edges: Edge) -> None:
    """Say that some generation has a live cell at each of the edges."""
    for edge in edges:
        cells = [spacetime.generation(t)[edge].ravel() for t in range(len(spacetime.boxes))]
        literals = np.array(sorted(set(np.concatenate(cells).tolist())), np.int32)
        if TRUE not in literals:
            clause = np.append(literals[literals != FALSE], 0)
            builder.add("reaches the edge", clause.astype(np.int32))


def can_be_shifted(problem: Problem) -> bool:
    """Tell whether a solution, shifted within the box, is a solution again."""
    fixed = problem.known or problem.links or problem.exempt or problem.include_last
    drawn = any(isinstance(constraint, Difference) for constraint in problem.constraints)
    plain = problem.boundary == "dead" and problem.symmetry == "C1" and len(problem.boxes) == 1
    # A transform is about the centre of the box, which a shift leaves.
    moves = problem.motion is not None and problem.motion.transform == "identity"
    return plain and moves and not fixed and not drawn
