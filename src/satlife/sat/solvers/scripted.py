"""A fake solver for unit tests, which returns given answers.

>>> from satlife.sat.answer import Reason, Refuted, Undecided
>>> solver = ScriptedSolver([Undecided(Reason.TIME_LIMIT), Refuted()])
>>> with solver.open(Formula.from_clauses([(1, 2)])) as opened:
...     print(opened.solve(), opened.solve([-1]), opened.asked, sep="; ")
time limit; refuted; [(), (-1,)]
"""

from __future__ import annotations

from collections.abc import Iterable

from satlife.errors import SolverError
from satlife.sat.answer import Answer
from satlife.sat.formula import Formula, IntArray
from satlife.sat.solver import Abilities, Limits, OpenSolver, ProgressCallback, Solver, Statistics


class ScriptedSolver(Solver):
    """Returns the answers of a list, one for each call of ``solve``, whatever the formula."""

    name = "scripted"
    title = "given answers, for tests"
    abilities = Abilities()

    def __init__(self, answers: Iterable[Answer], abilities: Abilities | None = None) -> None:
        self.answers = list(answers)
        self.abilities = abilities or self.abilities
        self.opened: list[OpenScripted] = []
        """All sessions, in the order of opening, for tests to inspect."""

    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenScripted:
        """Open a formula; all sessions share the answers."""
        opened = OpenScripted(self, formula, limits)
        self.opened.append(opened)
        return opened


class OpenScripted(OpenSolver):
    """An open session with a scripted solver."""

    def __init__(self, solver: ScriptedSolver, formula: Formula, limits: Limits | None) -> None:
        super().__init__(solver, formula, limits)
        self.asked: list[tuple[int, ...]] = []
        """The assumptions of each call."""
        self.limits_asked: list[Limits] = []
        self._answers = solver.answers

    def statistics(self) -> Statistics:
        """Return no work at all."""
        return Statistics()

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        self.asked.append(tuple(assumptions.tolist()))
        self.limits_asked.append(limits)
        if not self._answers:
            raise SolverError("the scripted solver has no answers left")
        return self._answers.pop(0)
