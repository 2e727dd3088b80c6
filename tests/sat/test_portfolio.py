"""Races: the first decision wins, the others are gone, and a contradiction is loud."""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from satlife.errors import InternalError, SolverError, UsageError
from satlife.sat import (
    CommandSolver,
    Formula,
    Limits,
    Model,
    Progress,
    RaceEntry,
    Reason,
    Refuted,
    Satisfied,
    ScriptedSolver,
    Undecided,
    find_solver,
    race,
    read_formula,
)
from tests.cli.running import KILL
from tests.patience import PATIENCE, at_limit, wait_until
from tests.processes import children

Pigeonhole = Callable[[int], Formula]
Random3Sat = Callable[[int, int, int], Formula]
GoneWithin = Callable[[int, float], bool]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

TWO = Formula.from_clauses([(1, 2), (-1,)])
MODEL = Satisfied(Model.from_literals([-1, 2]))


def sleeper(note: Path, seconds: float = 600, *, stubborn: bool = True) -> CommandSolver:
    """A program that notes its pid, sleeps, and says that there is no model."""
    code = (
        "import os, signal, sys, time\n"
        + ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if stubborn else "")
        + "open(sys.argv[1], 'w').write(str(os.getpid()))\n"
        f"time.sleep({seconds})\nprint('s UNSATISFIABLE'); sys.exit(20)"
    )
    words = (sys.executable, "-I", "-S", "-c", code, os.fspath(note))
    return CommandSolver("sleeper", "it sleeps", words)


def written(note: Path) -> bool:
    return note.exists() and bool(note.read_text())


def test_all_kinds_agree_with_each_other(random_3sat: Random3Sat) -> None:
    names = [name for name in ("cadical", "glucose", "kissat-binary") if usable(name)]
    seen = set()
    for seed in range(6):
        formula = random_3sat(30, 128, seed)
        entries = [RaceEntry(name, formula, find_solver(name)) for name in names]
        result = race(entries, jobs=3)
        assert result.winner is not None
        assert result.label == names[result.winner]
        assert result.answer == result.outcomes[result.winner].answer
        if isinstance(result.answer, Satisfied):
            assert result.answer.model.satisfies(formula)
        seen.add(type(result.answer))
    assert seen == {Satisfied, Refuted}


def usable(name: str) -> bool:
    solver = find_solver(name)
    return not isinstance(solver, CommandSolver) or solver.available


def test_the_fast_one_wins_and_the_slow_ones_are_gone(
    tmp_path: Path, pigeonhole: Pigeonhole, gone_within: GoneWithin
) -> None:
    notes = [tmp_path / "one", tmp_path / "two"]

    def easy() -> Formula:
        wait_until(lambda: all(map(written, notes)))
        return Formula.from_clauses([(1,), (-1,)])

    hard = pigeonhole(12)
    entries = [
        RaceEntry("slow", hard, sleeper(notes[0])),
        RaceEntry("slow and meek", hard, sleeper(notes[1], stubborn=False)),
        RaceEntry("hard", hard, find_solver("cadical"), seed=5),
        RaceEntry("fast", easy, find_solver("glucose")),
    ]
    start = time.monotonic()
    result = race(entries, jobs=4)
    whole = time.monotonic() - start
    assert result.answer == Refuted()
    assert (result.winner, result.label) == (3, "fast")
    assert whole - result.seconds < 20
    for note in notes:
        assert gone_within(int(note.read_text()), 0)
    stopped = [outcome.answer for outcome in result.outcomes[:3]]
    assert stopped == [Undecided(Reason.INTERRUPTED)] * 3
    assert [outcome.label for outcome in result.outcomes] == [entry.label for entry in entries]
    assert threading.active_count() == 1 or all(
        thread.name != "satlife-race" for thread in threading.enumerate()
    )


