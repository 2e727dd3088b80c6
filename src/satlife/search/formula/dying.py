"""Dying cells of Generations rules: a cell that lived a short time ago cannot be born.

With C states, a cell that lived in one of the C - 2 generations before, and does not live now, is
dying.  So the next state is that of the two-state table, except that a cell which does not live now
is born only if it did not live in any of those generations.  No variable says in which dying state
a cell is; for each transition there is one more, for what the table says.

Without a motion, C - 2 generations before generation 0 say which of its cells are dying.  A cell
lives at most once in all of them, so that every state of it is one assignment.

Per transition there are C + 1 clauses, besides those of the encoding.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from satlife.sat.builder import FormulaBuilder
from satlife.sat.logic import FALSE, add_clauses
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.formula.transitions import CENTRE, ORIGIN, Transitions


def add_once(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
    """Let each cell live at most once in generation 0 and those before: each state is one way."""
    planes = [spacetime.generation(-age).ravel() for age in range(spacetime.ages + 1)]
    for one, other in combinations(planes, 2):
        add_clauses(builder, ORIGIN, -one, -other)


def add_dying(transitions: Transitions, builder: FormulaBuilder) -> Transitions:
    """Return transitions of two states; clauses say how the successors follow from theirs."""
    tired = (transitions.earlier != FALSE).any(axis=1)
    earlier, successors = transitions.earlier[tired], transitions.successors[tired]
    centre = transitions.cells[tired, CENTRE]
    free = builder.new_variables(int(tired.sum()))
    add_clauses(builder, ORIGIN, -successors, free)
    for column in earlier.T:
        add_clauses(builder, ORIGIN, -successors, centre, -column)
    add_clauses(builder, ORIGIN, successors, -free, -centre)
    add_clauses(builder, ORIGIN, successors, -free, earlier)
    tabled = transitions.successors.copy()
    tabled[tired] = free
    return replace(transitions, successors=tabled, earlier=np.zeros((0, 0), np.int32))
