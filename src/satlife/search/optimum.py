"""The best solution: smallest, densest, least rotor …, with a proof that nothing is better.

One solver process keeps what it has learnt while the bound moves: the measure is counted in unary,
and "better than the best so far" is one assumption on the counter's outputs.  When it is refuted,
the best is proved best, the bound becomes a clause, and the next measure follows.

>>> from satlife.search.kinds import still_life
>>> best = optimise(still_life(box="4x4"), [Goal.parse("maximize", "population")])
>>> best.values, best.proved
((8,), True)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from satlife.errors import UsageError
from satlife.sat import FormulaBuilder, Refuted, Satisfied, find_solver
from satlife.sat.solver import OpenSolver
from satlife.search.auto import choose
from satlife.search.build import Built, build
from satlife.search.evaluate import evaluate
from satlife.search.find import check, make_provenance
from satlife.search.how import How
from satlife.search.measures import Count, Measure, find_measure
from satlife.search.outcome import Finding, Impossible, Provenance, Undecided
from satlife.search.problem import Problem
from satlife.search.spacetime import SpaceTime
from satlife.search.transitions import FALSE, TRUE


@dataclass(frozen=True)
class Goal:
    """A measure, and whether less or more of it is better."""

    measure: Measure
    maximize: bool = False

    @classmethod
    def parse(cls, direction: str, name: str) -> Goal:
        """Make a goal of ``minimize`` or ``maximize`` and a measure's name."""
        if direction not in ("minimize", "maximize"):
            raise UsageError(f"a goal is to minimize or to maximize, not to {direction}")
        return cls(find_measure(name), direction == "maximize")

    def __str__(self) -> str:
        return f"{'most' if self.maximize else 'least'} {self.measure.name}"


@dataclass(frozen=True)
class Best:
    """The best solution found; ``proved`` says whether there is none better."""

    finding: Finding
    goals: tuple[Goal, ...]
    values: tuple[int, ...]
    """The value of each measure, in the order of the goals."""
    proved: bool
    reason: str = ""
    """Why it is not proved: a limit."""

    def __str__(self) -> str:
        values = ", ".join(
            f"{goal} {value}" for goal, value in zip(self.goals, self.values, strict=True)
        )
        return f"{values} ({'proved' if self.proved else f'not proved best: {self.reason}'})"


Optimum = Best | Impossible | Undecided


def optimise(
    problem: Problem,
    goals: Sequence[Goal],
    how: How | None = None,
    on_better: Callable[[Best], None] | None = None,
) -> Optimum:
    """Find the best solution by the goals in their order; ``on_better`` hears of each step."""
    how = how or How()
    if not goals:
        raise UsageError("there is nothing to optimise: give a measure")
    begun = time.monotonic()
    spacetime = SpaceTime(problem)
    if spacetime.clash:
        return Impossible(problem, spacetime.clash)
    plan = choose(spacetime, how)
    solver = find_solver(plan.solver) if isinstance(plan.solver, str) else plan.solver
    if not (solver.abilities.incremental and solver.abilities.assumptions):
        raise UsageError(f"{solver.name} starts anew with every bound; use cadical")
    counts: list[Count] = []

    def count(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        counts.extend(goal.measure.count(spacetime, builder) for goal in goals)

    broken = plan.break_symmetry and _may_break(problem, goals)
    built = build(spacetime, plan.encoding, break_symmetry=broken, also=count)
    built_after = time.monotonic() - begun
    if how.on_built:
        how.on_built(built)
    with solver.open(built.formula, seed=plan.seed, progress=how.progress) as opened:
        return _Climb(problem, tuple(goals), built, counts, opened, how, begun).run(
            lambda: make_provenance(built, plan, built_after, opened.statistics()), on_better
        )


def _may_break(problem: Problem, goals: Sequence[Goal]) -> bool:
    """Whether all images of a solution are equally good: no phases, no width turned to height."""
    one_phase = problem.motion is not None and problem.motion.period == 1
    return one_phase and all(goal.measure.name in ("population", "area") for goal in goals)


class _Climb:
    """The state of an optimisation: one open solver, the best so far."""

    def __init__(
        self,
        problem: Problem,
        goals: tuple[Goal, ...],
        built: Built,
        counts: list[Count],
        solver: OpenSolver,
        how: How,
        begun: float,
    ) -> None:
        self.problem, self.goals, self.built = problem, goals, built
        self.counts, self.solver, self.how, self.begun = counts, solver, how, begun

    def run(
        self, provenance: Callable[[], Provenance], on_better: Callable[[Best], None] | None
    ) -> Optimum:
        """Improve goal by goal."""
        best: Best | None = None
        reason = ""
        level = 0
        while level < len(self.goals):
            better = [] if best is None else self._better_than(level, best.values[level])
            # Where no better value can be counted, there is nothing to ask.
            answer = (
                Refuted()
                if better is None
                else self.solver.solve(better, self.how.limits.since(self.begun))
            )
            match answer:
                case Satisfied(model):
                    finding = check(self.built, model, provenance())
                    values = tuple(
                        evaluate(self.problem, finding.history, goal.measure.what)
                        for goal in self.goals
                    )
                    best = Best(finding, self.goals, values, proved=False, reason="unfinished")
                    if on_better:
                        on_better(best)
                case Refuted():
                    if best is None:
                        return Impossible(self.problem, "refuted by the solver", provenance())
                    self._fix(level, best.values[level])
                    level += 1
                case undecided:
                    reason = str(undecided)
                    if best is None:
                        return Undecided(self.problem, reason, provenance())
                    return replace(best, reason=reason)
        if best is None:
            raise AssertionError("a climb ends with a best, or before")
        return replace(best, proved=True, reason="")

    def _better_than(self, level: int, value: int) -> list[int] | None:
        """Return the assumption "strictly better"; None if that cannot be."""
        count = self.counts[level]
        better = self.goals[level].maximize
        wanted = count.at_least(value + 1) if better else count.at_most(value - 1)
        return None if wanted == FALSE else [wanted]

    def _fix(self, level: int, value: int) -> None:
        """Keep the value for good."""
        count = self.counts[level]
        literal = count.at_least(value) if self.goals[level].maximize else count.at_most(value)
        if literal != TRUE:
            self.solver.add(np.array([literal, 0], np.int32))
