"""Shuffling a formula: the same problem with variables renumbered and clauses in another order.

SAT run times have heavy tails, and a solver's own seed changes little: so solvers are compared on
several shuffles of a formula.  Signs stay, since "cells are mostly dead" is part of the problem.

>>> from satlife.sat import Formula
>>> list(shuffle(Formula.from_clauses([(1, -2), (2, 3), (-1,)]), seed=1).formula)
[(1, 3), (2, -1), (-2,)]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from satlife.sat import Formula, Model
from satlife.sat.formula import IntArray


@dataclass(frozen=True, eq=False)
class Shuffled:
    """A shuffled formula and the way back."""

    formula: Formula
    new_variable: IntArray
    """Entry v is what variable v is called now; entry 0 is 0."""

    def restore(self, model: Model) -> Model:
        """Turn a model of the shuffled formula into one of the original."""
        return Model(model.truth[self.new_variable])


def shuffle(formula: Formula, seed: int) -> Shuffled:
    """Permute the variables and the clauses."""
    random = np.random.default_rng(seed)
    renamed = np.zeros(formula.variables + 1, np.int32)
    renamed[1:] = random.permutation(formula.variables) + 1
    literals = formula.literals()
    literals = np.sign(literals) * renamed[np.abs(literals)]
    ends = np.flatnonzero(literals == 0) + 1
    starts = np.concatenate([[0], ends])[: ends.size]
    order = random.permutation(ends.size)
    lengths = (ends - starts)[order]
    # Where each clause's run begins, before and after; the places within a run go along.
    moved = np.repeat(starts[order] - (np.cumsum(lengths) - lengths), lengths)
    literals = literals[moved + np.arange(literals.size)].astype(np.int32)
    return Shuffled(Formula.from_arrays(literals, variables=formula.variables), renamed)
