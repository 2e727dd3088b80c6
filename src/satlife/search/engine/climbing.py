"""The best solution by SAT: smallest, densest, least rotor …, with a proof that nothing is better.

One solver keeps what it has learnt while the bound moves: the measure is counted in unary, and
"better than the best so far" is one assumption on the counter's outputs.  When it is refuted, the
best is proved best, the bound becomes a clause, and the next measure follows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from satlife.sat import FormulaBuilder
from satlife.sat.logic import FALSE, TRUE
from satlife.search.checking.evaluate import evaluate
from satlife.search.engine.attempt import Attempt, attempt
from satlife.search.engine.defaults import Solutions
from satlife.search.engine.engine import Run
from satlife.search.engine.goals import Goal
from satlife.search.formula.measures import Count
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Problem


def climb(spacetime: SpaceTime, run: Run, goals: Sequence[Goal]) -> Solutions:
    """Yield better and better solutions, goal by goal; return when the last one is the best."""
    counts: list[Count] = []
    problem = spacetime.problem

    def count(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        counts.extend(goal.measure.count(spacetime, builder) for goal in goals)

    may_break = _may_break(problem, goals)
    with attempt(spacetime, run, also=count, again=True, may_break=may_break) as trial:
        best = trial.solve()
        if best is None:
            return "refuted by the solver"
        yield best
        for goal, counted in zip(goals, counts, strict=True):
            value = evaluate(problem, best, goal.measure.what)
            # Where no better value can be counted, there is nothing to ask.
            while (better := _better_than(goal, counted, value)) is not None:
                history = trial.solve([better])
                if history is None:
                    break
                best, value = history, evaluate(problem, history, goal.measure.what)
                yield best
            _fix(trial, goal, counted, value)
    return "nothing is better"


def _may_break(problem: Problem, goals: Sequence[Goal]) -> bool:
    """Whether all images of a solution are equally good: no phases, no width turned to height."""
    one_phase = problem.motion is not None and problem.motion.period == 1
    return one_phase and all(goal.measure.name in ("population", "area") for goal in goals)


def _better_than(goal: Goal, count: Count, value: int) -> int | None:
    """Return the assumption "strictly better"; None if that cannot be."""
    wanted = count.at_least(value + 1) if goal.maximize else count.at_most(value - 1)
    return None if wanted == FALSE else wanted


def _fix(trial: Attempt, goal: Goal, count: Count, value: int) -> None:
    """Keep the value for good."""
    literal = count.at_least(value) if goal.maximize else count.at_most(value)
    if literal != TRUE:
        trial.add(np.array([literal, 0], np.int32))
