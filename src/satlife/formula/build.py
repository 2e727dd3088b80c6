"""From a problem to its formula.

>>> from satlife.life.motion import Motion
>>> from satlife.problem import Problem
>>> built = build(Problem(boxes=("4x4",), motion=Motion(period=4, dx=-1, dy=-1)))
>>> built.spacetime.variables
64

Placement clauses make a pattern that could be shifted touch edges of the box.

>>> from satlife.kinds import still_life
>>> builder = FormulaBuilder(variables=9)
>>> reach(SpaceTime(still_life(box="3x3")), builder, TOP, LEFT)
>>> list(builder.build())
[(1, 2, 3), (1, 4, 7)]

The size of an encoding for a rule is that of one transition.

>>> from satlife.formula.encodings import find_encoding
>>> measure(find_encoding("columns"), Rule("B3/S23"))
Size(variables=3.0, clauses=54.0, literals=220.0)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from msgspec import Struct

from satlife.errors import UsageError
from satlife.formula.constraints import ADDERS
from satlife.formula.encodings import ENCODINGS, Encoding, find_encoding
from satlife.formula.least_images import add_symmetry_breaking
from satlife.formula.spacetime import SpaceTime, add_dying, add_once
from satlife.formula.transitions import Transitions
from satlife.life.neighbourhood import OFFSETS
from satlife.life.rule import Rule
from satlife.problem import Problem
from satlife.problem.problem import problem_comments
from satlife.sat import Formula, FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import add_clauses

OPEN_ENCODING: Final = "open"
"""The name of the encoding of sets of rules, which no other rule has."""


@dataclass(frozen=True)
class BuiltFormula:
    """A problem as a formula, with the variables of its cells."""

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
        from satlife.formula.spacetime import encode_open  # noqa: PLC0415 - few are open

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


Edge = tuple[slice | int, slice | int]
"""The index of an edge in the array of a generation, [y, x]."""

TOP: Final[Edge] = (0, slice(None))
LEFT: Final[Edge] = (slice(None), 0)


def reach(spacetime: SpaceTime, builder: FormulaBuilder, *edges: Edge) -> None:
    """Require a live cell at each of the edges, in any generation."""
    for edge in edges:
        cells = [spacetime.generation(t)[edge].ravel() for t in range(len(spacetime.boxes))]
        add_clauses(builder, "reaches the edge", np.concatenate(cells)[None])


SIDE: Final = 24
"""Of the torus that is encoded: even, since cells may share by parity, and not small."""


class Size(Struct, frozen=True):
    """The size of one transition, with nothing known around it."""

    variables: float
    """New ones, beside the cells."""
    clauses: float
    literals: float


def measure(encoding: Encoding, rule: Rule) -> Size:
    """Return the size of a step on a torus, where all cells share alike, for each cell."""
    now, then = np.arange(1, 2 * SIDE * SIDE + 1, dtype=np.int32).reshape(2, SIDE, SIDE)
    cells = np.stack([np.roll(now, (-dy, -dx), (0, 1)).reshape(-1) for dx, dy in OFFSETS], axis=1)
    y, x = np.divmod(np.arange(SIDE * SIDE), SIDE)
    builder = FormulaBuilder(variables=2 * SIDE * SIDE)
    places = np.stack([x, y, np.zeros_like(x)], axis=1)
    encoding.encode(Transitions(cells, then.reshape(-1), places), rule, builder)
    formula = builder.build()
    literals = sum(np.count_nonzero(block.literals) for block in formula.blocks)
    count = SIDE * SIDE
    return Size(
        (formula.variables - 2 * count) / count, formula.clauses / count, int(literals) / count
    )
