"""Constraints on solutions: frozen values that print as words.

>>> print(Population(least=36), Gutter(), sep="; ")
at least 36 cells in generation 0; every cell on an axis of the symmetry is dead in every generation

Those of :mod:`satlife.problem.bounds` bound a number that every solution has; those of
:mod:`satlife.problem.conditions` ask that it is not empty, has no smaller period, or has or lacks
a symmetry. By that of :mod:`satlife.problem.arrivals`, an input comes in one of several lanes; by
that of :mod:`satlife.problem.restoration`, a catalyst is disturbed and itself again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from satlife.problem import arrivals, bounds, conditions, restoration
from satlife.problem.arrivals import *  # noqa: F403 - each constraint is named here, too
from satlife.problem.bounds import *  # noqa: F403
from satlife.problem.conditions import *  # noqa: F403
from satlife.problem.restoration import *  # noqa: F403
from satlife.problem.statement import Condition

Constraint = (
    conditions.NotEmpty
    | conditions.FullPeriod
    | conditions.PatternPeriod
    | bounds.AnyBound
    | conditions.Gutter
    | conditions.Lacks
    | arrivals.Arrival
    | restoration.Restored
)
"""Any constraint of a problem."""

CONSTRAINTS: tuple[type[Constraint], ...] = get_args(Constraint)


def list_phrases(constraints: Sequence[Condition]) -> list[str]:
    """Return what stands in a title after "with": bounds first, and nothing twice.

    >>> list_phrases([NotEmpty(), Gutter(), Lacks("C2"), Lacks("D8"), *[Width(most=9)] * 2])
    ['a width of at most 9', 'no symmetry C2 or D8', 'a gutter']
    """
    numbers = dict.fromkeys(each.phrase for each in constraints if isinstance(each, bounds.Bound))
    lacked = [each.excluded_symmetry for each in constraints if each.excluded_symmetry]
    lacking = [f"no symmetry {' or '.join(lacked)}"] if lacked else []
    counted = bounds.Bound | conditions.Lacks
    others = {each.phrase for each in constraints if not isinstance(each, counted)}
    return [*numbers, *lacking, *sorted(others - {""})]
