"""What several kinds share."""

from __future__ import annotations

from satlife.life import PartialPattern, Pattern
from satlife.life.partial import ALIVE, DEAD
from satlife.search.constraints import (
    Constraint,
    FullPeriod,
    NotEmpty,
    PatternPeriod,
    Population,
)
from satlife.search.problem import Known

_STATES = {DEAD: ".", ALIVE: "o"}


def period_constraints(period: int, composite: bool) -> tuple[Constraint, ...]:
    """Not empty, and no smaller period: of one cell, or of the whole pattern only."""
    if period == 1:
        return (NotEmpty(),)
    return (PatternPeriod() if composite else FullPeriod(),)


def population_constraints(*bounds: str | None) -> tuple[Population, ...]:
    """Read bounds on the population of generation 0."""
    return tuple(Population.parse(bound) for bound in bounds if bound is not None)


def draw_known(pattern: Pattern | PartialPattern, t: int = 0) -> Known:
    """Turn a generation of a pattern into known cells; all of its box counts."""
    partial = PartialPattern.from_pattern(pattern) if isinstance(pattern, Pattern) else pattern
    index = t if partial.generations > 1 else 0
    rows = tuple(
        "".join(_STATES.get(state, "?") for state in row) for row in partial.states[index].tolist()
    )
    return Known(t=t, x=partial.x, y=partial.y, rows=rows)
