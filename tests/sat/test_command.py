"""Any DIMACS program as a solver: the real kissat, and programs that misbehave."""

from __future__ import annotations

import itertools
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from satlife.errors import SolverError, UsageError
from satlife.sat import (
    SOLVERS,
    Block,
    CommandSolver,
    Formula,
    Limits,
    Model,
    Progress,
    Reason,
    Refuted,
    Satisfied,
    Undecided,
    command_solver,
    find_solver,
    solve,
)
from satlife.sat.solvers.command import OpenCommand, ProgramOutput
from satlife.sat.solvers.memory import confine, outgrown, ran_out
from satlife.sat.solvers.programs import CADICAL, KISSAT, KISSAT_SAT, KISSAT_UNSAT
from tests.cli.running import KILL
from tests.patience import PATIENCE, wait_until
from tests.processes import children

Random3Sat = Callable[[int, int, int], Formula]
Pigeonhole = Callable[[int], Formula]
GoneWithin = Callable[[int, float], bool]
Fake = Callable[..., CommandSolver]

KISSATS = [KISSAT, KISSAT_SAT, KISSAT_UNSAT]
every_kissat = pytest.mark.parametrize("solver", KISSATS, ids=lambda solver: solver.name)
needs_kissat = pytest.mark.skipif(not KISSATS[0].available, reason="the extra kissat")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the limit of Linux")

TWO = Formula.from_clauses([(1, 2), (-1,)])
READ = "import os, signal, subprocess, sys, time\ntext = sys.stdin.read()\n"
MODEL = "print('s SATISFIABLE')\nprint('v -1 2 0')\nsys.exit(10)\n"


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """Make a solver of a Python program; without ``reads``, it does not read its input."""

    def make(code: str, *words: str, reads: bool = True) -> CommandSolver:
        script = tmp_path / f"fake{len(list(tmp_path.glob('fake*')))}.py"
        script.write_text((READ if reads else READ.partition("\n")[0]) + "\n" + code)
        command = (sys.executable, "-I", "-S", os.fspath(script), *words)
        return CommandSolver("fake", "a fake", command)

    return make


def wait_for_pid(opened: OpenCommand) -> int:
    """The process of a solver that is about to run."""
    end = time.monotonic() + PATIENCE
    while (pid := opened.pid) is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return pid


def undecided(solver: CommandSolver, formula: Formula = TWO) -> Undecided:
    answer = solve(formula, solver, limits=Limits(seconds=PATIENCE))
    assert isinstance(answer, Undecided)
    return answer


@needs_kissat
@every_kissat
def test_random_3sat_against_brute_force(solver: CommandSolver, random_3sat: Random3Sat) -> None:
    seen = set()
    for seed in range(12):
        formula = random_3sat(7, 30, seed)
        rows = itertools.product((-1, 1), repeat=7)
        models = [Model.from_literals([s * v for v, s in enumerate(row, 1)]) for row in rows]
        answer = solve(formula, solver, seed=seed)
        assert isinstance(answer, Satisfied) == any(m.satisfies(formula) for m in models)
        assert not isinstance(answer, Undecided)
        if isinstance(answer, Satisfied):
            assert answer.model.satisfies(formula)
            assert answer.model.variables == 7
        seen.add(type(answer))
    assert seen == {Satisfied, Refuted}


@needs_kissat
def test_smallest_formulas() -> None:
    empty = solve(Formula(), "kissat-binary")
    assert isinstance(empty, Satisfied)
    assert solve(Formula.from_clauses([()]), "kissat-binary") == Refuted()
    free = solve(Formula.from_clauses([(2, -2)], variables=9), "kissat-binary")
    assert isinstance(free, Satisfied)
    assert free.model.variables == 9


@needs_kissat
def test_models_by_starting_again() -> None:
    with find_solver("kissat-binary").open(Formula.from_clauses([(1, 2, 3)])) as opened:
        models = opened.models(project=[1, 2])
        assert len(list(models)) == 4
        assert models.complete
        opened.add([[4]])
        assert opened.solve() == Refuted()
        assert opened.statistics().conflicts is not None
        assert opened.statistics().seconds > 0


