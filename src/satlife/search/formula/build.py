"""From a problem to its formula.

>>> from satlife.search.problem import Movement, Problem
>>> built = build(Problem(boxes=("4x4",), motion=Movement(period=4, dx=-1, dy=-1)))
>>> built.spacetime.variables
64

A new constraint is a function and a line in the table ``ADDERS``; a new bound is a new measure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from satlife.errors import UsageError
from satlife.sat import Formula, FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.search.formula.arrivals import add_arrival
from satlife.search.formula.asymmetry import add_lacking
from satlife.search.formula.dying import add_dying, add_once
from satlife.search.formula.encodings import ENCODINGS, Encoding, find_encoding
from satlife.search.formula.measures import add_measured
from satlife.search.formula.periods import add_full_period, add_not_empty, add_pattern_period
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.formula.symmetry_breaking import add_symmetry_breaking
from satlife.search.problem import Problem
from satlife.search.problem.comments import problem_comments
from satlife.search.problem.constraints import (
    BOUNDS,
    Arrival,
    FullPeriod,
    Gutter,
    Lacks,
    NotEmpty,
    PatternPeriod,
)

OPEN_ENCODING: Final = "open"
"""The name of the encoding of sets of rules, which no other rule has."""


@dataclass(frozen=True)
class BuiltFormula:
    """A problem as a formula, and where its cells are in it."""

    spacetime: SpaceTime
    formula: Formula
    encoding: str
    breaks_symmetry: bool
    entries: IntArray = field(default_factory=lambda: np.zeros(0, np.int32))
    """The variables of the free entries of an open rule."""


def build(
    problem: Problem | SpaceTime,
    encoding: str | Encoding | None = None,
    *,
    break_symmetry: bool = False,
    named: bool = False,
    also: Callable[[SpaceTime, FormulaBuilder], None] | None = None,
) -> BuiltFormula:
    """Build the formula; if space-time has a clash, it is the empty clause.

    With ``named`` the variables of cells have names, and the problem is a comment, so that a
    solution can be decoded from the file alone.  ``also`` adds clauses that the problem does not
    ask for, such as counters for an optimum, or known objects to exclude.
    """
    spacetime = problem if isinstance(problem, SpaceTime) else SpaceTime(problem)
    problem = spacetime.problem
    if spacetime.space and encoding not in (None, OPEN_ENCODING):
        raise UsageError(
            f"{spacetime.space} is a set of rules, which has an encoding of its own; "
            f"leave the encoding {encoding} out"
        )
    name = OPEN_ENCODING if spacetime.space else choose_encoding(spacetime, encoding).name
    builder = FormulaBuilder(comments=problem_comments(problem) if named else ())
    builder.new_variables(spacetime.variables, spacetime.names() if named else None)
    if spacetime.clash:
        builder.add("clash", np.zeros(1, np.int32))
        return BuiltFormula(spacetime, builder.build(), name, False)
    entries = np.zeros(0, np.int32)
    if spacetime.space and not problem.steps:  # every rule will do
        entries = builder.new_variables(len(spacetime.space.places), spacetime.space.free)
    elif spacetime.space:
        from satlife.search.formula.open_rules import encode_open  # noqa: PLC0415 - few are open

        entries = encode_open(spacetime.transitions(), spacetime.space, builder)
    elif problem.steps:
        chosen = choose_encoding(spacetime, encoding)
        for phase, rule in enumerate(spacetime.tables[: problem.steps]):
            transitions = spacetime.transitions(phase)
            if rule.states > 2:
                transitions = add_dying(transitions, builder)
            chosen.encode(transitions, rule, builder)
    if spacetime.ages:
        add_once(spacetime, builder)
    for constraint in problem.constraints:
        ADDERS[type(constraint)](spacetime, builder, constraint)
    if also:
        also(spacetime, builder)
    broken = break_symmetry and add_symmetry_breaking(spacetime, builder)
    return BuiltFormula(spacetime, builder.build(), name, broken, entries)


def choose_encoding(spacetime: SpaceTime, encoding: str | Encoding | None) -> Encoding:
    """Return the encoding asked for, or the first that supports the rule."""
    if encoding is None:
        return next(each for each in ENCODINGS if each.supports(spacetime.rule))
    return find_encoding(encoding) if isinstance(encoding, str) else encoding


ADDERS: dict[type[Any], Callable[[SpaceTime, FormulaBuilder, Any], None]] = {
    NotEmpty: lambda spacetime, builder, it: add_not_empty(spacetime, builder, it.t),
    FullPeriod: lambda spacetime, builder, _: add_full_period(spacetime, builder),
    PatternPeriod: lambda spacetime, builder, _: add_pattern_period(spacetime, builder),
    Lacks: add_lacking,
    Arrival: add_arrival,
    Gutter: lambda *_: None,  # space-time has its cells as constants
    **dict.fromkeys(BOUNDS, add_measured),
}
"""How each kind of constraint becomes clauses."""
