"""Clauses for an input that comes in one of several lanes, at one of several times.

Each arrival has a selector, and exactly one is true.  A cell that some arrival draws lives if and
only if the selected one draws it or it lives without the input, and not both: two clauses for the
cell, and two for each arrival that draws it.  All other cells are already the same as without the
input: space-time has joined them.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from satlife.sat.builder import FormulaBuilder
from satlife.sat.logic import add_bound, add_clauses
from satlife.search.formula.inputs import draw_inputs
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem.constraints import Arrival

ORIGIN = "arrival"


def add_arrival(spacetime: SpaceTime, builder: FormulaBuilder, it: Arrival) -> None:
    """Require one of the arrivals."""
    drawn = draw_inputs(it)
    selectors = builder.new_variables(len(drawn))
    add_bound(builder, selectors, least=1, most=1, origin=ORIGIN)
    by_cell = defaultdict(list)
    for selector, cells in zip(selectors, drawn, strict=True):
        for cell in map(tuple, cells.tolist()):
            by_cell[cell].append(selector)
    for (x, y, t), chosen in by_cell.items():
        place = np.array([x]), np.array([y])
        (now,), (alone,) = (spacetime.literals(*place, k) for k in (t, it.alone[t]))
        add_clauses(builder, ORIGIN, np.array([[-now, alone, *chosen], [now, -alone, *chosen]]))
        pairs = [[-selector, literal] for selector in chosen for literal in (now, -alone)]
        add_clauses(builder, ORIGIN, np.array(pairs, np.int32))
