"""Solvers in this very process: the same answers as in a child, limits kept between slices.

Quick solvers begin in this process, and go on in a child.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from satlife.errors import SolverError
from satlife.sat import Formula, Limits, Reason, Refuted, Satisfied, Undecided
from satlife.sat.solvers import find_solver
from satlife.sat.solvers.pysat import InlineSolver, OpenPysat, PysatSolver

NAMES = ("cadical", "cadical195", "glucose", "kissat", "lingeling", "maplesat", "minisat")


LEFT_OPEN = """
import json
from satlife.sat import Formula
from satlife.sat.cubes.in_order import InOrder
from satlife.sat.solvers import find_solver
from satlife.sat.solvers.pysat import InlineSolver

formula = Formula.from_clauses([[1, 2], [-1]])
# This module was imported before PySAT, so Python takes PySAT apart first.
json.kept = [InlineSolver(find_solver(name)).open(formula) for name in NAMES]
json.kept += [find_solver(name).open(formula) for name in NAMES]
for each in json.kept:
    each.solve()
json.kept.append(InOrder(formula, [1, 2]))
json.kept[-1].split(json.kept[-1].look(()), 2)
print("ready")
"""


def test_a_solver_that_is_left_open_ends_in_silence() -> None:
    code = f"NAMES = {NAMES}\n{LEFT_OPEN}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ready\n", "")


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


def make_quick(name: str, conflicts: int) -> PysatSolver:
    solver = find_solver(name)
    assert isinstance(solver, PysatSolver)
    return replace(solver, quick=conflicts)


def has_child(opened: OpenPysat) -> bool:
    return hasattr(opened, "_child")


@pytest.fixture
def aside() -> Iterator[Callable[..., Any]]:
    """Calls a function on another thread: on the main one, quick solvers start a child at once."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda function, *given: pool.submit(function, *given).result(timeout=100)


@pytest.mark.parametrize("name", ["cadical", "cadical195", "glucose", "minisat"])
@pytest.mark.parametrize("conflicts", [1, 3, 1000])
def test_a_quick_solver_answers_as_a_child_does(
    name: str, conflicts: int, aside: Callable[..., Any]
) -> None:
    """Whether it stays in this process or leaves it at any call: clauses added before count."""
    quick = make_quick(name, conflicts)
    for seed in range(6):
        formula = random_formula(seed)
        with quick.open(formula, seed=seed) as opened, find_solver(name).open(formula) as child:
            for assumed in ((), (1, 2), (-1, 3), (-3, -4)):
                answer, told = aside(opened.solve, assumed), child.solve(assumed)
                assert type(answer) is type(told)
                if isinstance(answer, Satisfied):
                    assert answer.model.satisfies(formula)
                for each in (opened, child):
                    each.add([[-1, 13, 14], [2, -13, -14]])
            models = opened.models(range(1, 8))
            assert len(aside(list, models)) == len(list(child.models(range(1, 8))))
            assert has_child(opened) == (conflicts < 1000)


def test_a_quick_solver_leaves_hard_formulas_and_other_limits_to_a_child(
    aside: Callable[..., Any],
) -> None:
    quick = make_quick("cadical", 100)
    with quick.open(pigeons(11)) as opened:
        answer = aside(opened.solve, (), Limits(seconds=1))
        assert answer == Undecided(Reason.TIME_LIMIT)
        assert has_child(opened)
        assert opened.statistics().conflicts is None  # those of the child, which was killed
    for limits in (Limits(conflicts=10**6), Limits(memory_bytes=1 << 30), Limits(seconds=0.9)):
        with quick.open(random_formula(0)) as opened:
            aside(opened.solve, (), limits)
            assert has_child(opened)


def test_a_quick_solver_starts_a_child_on_the_main_thread() -> None:
    """PySAT would jump out of the solver at Ctrl-C there."""
    with make_quick("cadical", 1000).open(random_formula(0)) as opened:
        opened.solve()
        assert has_child(opened)


def test_a_quick_solver_is_stopped_before_it_starts_a_child(
    monkeypatch: pytest.MonkeyPatch, aside: Callable[..., Any]
) -> None:
    with make_quick("cadical", 3000).open(pigeons(11)) as opened:
        here = opened._here
        assert here is not None
        monkeypatch.setattr(here, "_feed", lambda feed=here._feed: (feed(), opened.interrupt()))
        assert aside(opened.solve) == Undecided(Reason.INTERRUPTED)
        assert not has_child(opened)
