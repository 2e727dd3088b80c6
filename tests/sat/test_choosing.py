"""Covers: everything is covered, at the least cost where that can be known."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satlife.sat.logic import cover
from satlife.sat.logic.cover import choose, define_through


@st.composite
def covers(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    random = np.random.default_rng(draw(st.integers(0, 999)))
    sets = random.random((rows, columns)) < 0.4
    sets[random.integers(0, rows, columns), np.arange(columns)] = True
    return sets, random.integers(1, 5, rows)


def least_cost(sets: np.ndarray, costs: np.ndarray) -> int:
    return min(
        int(costs[list(some)].sum())
        for size in range(1, len(sets) + 1)
        for some in combinations(range(len(sets)), size)
        if sets[list(some)].any(axis=0).all()
    )


@given(problem=covers())
def test_the_choice_is_a_cover_of_least_cost(problem: tuple[np.ndarray, np.ndarray]) -> None:
    sets, costs = problem
    chosen = choose(sets, costs)
    assert sets[chosen].any(axis=0).all()
    assert costs[chosen].sum() == least_cost(sets, costs)
    assert sets[choose(sets, costs, quick=True)].any(axis=0).all()


def hard_cover() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    return random.random((150, 120)) < 0.06, random.integers(1, 9, 150)


def test_beyond_the_limit_the_choice_is_a_cover_and_the_same_in_every_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sets, costs = hard_cover()
    sets[0, ~sets.any(axis=0)] = True
    best = int(costs[choose(sets, costs)].sum())
    monkeypatch.setattr(cover, "CONFLICTS", 1)
    once, again = (choose(sets, costs) for _ in range(2))
    assert once.tolist() == again.tolist()
    assert sets[once].any(axis=0).all()
    monkeypatch.setattr(cover, "ROUNDS", 0)
    greedy = int(costs[choose(sets, costs)].sum())
    assert best <= costs[once].sum() <= greedy


@given(seed=st.integers(0, 999))
def test_clauses_through_views_have_the_truth_table(seed: int) -> None:
    random = np.random.default_rng(seed)
    table = random.random((4, 4)) < 0.5
    plain = np.indices((2, 2)).reshape(2, 4).T.astype(bool)
    view = np.column_stack([plain, plain.any(axis=1), random.random(4) < 0.5])
    clauses = define_through(table, [view, view])
    for i in range(4):
        for j in range(4):
            for output in (False, True):
                values = np.where(np.array([*view[i], *view[j], output]), 1, -1)
                holds = (clauses * values > 0).any(axis=1).all()
                assert holds == (output == table[i, j])
