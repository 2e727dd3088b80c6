"""Clauses that exclude smaller periods.

A pattern of period p has a smaller one if and only if it has period p/q for some q that divides p;
a ship would then move d/q in it.  A *difference* is a new variable that may be true only
if two cells differ, so its truth is a witness.

``FullPeriod`` asks it of a single cell: one selector for each cell, at least one selector true, and
a selected cell has, for every q, a generation in which it differs from itself p/q later.
``PatternPeriod`` asks only that generation 0 differs from generation p/q somewhere, for every q:
octagon 2 beside a blinker then has period 10.
"""

from __future__ import annotations

import numpy as np

from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.search.formula.isometry import Coordinates
from satlife.search.formula.spacetime import SpaceTime, places
from satlife.search.formula.transitions import FALSE, TRUE, number_rows

ORIGIN = "period"


def prime_factors(number: int) -> list[int]:
    """Return the primes that divide the number.

    >>> prime_factors(12), prime_factors(1)
    ([2, 3], [])
    """
    return [q for q in range(2, number + 1) if number % q == 0 and all(q % d for d in range(2, q))]


def excluded_parts(spacetime: SpaceTime) -> list[int]:
    """Return the q for which a period p/q is possible and must be ruled out.

    Primes are enough for a pattern that stays and follows from itself.  A cell that moves is
    another cell d/q later, and where cells are exempt, generation p/4 says nothing of p/2.
    """
    motion = spacetime.problem.motion
    if motion is None or motion.transform != "identity":
        return []
    every = motion.dx or motion.dy or spacetime.problem.exempt
    parts = range(2, motion.period + 1) if every else prime_factors(motion.period)
    return [q for q in parts if motion.period % q == motion.dx % q == motion.dy % q == 0]


def add_full_period(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
    """Some cell has the full period."""
    parts = excluded_parts(spacetime)
    motion = spacetime.problem.motion
    if not parts or motion is None:
        add_not_empty(spacetime, builder, 0)
        return
    x, y = _frame(spacetime)
    # A cell's history is its literals in all generations, for each q compared with p/q later.
    history = np.stack([spacetime.literals(x, y, t) for t in range(motion.period)], axis=1)
    later = [_later(spacetime, x, y, q) for q in parts]
    rows = np.concatenate([history, *later], axis=1)
    first, _ = number_rows(rows)  # symmetric cells need one selector
    history = history[first]
    selectors = builder.new_variables(len(history))
    builder.add(ORIGIN, np.append(selectors, 0).astype(np.int32))
    for each in later:
        differences = _differences(builder, history, each[first])
        _add_implied_clauses(builder, -selectors, differences)


def add_pattern_period(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
    """Generation 0 as a whole differs from generation p/q, for every q."""
    parts = excluded_parts(spacetime)
    motion = spacetime.problem.motion
    if not parts or motion is None:
        add_not_empty(spacetime, builder, 0)
        return
    x, y = _frame(spacetime)
    for q in parts:
        now = spacetime.literals(x, y, 0)
        then = _moved(spacetime, x, y, q, 0)
        first, _ = number_rows(np.stack([now, then], axis=1))
        differences = _differences(builder, now[first][:, None], then[first][:, None])
        _add_implied_clauses(builder, np.array([FALSE], np.int32), differences.reshape(1, -1))


def add_not_empty(spacetime: SpaceTime, builder: FormulaBuilder, t: int) -> None:
    """Some cell of generation t lives."""
    literals = np.array([sorted(set(spacetime.generation(t).ravel().tolist()))], np.int32)
    _add_implied_clauses(builder, np.array([FALSE], np.int32), literals, "not empty")


def _frame(spacetime: SpaceTime) -> tuple[Coordinates, Coordinates]:
    """All places where a cell or its image in a smaller period can live."""
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


def _differences(builder: FormulaBuilder, one: IntArray, other: IntArray) -> IntArray:
    """Return literals, each true only if the two cells differ; constants where that is known."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    result = np.full(one.shape, FALSE, np.int32)
    result[low == -high] = TRUE
    # Against a constant the difference is the cell itself, or its negation.
    known, constant = np.abs(one) == TRUE, np.abs(other) == TRUE
    result[known & ~constant] = np.where(one == TRUE, -other, other)[known & ~constant]
    result[constant & ~known] = np.where(other == TRUE, -one, one)[constant & ~known]
    open_ = ~known & ~constant & (low != high) & (low != -high)
    pairs = np.stack([low[open_], high[open_]], axis=1)
    if len(pairs):
        first, number = number_rows(pairs)
        u, v = pairs[first].T
        d = builder.new_variables(len(first))
        builder.add(ORIGIN, np.stack([u, v, -d], axis=1))
        builder.add(ORIGIN, np.stack([-u, -v, -d], axis=1))
        result[open_] = d[number]
    return result


def _add_implied_clauses(
    builder: FormulaBuilder, heads: IntArray, rows: IntArray, origin: str = ORIGIN
) -> None:
    """For each row: its head, or one of the literals in it; constants are folded away."""
    flat: list[int] = []
    for head, row in zip(heads.tolist(), rows.tolist(), strict=True):
        literals = dict.fromkeys([head, *row])
        if TRUE not in literals:
            flat += [*(literal for literal in literals if literal != FALSE), 0]
    if flat:
        builder.add(origin, np.array(flat, np.int32))
