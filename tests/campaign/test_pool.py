"""Children of a pool: hard limits, deaths, cancelling, and nothing left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from satlife import Found, Impossible, Problem, find, oscillator, ship, still_life
from satlife.campaign.local import task_solver
from satlife.campaign.local.pool import FinishedTask, Pool
from satlife.campaign.local.task_solver import ProcessorTime, search_inline, solve_task
from satlife.campaign.messages import (
    AnyResult,
    Budget,
    FailedResult,
    FoundResult,
    ImpossibleResult,
    Task,
    UndecidedResult,
)
from satlife.errors import SolverError
from satlife.problem.outcome import Outcome, Undecided
from satlife.sat import Limits
from tests.campaign.children import command
from tests.patience import PATIENCE, wait_until
from tests.processes import descendants, is_running

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
HARD = ship("c/5", box="14x14")


def collect(pool: Pool, count: int = 1) -> list[FinishedTask]:
    finished: list[FinishedTask] = []
    end = time.monotonic() + PATIENCE
    while len(finished) < count:
        assert time.monotonic() < end
        finished += pool.poll(0.2)
    return finished


def solve(task: Task, acts: dict[str, str] | None = None) -> AnyResult:
    with Pool(1, command=command(acts) if acts else None) as pool:
        pool.submit(task, 1)
        return collect(pool)[0].result


def test_one_child_solves_task_after_task() -> None:
    with Pool(1, worker="anna") as pool:
        for width in (1, 2, 3, 4):
            pool.submit(Task(problem=still_life(box=f"{width}x2"), round=width), width)
        finished = collect(pool, 4)
        assert len(pool.pids) == 1
    kinds = {each.token: type(each.result) for each in finished}
    assert kinds == {1: ImpossibleResult, 2: FoundResult, 3: FoundResult, 4: FoundResult}
    assert all(each.result.worker == "anna" for each in finished)
    assert {each.token: each.result.round for each in finished} == {1: 1, 2: 2, 3: 3, 4: 4}


@linux
def test_no_process_is_left() -> None:
    with Pool(2) as pool:
        for token in range(4):
            pool.submit(Task(problem=HARD), token)
        wait_until(lambda: len(pool.pids) == 2)
        pids = pool.pids
        pool.poll(0.5)
        assert all(map(is_running, pids))
    assert not any(map(is_running, pids))
    assert pool.busy == 0


def test_a_time_limit_gives_undecided() -> None:
    begun = time.monotonic()
    result = solve(Task(problem=HARD, budget=Budget(seconds=0.3)))
    assert isinstance(result, UndecidedResult)
    assert result.reason == "time limit"
    assert time.monotonic() - begun < PATIENCE


def test_a_child_that_does_not_keep_the_limit_is_killed() -> None:
    task = Task(problem=still_life(box="2x2"), budget=Budget(seconds=0.2))
    result = solve(task, {"2x2": "sleep"})
    assert isinstance(result, UndecidedResult)
    assert result.reason == "time limit"
    assert result.budget == task.budget


@linux
@pytest.mark.parametrize("acts", [None, {"14x14": "eat"}], ids=["solver", "python"])
def test_a_memory_limit_gives_undecided(acts: dict[str, str] | None) -> None:
    # The solver dies in C, where nothing can be caught; Python raises.
    problem = HARD if acts else ship("c/5", box="40x40")
    budget = Budget(memory_bytes=30_000_000, seconds=PATIENCE)
    result = solve(Task(problem=HARD if acts else problem, budget=budget), acts)
    assert isinstance(result, UndecidedResult)
    assert result.reason == "memory limit"


def test_after_a_memory_limit_the_next_task_has_room() -> None:
    with Pool(1, command=command({"14x14": "eat"})) as pool:
        pool.submit(Task(problem=HARD, budget=Budget(memory_bytes=30_000_000)), 1)
        pool.submit(Task(problem=ship("c/4d", box="4x4")), 2)
        results = {each.token: each.result for each in collect(pool, 2)}
    assert isinstance(results[2], FoundResult)


def test_a_child_that_dies_gives_its_last_words_and_another_goes_on() -> None:
    with Pool(1, command=command({"2x2": "die"})) as pool:
        pool.submit(Task(problem=still_life(box="2x2")), "bad")
        pool.submit(Task(problem=still_life(box="3x3")), "good")
        results = {each.token: each.result for each in collect(pool, 2)}
    bad, good = results["bad"], results["good"]
    assert isinstance(bad, FailedResult)
    assert "my last words" in bad.log
    assert "SIGABRT" in bad.log or sys.platform == "win32"
    assert isinstance(good, FoundResult)


def test_a_bug_in_a_child_is_a_failure_with_a_traceback() -> None:
    result = solve(Task(problem=still_life(box="2x2")), {"2x2": "raise"})
    assert isinstance(result, FailedResult)
    assert result.log.endswith("RuntimeError: a bug\n")


def test_what_is_no_result_is_a_failure() -> None:
    result = solve(Task(problem=still_life(box="2x2")), {"2x2": "babble"})
    assert isinstance(result, FailedResult)
    assert "not a result" in result.log


@linux
def test_cancelling_is_quick_and_gives_no_result() -> None:
    with Pool(1) as pool:
        pool.submit(Task(problem=HARD), "long")
        pool.submit(Task(problem=still_life(box="2x2")), "waiting")
        pool.submit(Task(problem=still_life(box="3x3")), "next")
        pool.poll(1.0)
        (pid,) = pool.pids
        begun = time.monotonic()
        assert pool.cancel("long")
        assert pool.cancel("waiting")
        assert not pool.cancel("unknown")
        assert time.monotonic() - begun < PATIENCE
        assert not is_running(pid)
        (finished,) = collect(pool)
        assert finished.token == "next"


def test_a_child_that_cannot_start_is_told() -> None:
    program = (sys.executable, "-c", "raise SystemExit('no such module')")
    with Pool(1, command=program) as pool:
        pool.submit(Task(problem=still_life(box="2x2")), 1)
        with pytest.raises(SolverError, match=r"does not start \(exit code 1\): no such module"):
            collect(pool)


PARENT = """
import sys, time
from satlife.campaign.messages import Task
from satlife.campaign.local.pool import Pool
from satlife import ship
pool = Pool(2)
for token in range(2):
    pool.submit(Task(problem=ship("c/5", box="14x14")), token)
