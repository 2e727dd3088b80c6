"""Clauses that exclude smaller periods.

A pattern of period p has a smaller period if and only if it has period p/q for some q that divides
p; a ship would move by d/q in that time.  A *difference* is a new variable that can be true only if
two cells differ, so it is a witness.

``FullPeriod`` requires a single cell with the whole period: there is a selector for each cell, at
least one selector is true, and a selected cell differs, for every q, from itself p/q later in some
generation.  ``PatternPeriod`` only requires generation 0 to differ from generation p/q somewhere,
for every q: octagon 2 beside a blinker then has period 10.
"""

from __future__ import annotations

import numpy as np

from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import FALSE, TRUE, add_clauses, number_rows
from satlife.search.formula.isometry import Coordinates
from satlife.search.formula.spacetime import SpaceTime, places

ORIGIN = "period"


def prime_factors(number: int) -> list[int]:
    """Return the primes that divide the number.

    >>> prime_factors(12), prime_factors(1)
    ([2, 3], [])
    """
    return [q for q in range(2, number + 1) if number % q == 0 and all(q % d for d in range(2, q))]


def excluded_parts(spacetime: SpaceTime) -> list[int]:
    """Return the q for which a period p/q is possible and must be excluded.

    Primes are enough for a pattern that does not move and whose generations determine each other.
    In a moving pattern a cell is compared with another one, and with exempt cells generation p/4
    does not determine p/2.
    """
    motion = spacetime.problem.motion
    if motion is None or motion.transform != "identity":
        return []
    every = motion.dx or motion.dy or spacetime.problem.exempt or spacetime.rule.is_strobing
    every = every or spacetime.problem.boundary == "agar"  # of which the box is only a part
    parts = range(2, motion.period + 1) if every else prime_factors(motion.period)
    # On a strobing background only an even number of generations is a period.
    beats = len(spacetime.tables)
    return [q for q in parts if motion.period % (q * beats) == motion.dx % q == motion.dy % q == 0]


def add_full_period(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
    """Require a cell with the full period."""
    parts = excluded_parts(spacetime)
    motion = spacetime.problem.motion
    if not parts or motion is None:
        add_not_empty(spacetime, builder, 0)
        return
    x, y = _frame(spacetime)
    # The history of a cell, its literals in all generations, is compared with p/q later.
    history = np.stack([spacetime.literals(x, y, t) for t in range(motion.period)], axis=1)
    later = [_later(spacetime, x, y, q) for q in parts]
    rows = np.concatenate([history, *later], axis=1)
    first, _ = number_rows(rows)  # symmetric cells need one selector
    history = history[first]
    selectors = builder.new_variables(len(history))
    builder.add(ORIGIN, np.append(selectors, 0).astype(np.int32))
    for each in later:
        witnesses = differences(builder, history, each[first])
        add_clauses(builder, ORIGIN, -selectors, witnesses, keep_order=True)


def add_pattern_period(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
    """Require generation 0 as a whole to differ from generation p/q, for every q."""
    parts = excluded_parts(spacetime)
    motion = spacetime.problem.motion
    if not parts or motion is None:
        add_not_empty(spacetime, builder, 0)
        return
    x, y = _frame(spacetime)
    # Which cells are dying is said by the generations before; if none differs, none ever will.
    times = range(0, 1 - spacetime.rule.states, -1)
    for q in parts:
        now = np.concatenate([spacetime.literals(x, y, t) for t in times])
        then = np.concatenate([_moved(spacetime, x, y, q, t) for t in times])
        first, _ = number_rows(np.stack([now, then], axis=1))
        witnesses = differences(builder, now[first][:, None], then[first][:, None])
        add_clauses(builder, ORIGIN, witnesses.reshape(1, -1), keep_order=True)


def add_not_empty(spacetime: SpaceTime, builder: FormulaBuilder, t: int) -> None:
    """Require a live cell in generation t."""
    add_clauses(builder, "not empty", spacetime.generation(t).reshape(1, -1))


def _frame(spacetime: SpaceTime) -> tuple[Coordinates, Coordinates]:
    """Return all places where a cell, or its image in a smaller period, can live."""
    frame = spacetime.boxes[0]
    for box in spacetime.boxes:
        frame |= box
    motion = spacetime.problem.motion
    if motion is not None and spacetime.problem.boundary == "dead":
        frame = frame.grow(max(abs(motion.dx), abs(motion.dy)))
    return places(frame)


def _moved(spacetime: SpaceTime, x: Coordinates, y: Coordinates, q: int, t: int) -> IntArray:
    motion = spacetime.problem.motion
    if motion is None:
        raise AssertionError("only a motion has parts")
    return spacetime.literals(x + motion.dx // q, y + motion.dy // q, t + motion.period // q)


def _later(spacetime: SpaceTime, x: Coordinates, y: Coordinates, q: int) -> IntArray:
    steps = range(spacetime.problem.steps)
    return np.stack([_moved(spacetime, x, y, q, t) for t in steps], axis=1)


def differences(
    builder: FormulaBuilder, one: IntArray, other: IntArray, origin: str = ORIGIN
) -> IntArray:
    """Return literals that are true only if two cells differ; constants where that is known."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    result = np.full(one.shape, FALSE, np.int32)
    result[low == -high] = TRUE
    # The difference from a constant is the cell itself, or its negation.
    known, constant = np.abs(one) == TRUE, np.abs(other) == TRUE
    result[known & ~constant] = np.where(one == TRUE, -other, other)[known & ~constant]
    result[constant & ~known] = np.where(other == TRUE, -one, one)[constant & ~known]
    open_ = ~known & ~constant & (low != high) & (low != -high)
    pairs = np.stack([low[open_], high[open_]], axis=1)
    if len(pairs):
        first, number = number_rows(pairs)
        u, v = pairs[first].T
        d = builder.new_variables(len(first))
        builder.add(origin, np.stack([u, v, -d], axis=1))
        builder.add(origin, np.stack([-u, -v, -d], axis=1))
        result[open_] = d[number]
    return result
