"""All rules of a set that have a solution: ranges of rules, with a solution for each.

Each solution excludes all rules in which it works, so that the next one adds at least one new rule.
When there are no more solutions, the ranges hold every rule that has one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from satlife.engine.engine import Run, Solutions
from satlife.engine.sat.attempt import Attempt, attempt
from satlife.engine.wanted import Wanted
from satlife.errors import UsageError
from satlife.formula.classes import History
from satlife.formula.spacetime import SpaceTime
from satlife.life.rulespaces import OPEN
from satlife.sat.formula import IntArray
from satlife.sat.solver import Solver
from satlife.verifier.verify import find_rules


def list_ranges(
    spacetime: SpaceTime,
    run: Run,
    wanted: Wanted,
    wrap: Callable[[Solver], Solver] | None = None,
) -> Solutions:
    """Yield a solution for each range; together the ranges hold every rule that has one."""
    for given, what in (
        (wanted.raw, "raw"),
        (wanted.reject, "reject"),
        (wanted.only_connected, "only_connected"),
        (wanted.same == "rotor", "same rotor"),
    ):
        if given:
            raise UsageError(
                f"{what} needs one rule, and {spacetime.problem.rule} is a set of rules"
            )
    with attempt(spacetime, run, again=True, wrap=wrap) as trial:
        for history in wanted.already_found:
            trial.add(_exclude_rules(trial, history))
        while (found := trial.solve()) is not None:
            trial.add(_exclude_rules(trial, found))
            yield found
    return "refuted by the solver"


def _exclude_rules(trial: Attempt, history: History) -> IntArray:
    """Return a clause against all rules in which the solution works."""
    space, rules = trial.spacetime.space, find_rules(trial.spacetime.problem, history)
    fates = rules.entries_in(space.classes) if rules and space else None
    if space is None or fates is None:
        raise AssertionError("a solution of an open problem has a rule")
    clause = [
        -variable if fate else variable
        for variable, fate in zip(trial.built.entries.tolist(), fates[space.places], strict=True)
        if fate != OPEN
    ]
    return np.array([*clause, 0], np.int32)
