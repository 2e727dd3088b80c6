"""Knuth's encoding: the eight neighbours are counted in unary by a tree of shared sums.

It follows Knuth's programs sat-life (The Art of Computer Programming, 7.2.2.2), for every
outer-totalistic rule.  Pairs of neighbours are added, then fours, then all eight (the totalizer of
Bailleux and Boufkhad, CP 2003).  Which neighbours form a pair depends on the parity of the cell, so
that nearby cells share sums: a vertical pair serves four cells; a horizontal pair, and the sum of
two vertical pairs, serve two.

The total has only the thresholds that matter to the rule.  For B3/S23 these are 2, 3 and 4, and a
transition in a large box has 13 new variables and 62 clauses: 57 that define the variables, and 5
for the successor.  (The programs print 6 shorter ones, with one more variable.)
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from satlife.formula.encodings._encoding import Encoding, fates, is_outer_totalistic
from satlife.formula.transitions import CENTRE, ORIGIN, Transitions
from satlife.life.rule import Rule
from satlife.sat.formula import FormulaBuilder, IntArray
from satlife.sat.logic import Circuit, CircuitPart, Template, define

# The places of the pairs in a row of nine, for a centre in an odd row (y) and odd column (x): two
# vertical pairs that reach up, a horizontal pair below, and the two that are left.  In an even row
# all is upside down; if just one of row and column is odd, it is mirrored.
_PAIRS = ((2, 5), (0, 3), (7, 8), (1, 6))
_UPSIDE_DOWN = (6, 7, 8, 3, 4, 5, 0, 1, 2)
_MIRRORED = (2, 1, 0, 5, 4, 3, 8, 7, 6)


@lru_cache(maxsize=64)
def sum_of(size: int, thresholds: tuple[int, ...]) -> CircuitPart:
    """Build the part that adds two counts of ``size`` values each, for some thresholds."""
    total = np.indices((size, size)).sum(axis=0)
    return CircuitPart.compute((size, size), [total >= k for k in thresholds])


def find_thresholds(rule: Rule) -> tuple[int, ...]:
    """Return the counts at which the fate of a cell differs from that for one neighbour fewer."""
    fate = fates(rule)
    changes = (fate[:, 1:] != fate[:, :-1]).any(axis=0)
    return tuple(int(k) for k in np.flatnonzero(changes) + 1)


@lru_cache(maxsize=64)
def knuth_template(rule: Rule) -> Template:
    """Build the template over the thresholds of the total, the centre and the successor."""
    counts = (0, *find_thresholds(rule))
    return Template.over((len(counts), 2, 2), define(fates(rule)[:, counts].T))


def pair_up(transitions: Transitions) -> IntArray:
    """Return the four pairs of neighbours of each transition, shape (n, 4, 2)."""
    x, y, _ = transitions.places.T
    order = np.empty((2, 2, 4, 2), np.intp)
    for row_is_odd in (0, 1):
        for column_is_odd in (0, 1):
            places = np.array(_PAIRS)
            places = places if row_is_odd else np.array(_UPSIDE_DOWN)[places]
            places = places if column_is_odd == row_is_odd else np.array(_MIRRORED)[places]
            order[row_is_odd, column_is_odd] = places
    chosen = order[y & 1, x & 1].reshape(-1, 8)
    return np.take_along_axis(transitions.cells, chosen, axis=1).reshape(-1, 4, 2)


def _encode(transitions: Transitions, rule: Rule, builder: FormulaBuilder) -> None:
    circuit = Circuit(builder, ORIGIN)
    thresholds = find_thresholds(rule)
    rows = np.empty((len(transitions), len(thresholds) + 2), np.int32)
    if thresholds:
        pairs = circuit.apply(sum_of(2, (1, 2)), pair_up(transitions))
        fours = circuit.apply(sum_of(3, (1, 2, 3, 4)), pairs.reshape(-1, 2, 4))
        total = circuit.apply(sum_of(5, thresholds), fours.reshape(-1, 1, 8))
        rows[:, :-2] = total[:, 0]
    rows[:, -2] = transitions.cells[:, CENTRE]
    rows[:, -1] = transitions.successors
    circuit.require(knuth_template(rule), rows)
    circuit.write()


KNUTH = Encoding(
    "knuth", "Knuth's tree of unary sums, as in TAOCP 7.2.2.2", is_outer_totalistic, _encode
)