@needs_kissat
def test_assumptions_are_units_for_one_call() -> None:
    with find_solver("kissat-sat").open(Formula.from_clauses([(1, 2)])) as opened:
        assert opened.solve([-1, 3, -2]) == Refuted((-1, 3, -2)), "the core is all of them"
        answer = opened.solve([-1, 5])
        assert isinstance(answer, Satisfied)
        assert answer.model.literals().tolist()[:2] == [-1, 2]
        assert answer.model[5]
        assert isinstance(opened.solve([-2]), Satisfied)


@needs_kissat
def test_progress_statistics_and_conflict_limit(pigeonhole: Pigeonhole) -> None:
    seen: list[Progress] = []
    with find_solver("kissat-binary").open(pigeonhole(9), progress=seen.append) as opened:
        answer = opened.solve(limits=Limits(conflicts=5000))
        assert answer == Undecided(Reason.CONFLICT_LIMIT)
        work = opened.statistics()
        assert work.conflicts == 5000
        assert work.decisions
        assert work.propagations
        opened.solve(limits=Limits(conflicts=5000))
        assert opened.statistics().conflicts == 10_000, "the work of all processes"
    assert len(seen) > 2
    assert seen[-1].conflicts <= 5000
    assert solve(pigeonhole(9), "kissat-binary", limits=Limits(conflicts=0)) == answer


@needs_kissat
def test_an_error_in_the_progress_function_is_the_callers(
    pigeonhole: Pigeonhole, gone_within: GoneWithin
) -> None:
    pids: list[int] = []

    def complain(progress: Progress) -> None:
        assert opened.pid is not None
        pids.append(opened.pid)
        raise ValueError("mine")

    solver = KISSATS[0]
    with solver.open(pigeonhole(12), progress=complain) as opened:
        with pytest.raises(ValueError, match="mine"):
            opened.solve()
        assert gone_within(pids[0], PATIENCE)


def test_large_model_and_large_formula(fake: Fake) -> None:
    steps = np.arange(1, 200_000, dtype=np.int32)
    chain = Formula.from_arrays(
        Block.from_rows("", np.stack([-steps, steps + 1], axis=1)).literals, [1, 0]
    )
    # One endless line is taken in pieces, which may cut a number in two.
    one_line = "print('s SATISFIABLE\\nv', *range(1, 200001), 0)\nsys.exit(10)"
    solvers = [fake(one_line), *(s for s in KISSATS[:1] if s.available)]
    for solver in solvers:
        answer = solve(chain, solver)
        assert isinstance(answer, Satisfied)
        assert answer.model.truth[1:].all()


@pytest.mark.parametrize(
    ("code", "reason", "detail"),
    [
        ("print('hello')", Reason.GAVE_UP, "no answer; exit code 0: hello"),
        ("sys.stdout.buffer.write(os.urandom(100000)); sys.exit(3)", Reason.DIED, "exit code 3"),
        ("sys.exit('kaputt')", Reason.DIED, "exit code 1: kaputt"),
        ("print('s SATISFIABLE'); sys.exit(10)", Reason.GAVE_UP, "no model"),
        ("print('s SATISFIABLE\\nv 1 2'); sys.exit(10)", Reason.DIED, "does not end with a 0"),
        ("print('s SATISFIABLE\\nv'); sys.exit(10)", Reason.DIED, "does not end with a 0"),
        ("print('s SATISFIABLE\\nv 1 0 2 0'); sys.exit(10)", Reason.DIED, "end with a 0"),
        ("print('s SATISFIABLE\\nv 1 x2 0'); sys.exit(10)", Reason.DIED, "'x2' is not a literal"),
        ("print('s SATISFIABLE\\nv 1 -1 0'); sys.exit(10)", Reason.DIED, "both true and false"),
        ("print('s SATISFIABLE\\nv 1 0'); sys.exit(20)", Reason.DIED, "exit code 20"),
        ("print('s UNSATISFIABLE'); sys.exit(10)", Reason.DIED, "says UNSATISFIABLE; exit code 10"),
        ("print('s UNSATISFIABLE'); sys.exit(1)", Reason.DIED, "exit code 1"),
        ("print('s SATISFIABLE\\ns UNSATISFIABLE')", Reason.DIED, "and UNSATISFIABLE"),
        ("print('s MAYBE')", Reason.DIED, "MAYBE"),
        ("print('s UNKNOWN')", Reason.GAVE_UP, ""),
        ("print('s INDETERMINATE'); sys.exit(15)", Reason.GAVE_UP, ""),
        ("print('SATISFIABLE'); sys.exit(10)", Reason.DIED, "no answer"),
        ("sys.exit(20)", Reason.DIED, "no answer; exit code 20"),
        ("pass", Reason.GAVE_UP, "no answer; exit code 0"),
    ],
)
def test_a_program_that_makes_no_sense(fake: Fake, code: str, reason: Reason, detail: str) -> None:
    answer = undecided(fake(code))
    assert (answer.reason, detail in answer.detail) == (reason, True), answer


