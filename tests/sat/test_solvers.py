"""All solvers agree with brute force and with each other: answers, models, counts, cores."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable

import numpy as np
import pytest

from satlife.errors import SolverError, UsageError
from satlife.sat import (
    SOLVERS,
    Formula,
    Limits,
    Model,
    Progress,
    Reason,
    Refuted,
    Satisfied,
    ScriptedSolver,
    Solver,
    Undecided,
    find_solver,
    solve,
)
from satlife.sat.solvers.pysat import PYSAT_SOLVERS
from tests.processes import is_running

every_solver = pytest.mark.parametrize("solver", PYSAT_SOLVERS, ids=lambda solver: solver.name)
every_incremental = pytest.mark.parametrize(
    "solver",
    [solver for solver in PYSAT_SOLVERS if solver.abilities.assumptions],
    ids=lambda solver: solver.name,
)

Random3Sat = Callable[[int, int, int], Formula]
Pigeonhole = Callable[[int], Formula]


def brute_force(formula: Formula) -> set[tuple[int, ...]]:
    signs = itertools.product((-1, 1), repeat=formula.variables)
    models = (Model.from_literals([s * v for v, s in enumerate(row, 1)]) for row in signs)
    return {tuple(model.literals().tolist()) for model in models if model.satisfies(formula)}


@every_solver
def test_random_3sat_against_brute_force(solver: Solver, random_3sat: Random3Sat) -> None:
    seen = set()
    for seed in range(4):
        formula = random_3sat(7, 30, seed)
        answer = solve(formula, solver)
        assert isinstance(answer, Satisfied) == bool(brute_force(formula))
        assert not isinstance(answer, Undecided)
        if isinstance(answer, Satisfied):
            assert answer.model.satisfies(formula)
            assert answer.model.variables == 7
        seen.add(type(answer))
    assert seen == {Satisfied, Refuted}


@every_solver
def test_all_models_against_brute_force(solver: Solver, random_3sat: Random3Sat) -> None:
    formula = random_3sat(6, 14, 5)
    with solver.open(formula) as opened:
        models = opened.models()
        found = [tuple(model.literals().tolist()) for model in models]
        assert models.complete
        assert len(found) == len(set(found))
        assert set(found) == brute_force(formula)
        assert isinstance(opened.solve(), Refuted)


@every_solver
def test_projected_models(solver: Solver, random_3sat: Random3Sat) -> None:
    formula = random_3sat(6, 14, 5)
    shown = {model[:2] for model in brute_force(formula)}
    with solver.open(formula) as opened:
        found = [tuple(model.literals().tolist()[:2]) for model in opened.models([1, 2])]
    assert len(found) == len(shown)
    assert set(found) == shown


@every_solver
def test_smallest_formulas(solver: Solver) -> None:
    answer = solve(Formula(), solver)
    assert isinstance(answer, Satisfied)
    assert answer.model.variables == 0
    assert solve(Formula.from_clauses([()]), solver) == Refuted()
    assert solve(Formula.from_clauses([(1,), (-1,)]), solver) == Refuted()
    answer = solve(Formula.from_clauses([(2, 2, -3), (2, -2)], variables=9), solver)
    assert isinstance(answer, Satisfied)
    assert answer.model.variables == 9


@every_solver
def test_clauses_added_after_solving(solver: Solver) -> None:
    with solver.open(Formula.from_clauses([(1, 2)])) as opened:
        assert isinstance(opened.solve(), Satisfied)
        opened.add([[-1, 3], [-2, 3]])
        opened.add(np.array([-3, 4, 0], np.int32))
        answer = opened.solve()
        assert isinstance(answer, Satisfied)
        assert answer.model[3]
        assert answer.model[4]
        opened.add(Formula.from_clauses([(-4,)], variables=6))
        assert opened.variables == 6
        assert opened.solve() == Refuted()


@every_incremental
def test_assumptions_and_cores(solver: Solver) -> None:
    formula = Formula.from_clauses([(-1, -2), (3, 4)])
    with solver.open(formula) as opened:
        answer = opened.solve([1, 5])
        assert isinstance(answer, Satisfied)
        assert answer.model[1]
        assert not answer.model[2]
        assert answer.model[5], "an assumption about a variable that is in no clause"
        refuted = opened.solve([5, 3, 2, 1, -4])
        assert isinstance(refuted, Refuted)
        assert set(refuted.core) <= {5, 3, 2, 1, -4}
        assert opened.core() == refuted.core
        assert isinstance(solve(formula, assumptions=refuted.core), Refuted)
        assert isinstance(opened.solve(), Satisfied), "assumptions hold for one call"
        with pytest.raises(SolverError, match="core"):
            opened.core()


def test_core_of_a_contradictory_formula_is_empty() -> None:
    assert solve(Formula.from_clauses([(1,), (-1,)]), assumptions=[2]) == Refuted(())


def test_opposite_assumptions() -> None:
    answer = solve(Formula.from_clauses([(1, 2)]), assumptions=[1, -1])
    assert isinstance(answer, Refuted)
    assert set(answer.core) <= {1, -1}


def test_models_under_assumptions() -> None:
    with find_solver("cadical").open(Formula.from_clauses([(1, 2, 3)])) as opened:
        models = opened.models(assumptions=[-1])
        assert sum(1 for _ in models) == 3
        assert models.complete
        assert sum(1 for _ in opened.models()) == 4, "the models with 1 true are still there"


def test_models_handed_out_are_blocked_and_no_others() -> None:
    with find_solver("glucose").open(Formula(variables=4)) as opened:
        first = list(itertools.islice(opened.models(), 5))
        rest = list(opened.models())
        assert len({*first, *rest}) == len(first) + len(rest) == 16


def test_projection_on_nothing_is_one_model() -> None:
    with find_solver("minisat").open(Formula(variables=4)) as opened:
        assert len(list(opened.models(()))) == 1


def test_kissat_refuses_assumptions() -> None:
    with (
        find_solver("kissat").open(Formula.from_clauses([(1, 2)])) as opened,
        pytest.raises(SolverError, match="assumptions; cadical can"),
    ):
        opened.solve([1])


def test_what_cannot_be_asked() -> None:
    formula = Formula.from_clauses([(1, 2)])
    with pytest.raises(SolverError, match="lingeling cannot limit conflicts"):
        solve(formula, "lingeling", limits=Limits(conflicts=5))
    with pytest.raises(UsageError, match="cannot be negative"):
        solve(formula, seed=-5)
    with pytest.raises(UsageError, match="0 is not a literal"):
        solve(formula, assumptions=[0])
    opened = find_solver("cadical").open(formula)
    opened.close()
    opened.close()
    with pytest.raises(SolverError, match="closed"):
        opened.solve()


def test_seed(random_3sat: Random3Sat) -> None:
    for seed in (0, 1, 12345):
        assert isinstance(solve(random_3sat(20, 60, 1), seed=seed), Satisfied)


def test_statistics_and_progress(pigeonhole: Pigeonhole) -> None:
    seen: list[Progress] = []
    solver = find_solver("glucose")
    with solver.open(pigeonhole(10), progress=seen.append) as opened:
        answer = opened.solve(limits=Limits(conflicts=12_000))
        work = opened.statistics()
    assert answer == Undecided(Reason.CONFLICT_LIMIT)
    assert len(seen) > 1
    counts = [progress.conflicts or 0 for progress in seen]
    assert counts == sorted(counts)
    assert 12_000 <= counts[-1] < 13_000
    assert work.conflicts == counts[-1]
    assert work.seconds > 0
    assert work.decisions
    with find_solver("kissat").open(Formula.from_clauses([(1,)])) as kissat:
        kissat.solve()
        assert kissat.statistics().conflicts is None


def test_a_solver_in_one_call_reports_by_the_clock(pigeonhole: Pigeonhole) -> None:
    for name in ("cadical", "kissat"):
        seen: list[Progress] = []
        with find_solver(name).open(pigeonhole(13), progress=seen.append) as opened:
            answer = opened.solve(limits=Limits(seconds=1.8))
        assert answer == Undecided(Reason.TIME_LIMIT)
        assert len(seen) > 1
        assert all(progress.conflicts is None for progress in seen)
        assert sys.platform != "linux" or seen[-1].memory_bytes > 1 << 20


def test_a_solver_in_one_call_stops_at_conflicts(pigeonhole: Pigeonhole) -> None:
    with find_solver("cadical").open(pigeonhole(10)) as opened:
        for allowed in (0, 500):
            answer = opened.solve(limits=Limits(conflicts=allowed))
            assert answer == Undecided(Reason.CONFLICT_LIMIT)
        assert 500 <= (opened.statistics().conflicts or 0) < 1000


def test_an_error_in_the_progress_function_is_the_callers(pigeonhole: Pigeonhole) -> None:
    def complain(progress: Progress) -> None:
        raise ValueError("mine")

    with find_solver("cadical").open(pigeonhole(12), progress=complain) as opened:
        pid = opened._child.pid  # type: ignore[attr-defined]
        with pytest.raises(ValueError, match="mine"):
            opened.solve()
        assert not is_running(pid)
        opened.add([[1], [-1]])
        assert opened.solve() == Refuted(), "a new child takes over"


def test_after_a_conflict_limit_the_search_goes_on(pigeonhole: Pigeonhole) -> None:
    with find_solver("cadical").open(pigeonhole(6)) as opened:
        answers = [opened.solve(limits=Limits(conflicts=20)) for _ in range(200)]
    assert answers[0] == Undecided(Reason.CONFLICT_LIMIT)
    assert answers[-1] == Refuted()


def test_large_formula_in_many_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satlife.sat.solvers.pysat._STEP", 1000)
    steps = np.arange(1, 20_000, dtype=np.int32)
    chain = np.stack([-steps, steps + 1], axis=1)
    with find_solver("cadical").open(Formula()) as opened:
        opened.add(chain)
        opened.add(np.append(np.arange(1, 5001, dtype=np.int32), np.int32(0)))
        opened.add([[1]])
        answer = opened.solve()
        assert isinstance(answer, Satisfied)
        assert answer.model.truth[1:].all()
        assert isinstance(opened.solve([-20_000]), Refuted)


def test_scripted_solver_streams_models() -> None:
    script = [Satisfied(Model.from_literals([1, -2])), Undecided(Reason.TIME_LIMIT)]
    solver = ScriptedSolver(script)
    with solver.open(Formula.from_clauses([(1, 2)])) as opened:
        models = opened.models(limits=Limits(seconds=5))
        assert len(list(models)) == 1
        assert models.ending == Undecided(Reason.TIME_LIMIT)
        assert not models.complete
        assert list(opened.blocks[-1]) == [(-1, 2)]
        with pytest.raises(SolverError, match="no answers left"):
            opened.solve()
    assert solver.opened[0].closed


def test_find_solver() -> None:
    assert find_solver("CaDiCaL").name == "cadical"
    assert find_solver("cadical300").name == "cadical"
    with pytest.raises(SolverError, match="did you mean cadical"):
        find_solver("cadcal")
    with pytest.raises(SolverError, match="use one of cadical, "):
        find_solver("zzz")
    assert len({solver.name for solver in SOLVERS}) == len(SOLVERS)


def test_every_solver_of_pysat_is_in_the_table() -> None:
    from pysat.solvers import SolverNames

    # CryptoMiniSat is no part of PySAT: it takes a package of its own.
    theirs = {name for name in vars(SolverNames) if not name.startswith("_")} - {"cryptosat"}
    ours = {solver.pysat_name for solver in PYSAT_SOLVERS}
    by_alias = {
        name for name in theirs for alias in (name, *getattr(SolverNames, name)) if alias in ours
    }
    assert by_alias == theirs
