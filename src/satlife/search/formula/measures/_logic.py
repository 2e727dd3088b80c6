"""Small gates over literals and constants, many at a time; both directions of every clause.

Constants are folded, equal rows share a variable, and a row that comes down to one literal is that
literal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from satlife.sat.builder import FormulaBuilder
from satlife.sat.cardinality import add_bound, add_counter, merge_literals
from satlife.sat.formula import IntArray
from satlife.search.formula.transitions import FALSE, TRUE, number_rows


def add_clauses(builder: FormulaBuilder, origin: str, *columns: IntArray) -> None:
    """Add the clauses that are the rows of the columns; constants and repetitions are folded.

    A column may be two-dimensional: several literals of each row.
    """
    rows = np.column_stack(columns).astype(np.int32)
    rows = np.take_along_axis(rows, np.argsort(np.abs(rows), axis=1, kind="stable"), axis=1)
    holds = (rows == TRUE).any(axis=1) | (rows[:, 1:] == -rows[:, :-1]).any(axis=1)
    rows = rows[~holds]
    rows[:, 1:][rows[:, 1:] == rows[:, :-1]] = FALSE
    ended = np.column_stack([rows, np.zeros(len(rows), np.int32)])
    if len(rows):
        builder.add(origin, ended[ended != FALSE])


def any_of(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    """Return a literal for each row, true if and only if one of the row's is.

    k different literals: one variable, k + 1 clauses.
    """
    if rows.shape[1] == 0:
        return np.full(len(rows), FALSE, np.int32)
    rows = _as_sets(np.column_stack([rows, np.full(len(rows), FALSE, np.int32)]))
    # The least literal of a row is FALSE; the greatest is another one if there is one.
    result = rows[:, -1].copy()
    result[(rows == TRUE).any(axis=1) | _has_opposites(rows)] = TRUE
    open_ = (result != TRUE) & (_sizes(rows) > 2)
    result[open_] = _define(builder, origin, rows[open_])
    return result


def all_of(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    """Return a literal for each row, true if and only if all of the row's are."""
    return -any_of(builder, origin, -rows)


def differ(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    """Return a literal for each row, true if and only if the row's are not all equal.

    k different literals: one variable, k + 2 clauses.  In a circle of literals that are not all
    equal there is a true one before a false one, so the circle's k implications say it all.
    """
    rows = _as_sets(rows)
    sizes = _sizes(rows)
    first, last = rows[:, 0], rows[:, -1]
    result = np.full(len(rows), FALSE, np.int32)
    # With a constant beside it, a literal differs from it by itself, or by its negation.
    result = np.where((sizes == 2) & (first == FALSE), last, result)
    result = np.where((sizes == 2) & (last == TRUE), -first, result)
    result[_has_opposites(rows)] = TRUE
    constant = (first == FALSE) | (last == TRUE)
    open_ = (result == FALSE) & (sizes > 1) & ~((sizes == 2) & constant)
    if open_.any():
        kept, number = number_rows(rows[open_])
        circles = rows[open_][kept]
        r = builder.new_variables(len(circles))
        add_clauses(builder, origin, -r, circles)
        add_clauses(builder, origin, -r, -circles)
        for k in range(circles.shape[1]):
            add_clauses(builder, origin, r, -circles[:, k - 1], circles[:, k])
        result[open_] = r[number]
    return result.astype(np.int32)


def count_true(
    builder: FormulaBuilder, origin: str, literals: IntArray, cap: int | None = None
) -> IntArray:
    """Return unary outputs: the k-th is true if and only if at least k + 1 literals are."""
    fixed, open_, weights = _fold(literals)
    known = np.full(fixed if cap is None else min(fixed, cap), TRUE, np.int32)
    left = None if cap is None else cap - len(known)
    return np.concatenate([known, add_counter(builder, open_, weights, cap=left, origin=origin)])


def add_bounded(
    builder: FormulaBuilder, origin: str, literals: IntArray, least: int, most: int | None
) -> None:
    """Say that the number of true literals lies between the two."""
    fixed, open_, weights = _fold(literals)
    if most is not None and most < fixed:
        builder.add(origin, np.zeros(1, np.int32))  # the empty clause
        return
    at_most = None if most is None else most - fixed
    add_bound(builder, open_, weights, least=least - fixed, most=at_most, origin=origin)


def _fold(literals: IntArray) -> tuple[int, IntArray, NDArray[np.int64]]:
    """Return how many are true in any case, and the others with their weights."""
    literals = literals.ravel()
    fixed = int((literals == TRUE).sum())
    open_, weights = merge_literals(literals[np.abs(literals) != TRUE])
    # Of a literal and its negation one is true: the lighter one's weight is always counted.
    _, at, opposite = np.intersect1d(open_, -open_, return_indices=True)
    always = np.zeros_like(weights)
    always[at] = np.minimum(weights[at], weights[opposite])
    fixed += int(always.sum()) // 2
    weights = weights - always
    return fixed, open_[weights > 0], weights[weights > 0]


def _define(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    if not len(rows):
        return np.zeros(0, np.int32)
    kept, number = number_rows(rows)
    rows = rows[kept]
    outputs = builder.new_variables(len(rows))
    add_clauses(builder, origin, -outputs, rows)
    for column in rows.T:
        add_clauses(builder, origin, outputs, -column)
    return outputs[number]


def _as_sets(rows: IntArray) -> IntArray:
    """Sort every row and write each of its literals once, the first one as often as need be."""
    rows = np.sort(rows, axis=1)
    repeated = np.zeros(rows.shape, bool)
    repeated[:, 1:] = rows[:, 1:] == rows[:, :-1]
    return np.sort(np.where(repeated, rows[:, :1], rows), axis=1)


def _sizes(rows: IntArray) -> NDArray[np.int64]:
    """How many different literals the sorted rows have."""
    sizes: NDArray[np.int64] = 1 + (rows[:, 1:] != rows[:, :-1]).sum(axis=1)
    return sizes


def _has_opposites(rows: IntArray) -> NDArray[np.bool_]:
    """Which rows have a literal and its negation."""
    ordered = np.take_along_axis(rows, np.argsort(np.abs(rows), axis=1, kind="stable"), axis=1)
    found: NDArray[np.bool_] = (ordered[:, 1:] == -ordered[:, :-1]).any(axis=1)
    return found