@posix_only
@pytest.mark.parametrize("said", ["", "print('s UNSATISFIABLE', flush=True)\n"])
def test_death_by_a_signal(fake: Fake, said: str) -> None:
    answer = undecided(fake(said + "os.kill(os.getpid(), signal.SIGKILL)"))
    assert answer.reason is Reason.DIED
    assert "signal 9 (SIGKILL)" in answer.detail


@pytest.mark.parametrize(
    "code",
    [
        MODEL,
        MODEL.replace("exit(10)", "exit(0)"),
        "print('v -1\\nv 2\\nc words\\nc\\nv 0\\ns SATISFIABLE'); sys.exit(10)",
        "print('s SATISFIABLE\\r\\nv 2 99 0\\r'); sys.exit(10)",
        "print('c' * 3000000, '\\nc', 'x' * 3000000)\n" + MODEL,
        "sys.stderr.write('e' * 3000000)\n" + MODEL,
    ],
)
def test_unusual_but_right(fake: Fake, code: str) -> None:
    answer = solve(TWO, fake(code))
    assert isinstance(answer, Satisfied), answer
    assert answer.model.literals().tolist() == [-1, 2]


def test_the_text_that_the_program_reads(fake: Fake) -> None:
    named = Formula.from_clauses([(1, -2)], names=["a", "b"])
    told = fake("print('s UNKNOWN'); sys.stderr.write(repr(text)); sys.exit(1)")
    with told.open(named) as opened:
        opened.add([[3, 4]])
        answer = opened.solve([-4])
    assert isinstance(answer, Undecided)
    assert answer.detail.endswith(repr("p cnf 4 3\n1 -2 0\n3 4 0\n-4 0\n"))


def large() -> Formula:
    """A formula of some 20 MB of text: far more than a pipe holds."""
    return Formula((Block.from_rows("", np.full((1_000_000, 3), 99_999, np.int32)),), 99_999)


def test_output_before_input_does_not_lock(fake: Fake) -> None:
    code = (
        "for _ in range(300000): print('c', 'x' * 60)\nsys.stdin.read()\nprint('s UNSATISFIABLE')"
    )
    assert solve(large(), fake(code, reads=False), limits=Limits(seconds=PATIENCE)) == Refuted()


def test_an_early_end_does_not_lock(fake: Fake) -> None:
    answer = undecided(fake("sys.exit(7)", reads=False), large())
    assert answer == Undecided(Reason.DIED, "it printed no answer; exit code 7")
    closed = fake("os.close(0); print('s UNSATISFIABLE'); sys.exit(20)", reads=False)
    assert solve(large(), closed) == Refuted()


