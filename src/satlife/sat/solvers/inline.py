"""A PySAT solver in this very process, for processes that may be killed at any time.

No other process is started, so a small formula costs microseconds and not the 70 ms of a child.
The price: most of these solvers hold the interpreter's lock, cannot be interrupted, and abort the
process when memory runs out.  So this is only for a process that another one watches and replaces,
such as the children of a campaign.  The limit on memory is up to that other process; the limit on
seconds is kept only between slices of conflicts.

>>> from satlife.sat.solvers import find_solver
>>> with InlineSolver(find_solver("cadical")).open(Formula.from_clauses([(1, 2), (-1,)])) as opened:
...     print(opened.solve(), opened.solve([-2]), opened.core())
satisfied refuted (-2,)
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from satlife.errors import SolverError
from satlife.sat.answer import Answer, Model, Refuted, Satisfied, Undecided
from satlife.sat.formula import Formula, IntArray
from satlife.sat.solver import (
    Limits,
    OpenSolver,
    Progress,
    ProgressCallback,
    Solver,
    Statistics,
)
from satlife.sat.solvers._pysat_child import decide, statistics
from satlife.sat.solvers.numbering import Numbering
from satlife.sat.solvers.pysat import GROWTH, REASONS, PysatSolver

_FAST_GROWTH = 16.0
"""Of slices, for solvers that lose speed by them: a long run has three or four."""


class InlineSolver(Solver):
    """One of PySAT's solvers, without its child process."""

    def __init__(self, solver: Solver) -> None:
        if not isinstance(solver, PysatSolver):
            raise SolverError(f"{solver.name} is a program of its own and cannot run inline")
        self.pysat = solver
        self.name = solver.name
        self.title = f"{solver.title}, in this process"
        self.abilities = solver.abilities

    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenInline:
        """Open a formula."""
        return OpenInline(self, formula, limits, seed, progress)


class OpenInline(OpenSolver):
    """An open session with a PySAT solver in this process."""

    solver: InlineSolver

    def __init__(
        self,
        solver: InlineSolver,
        formula: Formula,
        limits: Limits | None,
        seed: int | None,
        progress: ProgressCallback | None,
    ) -> None:
        super().__init__(solver, formula, limits)
        self._numbering = Numbering(formula.variables, seed)
        self._progress = progress
        self._fed = 0
        self._pysat: Any = None
        self._seconds = 0.0

    def statistics(self) -> Statistics:
        """Return the work done so far."""
        known = {} if self._pysat is None else statistics(self._pysat)
        return Statistics(self._seconds, **known)

    def close(self) -> None:
        """Free the solver."""
        super().close()
        self._drop()

    def _drop(self) -> None:
        if self._pysat is not None:
            self._pysat.delete()
            self._pysat = None
            self._fed = 0

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        start = time.monotonic()
        try:
            self._feed()
            return self._decide(self._numbering.there(assumptions).tolist(), limits, start)
        finally:
            self._seconds += time.monotonic() - start

    def _feed(self) -> None:
        from pysat.solvers import NoSuchSolverError, Solver as Pysat  # noqa: I001, PLC0415

        if not self.solver.abilities.incremental:
            self._drop()
        if self._pysat is None:
            try:
                self._pysat = Pysat(name=self.solver.pysat.pysat_name)
            except (NoSuchSolverError, AssertionError, NotImplementedError) as error:
                raise SolverError(f"PySAT has no {self.solver.name} here: {error}") from None
        add_clause = self._pysat.add_clause
        for block in self.blocks[self._fed :]:
            literals = self._numbering.there(block.literals)
            ends = np.flatnonzero(literals == 0).tolist()
            # PySAT takes any iterable of int; slices of a view are the cheapest.
            view: memoryview = np.ascontiguousarray(literals, np.int32).data
            begin = 0
            for end in ends:
                add_clause(view[begin:end])
                begin = end + 1
        self._fed = len(self.blocks)

    def _decide(self, assumptions: list[int], limits: Limits, start: float) -> Answer:
        def report(conflicts: int) -> None:
            if self._progress is not None:
                self._progress(Progress(time.monotonic() - start, conflicts))

        left = limits.since(start).seconds
        status = decide(
            self._pysat, assumptions, left, limits.conflicts, self._growth(limits), report
        )
        if status == "satisfied":
            literals = np.array(self._pysat.get_model() or (), np.int32)
            return Satisfied(Model.from_literals(self._numbering.back(literals), self.variables))
        if status == "refuted":
            core = np.array(self._pysat.get_core() or () if assumptions else (), np.int32)
            return Refuted(tuple(self._numbering.back(core).tolist()))
        return Undecided(REASONS[status])

    def _growth(self, limits: Limits) -> float | None:
        able = self.solver.abilities
        if able.progress:
            return GROWTH
        must_look = limits.seconds is not None and able.conflict_limit and able.incremental
        return _FAST_GROWTH if must_look else None
