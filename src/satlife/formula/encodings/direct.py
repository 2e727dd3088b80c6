"""The direct encoding: clauses over the nine cells and the successor alone.

There are no new variables.  For B3/S23 a transition has 190 clauses, the least possible number: 70
for death by four neighbours, 8 for death by fewer than two, 28 for no birth by two, 56 for life by
three, and 28 for survival by two.  Other rules have up to 512 (those that depend on parity).  It
works for any table of 512 entries.

The clauses are many, but relate cells directly: this is good where much is known, as in the search
for parents.  The least sets of clauses are found by the method of Quine and McCluskey (see
:mod:`satlife.sat.logic.cover`).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from satlife.formula.encodings._encoding import Encoding
from satlife.formula.transitions import NEIGHBOURS, ORIGIN, Transitions
from satlife.life.rule import Rule
from satlife.sat.formula import FormulaBuilder
from satlife.sat.logic import Circuit, Template, define


@lru_cache(maxsize=64)
def direct_template(rule: Rule) -> Template:
    """Build the template over the nine cells in order, then the successor."""
    return Template.over((2,) * 10, define(rule.table.reshape((2,) * 9)))


def _encode(transitions: Transitions, rule: Rule, builder: FormulaBuilder) -> None:
    rows = np.empty((len(transitions), 10), np.int32)
    rows[:, :9] = transitions.cells
    rows[:, 9] = transitions.successors
    if rule.is_outer_totalistic:
        # Constants are then at the ends, so there are few classes of rows.
        rows[:, NEIGHBOURS] = np.sort(transitions.cells[:, NEIGHBOURS], axis=1)
    circuit = Circuit(builder, ORIGIN)
    circuit.require(direct_template(rule), rows)
    circuit.write()


DIRECT = Encoding("direct", "the nine cells alone, no helpers; any rule", lambda _: True, _encode)
