"""Searches that share tasks: whatever they share and whatever stops them, every word is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife import oscillator
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import (
    FINAL,
    ClaimedEvent,
    DiedEvent,
    Event,
    FoundEvent,
    SplitEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.schedule import Schedule
from satlife.campaign.core.state import TaskState
from satlife.campaign.core.trees import Trees
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.local import runner
from satlife.campaign.messages import Region, Task
from satlife.campaign.plan import Plan
from satlife.campaign.retry import retry
from satlife.life.box import Box
from tests.cli.running import run

STOP = 'stop = "first"\n'
LARGER = '[[search]]\nkind = "oscillator"\nperiods = 2\nboxes = "3x3..6x6"\n'
SMALLER = LARGER.replace("6x6", "5x5")
SAME = LARGER + 'population = ["<=9", "<10", "<=9"]\n'
"""One question in two spellings, and one of them twice."""

SPLITTING = "split = true\n[limits]\ntimeout = 1\n"


def is_found(task: Task, least: int) -> bool:
    """Whether there is something: in every box with so many cells, in the case of live cells."""
    is_large = Box.parse(task.problem.boxes[0]).area >= least
    return is_large and all(alive for _, _, alive in task.cells)


def answer(task: Task, least: int, how: int, worker: str) -> Event:
    match how:
        case 0:
            return DiedEvent(task.name, worker, task.round)
        case 1:
            return UndecidedEvent(task.name, worker, task.round)
        case 2 if len(task.cells) < 2:
            x = len(task.cells)
            return SplitEvent(replace(task, cases=(((x, 0, True),), ((x, 0, False),))), worker)
    if is_found(task, least):
        return FoundEvent(task.name, worker, task.round, (("oo", "oo"),), "xs4_33")
    return ClaimedEvent(task.name, worker, task.round)


SEARCHES = st.lists(
    st.builds(
        lambda text, periods, low, high, stop: (
            text.replace("periods = 2", f'periods = "{periods}"')
            .replace("3x3", low)
            .replace("6x6", high)
            + (STOP if stop else "")
        ),
        st.sampled_from([LARGER, LARGER, SAME]),
        st.sampled_from(["2", "2..3"]),
        st.sampled_from(["3x3", "2x4"]),
        st.sampled_from(["4x4", "5x4", "4x6"]),
        st.booleans(),
    ),
    min_size=2,
    max_size=3,
)


MOVES = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 99)), max_size=50)
"""What comes next, and to which task."""


@settings(max_examples=50, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    SEARCHES,
    st.booleans(),
    st.sampled_from([None, "me"]),
    st.sampled_from([1, 12, 16, 99]),
    MOVES,
)
def test_overlapping_searches_come_to_their_answers(
    searches: list[str], stop: bool, worker: str | None, least: int, moves: list[tuple[int, int]]
) -> None:
    plan = Plan.from_toml((STOP if stop else "") + SPLITTING + "".join(searches))
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger, worker=worker)
        steps = iter(moves)
        for _ in range(1000):
            how, number = next(steps, (99, 6))
            books.take(1 + number % 7)
            if books.conductor.is_done:
                break
            out = sorted(books.conductor.out)
            match how:
                case 3:
                    books.save(now=True)
                case 4:
                    books = Bookkeeper(plan, ledger, worker=worker)
                case 5:
                    retry(ledger, [Status.UNDECIDED])
                    books.adopt(10)
                case _ if out:
                    task = books.conductor.out[out[number % len(out)]].task
                    books.push([answer(task, least, how, worker or "anna")])
                    books.drain()
        assert books.conductor.is_done
        assert books.conductor.alarms == []
        check_answers(plan, ledger, least)


def check_answers(plan: Plan, ledger: Ledger, least: int) -> None:
    counts = ledger.counts()
    assert (counts.open, counts.open_cases, counts.contradicted) == (0, 0, 0)
    has_stopped = plan.stop == "first" and counts.found > 0
    for group in plan.groups():
        tasks = [plan.task(group, index) for index in range(len(group))]
        states = ledger.states(task.name for task in tasks)
        for task in tasks:
            state = states.get(task.name)
            if state is not None and state.status in FINAL:
                assert state.status is (
                    Status.FOUND if is_found(task, least) else Status.IMPOSSIBLE
                )
            elif state is None or state.status is Status.DROPPED:
                assert has_stopped or ends_itself(plan, group.scope, ledger)


def ends_itself(plan: Plan, scope: int, ledger: Ledger) -> bool:
    """Whether a find has ended a search."""
    groups = [group for group in plan.groups() if group.scope == scope]
    names = (plan.task(group, i).name for group in groups for i in range(len(group)))
    found = any(state.status is Status.FOUND for state in ledger.states(names).values())
    return plan.stops_at_first(scope) and found


@pytest.mark.parametrize(
    "text",
    [
        STOP + LARGER + SMALLER,
        LARGER + STOP + SMALLER + STOP,
        LARGER + STOP + SMALLER,
        LARGER + SMALLER + STOP,
        STOP + SAME,
        SAME + STOP,
    ],
)
@pytest.mark.parametrize("is_cautious", [False, True])
def test_a_find_that_two_searches_share_ends_both(text: str, is_cautious: bool) -> None:
    plan = Plan.from_toml(text)
    schedule = Schedule(plan, is_cautious=is_cautious)
    taken = schedule.take(8)
    found = plan.task(plan.groups()[0], 2)
    if is_cautious:
        schedule.recall({found.name: TaskState(Status.FOUND)})
    else:
        schedule.tell_task(found, TaskState(Status.FOUND))
    events = schedule.news()
    assert {event.status for event in events} <= {Status.FOUND}
    needless = {*schedule.dropped(), *(event.name for event in events), found.name}
    left = {task.name for task in (*taken, *schedule.take(99))} - needless
    if text.startswith(STOP):
        assert left == set()
        assert schedule.finished
    for each in left:
        schedule.tell(each, Status.IMPOSSIBLE)


@pytest.mark.parametrize("jobs", [1, 2])
def test_two_searches_with_a_common_task_run_to_their_end(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "plan.toml"
    for text in (STOP + LARGER + SMALLER, LARGER + STOP + SMALLER + STOP):
        path.write_text(text, encoding="utf-8")
        path.with_suffix(".db").unlink(missing_ok=True)
        done = run("satlife", "campaign", "run", str(path), "--jobs", str(jobs))
        assert done.returncode == 0, done.stderr
        assert re.search(rb"found: \w+ \(xp2_\w+\)", done.stderr)  # which one, the order decides


@pytest.mark.parametrize("text", [STOP + LARGER, LARGER + STOP])
def test_what_a_killed_run_has_left_is_dropped_when_its_search_ends(text: str) -> None:
    plan = Plan.from_toml(text)
    with open_ledger(":memory:") as ledger:
        Bookkeeper(plan, ledger, worker="me").take(4)
        books = Bookkeeper(plan, ledger, worker="me")
        books.take(1)  # looks up what is there
        (start,) = books.take(1).start
        assert ledger.counts().open == 4
        books.push([answer(start.task, 1, 99, "me")])
        books.drain()
        assert books.conductor.is_done
        assert ledger.counts().open == 0
        assert Bookkeeper(plan, ledger, worker="me").take(9).start == []


def test_a_case_of_two_tasks_is_taken_once() -> None:
    """Two maps share a region, and each of them waits for it."""
    rules = Region("B3/S2[3]")
    one, other = (
        Task(problem=oscillator(2, box="3x3", rule=whole), every=True, cases=(rules, Region(rest)))
        for whole, rest in (("B3/S[1]2[3]", "B3/S12[3]"), ("B3[4]/S2[3]", "B34/S2[3]"))
    )
    trees = Trees()
    assert trees.add(one, {}) == trees.add(other, {}) == []
    taken = trees.take(9)
    assert len(taken) == len({task.name for task in taken}) == 3
    trees.close(one.name)
    assert trees.add(one, {}, {task.name for task in taken if task.parent == other.name}) == []
    again = trees.take(9)
    assert [task.problem.rule for task in again] == ["B3/S12[3]"], "the shared region is out"


def test_a_still_life_and_an_oscillator_of_period_1_are_one_task() -> None:
    plan = Plan.from_toml(
        '[[search]]\nkind = "still-life"\nboxes = "3x3"\n'
        '[[search]]\nkind = "oscillator"\nperiods = 1\nboxes = ["2x2", "3x3"]\n'
    )
    names = {plan.task(group, i).name for group in plan.groups() for i in range(len(group))}
    assert plan.size() == len(names) == 2
    with open_ledger(":memory:") as ledger:
        assert runner.run(plan, ledger, jobs=1).is_met
        assert ledger.counts().final == 2
