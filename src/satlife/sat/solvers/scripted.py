"""A solver that says what it was told to say: the fake for unit tests.

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
from satlife.sat.formula import Block, Formula, IntArray
from satlife.sat.solver import Abilities, Limits, OpenSolver, ProgressCallback, Solver, Statistics


class ScriptedSolver(Solver):
    """Gives the answers of a list, one for each call of ``solve``, whatever the formula."""

    name = "scripted"
    title = "answers by a script, for tests"
    abilities = Abilities()

    def __init__(self, answers: Iterable[Answer], abilities: Abilities | None = None) -> None:
        self.answers = list(answers)
        self.abilities = abilities or self.abilities
        self.opened: list[OpenScripted] = []
        """Everything that was opened, in order: what tests look at."""

    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenScripted:
        """Open a formula; all that is opened shares the script."""
        opened = OpenScripted(self.answers, formula, limits)
        self.opened.append(opened)
        return opened


class OpenScripted(OpenSolver):
    """A formula in the hands of a scripted solver."""

    def __init__(self, answers: list[Answer], formula: Formula, limits: Limits | None) -> None:
        super().__init__(formula.variables, limits)
        self.blocks: list[Block] = []
        """All clauses: the formula's, then those added."""
        self.asked: list[tuple[int, ...]] = []
        """The assumptions of each call."""
        self.limits_asked: list[Limits] = []
        self.closed = False
        self._answers = answers
        self.add(formula)

    def statistics(self) -> Statistics:
        """Give no work at all."""
        return Statistics()

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True

    def _add(self, block: Block) -> None:
        self.blocks.append(block)

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        self.asked.append(tuple(assumptions.tolist()))
        self.limits_asked.append(limits)
        if not self._answers:
            raise SolverError("the script of the scripted solver is at its end")
        return self._answers.pop(0)
