"""Splitting into cases loses nothing, and conquering them gives the solver's answer."""

from __future__ import annotations

import itertools
import threading
import time

import numpy as np
import pytest

from satlife.errors import SolverError
from satlife.sat import Formula, Limits, Reason, Refuted, Satisfied, Undecided, find_solver, solve
from satlife.sat.cubes import CaseProgress, InOrder, Look, conquer, conquest
from satlife.sat.cubes.conquest import Piles
from tests.patience import PATIENCE

CADICAL = find_solver("cadical195")


def random_formula(seed: int, variables: int, clauses: int) -> Formula:
    rng = np.random.default_rng(seed)
    rows = [
        rng.choice(np.arange(1, variables + 1), 3, replace=False) * rng.choice([-1, 1], 3)
        for _ in range(clauses)
    ]
    return Formula.from_clauses([tuple(map(int, row)) for row in rows])


def models(formula: Formula, variables: int) -> set[tuple[int, ...]]:
    found = set()
    for signs in itertools.product((1, -1), repeat=variables):
        true = {sign * number for number, sign in enumerate(signs, 1)}
        if all(true & set(clause) for clause in formula):
            found.add(tuple(sorted(true, key=abs)))
    return found


def pigeons(holes: int) -> Formula:
    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    everyone = [tuple(sits(p, h) for h in range(holes)) for p in range(holes + 1)]
    alone = [
        (-sits(p, h), -sits(q, h))
        for h in range(holes)
        for p, q in itertools.combinations(range(holes + 1), 2)
    ]
    return Formula.from_clauses([*everyone, *alone])


@pytest.mark.parametrize("seed", range(40))
def test_a_split_covers_every_model_once(seed: int) -> None:
    formula = random_formula(seed, 9, 20 + seed % 20)
    everything = models(formula, 9)
    with InOrder(formula, range(1, 10)) as divider:
        leaves = divider.split(divider.look(()), 8)
    if leaves[0].is_refuted:
        assert not everything
        return
    cover = [sum(set(leaf.case) <= set(model) for leaf in leaves) for model in everything]
    assert all(count == 1 for count in cover)


@pytest.mark.parametrize("count", [2, 5, 16])
def test_a_split_is_a_tree_of_about_so_many_cases(count: int) -> None:
    with InOrder(random_formula(5, 40, 120), range(1, 41)) as divider:
        leaves = divider.split(divider.look(()), count)
    assert len(leaves) == count
    depths = [len(leaf.case) for leaf in leaves]
    assert sum(2.0**-depth for depth in depths) == 1
    assert max(depths) - min(depths) <= 1
    assert all(leaf.free for leaf in leaves)


def test_a_case_is_split_below_what_it_has() -> None:
    with InOrder(random_formula(5, 40, 120), range(1, 41)) as divider:
        above = divider.look((3, -7))
        leaves = divider.split(above, 4)
    assert {leaf.case[:2] for leaf in leaves} == {(3, -7)}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_the_answer_is_the_solvers(seed: int, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conquest, "SMALLEST_BUDGET", 2)
    formula = random_formula(seed, 60, 262)
    answer = conquer(InOrder(formula, range(1, 61)), CADICAL, jobs=jobs).answer
    assert type(answer) is type(solve(formula))
    if isinstance(answer, Satisfied):
        assert answer.model.satisfies(formula)


def test_every_saved_list_of_cases_leads_to_the_same_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conquest, "SMALLEST_BUDGET", 10)
    formula = pigeons(6)
    kept: list[tuple[tuple[int, ...], ...]] = []
    assert isinstance(
        conquer(InOrder(formula, range(1, 43)), CADICAL, jobs=2, keep=kept.append).answer, Refuted
    )
    assert len(kept) > 5
    assert kept[-1] == ()
    for cases in kept[:: len(kept) // 4]:
        assert isinstance(
            conquer(InOrder(formula, range(1, 43)), CADICAL, cases=cases).answer, Refuted
        )


def test_a_saved_list_still_has_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conquest, "SMALLEST_BUDGET", 2)
    formula = random_formula(11, 50, 200)
    kept: list[tuple[tuple[int, ...], ...]] = [((),)]
    assert isinstance(
        conquer(InOrder(formula, range(1, 51)), CADICAL, keep=kept.append).answer, Satisfied
    )
    for cases in kept:
        assert isinstance(
            conquer(InOrder(formula, range(1, 51)), CADICAL, cases=cases).answer, Satisfied
        )


def test_a_core_settles_every_case_that_contains_it() -> None:
    piles = Piles(2)
    for case in itertools.product((1, -1), (2, -2), (3, -3)):
        piles.push(0, Look(case))
    piles.settle(0, (1, -3))
    assert (piles.settled, len(piles)) == (2, 6)
    piles.push(1, Look((1, -3, 4)))
    assert (piles.settled, len(piles)) == (3, 6)
    piles.settle(1, ())
    assert len(piles) == 6  # another formula
    piles.settle(0, ())
    assert piles.open == ()


def test_a_solver_stays_in_its_part_until_that_is_done() -> None:
    piles = Piles(3)
    for index, case in ((0, (1,)), (0, (2,)), (0, (3,)), (1, (4,)), (1, (5,))):
        piles.push(index, Look(case))
    taken = [piles.take(index) for index in (1, 1, 1, 2, 0, 0)]
    assert [each and each.case for each in taken] == [(5,), (4,), (1,), (2,), (3,), None]


def test_without_open_cases_there_is_nothing_left() -> None:
    assert isinstance(conquer(InOrder(pigeons(3), range(1, 13)), CADICAL, cases=()).answer, Refuted)


def test_candidates_may_be_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conquest, "SMALLEST_BUDGET", 1)
    assert isinstance(conquer(InOrder(pigeons(6), [1, 2]), CADICAL, jobs=2).answer, Refuted)
    assert isinstance(conquer(InOrder(pigeons(5), []), CADICAL).answer, Refuted)


def test_limits_hold_for_everything_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conquest, "SMALLEST_BUDGET", 100)
    hard = pigeons(11)
    told: list[CaseProgress] = []
    answer = conquer(
        InOrder(hard, range(1, 133)),
        CADICAL,
        jobs=2,
        limits=Limits(conflicts=1000),
        progress=told.append,
    ).answer
    assert isinstance(answer, Undecided)
    assert answer.reason is Reason.CONFLICT_LIMIT
    assert told[-1].spent < 1400
    answer = conquer(InOrder(hard, range(1, 133)), CADICAL, limits=Limits(seconds=0.5)).answer
    assert isinstance(answer, Undecided)
    assert answer.reason is Reason.TIME_LIMIT


def test_it_stops_when_it_is_told() -> None:
    stop = threading.Event()
    timer = threading.Timer(0.5, stop.set)
    timer.start()
    begun = time.monotonic()
    answer = conquer(InOrder(pigeons(11), range(1, 133)), CADICAL, jobs=2, stop=stop).answer
    assert isinstance(answer, Undecided)
    assert answer.reason is Reason.INTERRUPTED
    assert time.monotonic() - begun < PATIENCE
    assert not [each for each in threading.enumerate() if each.name == "satlife-case"]


def test_a_solver_that_starts_anew_is_refused() -> None:
    with pytest.raises(SolverError, match="cannot go from case to case; cadical can"):
        conquer(InOrder(pigeons(3), [1]), find_solver("kissat"))
