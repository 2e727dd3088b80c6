"""Child processes end: by limits, by Ctrl-C, by violence, and with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from satlife.errors import SolverError
from satlife.sat import (
    Block,
    Formula,
    Limits,
    Reason,
    Refuted,
    Satisfied,
    Undecided,
    find_solver,
    solve,
)
from satlife.sat.solvers import PysatSolver
from satlife.sat.solvers.memory import resident_bytes
from satlife.sat.solvers.process import Child, describe_exit
from tests.patience import PATIENCE

Pigeonhole = Callable[[int], Formula]
GoneWithin = Callable[[int, float], bool]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

SCRIPT = textwrap.dedent(
    """
    # No "if __name__" guard: a child must not run the main program again.
    import itertools, sys, time
    from satlife.sat import Formula, find_solver
    n = 14
    clauses = [[p * n + h + 1 for h in range(n)] for p in range(n + 1)]
    clauses += [
        [-(p * n + h + 1), -(q * n + h + 1)]
        for h in range(n)
        for p, q in itertools.combinations(range(n + 1), 2)
    ]
    with find_solver(sys.argv[1]).open(Formula.from_clauses(clauses)) as opened:
        print(opened._child.pid, flush=True)
        opened.solve()
    """
)


def pysat(name: str) -> PysatSolver:
    solver = find_solver(name)
    assert isinstance(solver, PysatSolver)
    return solver


def impostor(code: str) -> PysatSolver:
    """A solver whose child is another program."""
    return replace(pysat("cadical"), command=("-c", textwrap.dedent(code)))


@pytest.mark.parametrize("name", ["cadical", "kissat", "glucose", "lingeling", "maplechrono"])
def test_time_limit(name: str, pigeonhole: Pigeonhole, gone_within: GoneWithin) -> None:
    with pysat(name).open(pigeonhole(13)) as opened:
        pid = opened._child.pid
        start = time.monotonic()
        assert opened.solve(limits=Limits(seconds=0.6)) == Undecided(Reason.TIME_LIMIT)
        assert time.monotonic() - start < PATIENCE
    assert gone_within(pid, PATIENCE)


def test_no_time_at_all(pigeonhole: Pigeonhole) -> None:
    assert solve(pigeonhole(10), limits=Limits(seconds=0)) == Undecided(Reason.TIME_LIMIT)


def test_time_limit_holds_while_feeding() -> None:
    deaf = impostor("import time; time.sleep(600)")
    rows = np.ones((2_000_000, 3), np.int32)
    start = time.monotonic()
    answer = solve(Formula((Block.from_rows("", rows),), 1), deaf, limits=Limits(seconds=0.5))
    assert answer == Undecided(Reason.TIME_LIMIT)
    assert time.monotonic() - start < PATIENCE


def test_a_killed_child_is_replaced_and_fed_again(pigeonhole: Pigeonhole) -> None:
    with pysat("lingeling").open(pigeonhole(13)) as opened:
        opened.add([[200, 201]])
        assert opened.solve(limits=Limits(seconds=0.3)) == Undecided(Reason.TIME_LIMIT)
        assert opened.solve([-200, -201]) == Refuted((-200, -201)) or opened.core()
        opened.add([[-200], [-201]])
        assert opened.solve() == Refuted()


def test_models_share_one_time_limit(pigeonhole: Pigeonhole) -> None:
    free = Formula(variables=40)
    with pysat("minisat").open(free) as opened:
        models = opened.models(limits=Limits(seconds=0.5))
        start = time.monotonic()
        assert sum(1 for _ in models) > 0
        assert time.monotonic() - start < PATIENCE
        assert models.ending == Undecided(Reason.TIME_LIMIT)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit of Linux")
@pytest.mark.parametrize("name", ["cadical", "cadical153", "kissat", "glucose", "minisat"])
def test_memory_limit(name: str) -> None:
    rng = np.random.default_rng(1)
    rows = (rng.integers(1, 100_001, (300_000, 3)) * rng.choice([-1, 1], (300_000, 3))).astype("i4")
    formula = Formula((Block.from_rows("", rows),), 100_000)
    limits = Limits(seconds=PATIENCE, memory_bytes=20 << 20)
    assert solve(formula, name, limits=limits) == Undecided(Reason.MEMORY_LIMIT)


def test_memory_limit_that_is_wide_enough() -> None:
    formula = Formula.from_clauses([(1, 2), (-1,)])
    assert isinstance(solve(formula, limits=Limits(memory_bytes=200 << 20)), Satisfied)


def test_memory_watch_where_the_system_sets_no_limit(
    pigeonhole: Pigeonhole, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert resident_bytes(os.getpid()) > 1 << 20
    assert resident_bytes(2**22 + 12345) == 0
    with pysat("lingeling").open(pigeonhole(13)) as opened:
        opened.solve(limits=Limits(seconds=0.1))  # the child has what the system gives it
        monkeypatch.setattr("satlife.sat.solvers.pysat._POLL", 0.05)
        monkeypatch.setattr("satlife.sat.solvers.memory.sys.platform", "darwin")
        monkeypatch.setattr("satlife.sat.solvers.memory.resident_bytes", lambda pid: 1 << 50)
        answer = opened.solve(limits=Limits(seconds=PATIENCE, memory_bytes=1 << 40))
    assert answer == Undecided(Reason.MEMORY_LIMIT)


@posix_only
def test_child_killed_from_outside(pigeonhole: Pigeonhole) -> None:
    with pysat("cadical").open(pigeonhole(13)) as opened:
        pid = opened._child.pid
        threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
        assert opened.solve() == Undecided(Reason.DIED, "signal 9 (SIGKILL)")
        assert opened.solve(limits=Limits(conflicts=5)) == Undecided(Reason.CONFLICT_LIMIT)


def test_interrupt_from_another_thread(pigeonhole: Pigeonhole) -> None:
    with pysat("kissat").open(pigeonhole(13)) as opened:
        opened.interrupt()  # nothing runs: nothing happens
        threading.Timer(0.3, opened.interrupt).start()
        assert opened.solve() == Undecided(Reason.INTERRUPTED)


FRAME = "import struct, sys; out = sys.stdout.buffer; "


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("print('c hello, I am a solver' * 100)", "not an answer"),
        ("import sys; sys.exit(3)", "exit code 3"),
        ("import sys; sys.exit('no PySAT here')", "exit code 1: no PySAT here"),
        ("import os; os.abort()", "SIGABRT" if sys.platform != "win32" else "exit code"),
        ("print('x')", "exit code 0"),
        (FRAME + "out.write(struct.pack('=4sII', b'slf1', 7, 3) + b'{x}')", "not an answer"),
        (FRAME + "out.write(struct.pack('=4sII', b'slf1', 7, 2) + b'[]')", "not an answer"),
        (FRAME + "out.write(struct.pack('=4sII', b'slf1', 7, 2) + b'{}')", "not an answer"),
        (FRAME + "out.write(struct.pack('=4sII', b'slf1', 99, 0))", "not an answer"),
        (FRAME + "out.write(struct.pack('=4sII', b'slf1', 7, 99))", "exit code 0"),
        (FRAME + "out.write(struct.pack('=4sII', b'slf1', 7, 2**32 - 1))", "not an answer"),
    ],
)
def test_a_child_that_makes_no_sense(code: str, detail: str) -> None:
    answer = solve(Formula.from_clauses([(1, 2)]), impostor(code), limits=Limits(seconds=PATIENCE))
    assert isinstance(answer, Undecided)
    assert answer.reason is Reason.DIED
    assert detail in answer.detail


def test_a_solver_that_pysat_does_not_have() -> None:
    unknown = replace(pysat("cadical"), name="novel", pysat_name="novel999")
    with pytest.raises(SolverError, match="PySAT has no novel here"):
        solve(Formula.from_clauses([(1,)]), unknown)


@posix_only
@pytest.mark.parametrize("name", ["cadical", "kissat", "glucose"])
def test_ctrl_c(name: str, tmp_path: Path, gone_within: GoneWithin) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, script, name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.4)
        start = time.monotonic()
        parent.send_signal(signal.SIGINT)
        _, complaint = parent.communicate(timeout=PATIENCE)
        assert time.monotonic() - start < PATIENCE
    assert "KeyboardInterrupt" in complaint
    assert "ResourceWarning" not in complaint
    assert gone_within(pid, PATIENCE)


@posix_only
@pytest.mark.parametrize("name", ["cadical", "kissat", "lingeling"])
def test_the_child_dies_with_its_parent(name: str, tmp_path: Path, gone_within: GoneWithin) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, script, name], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.4)
        parent.kill()
    assert gone_within(pid, PATIENCE)


def test_script_without_guard_from_standard_input() -> None:
    code = "from satlife.sat import *; print(solve(Formula.from_clauses([(1,), (-1,)])))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-"], input=code, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("refuted\n", "")


def test_nothing_is_left_behind(
    no_files_left: Path, pigeonhole: Pigeonhole, gone_within: GoneWithin
) -> None:
    threads = threading.active_count()
    opened = pysat("cadical").open(pigeonhole(3))
    assert opened.solve() == Refuted()
    pid = opened._child.pid
    del opened  # not closed: the collector closes it
    assert gone_within(pid, PATIENCE)
    solve(pigeonhole(13), "kissat", limits=Limits(seconds=0.2))
    assert threading.active_count() == threads
    assert list(no_files_left.iterdir()) == []
    if sys.platform != "win32":
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def test_child_outlives_the_thread_that_opened_it(pigeonhole: Pigeonhole) -> None:
    box = []
    thread = threading.Thread(target=lambda: box.append(pysat("glucose").open(pigeonhole(4))))
    thread.start()
    thread.join()
    with box[0] as opened:
        assert opened.solve() == Refuted()


def test_several_at_once(pigeonhole: Pigeonhole) -> None:
    answers: list[object] = []
    threads = [
        threading.Thread(target=lambda: answers.append(solve(pigeonhole(5), "minisat")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [Refuted()] * 4


def test_words_for_exits() -> None:
    assert describe_exit(0) == "exit code 0"
    assert describe_exit(-9).startswith("signal 9")
    assert describe_exit(-63) == "signal 63"


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(OSError, match=r"No such file|cannot find"):
        Child(["/no/such/program"])
