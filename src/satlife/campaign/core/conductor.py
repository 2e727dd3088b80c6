"""The conductor of a campaign, pure: recorded events come in, effects come out.

A driver carries the effects out: it writes events into the ledger and hands what they did back,
starts tasks, stops them, and reports.  There is one driver for a single machine
(:mod:`satlife.campaign.local.runner`) and one for a cluster
(:mod:`satlife.campaign.cluster.recorder`); every decision that they share is here.

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
    Status,
)
from satlife.campaign.core.instructions import Alarm, Instruction, Poison, Publish, Withdraw
from satlife.campaign.core.schedule import Schedule
from satlife.campaign.core.state import Step, TaskState
from satlife.campaign.core.summary import Counts, Summary
from satlife.campaign.core.trees import Trees
from satlife.campaign.core.trust import examine
from satlife.campaign.messages import Task
from satlife.campaign.parts import find_division
from satlife.campaign.plan import Plan
from satlife.campaign.plan.shard import WHOLE, Shard

News = Callable[[Event, Step], None]
"""Called with every event that changed something."""


class Start(NamedTuple):
    """A task to solve, or to solve again."""

    task: Task
    deaths: int
    """Deaths, failures and votes in this round so far: every try has another number."""


@dataclass
class Effects:
    """What a driver has to do; empty if there is nothing to do."""

    record: list[Event] = field(default_factory=list)
    """Write these into the ledger, and pass the steps to :meth:`Conductor.follow`."""
    look_up: list[str] = field(default_factory=list)
    """Read these tasks from the ledger, and pass those that it has to :meth:`Conductor.learn`."""
    look_up_cases: list[str] = field(default_factory=list)
    """Read these tasks, which were split, and their cases, and pass them to
    :meth:`Conductor.gather`."""
    start: list[Start] = field(default_factory=list)
    withdraw: list[str] = field(default_factory=list)
    """Tasks whose answers are no longer needed: stop them."""
    alarms: list[Alarm] = field(default_factory=list)
    poisoned: list[Poison] = field(default_factory=list)
    """Tasks that have failed for good."""
    news: list[tuple[Event, Step]] = field(default_factory=list)
    """Events that changed something."""


class Conductor:
    """Decides what happens next; knows which tasks are out, and nothing of where they are."""

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
        """Begin a plan, or go on from a checkpoint.

        If there is a ``worker``, it gets all tasks, and its leases are recorded.  A cautious
        conductor looks every task up in the ledger before it takes others of the same question.
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
        """Tasks that are queued for a longer round than the plan's first."""

    @property
    def load(self) -> int:
        """How many tasks are out, or about to be."""
        return len(self.out) + len(self._taken)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to take or to wait for."""
        return not self.load and not self._trees and self._schedule.finished

    def recall(self, rows: Iterable[tuple[str, Task, TaskState]]) -> None:
        """Learn which tasks are queued or split in the ledger, before anything is taken."""
        for name, task, state in rows:
            is_open = state.status in (*RUNNING, Status.SPLIT)
            if is_open and task.round and self._schedule.reopen(task):
                self._rounds[name] = task

    def take(self, room: int) -> Effects:
        """Take at most ``room`` tasks, cases first; they are started once they are recorded."""
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
                if task.parent and state.status in FINAL:
                    effects.look_up_cases.append(task.parent)
        self._conclude(effects)
        return effects

    def gather(
        self, task: Task, state: TaskState, rows: Iterable[tuple[str, Task, TaskState]]
    ) -> Effects:
        """Take in a task that was split, and those of its cases that are in the ledger."""
        effects = Effects()
        if self._trees.knows(task.name):
            return effects
        known = {name: (child, state) for name, child, state in rows}
        if state.status is Status.UNDECIDED:  # cases may have been answered since
            effects.record += filter(_is_answer, Trees().add(task, known))
            return effects
        if state.status is not Status.SPLIT:
            begun = (n for n, (_, s) in known.items() if s.status in (*RUNNING, Status.SPLIT))
            effects.record += self._drop(name for name in begun if not self._trees.wants(name))
            return effects
        told = find_division(task).find_answers(task, state.worker)
        answered = [each for each in told if each[0].name not in known]
        if answered:  # they are here when the cases are looked up again
            for child, result in answered:
                effects.record += (QueuedEvent(child), examine(child, result))
            effects.look_up_cases.append(task.name)
            return effects
        out = self.out.keys() | self._taken.keys()
        effects.record += self._trees.add(task, known, out)
        if not effects.record:
            split = (name for name, (_, state) in known.items() if state.status is Status.SPLIT)
            effects.look_up_cases += (name for name in split if not self._trees.knows(name))
        return effects

    def conclude(self) -> Effects:
        """Return what is left to record of what follows; empty if nothing is left."""
        effects = Effects()
        self._conclude(effects)
        return effects

    def adopt(self, queued: Iterable[tuple[str, Task, TaskState]]) -> Effects:
        """Start tasks that somebody else has queued in the ledger: retried, or merged."""
        effects = Effects()
        for name, task, state in queued:
            if name not in self.out and name not in self._taken:
                self.out[name] = Start(task, state.tries)
                effects.start.append(self.out[name])
                if task.parent and not self._trees.wants(name):
                    effects.look_up_cases.append(task.parent)
        return effects

    def follow(self, events: Sequence[Event], steps: Sequence[Step]) -> Effects:
        """Return what to do after events were recorded; ``steps`` says what each of them did."""
        effects = Effects()
        for event, step in zip(events, steps, strict=True):
            self._follow(event, step, effects)
        self._conclude(effects)
        return effects

    def checkpoint(self) -> Checkpoint:
        """Return how far it has come; everything that it wanted recorded must be recorded."""
        return self._schedule.checkpoint()

    def summary(self, counts: Counts, *, is_complete: bool) -> Summary:
        """Return how a run ended."""
        has_stopped = self.plan.stop == "first" and self.has_found
        return Summary(counts, is_complete, has_stopped, tuple(self.alarms))

    def _follow(self, event: Event, step: Step, effects: Effects) -> None:
        name, state = event.name, step.state
        self.has_found |= state.status is Status.FOUND
        if step.changed:
            effects.news.append((event, step))
        for instruction in step.instructions:
            self._obey(instruction, effects)
        if state.status is Status.SPLIT:
            # The schedule waits for it as for a task that is out.
            self._forget(name)
            if not self._trees.knows(name):
                effects.look_up_cases.append(name)
        elif state.status not in RUNNING:
            self._close(event, step, effects)
        elif name in self._taken:
            if isinstance(event, QueuedEvent if self._worker is None else LeasedEvent):
                self._start(self._taken.pop(name), state, effects)
        elif name in self.out and Publish(name) in step.instructions:
            # It is queued again after a death.
            task = self.out.pop(name).task
            if self._worker is None:
                self._start(task, state, effects)
            else:
                effects.record += self._enter(task)

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

    def _close(self, event: Event, step: Step, effects: Effects) -> None:
        """Pass an answer on to the schedule; that of a task it does not know is looked up first."""
        name, state = event.name, step.state
        is_known = self._schedule.knows(name) or self._trees.wants(name)
        self._forget(name)
        self._schedule.tell_state(name, state)
        effects.record += self._trees.tell(name, state)
        if state.children and step.changed and not self._trees.knows(name):
            effects.look_up_cases.append(name)
        effects.record += self._drop(self._trees.close(name))
        is_answer = state.status in FINAL and not isinstance(event, ImpliedEvent)
        if is_answer and step.changed and not is_known:
            effects.look_up.append(name)

    def _enter(self, task: Task) -> list[Event]:
        """Return what to record, after the task is queued, before it starts."""
        self._taken[task.name] = task
        if self._worker is None:
            return []
        return [LeasedEvent(task.name, self._worker, task.round)]

    def _start(self, task: Task, state: TaskState, effects: Effects) -> None:
        if state.round == task.round:
            self.out[task.name] = Start(task, state.tries)
            effects.start.append(self.out[task.name])
        else:  # it was retried meanwhile; its turn comes when it is adopted
            self._schedule.tell(task.name, Status.UNDECIDED)

    def _conclude(self, effects: Effects) -> None:
        """Add what follows from the answers so far, or a part of it if there is much."""
        effects.record += self._schedule.news()
        for name in self._schedule.dropped():
            if self._is_begun(name):
                effects.record.append(DroppedEvent(name))

    def _drop(self, cases: Iterable[str]) -> list[Event]:
        """Return what to record of cases that no task waits for."""
        return [DroppedEvent(name) for name in cases if not self._schedule.knows(name)]

    def _is_begun(self, name: str) -> bool:
        """Whether a task is out, or about to be, or waits for its cases."""
        return name in self.out or name in self._taken or self._trees.knows(name)

    def _forget(self, name: str) -> None:
        """Wait for a task no longer."""
        self.out.pop(name, None)
        self._taken.pop(name, None)


def _is_answer(event: Event) -> bool:
    return isinstance(event, ImpliedEvent | JoinedEvent) and event.status in FINAL