def test_the_first_has_a_head_start_unless_it_gives_up(pigeonhole: Pigeonhole) -> None:
    built: list[float] = []

    def late() -> Formula:
        built.append(time.monotonic())
        return TWO

    for first, least, most in (
        (RaceEntry("lost", TWO, ScriptedSolver([Undecided(Reason.GAVE_UP)])), 0.0, 0.4),
        (RaceEntry("hard", pigeonhole(12), find_solver("cadical")), 0.5, math.inf),
    ):
        begun = time.monotonic()
        second = RaceEntry("late", late, ScriptedSolver([MODEL]))
        assert race([first, second], jobs=2, head_start=0.5).label == "late"
        assert least <= built[-1] - begun < most


def test_one_at_a_time_and_the_rest_not_at_all() -> None:
    order: list[str] = []

    def build(label: str) -> Callable[[], Formula]:
        def formula() -> Formula:
            order.append(label)
            return TWO

        return formula

    lost = ScriptedSolver([Undecided(Reason.GAVE_UP)])
    entries = [
        RaceEntry("a", build("a"), lost),
        RaceEntry("b", build("b"), ScriptedSolver([MODEL])),
        RaceEntry("c", build("c"), ScriptedSolver([MODEL])),
    ]
    result = race(entries, jobs=1)
    assert order == ["a", "b"]
    assert result.label == "b"
    assert result.answer is MODEL
    assert result.outcomes[2].answer == Undecided(Reason.INTERRUPTED, "not started")
    assert lost.opened[0].closed


def test_nobody_decides() -> None:
    scripts = [Undecided(Reason.DIED, "signal 9"), Undecided(Reason.MEMORY_LIMIT)]
    entries = [RaceEntry(f"e{i}", TWO, ScriptedSolver([a])) for i, a in enumerate(scripts)]
    result = race(entries)
    assert result.winner is None
    assert result.label is None
    assert result.answer == Undecided(
        Reason.MEMORY_LIMIT, "e0: solver died: signal 9; e1: memory limit"
    )


def test_one_time_limit_for_all(pigeonhole: Pigeonhole) -> None:
    hard = pigeonhole(12)
    entries = [RaceEntry(f"seed {n}", hard, find_solver("cadical"), n) for n in range(3)]
    start = time.monotonic()
    result = race(entries, jobs=2, limits=Limits(seconds=0.6))
    assert time.monotonic() - start < PATIENCE
    assert isinstance(result.answer, Undecided)
    assert result.answer.reason is Reason.TIME_LIMIT


def test_a_builder_that_takes_too_long_is_left_alone() -> None:
    free = threading.Event()

    def slow() -> Formula:
        free.wait(600)
        return TWO

    solver = ScriptedSolver([MODEL])
    start = time.monotonic()
    result = race([RaceEntry("slow", slow, solver)], limits=Limits(seconds=0.2))
    assert time.monotonic() - start < PATIENCE
    assert result.answer == Undecided(Reason.TIME_LIMIT, "slow: time limit")
    free.set()
    wait_until(lambda: all(thread.name != "satlife-race" for thread in threading.enumerate()))
    assert solver.opened == [], "it is not solved any more"


class Meeting(ScriptedSolver):
    """A scripted solver that answers only when another one does."""

    barrier = threading.Barrier(2)

    def open(self, *words: object, **options: object):  # type: ignore[no-untyped-def]
        opened = super().open(*words, **options)  # type: ignore[arg-type]
        answer = opened.solve

        def solve(*words: object) -> object:
            self.barrier.wait(PATIENCE)
            return answer(*words)  # type: ignore[arg-type]

        opened.solve = solve  # type: ignore[assignment]
        return opened


@pytest.mark.parametrize("lie", [False, True])
def test_two_decisions_that_contradict_each_other(no_files_left: Path, lie: bool) -> None:
    wrong = Satisfied(Model.from_literals([1, -2]))
    other = Formula.from_clauses([(1,)])
    entries = [
        RaceEntry("col/umns + é", TWO, Meeting([wrong if lie else MODEL])),
        RaceEntry("direct", lambda: other, Meeting([Refuted()])),
    ]
    keep = no_files_left / "a" / "b" if lie else None
    with pytest.raises(InternalError) as caught:
        race(entries, jobs=2, keep=keep)
    words = str(caught.value)
    assert "col/umns + é says satisfied" in words
    assert "direct says refuted" in words
    assert words.endswith(f"the model {'does not satisfy' if lie else 'satisfies'} its formula")
    paths = [Path(path) for path in re.findall(r"\((\S+\.cnf)\)", words)]
    assert [read_formula(path) for path in paths] == [TWO, other]
    assert all(path.is_relative_to(keep or no_files_left) for path in paths)