pool.poll(3)
print(*pool.pids, flush=True)
pool.poll(600)
"""


@linux
@pytest.mark.parametrize("busy", [True, False], ids=["solving", "waiting"])
def test_children_end_by_themselves_when_the_parent_is_killed(busy: bool) -> None:
    program = (
        PARENT if busy else PARENT.replace('ship("c/5", box="14x14")', 'ship("c/5", box="2x2")')
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        pids = list(map(int, parent.stdout.readline().split()))
        assert set(pids) == set(descendants(parent.pid))
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    wait_until(lambda: not any(map(is_running, pids)))


def test_a_busy_machine_leaves_a_proof_its_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof begins again with each attempt, so a tenth of a processor was never enough."""
    clock = spent = 0.0
    monkeypatch.setattr(task_solver, "read_processor_clock", lambda: spent)
    monkeypatch.setattr(time, "monotonic", lambda: clock)
    task = Task(problem=still_life(box="2x2"), split=True, budget=Budget(seconds=1.0))
    attempts: list[float] = []

    def prove(limits: Limits) -> Outcome:
        nonlocal clock, spent
        assert limits.seconds is not None
        attempts.append(limits.seconds)
        worked = min(0.5, limits.seconds / 10)
        clock, spent = clock + 10 * worked, spent + worked
        if worked < 0.5:
            return Undecided(task.problem, "time limit")
        return Impossible(task.problem, "refuted")

    assert isinstance(ProcessorTime(task).spend(prove), Impossible)
    assert attempts == pytest.approx([1.0, 9.0])


def test_a_proof_comes_with_an_impossibility_and_only_then(tmp_path: Path) -> None:
    with Pool(1, folder=tmp_path / "proofs") as pool:
        pool.submit(Task(problem=oscillator(3, box="4x4"), prove=True), 1)
        pool.submit(Task(problem=oscillator(2, box="3x3"), prove=True), 2)
        finished = {each.token: each for each in collect(pool, 2)}
        proof = finished[1].proof
        assert proof is not None
        assert proof.stat().st_size > 0
        assert finished[2].proof is None
        proof.unlink()
    assert not list((tmp_path / "proofs").iterdir())


def test_a_temporary_folder_for_proofs_goes_with_the_pool() -> None:
    with Pool(1) as pool:
        pool.submit(Task(problem=oscillator(3, box="4x4"), prove=True), 1)
        proof = collect(pool)[0].proof
        assert proof is not None
        assert proof.exists()
    assert not proof.parent.exists()


def test_a_proof_that_grows_too_large_leaves_a_claim(tmp_path: Path) -> None:
    task = Task(problem=oscillator(3, box="5x5"), prove=True, budget=Budget(proof_bytes=10))
    result = solve_task(task, "me", tmp_path / "proof")
    assert isinstance(result, ImpossibleResult)
    assert result.proof_hash is None
    assert "no proof" in result.reason
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "problem",
    [ship("c/4d", box="4x4"), oscillator(3, box="4x4"), still_life(box="3x3", population="=7")],
    ids=["found", "impossible", "counted"],
)
def test_inline_answers_are_those_of_the_ordinary_search(problem: Problem) -> None:
    inline, plain = search_inline(Task(problem=problem), Limits()), find(problem)
    assert type(inline) is type(plain)
    provenances = [
        outcome.finding.provenance if isinstance(outcome, Found) else outcome.provenance
        for outcome in (inline, plain)
    ]
    assert all(each is not None for each in provenances)
    assert len({each.details["solver"] for each in provenances if each is not None}) == 1
    assert isinstance(inline, Found | Impossible)


def per_call(work: Callable[[], object], calls: int) -> float:
    begun = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - begun) / calls


def test_inline_solving_saves_starting_a_process() -> None:
    problem = still_life(box="3x3")
    task = Task(problem=problem)
    ratios = sorted(
        per_call(lambda: find(problem, memory="4G"), 2)
        / per_call(lambda: search_inline(task, Limits()), 4)
        for _ in range(5)
    )
    assert ratios[2] > 2
