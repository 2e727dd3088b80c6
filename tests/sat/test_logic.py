"""Covers are right for every table; constants fold; equal rows have one number."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satlife.sat.logic import FALSE, TRUE, fold_clauses, forbid, number_rows
from satlife.sat.logic import template as rows_module
from satlife.sat.logic.cover import ClauseMatrix, find_maximal_boxes

shapes = st.lists(st.integers(2, 4), min_size=1, max_size=4).map(tuple)


def allows(clauses: ClauseMatrix, shape: tuple[int, ...], point: tuple[int, ...]) -> bool:
    literals = np.concatenate(
        [v >= np.arange(1, size) for v, size in zip(point, shape, strict=True)]
    )
    return bool((((clauses > 0) & literals) | ((clauses < 0) & ~literals)).any(axis=1).all())


@given(shape=shapes, seed=st.integers(0, 2**32))
def test_clauses_exclude_what_is_forbidden_and_else_only_what_is_free(
    shape: tuple[int, ...], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    forbidden, free = rng.random(shape) < 0.5, rng.random(shape) < 0.2
    clauses = forbid(forbidden, free)
    assert np.array_equal(clauses, forbid(forbidden, free))
    for point in product(*map(range, shape)):
        if not free[point]:
            assert allows(clauses, shape, point) == (not forbidden[point])


@given(shape=shapes, seed=st.integers(0, 2**32))
def test_no_clause_of_a_cover_is_needless(shape: tuple[int, ...], seed: int) -> None:
    forbidden = np.random.default_rng(seed).random(shape) < 0.5
    clauses = forbid(forbidden)
    points = [point for point in product(*map(range, shape)) if forbidden[point]]
    for k in range(len(clauses)):
        fewer = np.delete(clauses, k, axis=0)
        assert any(allows(fewer, shape, point) for point in points)


@given(shape=shapes, seed=st.integers(0, 2**32))
def test_maximal_boxes_cannot_grow(shape: tuple[int, ...], seed: int) -> None:
    may = np.random.default_rng(seed).random(shape) < 0.7
    covered = np.zeros(shape, bool)
    for low, high in zip(*find_maximal_boxes(may), strict=True):
        box = [slice(a, b + 1) for a, b in zip(low, high, strict=True)]
        assert may[tuple(box)].all()
        covered[tuple(box)] = True
        for axis, size in enumerate(shape):
            for a, b in ((low[axis] - 1, high[axis]), (low[axis], high[axis] + 1)):
                if a >= 0 and b < size:
                    grown = [*box[:axis], slice(a, b + 1), *box[axis + 1 :]]
                    assert not may[tuple(grown)].all()
    assert np.array_equal(covered, may)


def truth(literal: int, model: int) -> bool:
    if abs(literal) == TRUE:
        return literal == TRUE
    return bool(model >> (abs(literal) - 1) & 1) == (literal > 0)


def cut(clauses: np.ndarray) -> list[list[int]]:
    ends = np.flatnonzero(clauses == 0)
    return [piece[piece != 0].tolist() for piece in np.split(clauses, ends + 1)[:-1]]


literals = st.sampled_from([1, -1, 2, -2, 3, -3, TRUE, FALSE])
tables = st.integers(0, 5).flatmap(
    lambda width: st.lists(st.lists(literals, min_size=width, max_size=width), min_size=1)
)


@given(rows=tables, keep_order=st.booleans())
def test_folded_clauses_mean_the_same(rows: list[list[int]], keep_order: bool) -> None:
    folded = cut(fold_clauses(np.array(rows, np.int32), keep_order=keep_order))
    for model in range(8):
        before = all(any(truth(each, model) for each in row) for row in rows)
        after = all(any(truth(each, model) for each in clause) for clause in folded)
        assert before == after


@given(rows=tables)
def test_folded_clauses_are_as_short_as_can_be(rows: list[list[int]]) -> None:
    by_variable = cut(fold_clauses(np.array(rows, np.int32)))
    as_given = cut(fold_clauses(np.array(rows, np.int32), keep_order=True))
    always = [row for row in rows if TRUE in row or any(-each in row for each in row)]
    expected = [
        list(dict.fromkeys(each for each in row if each != FALSE))
        for row in rows
        if row not in always
    ]
    assert as_given == expected
    assert by_variable == [sorted(clause, key=abs) for clause in expected]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1))
def test_numbering_of_rows(rows: list[tuple[int, int]]) -> None:
    first, number = number_rows(np.array(rows, np.int32))
    order = list(dict.fromkeys(rows))
    assert [rows[k] for k in first] == order
    assert [order.index(row) for row in rows] == number.tolist()


def test_numbering_survives_hashes_that_collide(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.random.default_rng(1).integers(-2, 3, (50, 3)).astype(np.int32)
    first, number = number_rows(keys)
    monkeypatch.setattr(rows_module, "_hash", lambda keys: np.zeros(len(keys), np.uint64))
    again_first, again_number = number_rows(keys)
    assert np.array_equal(first, again_first)
    assert np.array_equal(number, again_number)
