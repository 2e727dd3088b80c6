"""Gates over literals and constants, many at a time: any of, all of, not all equal.

A gate's output is equivalent to its meaning: there are clauses for both directions.  Constants are
folded, equal rows share a variable, and a row that comes down to one literal has that literal as
its output.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic.constants import FALSE, TRUE, add_clauses
from satlife.sat.logic.rows import number_rows


def any_of(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    """Return a literal for each row that is true if and only if one of the row's literals is.

    A row of k different literals takes one variable and k + 1 clauses.
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
    """Return a literal for each row that is true if and only if all of the row's literals are."""
    return -any_of(builder, origin, -rows)


def differ(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    """Return a literal for each row that is true if and only if its literals are not all equal.

    A row of k different literals takes one variable and k + 2 clauses.  In a circle of literals
    that are not all equal, some true one is followed by a false one; so the k implications around
    the circle are enough.
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
    """Sort every row, and replace repetitions by its first literal."""
    rows = np.sort(rows, axis=1)
    repeated = np.zeros(rows.shape, bool)
    repeated[:, 1:] = rows[:, 1:] == rows[:, :-1]
    return np.sort(np.where(repeated, rows[:, :1], rows), axis=1)


def _sizes(rows: IntArray) -> NDArray[np.int64]:
    """Return the number of different literals in each sorted row."""
    sizes: NDArray[np.int64] = 1 + (rows[:, 1:] != rows[:, :-1]).sum(axis=1)
    return sizes


def _has_opposites(rows: IntArray) -> NDArray[np.bool_]:
    """Return which rows hold a literal and its negation."""
    ordered = np.take_along_axis(rows, np.argsort(np.abs(rows), axis=1, kind="stable"), axis=1)
    found: NDArray[np.bool_] = (ordered[:, 1:] == -ordered[:, :-1]).any(axis=1)
    return found
