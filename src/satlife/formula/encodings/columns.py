"""The columns encoding: three vertical triples are counted, and the counts give the successor.

For every vertical triple of cells, three new variables mean "at least one lives", "at least two
live" and "all three live".  A triple serves the three cells in and beside it, so a transition in a
large box has 3 new variables, 14 clauses that define them, and, for B3/S23, 40 clauses for the
successor: 54 clauses.

With s live cells among the nine, including the centre, a dead cell is born if s is in B, and a live
one survives if s - 1 is in S.  In terms of the three counts and the centre this is a relation over
4 x 4 x 4 x 2 values; a dead centre in a full column, and a live one in an empty column, cannot
occur.  There are no variables between the counts and the successor.  Unary counts after Bailleux
and Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints" (CP 2003).  Tried on two
impossible tasks, without gain: all 48 maximal clauses instead of 40, and clauses for "at least two
are at least one".
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from satlife.formula.encodings._encoding import Encoding, fates, is_outer_totalistic, is_small
from satlife.formula.transitions import CENTRE, ORIGIN, Transitions
from satlife.life.rule import Rule
from satlife.sat.formula import FormulaBuilder
from satlife.sat.logic import Circuit, CircuitPart, Template, define

_COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))


@lru_cache(maxsize=1)
def triple() -> CircuitPart:
    """Build the part that counts three cells: 3 variables, 14 clauses."""
    count = np.indices((2, 2, 2)).sum(axis=0)
    return CircuitPart.compute((2, 2, 2), [count >= k for k in (1, 2, 3)])


@lru_cache(maxsize=4096)
def columns_template(rule: Rule, quick: bool = False) -> Template:
    """Build the template over the counts of the three columns, the centre and the successor."""
    shape = (4, 4, 4, 2)
    west, middle, east, centre = np.indices(shape)
    neighbours = west + middle + east - centre
    impossible = np.where(centre == 1, middle == 0, middle == 3)
    successor = fates(rule)[centre, np.clip(neighbours, 0, 8)]
    return Template.over((*shape, 2), define(successor, impossible, quick=quick))


def _encode(transitions: Transitions, rule: Rule, builder: FormulaBuilder) -> None:
    circuit = Circuit(builder, ORIGIN)
    counts = circuit.apply(triple(), transitions.cells[:, _COLUMNS])
    rows = np.empty((len(transitions), 11), np.int32)
    rows[:, :9] = counts.reshape(-1, 9)
    rows[:, 9] = transitions.cells[:, CENTRE]
    rows[:, 10] = transitions.successors
    circuit.require(columns_template(rule, is_small(transitions, rule)), rows)
    circuit.write()


COLUMNS = Encoding(
    "columns", "counts of vertical triples; the default", is_outer_totalistic, _encode
)
