"""Look-ahead: the choice of the variable that splits a case best.

Both values of each candidate are propagated.  A value that fails leaves the other one; otherwise
the score is large where both values imply much, so that both halves are easier than the whole.
The choice depends on the formula, the candidates and the case only.

>>> from satlife.sat.formula import Formula
>>> formula = Formula.from_clauses([(1, 2), (-1, 3), (-2, 3), (-3, 4, 5), (4, -5)])
>>> with Lookahead(formula, [1, 2, 3, 4, 5]) as lookahead:
...     first = lookahead.look(())
...     first.forced, first.ranking, lookahead.look((-4,), first).is_refuted
...     [leaf.case for leaf in lookahead.split(first, 2)]
((3, 4), (1, 2, 5), True)
[(1, 2), (1, -2), (-1, 5), (-1, -5)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from satlife.closable import Closing
from satlife.sat.formula import Formula

Case = tuple[int, ...]
"""The assumed literals, in the order of their decisions; () is the whole."""

MOST_TRIED: Final = 16
"""The number of candidates tried below the first look: the best ones of the look above."""


@dataclass(frozen=True, slots=True)
class Look:
    """The result of look-ahead on a case."""

    case: Case
    forced: tuple[int, ...] = ()
    """Literals that are forced, because their negations fail."""
    ranking: tuple[int, ...] = ()
    """The free candidates, the best one to split on first."""
    is_refuted: bool = False
    """Whether propagation refutes the case."""

    @property
    def free(self) -> int:
        """The number of free candidates."""
        return len(self.ranking)


class Lookahead(Closing):
    """Look-ahead on one formula, by unit propagation."""

    def __init__(self, formula: Formula, candidates: Iterable[int]) -> None:
        self.candidates = tuple(candidates)
        self._formula = formula

    @cached_property
    def _solver(self) -> Any:
        """The propagator, loaded when it is first needed."""
        return _load(self._formula)

    def look(self, case: Sequence[int], above: Look | None = None) -> Look:
        """Return the look at a case; ``above`` is the look at a case with fewer of its literals."""
        ranking = self.candidates if above is None else above.ranking
        tried = len(ranking) if above is None else MOST_TRIED
        forced = list(() if above is None else above.forced)
        while True:
            implied = self._propagate([*case, *forced])
            if implied is None:
                break
            # What follows from the formula alone is not among the implied literals.
            known = {abs(literal) for literal in (*implied, *case, *forced)}
            free = [variable for variable in ranking if variable not in known]
            found = self._rank([*case, *forced], free[:tried], len(implied))
            if found is None:
                break
            if not isinstance(found, int):
                return Look(tuple(case), tuple(forced), (*found, *free[tried:]))
            forced.append(found)
        return Look(tuple(case), is_refuted=True)

    def halve(self, look: Look) -> tuple[Look, Look]:
        """Split a case on its best candidate: first the half where it is true, then the other."""
        best = look.ranking[0]
        return self.look((*look.case, best), look), self.look((*look.case, -best), look)

    def split(self, look: Look, levels: int) -> list[Look]:
        """Return the leaves of a tree of this depth, depth first, refuted ones included."""
        if not (levels and look.ranking):
            return [look]
        return [leaf for half in self.halve(look) for leaf in self.split(half, levels - 1)]

    def _rank(self, assumed: list[int], free: list[int], base: int) -> list[int] | int | None:
        """Return the candidates, the best first; or a forced literal; or None if refuted."""
        scores: list[tuple[int, int]] = []
        for variable in free:
            positive = self._propagate([*assumed, variable])
            negative = self._propagate([*assumed, -variable])
            if positive is None or negative is None:
                if positive is None and negative is None:
                    return None
                return -variable if positive is None else variable
            more, less = len(positive) - base, len(negative) - base
            scores.append((-(1024 * more * less + more + less), variable))
        order = sorted(range(len(free)), key=lambda index: (scores[index][0], index))
        return [free[index] for index in order]

    def _propagate(self, literals: list[int]) -> list[int] | None:
        """Return the implied literals; None if there is a conflict."""
        holds, implied = self._solver.propagate(assumptions=literals)
        return list(implied) if holds else None

    def close(self) -> None:
        """Release the formula."""
        if "_solver" in self.__dict__:
            self._solver.delete()


def _load(formula: Formula) -> Any:
    """Return a PySAT solver that only propagates; each call is short, so it needs no child."""
    from pysat.solvers import Minisat22  # noqa: PLC0415 - slow to import; few searches split

    solver = Minisat22()
    for block in formula.blocks:
        literals = block.literals.tolist()
        start = 0
        for end in np.flatnonzero(block.literals == 0).tolist():
            solver.add_clause(literals[start:end])
            start = end + 1
    return solver
