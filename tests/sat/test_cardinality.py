"""Counters and bounds: every output, and every bound, is what counting says."""

from __future__ import annotations

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from satlife.errors import UsageError
from satlife.sat import FormulaBuilder
from satlife.sat.logic import cardinality
from satlife.sat.logic.cardinality import add_bound, add_counter, merge_literals

VARIABLES = 6
LITERALS = st.lists(st.integers(1, VARIABLES) | st.integers(-VARIABLES, -1), min_size=0, max_size=8)


def assignments() -> list[list[int]]:
    signs = product((-1, 1), repeat=VARIABLES)
    return [[v * sign for v, sign in enumerate(each, 1)] for each in signs]


def weigh(assignment: list[int], literals: list[int], weights: list[int]) -> int:
    return sum(w for literal, w in zip(literals, weights, strict=True) if literal in assignment)


@settings(max_examples=150, deadline=None)
@given(LITERALS, st.data())
def test_an_output_is_true_if_and_only_if_so_much_is_true(
    literals: list[int], data: st.DataObject
) -> None:
    """Unit propagation alone gives every output, both ways."""
    same = st.just(data.draw(st.integers(1, 4)))
    weight = data.draw(st.sampled_from([same, st.integers(1, 5)]))
    weights = data.draw(st.lists(weight, min_size=len(literals), max_size=len(literals)))
    cap = data.draw(st.none() | st.integers(0, 12))
    builder = FormulaBuilder(variables=VARIABLES)
    outputs = add_counter(builder, literals, weights, cap=cap).tolist()
    assert len(outputs) == (sum(weights) if cap is None else min(sum(weights), cap))
    with Solver("g4", bootstrap_with=[list(clause) for clause in builder.build()]) as solver:
        for assignment in assignments():
            consistent, propagated = solver.propagate(assignment)
            total = weigh(assignment, literals, weights)
            known = {*propagated, *assignment}
            assert consistent
            assert [output in known for output in outputs] == [
                k < total for k in range(len(outputs))
            ]
            assert [-output in known for output in outputs] == [
                k >= total for k in range(len(outputs))
            ]


@settings(max_examples=300, deadline=None)
@given(LITERALS, st.integers(0, 9), st.none() | st.integers(0, 9), st.sampled_from([0, 10**6]))
def test_a_bound_leaves_what_is_within_it(
    literals: list[int], least: int, most: int | None, largest_tree: int
) -> None:
    builder = FormulaBuilder(variables=VARIABLES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cardinality, "LARGEST_TREE", largest_tree)
        add_bound(builder, literals, least=least, most=most)
    weights = [1] * len(literals)
    with Solver("g4", bootstrap_with=[list(clause) for clause in builder.build()]) as solver:
        for assignment in assignments():
            total = weigh(assignment, literals, weights)
            within = least <= total and (most is None or total <= most)
            assert solver.solve(assignment) is within


def test_equal_literals_are_one_of_larger_weight() -> None:
    literals, weights = merge_literals([3, -1, 3, 2], [1, 2, 4, 1])
    assert (literals.tolist(), weights.tolist()) == ([3, -1, 2], [5, 2, 1])
    builder = FormulaBuilder(variables=2)
    assert add_counter(builder, [1, 1, 1]).tolist() == [1, 1, 1]
    # Eight cells of weight 4 each have four sums and not thirty-two.
    folded = FormulaBuilder(variables=8)
    assert np.unique(add_counter(folded, np.arange(1, 9), np.full(8, 4))).size == 8


@pytest.mark.parametrize(
    ("literals", "weights"), [([1, 0], None), ([1, 2], [1]), ([1, 2], [1, 0]), ([1], [-3])]
)
def test_wrong_literals_and_weights(literals: list[int], weights: list[int] | None) -> None:
    with pytest.raises(UsageError):
        add_counter(FormulaBuilder(variables=2), literals, weights)


@pytest.mark.parametrize(
    ("least", "most", "clauses"),
    [
        (0, None, []),
        (0, 3, []),
        (4, None, [()]),
        (3, None, [(1,), (2,), (3,)]),
        (0, 0, [(-1,), (-2,), (-3,)]),
    ],
)
def test_bounds_that_need_no_counter(
    least: int, most: int | None, clauses: list[tuple[int, ...]]
) -> None:
    builder = FormulaBuilder(variables=3)
    add_bound(builder, [1, 2, 3], least=least, most=most)
    assert list(builder.build()) == clauses


def test_a_bound_on_a_large_box_is_small_and_quick() -> None:
    """100x100 cells, half of them alive: the number of clauses grows less than as the square."""
    builder = FormulaBuilder(variables=10_000)
    begun = time.process_time()
    add_bound(builder, np.arange(1, 10_001), least=5000)
    assert builder.build().clauses < 3_000_000
    assert time.process_time() - begun < 10
