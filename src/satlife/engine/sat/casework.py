"""Cases of a problem, solved one after the other by one solver that keeps what it has learnt.

A case gives some cells of generation 0.  All cases are asked of one formula, under assumptions, and
with the symmetries of the problem broken: a case that is refuted does not have the least solution,
by generation 0 read row by row, dead before alive.  If every case of a tree is refuted, there is no
least solution, and so there is none.

>>> from satlife.engine import find
>>> from satlife.kinds import oscillator
>>> with Casework(oscillator(3, box="4x4", population="<=9")) as work:
...     cases = work.split((), levels=2)
...     [find(work.problem, engine=work.engine(case)).reason for case in cases]
['refuted by the solver', 'refuted by the solver', 'refuted by the solver', 'refuted by the solver']
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from satlife.closable import Closing
from satlife.engine.engine import GaveUp, Options, Run, Solutions
from satlife.engine.sat.attempt import Attempt, as_solver, choose, tell_built
from satlife.engine.sat.cases import find_free_cells
from satlife.engine.sat.engine import REFUTED, SatEngine
from satlife.formula.build import BuiltFormula, build
from satlife.formula.spacetime import SpaceTime
from satlife.problem import Cells, Problem
from satlife.sat.cubes import Case, Look, Lookahead
from satlife.sat.logic import TRUE
from satlife.sat.solver import OpenSolver, Solver

LEVELS: Final = 6
"""Decisions by which a case is split; with fewer, much time goes into the tries of inner cases."""


class Casework(Closing):
    """A problem's formula in a solver, and in a look-ahead, from case to case."""

    def __init__(self, problem: Problem, wrap: Callable[[Solver], Solver] | None = None) -> None:
        """Build the formula; ``wrap`` takes the place of the solver."""
        self.problem = problem
        self.spacetime = SpaceTime(problem)
        self.chosen = choose(self.spacetime, Options(), once=False)
        solver = as_solver(self.chosen.solver)
        self._solver = wrap(solver) if wrap else solver
        self._opened: OpenSolver | None = None
        self._lookahead: Lookahead | None = None

    @cached_property
    def built(self) -> BuiltFormula:
        """The formula of all cases."""
        chosen = self.chosen
        return build(self.spacetime, chosen.encoding, break_symmetry=chosen.break_symmetry)

    def engine(self, cells: Cells) -> CaseEngine:
        """Return the engine that searches for solutions with these cells."""
        return CaseEngine(self, cells)

    def open(self) -> OpenSolver:
        """Return the solver, with what it has learnt."""
        if self._opened is None:
            self._opened = self._solver.open(self.built.formula)
        return self._opened

    def assume(self, cells: Cells) -> list[int] | None:
        """Return the literals of cells; None if one of them cannot be so."""
        box, first = self.spacetime.boxes[0], self.spacetime.generation(0)
        literals = []
        for x, y, alive in cells:
            literal = int(first[y - box.y, x - box.x]) * (1 if alive else -1)
            if literal == -TRUE:
                return None
            if literal != TRUE:
                literals.append(literal)
        return literals

    def split(self, cells: Cells, levels: int = LEVELS) -> tuple[Cells, ...] | None:
        """Return the cases of a case: () if it cannot be split, None if look-ahead refutes it.

        The decisions form a complete tree: every inner node splits on one cell both ways.  A cell
        of which one value fails at once is not decided, because its other half would be no work; a
        solver finds that by itself.  So no case is left out, and they cover the whole.
        """
        given = None if self.spacetime.clash else self.assume(cells)
        if given is None:
            return None
        free = find_free_cells(self.spacetime)
        if self._lookahead is None:
            self._lookahead = Lookahead(self.built.formula, free)
        look = self._lookahead.look(given)
        leaves = [] if look.is_refuted else _grow(self._lookahead, look, (), levels)
        if len(leaves) < 2:
            return () if leaves else None
        return tuple(tuple(_name(literal, free) for literal in leaf) for leaf in leaves)

    def close(self) -> None:
        """Free the solver and the look-ahead."""
        for each in (self._opened, self._lookahead):
            if each is not None:
                each.close()
        self._opened = self._lookahead = None


class CaseEngine(SatEngine):
    """The SAT engine for one case."""

    def __init__(self, work: Casework, cells: Cells) -> None:
        super().__init__()
        self.work, self.cells = work, cells

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield one solution that has the cells of the case."""
        work = self.work
        if work.spacetime.clash:
            return work.spacetime.clash
        assumed = work.assume(self.cells)
        if assumed is None:
            return "a cell of the case cannot be so"
        tell_built(run, work.built, work.chosen)
        found = Attempt(work.built, work.open(), run).solve(assumed)
        if found is None:
            return REFUTED
        yield found
        raise GaveUp("a case ends with its first solution")


def _grow(lookahead: Lookahead, look: Look, case: Case, levels: int) -> list[Case]:
    """Return the leaves below a case; none if look-ahead refutes it."""
    while levels and look.ranking:
        halves = lookahead.halve(look)
        left = [half for half in halves if not half.is_refuted]
        if len(left) == len(halves):
            below = [(half, (*case, half.case[-1])) for half in halves]
            return [
                leaf
                for half, each in below
                for leaf in _grow(lookahead, half, each, levels - 1) or [each]
            ]
        if not left:
            return []
        (look,) = left
    return [case]


def _name(literal: int, cells: dict[int, tuple[int, int, bool]]) -> tuple[int, int, bool]:
    x, y, alive = cells[abs(literal)]
    return x, y, alive == (literal > 0)
