"""Covers are right, for every table; and tables of transitions lose only what is said twice."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satlife.life.rule import LIFE, Rule
from satlife.search.formula import transitions as transitions_module
from satlife.search.formula.cover import ClauseMatrix, define, find_maximal_boxes, forbid
from satlife.search.formula.transitions import FALSE, TRUE, Transitions, distinct, number_rows
from tests.search import kit

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


@pytest.mark.parametrize(
    ("notation", "clauses"), [("B3/S23", 190), ("B1357/S1357", 256), ("B1357/S02468", 512)]
)
def test_known_covers(notation: str, clauses: int) -> None:
    assert len(define(Rule(notation).table.reshape((2,) * 9))) == clauses


def test_lengths_of_the_cover_of_life() -> None:
    lengths = np.count_nonzero(define(LIFE.table.reshape((2,) * 9)), axis=1)
    # Four alive; seven dead; six and the centre dead, or two alive, five dead and a live centre;
    # three alive and five dead: each with the successor.
    assert np.bincount(lengths).tolist() == [0, 0, 0, 0, 0, 70, 0, 0, 8 + 28, 28 + 56]


def mirror(transitions: Transitions) -> Transitions:
    return Transitions(
        transitions.cells[:, (2, 1, 0, 5, 4, 3, 8, 7, 6)],
        transitions.successors,
        transitions.places,
    )


def join(*tables: Transitions) -> Transitions:
    return Transitions(
        np.concatenate([table.cells for table in tables]),
        np.concatenate([table.successors for table in tables]),
        np.concatenate([table.places for table in tables]),
    )


def test_mirrored_rows_are_the_same_row_under_an_outer_totalistic_rule() -> None:
    table, _ = kit.plain_box(5, 4, 2)
    kept = distinct(join(table, mirror(table)), LIFE)
    assert np.array_equal(kept.cells, distinct(table, LIFE).cells)
    other = distinct(join(table, mirror(table)), kit.any_table(1))
    assert len(other) > len(kept)


def test_rows_keep_their_order_and_the_first_stays() -> None:
    table, _ = kit.torus(5, 4, 3)
    twice = join(table, table)
    kept = distinct(twice, LIFE)
    assert np.array_equal(kept.cells, table.cells)
    assert np.array_equal(kept.places, table.places)


def test_nothing_from_nothing_goes_but_something_from_nothing_stays() -> None:
    nothing = kit.one_row([FALSE] * 9, FALSE)
    assert len(distinct(nothing, LIFE)) == 0
    assert len(distinct(kit.one_row([FALSE] * 9, TRUE), LIFE)) == 1
    assert len(distinct(kit.one_row([FALSE] * 9, 1), LIFE)) == 1


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1))
def test_numbering_of_rows(rows: list[tuple[int, int]]) -> None:
    first, number = number_rows(np.array(rows, np.int32))
    order = list(dict.fromkeys(rows))
    assert [rows[k] for k in first] == order
    assert [order.index(row) for row in rows] == number.tolist()


def test_numbering_survives_hashes_that_collide(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.random.default_rng(1).integers(-2, 3, (50, 3)).astype(np.int32)
    first, number = number_rows(keys)
    monkeypatch.setattr(transitions_module, "_hash", lambda keys: np.zeros(len(keys), np.uint64))
    again_first, again_number = number_rows(keys)
    assert np.array_equal(first, again_first)
    assert np.array_equal(number, again_number)
