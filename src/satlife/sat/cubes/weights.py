"""Splitting a case on the variables that matter to a solver, as a short run of it shows.

A solver with a proof runs for some thousand conflicts.  Every learnt clause of moderate length adds
to the weights of its variables, a short one more than a long one; the heaviest candidates are
decided first, breadth first.  The cases are then of a similar size.  Look-ahead, which propagates
both values of every candidate instead, left three quarters of the work in one of 49 cases: the one
in which everything decided is dead (docs/decisions/0094-weights-instead-of-look-ahead.md).

A candidate with a value that fails by propagation is not decided, because one half would be no
work.  The choice depends on the formula, the candidates and the case only.

>>> from satlife.sat.formula import Formula
>>> formula = Formula.from_clauses([(1, 2), (-1, 3), (-2, 3), (-3, 4, 5), (4, -5)])
>>> with Weights(formula, [1, 2, 3, 4, 5]) as weights:
...     [leaf.case for leaf in weights.split(weights.look(()), 3)]
...     weights.look((-1, -2)).is_refuted
[(-1,), (1, 2), (1, -2)]
True
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from satlife.closable import Closing
from satlife.sat.formula import Formula

Case = tuple[int, ...]
"""The assumed literals, in the order of their decisions; () is the whole."""

CONFLICTS: Final = 20_000
"""Length of the short run: half a second to some seconds.  With 5,000, 32 cases cost half as much
again."""
SLICES: Final = 20
"""Parts of the short run; between them, other threads have their turn."""
LONGEST: Final = 30
"""Most literals of a clause that counts."""


@dataclass(frozen=True, slots=True)
class Look:
    """A case, and what propagation shows of it."""

    case: Case
    part: int = 0
    """The number of the formula, where a problem has several."""
    free: int = 0
    """The number of undecided candidates; with none, it cannot be split."""
    is_refuted: bool = False
    """Whether propagation refutes the case."""


class Weights(Closing):
    """The candidates of one formula, and their weights for any of its cases."""

    def __init__(self, formula: Formula, candidates: Iterable[int]) -> None:
        self.formula = formula
        self.candidates = tuple(candidates)

    def formula_of(self, part: int) -> Formula:
        """Return the formula."""
        return self.formula

    def look(self, case: Sequence[int]) -> Look:
        """Return the look at a case."""
        decided = self._propagate(case)
        if decided is None:
            return Look(tuple(case), is_refuted=True)
        return Look(tuple(case), free=sum(each not in decided for each in self.candidates))

    def split(self, look: Look, count: int) -> list[Look]:
        """Split a case into about ``count`` cases that cover it, the shallow ones first.

        Every case between is split on one candidate, both ways.  The result is the case itself if
        it cannot be split; it is refuted if propagation refutes it.
        """
        order = self._weigh(look.case)
        leaves, waiting = list[Look](), deque([self.look(look.case)])
        while waiting and len(leaves) + len(waiting) < count:
            leaf = waiting.popleft()
            halves = self._halve(leaf, order)
            waiting += halves
            leaves += [] if halves else [leaf]
        return [*leaves, *waiting]

    def _halve(self, look: Look, order: Sequence[int]) -> list[Look]:
        """Return the halves of a case on the heaviest candidate of which both are possible."""
        decided = self._propagate(look.case)
        if decided is None:
            return []
        for variable in order:
            if variable not in decided:
                halves = [self.look((*look.case, literal)) for literal in (variable, -variable)]
                if not any(half.is_refuted for half in halves):
                    return halves
        return []

    def _weigh(self, case: Case) -> list[int]:
        """Return the candidates, the heaviest first."""
        from pysat.solvers import Glucose4  # noqa: PLC0415 - slow to import; few searches split

        with Glucose4(with_proof=True) as solver:
            _load(solver, self.formula)
            for literal in case:
                solver.add_clause([literal])
            for _ in range(SLICES):
                solver.conf_budget(CONFLICTS // SLICES)
                if solver.solve_limited() is not None:
                    break
            weights = _weigh_clauses(solver.get_proof(), self.formula.variables)
        # Of equal weights the first candidate comes first.
        return sorted(self.candidates, key=lambda variable: -weights[variable])

    @cached_property
    def _propagator(self) -> Any:
        """A solver that only propagates; each call is short, so it needs no child."""
        from pysat.solvers import Minisat22  # noqa: PLC0415

        solver = Minisat22()
        _load(solver, self.formula)
        return solver

    def _propagate(self, case: Sequence[int]) -> set[int] | None:
        """Return the variables that a case decides; None if there is a conflict."""
        holds, implied = self._propagator.propagate(assumptions=list(case))
        return {abs(literal) for literal in (*implied, *case)} if holds else None

    def close(self) -> None:
        """Release the formula."""
        if "_propagator" in self.__dict__:
            self._propagator.delete()


def _weigh_clauses(proof: Iterable[str], variables: int) -> Sequence[float]:
    """Return the weight of each variable, from the lines of a DRAT proof."""
    weights = np.zeros(variables + 1)
    for line in proof:
        literals = line.split()[:-1]
        if line[0] != "d" and 0 < len(literals) <= LONGEST:
            weights[np.abs(np.array(literals, np.int64))] += 1 / math.sqrt(len(literals))
    found: Sequence[float] = weights.tolist()
    return found


def _load(solver: Any, formula: Formula) -> None:
    """Add the clauses of a formula to a PySAT solver."""
    for block in formula.blocks:
        literals = block.literals.tolist()
        start = 0
        for end in np.flatnonzero(block.literals == 0).tolist():
            solver.add_clause(literals[start:end])
            start = end + 1