def test_two_decisions_that_agree() -> None:
    entries = [RaceEntry(str(n), TWO, Meeting([MODEL])) for n in range(2)]
    assert race(entries, jobs=2).answer is MODEL


def test_progress_in_the_callers_thread(pigeonhole: Pigeonhole) -> None:
    seen: list[tuple[str, int]] = []

    def note(entry: RaceEntry, progress: Progress) -> None:
        assert threading.current_thread() is threading.main_thread()
        seen.append((entry.label, progress.conflicts))

    hard = pigeonhole(12)
    entries = [RaceEntry(name, hard, find_solver(name)) for name in ("cadical", "glucose")]
    at_limit(
        lambda seconds: race(entries, jobs=2, limits=Limits(seconds=seconds), progress=note),
        lambda _: {label for label, _ in seen} == {"cadical", "glucose"},
    )
    assert {label for label, _ in seen} == {"cadical", "glucose"}

    def complain(entry: RaceEntry, progress: Progress) -> None:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        race(entries, jobs=2, progress=complain)


def test_an_error_of_an_entry_ends_the_race(tmp_path: Path, gone_within: GoneWithin) -> None:
    note = tmp_path / "pid"

    def fail() -> Formula:
        wait_until(lambda: written(note))
        raise RuntimeError("no such encoding")

    entries = [
        RaceEntry("slow", TWO, sleeper(note)),
        RaceEntry("wrong", fail, find_solver("cadical")),
    ]
    with pytest.raises(RuntimeError, match="no such encoding"):
        race(entries, jobs=2)
    assert gone_within(int(note.read_text()), 0)


def test_what_is_no_race(tmp_path: Path) -> None:
    entry = RaceEntry("a", TWO, ScriptedSolver([MODEL]))
    with pytest.raises(UsageError, match="at least one entry"):
        race([])
    with pytest.raises(UsageError, match="the same label"):
        race([entry, entry])
    with pytest.raises(UsageError, match="got 0"):
        race([entry], jobs=0)
    missing = CommandSolver("novel", "", ("no-such-program",))
    with pytest.raises(SolverError, match="novel is not installed"):
        race([entry, RaceEntry("b", TWO, missing)])
    seeded = RaceEntry("c", TWO, find_solver("glucose"), seed=-1)
    with pytest.raises(UsageError, match="cannot be negative"):
        race([seeded])


SCRIPT = """
import sys
from satlife.sat import *
n = 12
clauses = [[p * n + h + 1 for h in range(n)] for p in range(n + 1)]
clauses += [
    [-(p * n + h + 1), -(q * n + h + 1)] for h in range(n) for p in range(n + 1) for q in range(p)
]
formula = Formula.from_clauses(clauses)
entries = [
    RaceEntry("program", formula, CommandSolver("sleeper", "", tuple(sys.argv[1:]))),
    RaceEntry("cadical", formula, find_solver("cadical")),
]
race(entries, jobs=2)
"""


@posix_only
@pytest.mark.parametrize("how", [signal.SIGINT, KILL], ids=["ctrl-c", "kill"])
def test_everything_ends_with_the_race(
    how: signal.Signals, tmp_path: Path, gone_within: GoneWithin
) -> None:
    note = tmp_path / "pid"
    command = [sys.executable, "-W", "error", "-c", SCRIPT, *sleeper(note).command]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as parent:
        wait_until(lambda: written(note))
        time.sleep(0.3)
        pids = [int(note.read_text()), *children(parent.pid)]
        start = time.monotonic()
        parent.send_signal(how)
        _, complaint = parent.communicate(timeout=PATIENCE)
        assert time.monotonic() - start < PATIENCE
    assert ("KeyboardInterrupt" in complaint) == (how == signal.SIGINT)
    assert "Warning" not in complaint
    assert len(pids) > 1
    for pid in pids:
        assert gone_within(pid, PATIENCE)
