"""One deadline for the whole of a search or a proof: each part asks for what is left of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from satlife import (
    Best,
    Found,
    Goal,
    Impossible,
    Improved,
    Listed,
    Options,
    Undecided,
    find,
    find_all,
    grow,
    oscillator,
    prove,
    ship,
    start,
    still_life,
)
from satlife.certificates import NoneExists, certify
from satlife.certificates.make import maker, width_folder
from satlife.certificates.make.width_folder import certify_width
from satlife.certificates.make.writer import Order, Stage, fill_folder
from satlife.deadline import Deadline
from satlife.engine import Engine, Run, Wanted
from satlife.engine.engine import GaveUp
from satlife.sat import Limits, Reason, find_solver
from satlife.sat import Undecided as NoAnswer

BLOCK = np.ones((2, 2), np.uint8)


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_deadline_counts_down_to_nothing(clock: Clock) -> None:
    deadline = Deadline.after(10, clock)
    clock.pass_by(4)
    assert (deadline.left, deadline.spent, deadline.is_over) == (6, 4, False)
    clock.pass_by(7)
    assert (deadline.left, deadline.is_over) == (0, True)
    assert Deadline.after(None, clock).left is None
    assert not Deadline.after(None, clock).is_over


def test_options_with_a_deadline_do_not_start_anew(clock: Clock) -> None:
    options = Options(timeout=Deadline.after(10, clock), memory=1000)
    clock.pass_by(4)
    assert options.limits() == Limits(seconds=6, memory_bytes=1000)
    assert options.starting_now() == options
    assert Run(options).limits.seconds == 6
    assert Options(timeout=10).starting_now().deadline().seconds == 10
    assert Options().starting_now().timeout is None


class Slow(Engine):
    """Finds a block in no time, and then takes its time to look for more."""

    name, title = "slow", "blocks"

    def __init__(self, work: Callable[[], object]) -> None:
        self.work = work

    def solutions(self, problem: Any, run: Run) -> Any:
        yield (BLOCK,)
        self.work()
        run.check()
        raise GaveUp("no more ideas")


def test_a_search_ends_by_the_clock_it_is_given(clock: Clock) -> None:
    deadline = Deadline.after(10, clock)
    for seconds, reason in ((9, "no more ideas"), (0.5, "no more ideas"), (0.5, "time limit")):
        engine = Slow(lambda seconds=seconds: clock.pass_by(seconds))  # type: ignore[misc]
        listing = find_all(still_life(box="2x2"), engine=engine, timeout=deadline)
        assert len(list(listing)) == 1
        assert listing.result.reason == reason


class Stuck:
    """Work that cannot be interrupted, until the test is over."""

    def __init__(self) -> None:
        self.end = threading.Event()

    def __call__(self) -> None:
        self.end.wait(60)


@pytest.mark.parametrize("how", ["limit", "stop"])
def test_work_that_cannot_be_interrupted_is_left_and_what_was_found_is_kept(
    how: str, clock: Clock
) -> None:
    stuck = Stuck()
    deadline = Deadline.after(10, clock)
    goal = Goal.parse("minimize", "population")
    kinds: tuple[dict[str, Any], ...] = ({"wanted": Wanted()}, {"goals": [goal]}, {})
    for keywords in kinds:
        engine = Slow(stuck) if keywords else Slower(stuck)
        search = start(still_life(box="2x2"), engine=engine, timeout=deadline, **keywords)
        search.leave_after(limit=1, stop=0.01)
        if keywords:  # until the block is found
            next(event for event in search if isinstance(event, Found | Improved))
        if how == "limit":
            clock.pass_by(11.5)
        else:
            search.stop("stopped by a test")
        result = search.result()
        reason = "time limit" if how == "limit" else "stopped by a test"
        match result:
            case Listed():
                assert (result.found, result.complete, result.reason) == (1, False, reason)
            case Best():
                assert (result.values, result.proved, result.reason) == ((4,), False, reason)
            case _:
                assert result == Undecided(still_life(box="2x2"), reason, result.provenance)
        assert search.is_over
        clock.pass_by(-11.5 if how == "limit" else 0)
    stuck.end.set()


class Slower(Slow):
    """Takes its time before it finds anything."""

    def solutions(self, problem: Any, run: Run) -> Any:
        self.work()
        yield from super().solutions(problem, run)


def test_finds_that_wait_for_a_reader_are_few() -> None:
    """Those that wait at a limit are all written, and that takes time."""
    found = 0

    class Many(Engine):
        name, title = "many", "blocks"

        def classes(self, problem: Any, run: Run, wanted: Wanted) -> Any:
            nonlocal found
            while found < 1000:
                found += 1
                yield (BLOCK,)

        solutions = None  # type: ignore[assignment]

    with start(still_life(box="2x2"), engine=Many(), wanted=Wanted()) as search:
        next(event for event in search if isinstance(event, Found))
        events = iter(search)
        next(events)
        time.sleep(0.3)
        assert found < 100
        search.stop()
        told = sum(isinstance(event, Found) for event in events)
        result = search.result()
    assert isinstance(result, Listed)
    assert result.found <= told + 2 + 1


def test_boxes_that_grow_share_one_limit() -> None:
    deadlines = []

    def note(search: Any) -> None:
        deadlines.append(search._thread.run.deadline)

    def make(box: str) -> Any:
        return ship("c/4d", box=box)

    steps = list(grow(make, "3x3", "both", note, timeout=60))
    assert isinstance(steps[-1].outcome, Found)
    assert len(deadlines) == 2
    assert deadlines[0] is deadlines[1]


# Proofs.


def test_the_parts_of_a_proof_share_one_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The best was found in what the search was given; the proof has what is left of that."""
    given: list[Order] = []

    def confine(function: str, order: Order, *, limits: Limits, **_: Any) -> Any:
        given.append(order)
        assert limits.seconds is not None
        assert limits.seconds <= 50
        return Undecided(order.problem, "enough")

    monkeypatch.setattr(maker, "run_confined", confine)
    deadline = Deadline(60, time.monotonic() - 10)
    problem = still_life(box="3x3")
    assert isinstance(prove(problem, tmp_path / "a", timeout=deadline), Undecided)
    assert isinstance(
        prove(problem, tmp_path / "b", maximize="population", timeout=deadline), Undecided
    )
    assert isinstance(prove(problem, tmp_path / "c", list_all=True, timeout=deadline), Undecided)
    assert [order.deadline for order in given] == [deadline] * 3
    assert list(tmp_path.iterdir()) == []