def test_endless_values_are_stopped(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satlife.sat.solvers.command._SPARE", 1 << 16)
    answer = undecided(fake("while True: print('v 1 2 3 4 5 6 7 8 9')"))
    assert answer == Undecided(Reason.DIED, "it prints more than a model")


def test_an_error_while_feeding_is_raised(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(formula: Formula, file: object) -> None:
        raise MemoryError("no room for the text")

    monkeypatch.setattr("satlife.sat.files.dimacs.write", fail)
    with pytest.raises(MemoryError, match="no room"):
        solve(TWO, fake("time.sleep(1)\n" + MODEL))


STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"


@pytest.mark.parametrize(
    "code", ["time.sleep(600)", STUBBORN + "while True: pass", "os.close(1); time.sleep(600)"]
)
@pytest.mark.parametrize("formula", [TWO, large()], ids=["small", "large"])
def test_time_limit(fake: Fake, code: str, formula: Formula, gone_within: GoneWithin) -> None:
    with fake(code, reads=False).open(formula) as opened:
        pids: list[int] = []
        look = threading.Thread(target=lambda: pids.append(wait_for_pid(opened)))
        look.start()
        start = time.monotonic()
        assert opened.solve(limits=Limits(seconds=1.5)) == Undecided(Reason.TIME_LIMIT)
        assert time.monotonic() - start < PATIENCE
        look.join()
        assert gone_within(pids[0], 0)
        assert opened.pid is None


def test_no_time_at_all(fake: Fake) -> None:
    assert solve(TWO, fake(MODEL), limits=Limits(seconds=0)) == Undecided(Reason.TIME_LIMIT)


@needs_kissat
def test_time_limit_of_kissat(pigeonhole: Pigeonhole) -> None:
    start = time.monotonic()
    answer = solve(pigeonhole(13), "kissat-unsat", limits=Limits(seconds=0.5))
    assert answer == Undecided(Reason.TIME_LIMIT)
    assert time.monotonic() - start < PATIENCE


GRANDCHILD = """
grandchild = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
with open(sys.argv[1], 'w') as file:
    file.write(str(grandchild.pid))
"""


@posix_only
@pytest.mark.parametrize("ending", ["time.sleep(600)", MODEL], ids=["limit", "answer"])
def test_a_grandchild_ends_too(
    fake: Fake, ending: str, tmp_path: Path, gone_within: GoneWithin
) -> None:
    note = tmp_path / "pid"
    start = time.monotonic()
    answer = solve(TWO, fake(GRANDCHILD + ending, os.fspath(note)), limits=Limits(seconds=4))
    assert time.monotonic() - start < PATIENCE
    assert isinstance(answer, Satisfied if ending == MODEL else Undecided)
    assert gone_within(int(note.read_text()), PATIENCE)


@posix_only
def test_output_held_open_from_another_group_does_not_lock(fake: Fake) -> None:
    code = "subprocess.Popen(['sleep', '90'], start_new_session=True)\n" + MODEL
    start = time.monotonic()
    assert isinstance(solve(TWO, fake(code)), Satisfied)
    assert time.monotonic() - start < 60


@posix_only
def test_killed_from_outside(fake: Fake) -> None:
    with fake("time.sleep(600)").open(TWO) as opened:
        killer = threading.Thread(target=lambda: os.kill(wait_for_pid(opened), signal.SIGKILL))
        killer.start()
        answer = opened.solve()
        killer.join()
    assert answer == Undecided(Reason.DIED, "it printed no answer; signal 9 (SIGKILL)")


def test_interrupt_and_close_from_another_thread(fake: Fake) -> None:
    with fake(STUBBORN + "time.sleep(600)").open(TWO) as opened:
        opened.interrupt()  # nothing runs: nothing happens
        for stop in (opened.interrupt, opened.close):
            threading.Timer(0.3, stop).start()
            start = time.monotonic()
            assert opened.solve() == Undecided(Reason.INTERRUPTED)
            assert time.monotonic() - start < PATIENCE
        with pytest.raises(SolverError, match="closed"):
            opened.solve()


@linux_only
@needs_kissat
def test_memory_limit_of_kissat() -> None:
    rng = np.random.default_rng(1)
    rows = (rng.integers(1, 100_001, (500_000, 3)) * rng.choice([-1, 1], (500_000, 3))).astype("i4")
    formula = Formula((Block.from_rows("", rows),), 100_000)
    limits = Limits(seconds=PATIENCE, memory_bytes=20 << 20)
    assert solve(formula, "kissat-binary", limits=limits) == Undecided(Reason.MEMORY_LIMIT)
    wide = Limits(memory_bytes=200 << 20)
    assert isinstance(solve(TWO, "kissat-binary", limits=wide), Satisfied)


@linux_only
def test_memory_limit_of_any_program(fake: Fake) -> None:
    greedy = fake("held = [bytes(1 << 20) for _ in range(2000)]\n" + MODEL)
    limits = Limits(seconds=PATIENCE, memory_bytes=100 << 20)
    assert solve(TWO, greedy, limits=limits) == Undecided(Reason.MEMORY_LIMIT)


def test_memory_watch_where_the_system_sets_no_limit(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    confine(2**22 + 12345, 1)  # a process that is gone already
    assert not outgrown(os.getpid(), None)
    assert not ran_out("exit code 1", "syntax error")
    monkeypatch.setattr("satlife.sat.solvers.memory.sys.platform", "darwin")
    monkeypatch.setattr("satlife.sat.solvers.memory.resident_bytes", lambda pid: 1 << 50)
    limits = Limits(seconds=PATIENCE, memory_bytes=1 << 40)
    assert solve(TWO, fake("time.sleep(600)"), limits=limits) == Undecided(Reason.MEMORY_LIMIT)


SCRIPT = """
import sys, threading, time
from satlife.sat import CommandSolver, Formula
solver = CommandSolver("fake", "a fake", tuple(sys.argv[1:]))
with solver.open(Formula.from_clauses([(1, 2)])) as opened:
    def tell():
        while opened.pid is None:
            time.sleep(0.01)
        print(opened.pid, flush=True)
    threading.Thread(target=tell, daemon=True).start()
    opened.solve()
"""


@posix_only
@pytest.mark.parametrize("how", [signal.SIGINT, KILL], ids=["ctrl-c", "kill"])
@pytest.mark.parametrize("file", ["", "{}"], ids=["pipe", "file"])
def test_everything_ends_with_the_parent(
    fake: Fake, how: signal.Signals, file: str, no_files_left: Path, gone_within: GoneWithin
) -> None:
    note = no_files_left / "pid"
    solver = fake(GRANDCHILD + STUBBORN + "time.sleep(600)", os.fspath(note), *file.split())
    command = [sys.executable, "-W", "error", "-c", SCRIPT, *solver.command]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        while not (note.exists() and note.read_text()):
            time.sleep(0.02)
        assert len(list(no_files_left.glob("*.cnf"))) == len(file.split())
        start = time.monotonic()
        parent.send_signal(how)
        _, complaint = parent.communicate(timeout=PATIENCE)
        assert time.monotonic() - start < PATIENCE
    assert ("KeyboardInterrupt" in complaint) == (how == signal.SIGINT)
    assert "Warning" not in complaint
    assert gone_within(pid, PATIENCE)
    assert gone_within(int(note.read_text()), PATIENCE)
    wait_until(lambda: list(no_files_left.glob("*.cnf")) == [])


def test_nothing_is_left_behind(fake: Fake, no_files_left: Path) -> None:
    threads, files = threading.active_count(), set(no_files_left.iterdir())
    before = children(os.getpid())
    scripts = [fake(MODEL), fake("time.sleep(600)"), fake(MODEL, "{}"), fake("sys.exit(1)")]
    for solver in scripts:
        solve(large(), solver, limits=Limits(seconds=0.4))
        # The one that feeds notices the end when it next writes.
        wait_until(lambda: threading.active_count() == threads)
    left = {path for path in no_files_left.iterdir() if path.suffix != ".py"}
    assert left == files
    if sys.platform != "win32":
        assert children(os.getpid()) == before


def test_the_formula_as_a_file(fake: Fake) -> None:
    code = (
        "text = open(sys.argv[1].removeprefix('--in=')).read()\n"
        "assert text == 'p cnf 2 2\\n1 2 0\\n-1 0\\n', text\n" + MODEL
    )
    answer = solve(TWO, fake(code, "--in={}"))
    assert isinstance(answer, Satisfied), answer
    start = time.process_time()
    assert isinstance(solve(large(), fake(MODEL, "{}")), Satisfied | Undecided)
    whole = time.process_time() - start
    start = time.process_time()
    late = solve(large(), fake(MODEL, "{}"), limits=Limits(seconds=0.01))
    assert late == Undecided(Reason.TIME_LIMIT)
    assert time.process_time() - start < whole, "the writing of the file is stopped, too"


def test_command_lines() -> None:
    quoted = command_solver(f"{shlex.quote(sys.executable)} -c 'print(\"s UNKNOWN\")' # {{}}")
    assert quoted.command == (sys.executable, "-c", 'print("s UNKNOWN")', "#", "{}")
    assert solve(TWO, quoted) == Undecided(Reason.GAVE_UP)
    for words, complaint in (("", "command is empty"), ("a 'b", "No closing quotation")):
        with pytest.raises(SolverError, match=complaint):
            command_solver(words)
    assert command_solver("/opt/bin/kissat --sat").abilities == KISSATS[0].abilities
    assert not command_solver("kissat-wrapper").abilities.seed


def test_options_of_known_programs(fake: Fake) -> None:
    from dataclasses import replace

    told = fake("sys.stderr.write(repr(sys.argv[1:])); sys.exit(1)", "--in={}")
    for name, words in {
        "kissat-binary": ["--conflicts=7", "--seed=5"],
        "cadical-binary": ["-c", "7", "--seed=5"],
        "cryptominisat5": ["--maxconfl", "7", "--random", "5"],
    }.items():
        known = find_solver(name)
        assert isinstance(known, CommandSolver)
        # The interpreter takes its own options first: the script stands for the program.
        script = replace(told, command=told.command[3:], dialect=known.dialect)
        Path(script.command[0]).chmod(0o755)
        text = Path(script.command[0]).read_text()
        if not text.startswith("#!"):
            Path(script.command[0]).write_text(f"#!{sys.executable}\n{text}")
        answer = solve(TWO, script, seed=5, limits=Limits(seconds=PATIENCE, conflicts=7))
        assert isinstance(answer, Undecided)
        assert f"{words}"[1:-1] in answer.detail


def test_what_cannot_be_asked(fake: Fake) -> None:
    with pytest.raises(SolverError, match="fake cannot be seeded"):
        solve(TWO, fake(MODEL), seed=1)
    with pytest.raises(SolverError, match="fake cannot limit conflicts"):
        solve(TWO, fake(MODEL), limits=Limits(conflicts=1))
    if KISSATS[0].available:
        with pytest.raises(SolverError, match="seed from 0 to 2147483647, not -1"):
            solve(TWO, "kissat-binary", seed=-1)
        with pytest.raises(SolverError, match="limit from 0 to 2147483647"):
            solve(TWO, "kissat-binary", limits=Limits(conflicts=2**31))


def test_a_program_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    solver = find_solver("cryptominisat5")
    with pytest.raises(SolverError, match="not installed: put cryptominisat5 on the PATH"):
        solve(TWO, solver)
    assert isinstance(solver, CommandSolver)
    assert not solver.available
    assert (solver.where, solver.version()) == (None, "")
    assert "PATH" in solver.how_to_get
    with pytest.raises(SolverError, match=r"\[kissat\]\", or do not$"):
        CommandSolver("k", "", ("kissat",), hint="do not", extra="kissat").locate()


@posix_only
def test_a_program_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "cadical"
    program.write_text("#!/bin/sh\necho 9.8.7\necho s UNSATISFIABLE\nexit 20\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    assert (CADICAL.available, CADICAL.where, CADICAL.version()) == (True, program, "9.8.7")
    assert solve(TWO, CADICAL) == Refuted()
    program.write_text("#!/no/such/shell\n")
    with pytest.raises(SolverError, match="cannot be started"):
        solve(TWO, CADICAL)


def test_every_solver_tells_whether_it_is_there() -> None:
    assert len({solver.name for solver in SOLVERS}) == len(SOLVERS)
    assert all(solver.how_to_get for solver in SOLVERS)
    for solver in SOLVERS:
        if solver.stand_in:
            assert find_solver(solver.stand_in).available
    cadical = SOLVERS[0]
    assert cadical.available
    assert cadical.version().startswith("python-sat ")
    assert (cadical.title, cadical.abilities.incremental) == ("CaDiCaL 3.0.0", True)
    if KISSAT.available:
        assert KISSAT.version().startswith("4.")
        assert KISSAT.where is not None
    with pytest.raises(UsageError, match="did you mean kissat-unsat"):
        find_solver("kissat-unsta")


CADICAL_LINES = b"""\
c ---- [ solving ] ---------
c  seconds reductions redundant irredundant
c *  0.02  4  0  0   0  0    0   0 0% 0 4329 1110 100%
c -  0.19  6 13  1  50  3 2001 990 30% 9 4329 1110 100%
c conflicts:                 2345          12000.00    per second
c a few words: 12 of them, 0 for all of you who read this
"""


def test_words_of_cadical() -> None:
    output = ProgramOutput(CADICAL.dialect, 5)
    news = [output.take(line) for line in CADICAL_LINES.splitlines(keepends=True)]
    assert [number for number in news if number is not None] == [0, 2001]
    assert output.statistics == {"conflicts": 2345}
