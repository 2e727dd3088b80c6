"""Optimisation by SAT: smallest, densest, least rotor …, with a refutation of anything better.

One incremental solver is used while the bound moves: the measure is counted in unary, and "better
than the best so far" is one assumption on the counter's outputs.  When it is refuted, the best is
proved optimal, the bound becomes a clause, and the next measure follows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from satlife.engine.engine import Run, Solutions
from satlife.engine.goals import Goal
from satlife.engine.sat.attempt import REFUTED, attempt
from satlife.formula.measures import Count
from satlife.formula.spacetime import SpaceTime
from satlife.sat import FormulaBuilder
from satlife.sat.logic import FALSE, TRUE
from satlife.verifier.constraints import evaluate


def climb(spacetime: SpaceTime, run: Run, goals: Sequence[Goal]) -> Solutions:
    """Yield ever better solutions, goal by goal; return when the last one is optimal."""
    counts: list[Count] = []
    problem = spacetime.problem

    def count(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        counts.extend(goal.measure.count(spacetime, builder) for goal in goals)

    # Symmetry may be broken where phases and turns leave all measures unchanged.
    is_still = problem.motion is not None and problem.motion.period == 1
    may_break = is_still and all(goal.measure.name in ("population", "area") for goal in goals)
    with attempt(spacetime, run, also=count, again=True, may_break=may_break) as trial:
        best = trial.solve()
        if best is None:
            return REFUTED
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
            literal = counted.at_least(value) if goal.maximize else counted.at_most(value)
            if literal != TRUE:
                trial.add(np.array([literal, 0], np.int32))
    return "nothing is better"


def _better_than(goal: Goal, count: Count, value: int) -> int | None:
    """Return the assumption "strictly better"; None if that is impossible."""
    wanted = count.at_least(value + 1) if goal.maximize else count.at_most(value - 1)
    return None if wanted == FALSE else wanted
