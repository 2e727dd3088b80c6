"""Solvers in this very process: the same answers as in a child, limits kept between slices."""

from __future__ import annotations

import random

import pytest

from satlife.errors import SolverError
from satlife.sat import Formula, Limits, Reason, Refuted, Satisfied, Undecided
from satlife.sat.solvers import find_solver
from satlife.sat.solvers.pysat import InlineSolver

NAMES = ("cadical", "cadical195", "glucose", "kissat", "lingeling", "maplesat", "minisat")


def random_formula(seed: int) -> Formula:
    chance = random.Random(seed)
    clauses = [
        tuple(chance.choice((-1, 1)) * v for v in chance.sample(range(1, 13), 3)) for _ in range(52)
    ]
    return Formula.from_clauses(clauses)


def pigeons(holes: int) -> Formula:
    """One pigeon too many: easy to say, long to refute."""

    def at(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    clauses = [tuple(at(p, h) for h in range(holes)) for p in range(holes + 1)]
    clauses += [
        (-at(p, h), -at(q, h)) for h in range(holes) for p in range(holes + 1) for q in range(p)
    ]
    return Formula.from_clauses(clauses)


@pytest.mark.parametrize("name", NAMES)
def test_it_answers_as_a_child_does(name: str) -> None:
    solver = find_solver(name)
    for seed in range(6):
        formula = random_formula(seed)
        with InlineSolver(solver).open(formula, seed=seed) as inline, solver.open(formula) as child:
            answer = inline.solve()
            assert type(answer) is type(child.solve())
            if isinstance(answer, Satisfied):
                assert answer.model.satisfies(formula)


@pytest.mark.parametrize("name", ["cadical", "glucose", "minisat"])
def test_models_cores_and_added_clauses(name: str) -> None:
    with InlineSolver(find_solver(name)).open(Formula.from_clauses([(1, 2), (3, 4)])) as opened:
        assert len(list(opened.models())) == 9
        assert isinstance(opened.solve(), Refuted)
    with InlineSolver(find_solver(name)).open(Formula.from_clauses([(1, 2)]), seed=3) as opened:
        assert isinstance(opened.solve([-1, -2]), Refuted)
        assert set(opened.core()) == {-1, -2}
        opened.add([[-1, -1]])
        answer = opened.solve()
        assert isinstance(answer, Satisfied)
        assert answer.model[2]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(seconds=0.2), Reason.TIME_LIMIT),
        (Limits(seconds=0), Reason.TIME_LIMIT),
        (Limits(conflicts=100), Reason.CONFLICT_LIMIT),
    ],
)
def test_limits(limits: Limits, reason: Reason) -> None:
    with InlineSolver(find_solver("cadical")).open(pigeons(11)) as opened:
        answer = opened.solve(limits=limits)
        assert answer == Undecided(reason)
        assert opened.statistics().seconds < 20


def test_a_one_shot_solver_stops_at_conflicts_too() -> None:
    with InlineSolver(find_solver("kissat")).open(pigeons(11)) as opened:
        assert opened.solve(limits=Limits(conflicts=100)) == Undecided(Reason.CONFLICT_LIMIT)


def test_progress_is_told() -> None:
    seen = []
    opened = InlineSolver(find_solver("glucose")).open(
        pigeons(10), limits=Limits(conflicts=10_000), progress=seen.append
    )
    with opened:
        opened.solve()
    assert seen
    assert seen[-1].conflicts > 0


def test_a_formula_without_clauses_is_satisfied() -> None:
    with InlineSolver(find_solver("maplesat")).open(Formula.from_clauses([])) as opened:
        assert isinstance(opened.solve(), Satisfied)


def test_what_it_cannot_do_is_told() -> None:
    with pytest.raises(SolverError, match="cannot run inline"):
        InlineSolver(find_solver("kissat-binary"))
    formula = Formula.from_clauses([(1,)])
    kissat = InlineSolver(find_solver("kissat")).open(formula)
    with kissat, pytest.raises(SolverError, match="assumptions"):
        kissat.solve([1])
    with pytest.raises(SolverError, match="closed"):
        kissat.solve()
    lingeling = InlineSolver(find_solver("lingeling")).open(formula)
    with lingeling, pytest.raises(SolverError, match="conflicts"):
        lingeling.solve(limits=Limits(conflicts=1))
