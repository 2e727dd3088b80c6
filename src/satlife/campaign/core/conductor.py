"""The conductor of a campaign, pure: recorded events come in, effects come out.

A driver carries the effects out: it writes events into the ledger and returns their transitions,
starts tasks, stops them, and reports.  There is one driver for a single machine
(:mod:`satlife.campaign.local.runner`) and one for a cluster
(:mod:`satlife.cluster.recorder`); the decisions that they share are here.

>>> from satlife.campaign.core.events import FoundEvent
>>> from satlife.campaign.core.state import advance
>>> from satlife.campaign.plan import Plan
>>> conductor = Conductor(Plan.from_toml('''
... [[search]]
... kind = "still-life"
... boxes = ["2x2", "3x3"]
... '''))
>>> queued = conductor.take(1).record
>>> begun = advance(None, queued[0])
>>> (start,) = conductor.follow(queued, [begun]).start
>>> start.task.problem.boxes, start.deaths
(('2x2',), 0)
>>> found = FoundEvent(start.task.name, "anna", 0, (("oo", "oo"),), "xs4_33")
>>> (implied,) = conductor.follow([found], [advance(begun.state, found)]).record
>>> implied.status.value, implied.task.problem.boxes
('found', ('3x3',))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from satlife.campaign.cases import find_split
from satlife.campaign.core.checkpoint import Checkpoint
from satlife.campaign.core.events import (
    FINAL,
    RUNNING,
    DroppedEvent,
    Event,
    ImpliedEvent,
    JoinedEvent,
    LeasedEvent,
    QueuedEvent,
    SplitEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.schedule import Schedule
from satlife.campaign.core.state import (
    Alarm,
    Instruction,
    Poison,
    Publish,
    TaskState,
    Transition,
    Withdraw,
)
from satlife.campaign.core.summary import Summary, TaskCounts
from satlife.campaign.core.trees import Children, Trees
from satlife.campaign.core.trust import examine
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import WHOLE, Shard

News = Callable[[Event, Transition], None]
"""Callback for every event that changed a state."""


class Start(NamedTuple):
    """A task to solve, or to solve again."""

    task: Task
    deaths: int
    """Deaths, failures and votes in this round so far; they number the attempts."""


@dataclass
class Effects:
    """Actions for a driver; empty if there is nothing to do."""

    record: list[Event] = field(default_factory=list)
    """Events to write into the ledger; pass their transitions to :meth:`Conductor.follow`."""
    look_up: list[str] = field(default_factory=list)
    """Tasks to read from the ledger; pass those that it has to :meth:`Conductor.learn`."""
    look_up_parents: list[Task] = field(default_factory=list)
    """Cases whose parents are to be looked up, all of them, as in ``look_up_cases``."""
    look_up_cases: list[str] = field(default_factory=list)
    """Split tasks to read from the ledger with their cases; pass them to
    :meth:`Conductor.gather`."""
    start: list[Start] = field(default_factory=list)
    withdraw: list[str] = field(default_factory=list)
    """Tasks to stop, because their answers are no longer needed."""
    alarms: list[Alarm] = field(default_factory=list)
    poisoned: list[Poison] = field(default_factory=list)
    """Tasks that have failed for good."""
    news: list[tuple[Event, Transition]] = field(default_factory=list)
    """Events that changed a state."""


class Conductor:
    """Decides what happens next; knows which tasks are out, but not where they are."""

    def __init__(
        self,
        plan: Plan,
        *,
        worker: str | None = None,
        checkpoint: Checkpoint | None = None,
        is_cautious: bool = False,
        has_found: bool = False,
        shard: Shard = WHOLE,
    ) -> None:
        """Begin a plan, or resume from a checkpoint.

        A ``worker``, if given, gets all tasks, and its leases are recorded.  A cautious conductor
        looks up all tasks of a question in the ledger before it takes any of them.
        """
        self.plan = plan
        self.out: dict[str, Start] = {}
        """Tasks that were started and have no answer yet."""
        self.alarms: list[str] = []
        self.has_found = has_found
        self._schedule = Schedule(
            plan,
            checkpoint,
            is_cautious=is_cautious,
            is_over=has_found and plan.stop == "first",
            shard=shard,
        )
        self._trees = Trees()
        self._worker = worker
        self._taken: dict[str, Task] = {}
        """Tasks that start as soon as they are recorded."""
        self._rounds: dict[str, Task] = {}
        """Tasks that are queued for a later round than the plan's first."""
        self._left: set[str] = set()
        """Tasks that an earlier run left open, and that have not been taken."""

    @property
    def load(self) -> int:
        """The number of tasks that are out, or about to be."""
        return len(self.out) + len(self._taken)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to take or to wait for."""
        return not self.load and not self._trees and self._schedule.finished

    def recall(self, rows: Iterable[tuple[str, Task, TaskState]]) -> None:
        """Take in the tasks that are queued or split in the ledger, before any task is taken."""
        for name, task, state in rows:
            if state.status in (*RUNNING, Status.SPLIT):
                self._left.add(name)
                if task.round and self._schedule.reopen(task):
                    self._rounds[name] = task

    def admit(self, event: Event) -> Event:
        """Return an event as it counts: a split for which its tree has no room is giving up."""
        if not isinstance(event, SplitEvent) or find_split(event.task).needs_all:
            return event
        if self._trees.has_room(event.task, self.plan.budget.seconds):
            return event
        words = "time limit; it is not split, since its task has as many cases as it can be worth"
        task, seconds = event.task, event.seconds
        return UndecidedEvent(task.name, event.worker, task.round, words, task.budget, seconds)

    def take(self, room: int) -> Effects:
        """Take at most ``room`` tasks, cases first; they start once they are recorded."""
        effects = Effects()
        cases = self._trees.take(room)
        for task in (*cases, *self._schedule.take(room - len(cases))):
            due = self._rounds.pop(task.name, task)
            effects.record.append(QueuedEvent(due))
            effects.record += self._enter(due)
        effects.look_up += self._schedule.asked()
        return effects

    def learn(self, names: Iterable[str], rows: Iterable[tuple[str, Task, TaskState]]) -> Effects:
        """Take in tasks that were looked up; names without a row are not in the ledger."""
        effects = Effects()
        found = {name: (task, state) for name, task, state in rows}
        asked = set(self._schedule.asked())
        if not asked.isdisjoint(names):
            self._schedule.recall({name: state for name, (_, state) in found.items()})
        for name, (task, state) in found.items():
            self.has_found |= state.status is Status.FOUND
            if name not in asked and state.status is not Status.SPLIT:
                self._schedule.tell_task(task, state)
                if task.may_be_case and state.status in FINAL:
                    effects.look_up_parents.append(task)
        self._conclude(effects)
        return effects

    def gather(
        self, task: Task, state: TaskState, rows: Iterable[tuple[str, Task, TaskState]]
    ) -> Effects:
        """Take in a task that was split, and those of its cases that are in the ledger.

        A task that is still split waits for its cases.  For one that has an answer, cases that
        still run are dropped; but if it is undecided or impossible, its cases may have given it
        another answer since.
        """
        effects = Effects()
        if self._trees.knows(task.name):
            return effects
        known = {name: (child, its_state) for name, child, its_state in rows}
        match state.status:
            case Status.SPLIT:
                self._wait_for_cases(task, state, known, effects)
            case Status.UNDECIDED:
                effects.record += _answer_by_cases(task, known)
            case Status.IMPOSSIBLE:
                effects.record += _answer_by_cases(task, known) or self._drop_begun(known)
            case _:
                effects.record += self._drop_begun(known)
        return effects

    def conclude(self) -> Effects:
        """Return the implied events that are still to be recorded; empty if there are none."""
        effects = Effects()
        self._conclude(effects)
        return effects

    def adopt(self, queued: Iterable[tuple[str, Task, TaskState]]) -> Effects:
        """Start tasks that were queued in the ledger by others: by a retry, or by a merge."""
        effects = Effects()
        for name, task, state in queued:
            if name not in self.out and name not in self._taken:
                self.out[name] = Start(task, state.tries)
                self._left.discard(name)
                effects.start.append(self.out[name])
                # A region may also belong to a map that is not known here.
                if task.every or (task.is_part and not self._trees.wants(name)):
                    effects.look_up_parents.append(task)
        return effects

    def follow(self, events: Sequence[Event], steps: Sequence[Transition]) -> Effects:
        """Return the effects of recorded events; ``steps`` are their transitions."""
        effects = Effects()
        for event, step in zip(events, steps, strict=True):
            self._follow(event, step, effects)
        self._conclude(effects)
        return effects

    def checkpoint(self) -> Checkpoint:
        """Return the progress so far; all events that were to be recorded must be recorded."""
        return self._schedule.checkpoint()

    def summary(self, counts: TaskCounts, *, is_complete: bool) -> Summary:
        """Return the outcome of a run."""
        has_stopped = self.plan.stop == "first" and self.has_found
        return Summary(counts, is_complete, has_stopped, tuple(self.alarms))

    def _follow(self, event: Event, step: Transition, effects: Effects) -> None:
        """Add the effects of one event, by the state of its task after it.

        =========  ==================================================================
        split      look up its cases, and wait for them
        running    start it, if it was taken; start it again after a death
        any other  an answer for the schedule and for the tasks that wait for this one
        =========  ==================================================================
        """
        name, state = event.name, step.state
        self.has_found |= state.status is Status.FOUND
        if isinstance(event, SplitEvent) or self._trees.wants(name):
            self._trees.spend(name, getattr(event, "seconds", 0.0))
        if step.changed:
            effects.news.append((event, step))
        for instruction in step.instructions:
            self._obey(instruction, effects)
        if state.status is Status.SPLIT:
            self._forget(name)  # the schedule waits for it as for a task that is out
            if not self._trees.knows(name):
                effects.look_up_cases.append(name)
        elif state.status in RUNNING:
            self._follow_running(event, step, effects)
        else:
            self._follow_answer(event, step, effects)

    def _obey(self, instruction: Instruction, effects: Effects) -> None:
        name = instruction.name
        match instruction:
            case Alarm(_, words):
                self.alarms.append(f"{name}: {words}")
                effects.alarms.append(instruction)
            case Poison():
                effects.poisoned.append(instruction)
                effects.withdraw.append(name)
            case Withdraw() if name in self.out or name in self._taken:
                effects.withdraw.append(name)

    def _follow_running(self, event: Event, step: Transition, effects: Effects) -> None:
        name, state = event.name, step.state
        if name in self._taken:
            # With one worker, a task starts when its lease is recorded.
            if isinstance(event, QueuedEvent if self._worker is None else LeasedEvent):
                self._start(self._taken.pop(name), state, effects)
        elif name in self.out and Publish(name) in step.instructions:  # queued again after a death
            task = self.out.pop(name).task
            if self._worker is None:
                self._start(task, state, effects)
            else:
                effects.record += self._enter(task)

    def _follow_answer(self, event: Event, step: Transition, effects: Effects) -> None:
        """Pass an answer on to the schedule; look up a task that the schedule does not know."""
        name, state = event.name, step.state
        # Asked first: the schedule and the trees forget a task when they get its answer.  After
        # a case that was tried before, other tasks may have drawn conclusions from it.
        is_first = not state.round and not self._trees.is_given_up(name)
        is_known = self._schedule.knows(name) or (is_first and self._trees.wants(name))
        self._forget(name)
        self._schedule.tell_state(name, state)
        effects.record += self._trees.tell(name, state)
        # Before the tree is closed: closing forgets that the task was split.
        if state.children and step.changed and not self._trees.knows(name):
            effects.look_up_cases.append(name)
        effects.record += self._drop(self._trees.close(name))
        # What follows from its cases may change the tasks above.
        is_own = not isinstance(event, ImpliedEvent) or bool(state.children)
        if state.status in FINAL and is_own and step.changed and not is_known:
            effects.look_up.append(name)

    def _wait_for_cases(
        self, task: Task, state: TaskState, known: Children, effects: Effects
    ) -> None:
        """Wait for the cases of a task; first record those that its worker has answered."""
        told = find_split(task).find_answers(task, state.worker)
        answered = [each for each in told if each[0].name not in known]
        if answered:  # they are included when the cases are looked up again
            for child, result in answered:
                effects.record += (QueuedEvent(child), examine(child, result))
            effects.look_up_cases.append(task.name)
            return
        out = self.out.keys() | self._taken.keys()
        effects.record += self._trees.add(task, known, out)
        if not effects.record:
            split = (name for name, (_, state) in known.items() if state.status is Status.SPLIT)
            effects.look_up_cases += (name for name in split if not self._trees.knows(name))

    def _enter(self, task: Task) -> list[Event]:
        """Return the events to record between queueing a task and starting it."""
        self._taken[task.name] = task
        self._left.discard(task.name)
        if self._worker is None:
            return []
        return [LeasedEvent(task.name, self._worker, task.round)]

    def _start(self, task: Task, state: TaskState, effects: Effects) -> None:
        if state.round == task.round:
            self.out[task.name] = Start(task, state.tries)
            effects.start.append(self.out[task.name])
        else:  # it was retried meanwhile, and will be adopted
            self._schedule.tell(task.name, Status.UNDECIDED)

    def _conclude(self, effects: Effects) -> None:
        """Add the events implied by the answers so far, or a part of them if there are many."""
        effects.record += self._schedule.news()
        for name in self._schedule.dropped():
            if self._is_begun(name):
                effects.record.append(DroppedEvent(name))
        if self._left and self.is_done:  # a find has ended their search before they were taken
            effects.record += map(DroppedEvent, sorted(self._left))
            self._left.clear()

    def _drop(self, cases: Iterable[str]) -> list[Event]:
        """Return the events to record for cases that no task waits for."""
        return [DroppedEvent(name) for name in cases if not self._schedule.knows(name)]

    def _drop_begun(self, known: Children) -> list[Event]:
        """Return the events to record for cases that were begun, and that no task waits for."""
        begun = (n for n, (_, s) in known.items() if s.status in (*RUNNING, Status.SPLIT))
        return self._drop(name for name in begun if not self._trees.wants(name))

    def _is_begun(self, name: str) -> bool:
        """Whether a task is out, about to be, or waiting for its cases."""
        return name in self.out or name in self._taken or self._trees.knows(name)

    def _forget(self, name: str) -> None:
        """Stop waiting for a task."""
        self.out.pop(name, None)
        self._taken.pop(name, None)


def _answer_by_cases(task: Task, known: Children) -> list[Event]:
    """Return the answer of a split task that its cases give, if there is one."""
    followed = Trees().add(task, known)
    answers = (event for event in followed if isinstance(event, ImpliedEvent | JoinedEvent))
    return [event for event in answers if event.status in FINAL]
