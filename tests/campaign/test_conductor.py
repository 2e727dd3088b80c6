"""The conductor: what follows from what was recorded, without any process, server or database."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife.campaign.core.checkpoint import Checkpoint
from satlife.campaign.core.conductor import Conductor, Effects, Start
from satlife.campaign.core.events import (
    RUNNING,
    CertifiedEvent,
    ClaimedEvent,
    DiedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    ImpliedEvent,
    LeasedEvent,
    QueuedEvent,
    RetriedEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.state import TaskState, Transition, advance
from satlife.campaign.messages import Budget, Task
from satlife.campaign.plan import Plan
from satlife.life.box import Box

SQUARES = """
[[search]]
kind = "oscillator"
periods = "2..3"
boxes = ["3x3", "4x4", "5x5", "6x6", "7x7"]
"""
TWICE = SQUARES + SQUARES.replace("7x7", "8x8")
"""Most boxes are asked for twice."""
PAIR = '[[search]]\nkind = "still-life"\nboxes = ["2x2", "3x3"]\n'
SINGLES = '[[search]]\nkind = "still-life"\nboxes = "2x2"\npopulation = ["<=4", "<=5", "<=6"]\n'
ANNA = "anna"


class Desk:
    """A driver whose ledger is a dictionary, and whose workers are the tests."""

    def __init__(self, plan: str, worker: str | None = None) -> None:
        self.plan = Plan.from_toml(plan)
        self.states: dict[str, TaskState] = {}
        self.tasks: dict[str, Task] = {}
        self.worker = worker
        self.conductor = Conductor(self.plan, worker=worker)
        self.running: dict[str, Start] = {}
        self.done: list[Effects] = []
        self.checkpoint: Checkpoint | None = None

    def restart(self) -> None:
        """Begin again from the checkpoint, or from nothing but the ledger."""
        self.conductor = Conductor(
            self.plan,
            worker=self.worker,
            checkpoint=self.checkpoint,
            is_cautious=self.checkpoint is None,
            has_found=any(state.status is Status.FOUND for state in self.states.values()),
        )
        self.running.clear()
        self.conductor.recall(self.rows(Status.QUEUED, Status.LEASED))

    def rows(self, *statuses: Status) -> list[tuple[str, Task, TaskState]]:
        states = self.states.items()
        return [(name, self.tasks[name], s) for name, s in states if s.status in statuses]

    def take(self, room: int) -> None:
        """Take until there is nothing more to take, or no more room."""
        while (left := room - self.conductor.load) > 0:
            effects = self.conductor.take(left)
            if not (effects.record or effects.look_up):
                break
            self.carry_out(effects)

    def tell(self, *events: Event) -> None:
        for event in events:
            self.running.pop(event.name, None)
        self.carry_out(Effects(record=list(events)))

    def carry_out(self, effects: Effects) -> None:
        while True:
            self.done.append(effects)
            for name in effects.withdraw:
                self.running.pop(name, None)
            for start in effects.start:
                assert start.task.name not in self.running, "started twice"
                assert self.states[start.task.name].status in RUNNING, "started before recorded"
                self.running[start.task.name] = start
            if effects.record:
                steps = [self.record(event) for event in effects.record]
                names = effects.look_up
                effects = self.conductor.follow(effects.record, steps)
                effects.look_up += names
            elif effects.look_up:
                rows = [row for row in self.rows(*Status) if row[0] in effects.look_up]
                effects = self.conductor.learn(effects.look_up, rows)
            else:
                effects = self.conductor.conclude()
                if not effects.record:
                    return

    def record(self, event: Event) -> Transition:
        step = advance(self.states.get(event.name), event)
        self.states[event.name] = step.state
        if step.changed and isinstance(event, QueuedEvent | RetriedEvent | ImpliedEvent):
            self.tasks.setdefault(event.name, event.task or self.tasks[event.name])
            if isinstance(event, RetriedEvent):
                self.tasks[event.name] = event.task
        return step

    def all_tasks(self) -> list[Task]:
        groups = self.plan.groups()
        return [self.plan.task(group, i) for group in groups for i in range(len(group))]

    def first(self, box: str) -> Task:
        return next(s.task for s in self.running.values() if s.task.problem.boxes == (box,))


def found(task: Task) -> FoundEvent:
    rows = (("oo", "oo"),)
    return FoundEvent(task.name, ANNA, task.round, rows, "xs4_33")


def answer(task: Task, least: int) -> Event:
    """Answer as in a world in which there is something in every box with so many cells."""
    has = Box.parse(task.problem.boxes[0]).area >= least
    return found(task) if has else ClaimedEvent(task.name, ANNA, task.round)


@settings(max_examples=60)
@given(st.data())
def test_every_task_gets_its_answer_whatever_happens(data: st.DataObject) -> None:
    plans, workers = st.sampled_from([SQUARES, TWICE]), st.sampled_from([None, "me"])
    desk = Desk(data.draw(plans), data.draw(workers))
    least = data.draw(st.sampled_from([1, 16, 30, 99]))
    while not desk.conductor.is_done:
        desk.take(data.draw(st.integers(1, 5)))
        assert desk.running.keys() == desk.conductor.out.keys()
        if data.draw(st.booleans()):
            desk.checkpoint = desk.conductor.checkpoint()
        if not desk.running:
            continue
        start = desk.running[data.draw(st.sampled_from(sorted(desk.running)))]
        task = start.task
        assert start.deaths == desk.states[task.name].deaths
        match data.draw(st.integers(0, 9)):
            case 0:
                desk.tell(DiedEvent(task.name, desk.worker or ANNA, task.round, "killed"))
            case 1:
                desk.tell(UndecidedEvent(task.name, ANNA, task.round))
            case 2:
                desk.restart()
            case _:
                desk.tell(answer(task, least))
    assert not desk.running
    assert len(desk.states) == desk.plan.size()
    for name, state in desk.states.items():
        truth = answer(desk.tasks[name], least)
        expected = Status.FOUND if isinstance(truth, FoundEvent) else Status.IMPOSSIBLE
        assert state.status in (expected, Status.UNDECIDED, Status.FAILED)
    assert desk.conductor.alarms == []


@pytest.mark.parametrize("worker", [None, "me"])
def test_a_task_starts_after_it_is_recorded(worker: str | None) -> None:
    desk = Desk(PAIR, worker)
    taken = desk.conductor.take(1)
    kinds = [type(event) for event in taken.record]
    assert kinds == ([QueuedEvent] if worker is None else [QueuedEvent, LeasedEvent])
    assert taken.start == []
    desk.carry_out(taken)
    (start,) = desk.running.values()
    assert (start.task.problem.boxes, start.deaths) == (("2x2",), 0)


@pytest.mark.parametrize("worker", [None, "me"])
def test_a_task_starts_again_after_a_death_and_fails_after_the_third(worker: str | None) -> None:
    desk = Desk(SINGLES, worker)
    desk.take(1)
    (task,) = (start.task for start in desk.running.values())
    death = FailedEvent(task.name, worker or ANNA, 0, "out of memory")
    for deaths in (1, 2):
        desk.tell(death)
        assert desk.running == {task.name: Start(task, deaths)}
    desk.tell(death)
    assert desk.running == {}
    assert desk.states[task.name].status is Status.FAILED
    (poisoned,) = (poison for effects in desk.done for poison in effects.poisoned)
    assert (poisoned.name, poisoned.log) == (task.name, "out of memory")
    desk.take(9)
    assert len(desk.running) == 2, "the others go on"


def test_what_comes_to_be_implied_is_withdrawn() -> None:
    desk = Desk(SQUARES.replace("2..3", "2"))
    desk.take(9)
    assert len(desk.running) == 5
    desk.tell(found(desk.first("5x5")))
    assert {start.task.problem.boxes for start in desk.running.values()} == {("3x3",), ("4x4",)}
    assert desk.conductor.out.keys() == desk.running.keys()
    withdrawn = [name for effects in desk.done for name in effects.withdraw]
    assert len(withdrawn) == len(set(withdrawn)) == 2


def test_a_contradiction_is_an_alarm() -> None:
    desk = Desk(SINGLES)
    desk.take(1)
    (task,) = (start.task for start in desk.running.values())
    desk.tell(CertifiedEvent(task.name, "bert", 0, "00", "satlife"))
    desk.tell(found(task))
    (alarm,) = (alarm for effects in desk.done for alarm in effects.alarms)
    assert desk.conductor.alarms == [f"{alarm.name}: {alarm.words}"]


def test_news_are_events_that_changed_something() -> None:
    desk = Desk(SINGLES)
    desk.take(1)
    (task,) = (start.task for start in desk.running.values())
    desk.tell(found(task), found(task))
    news = [event for effects in desk.done for event, _ in effects.news]
    assert news == [QueuedEvent(task), found(task)]


def test_a_task_of_two_searches_starts_once() -> None:
    desk = Desk(PAIR + PAIR)
    desk.take(9)
    assert len(desk.running) == 2


def longer(task: Task) -> Task:
    return replace(task, budget=Budget(seconds=60), round=task.round + 1)


def test_a_retried_task_starts_with_its_new_budget_after_a_restart() -> None:
    desk = Desk(SINGLES)
    desk.take(1)
    (task,) = (start.task for start in desk.running.values())
    desk.tell(UndecidedEvent(task.name, ANNA))
    desk.record(RetriedEvent(longer(task)))
    desk.restart()
    desk.take(9)
    assert desk.running[task.name] == Start(longer(task), 0)
    assert len(desk.running) == 3


def test_a_task_that_somebody_else_has_queued_is_adopted_once() -> None:
    desk = Desk(SINGLES)
    desk.take(9)
    task = next(iter(desk.running.values())).task
    desk.tell(UndecidedEvent(task.name, ANNA))
    desk.record(RetriedEvent(longer(task)))
    rows = desk.rows(Status.QUEUED)
    desk.carry_out(desk.conductor.adopt(rows))
    assert desk.running[task.name] == Start(longer(task), 0)
    assert desk.conductor.adopt(rows).start == []


def test_a_task_that_was_retried_meanwhile_waits_to_be_adopted() -> None:
    desk = Desk(SINGLES)
    effects = desk.conductor.take(1)
    (event,) = effects.record
    assert isinstance(event, QueuedEvent)
    for earlier in (event, UndecidedEvent(event.name, ANNA), RetriedEvent(longer(event.task))):
        desk.record(earlier)
    desk.carry_out(effects)
    assert desk.running == {}
    assert desk.conductor.load == 0


def test_the_first_find_drops_the_rest() -> None:
    desk = Desk('stop = "first"\n' + SINGLES)
    desk.take(2)
    tasks = [start.task for start in desk.running.values()]
    desk.tell(found(tasks[0]))
    assert desk.running == {}
    assert desk.conductor.is_done
    assert desk.states[tasks[1].name].status is Status.DROPPED
    assert [name for effects in desk.done for name in effects.withdraw] == [tasks[1].name]
    assert desk.rows(*RUNNING) == []


def test_a_dropped_task_is_taken_again_if_nothing_stops_any_more() -> None:
    desk = Desk('stop = "first"\n' + SINGLES)
    desk.take(2)
    tasks = [start.task for start in desk.running.values()]
    desk.tell(found(tasks[0]))
    desk.checkpoint = desk.conductor.checkpoint()
    desk.plan = Plan.from_toml(SINGLES)
    desk.restart()
    desk.take(9)
    assert desk.running.keys() == {task.name for task in desk.all_tasks()} - {tasks[0].name}


def test_a_late_answer_after_a_restart_settles_others() -> None:
    desk = Desk(SQUARES.replace("2..3", "2"))
    desk.take(1)
    task = desk.first("3x3")
    desk.tell(UndecidedEvent(task.name, ANNA))
    desk.checkpoint = desk.conductor.checkpoint()
    desk.restart()
    assert desk.conductor.load == 0
    desk.tell(found(task))
    assert {state.status for state in desk.states.values()} == {Status.FOUND}
    assert len(desk.states) == 5
    assert desk.conductor.is_done


def test_a_recalled_find_counts() -> None:
    desk = Desk('stop = "first"\n' + SINGLES)
    desk.take(1)
    desk.tell(found(next(iter(desk.running.values())).task))
    desk.restart()
    assert desk.conductor.has_found
    assert desk.conductor.is_done
    assert desk.conductor.take(9).record == []
