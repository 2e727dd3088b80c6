"""Growth and decay: how much the population changes from one generation to the next, at most.

With unary counters a and b of two generations, a exceeds b by d or more if and only if some j has
a at least j + d, and b less than j + 1.  So an upper bound is a clause of two literals for each
number of cells and each step; a lower bound, or a count, takes a variable for each.
"""

from __future__ import annotations

import numpy as np

from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import FALSE, add_clauses, all_of, any_of, count_true
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem.constraints import Decay, Growth

Pair = tuple[IntArray, IntArray]


def count_change(
    spacetime: SpaceTime, builder: FormulaBuilder, what: Growth | Decay, cap: int | None
) -> IntArray:
    """Return the growth or decay in unary, with a cap only up to that number."""
    pairs = _pairs(spacetime, builder, what)
    longest = max((len(more) for more, _ in pairs), default=0)
    highest = longest if cap is None else min(cap, longest)
    outputs = [_exceeds(builder, pairs, d) for d in range(1, highest + 1)]
    return np.array(outputs, np.int32)


def bound_change(
    spacetime: SpaceTime,
    builder: FormulaBuilder,
    what: Growth | Decay,
    least: int,
    most: int | None,
) -> None:
    """Add clauses that bound it."""
    pairs = _pairs(spacetime, builder, what)
    if most is not None:
        for more, less in pairs:
            add_clauses(builder, ORIGIN, -more[most:], _pad(less, len(more))[: len(more[most:])])
    if least:
        add_clauses(builder, ORIGIN, np.array([_exceeds(builder, pairs, least)], np.int32))


ORIGIN = "change of population"


def _pairs(spacetime: SpaceTime, builder: FormulaBuilder, what: Growth | Decay) -> list[Pair]:
    """Return the counters of both generations of each step, the one that shall not exceed first."""
    problem = spacetime.problem
    counts = [
        count_true(builder, ORIGIN, spacetime.generation(t).ravel())
        for t in range(problem.generations)
    ]
    later = [*counts[1:], *(counts[:1] if problem.motion else ())]
    steps = zip(later, counts, strict=False)
    return [(new, old) if isinstance(what, Growth) else (old, new) for new, old in steps]


def _exceeds(builder: FormulaBuilder, pairs: list[Pair], d: int) -> int:
    """Return a literal: whether in some pair the first number exceeds the second by d or more."""
    rows = [
        np.column_stack([more[d - 1 :], -_pad(less, len(more))[: len(more[d - 1 :])]])
        for more, less in pairs
        if len(more) >= d
    ]
    if not rows:
        return FALSE
    reached = all_of(builder, ORIGIN, np.concatenate(rows).astype(np.int32))
    return int(any_of(builder, ORIGIN, reached[None])[0])


def _pad(count: IntArray, length: int) -> IntArray:
    """Return the counter with FALSE for the numbers that it cannot reach."""
    return np.pad(count, (0, max(0, length - len(count))), constant_values=FALSE)