NOTHING = oscillator(3, box="4x3")


def write(folder: Path, clock: Clock, stage: str) -> tuple[Any, list[str]]:
    """Fill the folder of a certificate; when a stage begins, all the time passes."""
    stages: list[str] = []

    def tell(news: Stage) -> None:
        stages.append(news.what)
        if news.what == stage:
            clock.pass_by(100)

    order = Order(
        problem=NOTHING,
        claim=NoneExists(),
        folder=folder,
        solver=find_solver("cadical195"),
        limits=Limits(),
        deadline=Deadline.after(60, clock),
        begun=time.monotonic(),
        jobs=1,
        cubes=0,
        least=True,
        most_bytes=10**9,
        command="",
        extra={},
    )
    return fill_folder(order, tell), stages


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("building the formula", "time limit"),
        ("solving the formula", "time limit"),
        ("trimming the proof", "time limit, while checking the proof"),
    ],
)
def test_each_stage_of_a_proof_asks_for_what_is_left(
    stage: str, words: str, clock: Clock, tmp_path: Path
) -> None:
    outcome, stages = write(tmp_path, clock, stage)
    assert isinstance(outcome, Undecided), stages
    assert words in outcome.reason
    assert "packing the proof" not in stages


def test_a_proof_in_time_is_whole(clock: Clock, tmp_path: Path) -> None:
    outcome, stages = write(tmp_path, clock, "never")
    assert isinstance(outcome, Impossible)
    assert stages[-1] == "writing the certificate"


def test_a_limit_while_a_proof_is_checked_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The child is killed at the limit, whatever it does; the answer says at what it was."""

    def confine(function: str, order: Order, *, on_news: Any, **_: Any) -> Any:
        (order.folder / "proof").write_bytes(b"half of a proo")
        on_news(Stage("checking the proof"))
        return NoAnswer(Reason.TIME_LIMIT)

    monkeypatch.setattr(maker, "run_confined", confine)
    outcome = certify(NOTHING, NoneExists(), tmp_path / "proof")
    assert outcome == Undecided(NOTHING, "time limit, while checking the proof")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("late", "words"), [(1, "packing"), (2, "checking")])
def test_the_certificate_of_a_width_is_written_and_checked_within_the_limit(
    late: int, words: str, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("numba")
    problem = ship("c/3", box="4x*", symmetry="D2v")
    given: list[Limits] = []

    def confine(function: str, *_: Any, limits: Limits, **__: Any) -> Any:
        given.append(limits)
        return NoAnswer(Reason.TIME_LIMIT)

    parts: list[Callable[[str], object]] = []

    def begin(stop: Callable[[str], object]) -> None:
        parts.append(stop)
        if len(parts) == 2:  # the search is over
            clock.pass_by({1: 100, 2: 40}[late])

    monkeypatch.setattr(width_folder, "run_confined", confine)
    options = Options(timeout=Deadline.after(60, clock))
    outcome = certify_width(problem, tmp_path / "width", options, on_part=begin)
    assert outcome == Undecided(problem, f"time limit, while {words} the states")
    assert [limits.seconds for limits in given] == ([20] if late == 2 else [])
    assert list(tmp_path.iterdir()) == []


def test_a_limit_holds_by_the_real_clock() -> None:
    """Generous, for a machine may be busy; ``just overrun`` measures."""
    begun = time.monotonic()
    outcome = find(ship("c/5", box="14x14"), timeout=1)
    assert isinstance(outcome, Undecided)
    assert outcome.reason == "time limit"
    assert 1 <= time.monotonic() - begun < 30
