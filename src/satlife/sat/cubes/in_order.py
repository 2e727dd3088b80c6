"""Splitting a case on candidates in a given order, breadth first.

The order is the caller's, who knows what the variables mean.  A search for a ship is split near its
front (:func:`satlife.life.box.list_from_front`), where solvers refute it: c/4 in exactly 7x9 costs
in 32 cases by its second row what it costs as a whole, and by the last but one each case does.
Look-ahead left three quarters of the work in one of 49 cases, and learnt clauses name the wrong end
at times (docs/decisions/dividing.md).

A candidate with a value that fails by propagation is not decided, because one half would be no
work.

>>> from satlife.sat.formula import Formula
>>> formula = Formula.from_clauses([(1, 2), (-1, 3), (-2, 3), (-3, 4, 5), (4, -5)])
>>> with InOrder(formula, [1, 2, 3, 4, 5]) as divider:
...     [leaf.case for leaf in divider.split(divider.look(()), 3)]
...     divider.look((-1, -2)).is_refuted
[(-1,), (1, 2), (1, -2)]
True
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from satlife.closable import Closing
from satlife.sat.formula import Formula

Case = tuple[int, ...]
"""The assumed literals, in the order of their decisions; () is the whole."""


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


class InOrder(Closing):
    """One formula, and the variables on which its cases are split, the first one first."""

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
        leaves, waiting = list[Look](), deque([self.look(look.case)])
        while waiting and len(leaves) + len(waiting) < count:
            leaf = waiting.popleft()
            halves = self._halve(leaf)
            waiting += halves
            leaves += [] if halves else [leaf]
        return [*leaves, *waiting]

    def _halve(self, look: Look) -> list[Look]:
        """Return the halves of a case on the first candidate for which both are possible."""
        decided = self._propagate(look.case)
        if decided is None:
            return []
        for variable in self.candidates:
            if variable not in decided:
                halves = [self.look((*look.case, literal)) for literal in (variable, -variable)]
                if not any(half.is_refuted for half in halves):
                    return halves
        return []

    @cached_property
    def _propagator(self) -> Any:
        """A solver that only propagates; each call is short, so it needs no child."""
        from pysat.solvers import Minisat22  # noqa: PLC0415 - slow to import; few searches split

        solver = Minisat22()
        # PySAT's own destructor fails when Python has taken its module apart at the end.
        weakref.finalize(self, solver.delete)
        for block in self.formula.blocks:
            literals, start = block.literals.tolist(), 0
            for end in np.flatnonzero(block.literals == 0).tolist():
                solver.add_clause(literals[start:end])
                start = end + 1
        return solver

    def _propagate(self, case: Sequence[int]) -> set[int] | None:
        """Return the variables that a case decides; None if there is a conflict."""
        holds, implied = self._propagator.propagate(assumptions=list(case))
        return {abs(literal) for literal in (*implied, *case)} if holds else None

    def close(self) -> None:
        """Release the formula."""
        if "_propagator" in self.__dict__:
            self._propagator.delete()
