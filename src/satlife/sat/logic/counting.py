"""Counting true literals where some are constants, repeated, or the negations of others.

What is known of the number is folded here; the rest is the work of ``cardinality``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic.cardinality import add_bound, add_counter, merge_literals
from satlife.sat.logic.constants import TRUE


def count_true(
    builder: FormulaBuilder, origin: str, literals: IntArray, cap: int | None = None
) -> IntArray:
    """Return unary outputs: output k is true if and only if at least k + 1 literals are."""
    fixed, open_, weights = _fold(literals)
    known = np.full(fixed if cap is None else min(fixed, cap), TRUE, np.int32)
    left = None if cap is None else cap - len(known)
    return np.concatenate([known, add_counter(builder, open_, weights, cap=left, origin=origin)])


def add_bounded(
    builder: FormulaBuilder, origin: str, literals: IntArray, least: int, most: int | None
) -> None:
    """Require at least ``least`` and at most ``most`` of the literals to be true."""
    fixed, open_, weights = _fold(literals)
    if most is not None and most < fixed:
        builder.add(origin, np.zeros(1, np.int32))  # the empty clause
        return
    at_most = None if most is None else most - fixed
    add_bound(builder, open_, weights, least=least - fixed, most=at_most, origin=origin)


def _fold(literals: IntArray) -> tuple[int, IntArray, NDArray[np.int64]]:
    """Return how many are true in any case, and the other literals with their weights."""
    literals = literals.ravel()
    fixed = int((literals == TRUE).sum())
    open_, weights = merge_literals(literals[np.abs(literals) != TRUE])
    # One of a literal and its negation is true, so the smaller of their weights always counts.
    _, at, opposite = np.intersect1d(open_, -open_, return_indices=True)
    always = np.zeros_like(weights)
    always[at] = np.minimum(weights[at], weights[opposite])
    fixed += int(always.sum()) // 2
    weights = weights - always
    return fixed, open_[weights > 0], weights[weights > 0]
