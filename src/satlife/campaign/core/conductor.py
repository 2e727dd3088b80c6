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

:class:`Trees` holds the tasks that were split, and derives their answers from those of their cases.
A case may be split again, so a task and its cases form a tree.  A find in a case is a find in all
tasks above it, and ends their other cases.  When every case of a task is impossible, so is the
task; when all were tried and some are undecided, so is the task.  A map needs an answer for each
of its regions: it is found when one of them is, but only once all have an answer.

Only the open part of a tree is held.  Cases are taken depth first, so that few are open at a time.
A tree has a largest number of cases; a case that would be split further is then given up.

>>> from satlife.campaign.core.state import TaskState
>>> from satlife import still_life
>>> task = Task(problem=still_life(box="3x3"), cases=(((1, 1, True),), ((1, 1, False),)))
>>> trees = Trees()
>>> trees.add(task, {})
[]
>>> one, other = trees.take(2)
>>> trees.tell(one.name, TaskState(Status.IMPOSSIBLE, certified=True))
[]
>>> trees.tell(other.name, TaskState(Status.IMPOSSIBLE))[0].certified, trees.close(task.name)
(False, [])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from msgspec.structs import replace

from satlife.campaign.cases import CELLS, MOST_IN_TREE, find_split, list_cases
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
from satlife.campaign.core.schedule import Checkpoint, Schedule
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
from satlife.campaign.core.trust import examine
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import WHOLE, Shard

SHARES: Final = 500
"""The limit of a case is at least this part of the time that its tree has taken so far: so the
cases of a long refutation are few, and still enough for as many workers."""

DEEP: Final = 15
"""Given cells at which the limits of cases stop growing: after three splits into 32, to 64
times the limit of the first task."""
MOST_GROWTH: Final = 64
"""The most by which the seconds that workers say they took may extend the limit of a case."""

Children = Mapping[str, tuple[Task, TaskState]]
"""Tasks and their states in the ledger, by name."""


@dataclass(slots=True)
class _Node:
    """A task that was split."""

    open: set[str]
    """Names of the cases that have not been tried."""
    given_up: set[str] = field(default_factory=set)
    """Cases that were tried without an answer; one may still come."""
    is_certified: bool = True
    needs_all: bool = False
    """Whether a find leaves the other cases open."""
    finder: str = ""
    """A case that was found, if all are needed."""


def grow_limit(task: Task, seconds: float | None) -> float | None:
    """Return the limit of a task's cases, given its own: four times as long for 32 by cells.

    Most of 32 cases are easy, and one that is little harder than its limit costs more split than
    solved.  The factor depends on their number, so many small splits do not make a limit longer.
    """
    if seconds is None or find_split(task) is not CELLS or len(task.cells) >= DEEP:
        return seconds
    return round(seconds * math.sqrt(len(task.cases) / 2), 3)


class Trees:
    """The tasks that wait for their cases."""

    def __init__(self) -> None:
        self._nodes: dict[str, _Node] = {}
        self._parents: dict[str, set[str]] = {}
        """The tasks that wait for each open case; mostly one."""
        self._line: dict[str, Task] = {}
        """Cases that have not been taken, the next one last; each once, even for two parents."""
        self._begun: set[str] = set()
        """Open cases that were taken, or that are in the ledger."""
        self._roots: dict[str, str] = {}
        """The first task above each open case; of several, the one that was split first."""
        self._sizes: dict[str, int] = {}
        """The number of cases below each first task, as far as they are known."""
        self._spent: dict[str, float] = {}
        """The seconds that the cases below each first task have taken, as far as they are known."""
        self._limits: dict[str, float | None] = {}
        """The least limit of each open case, in seconds."""

    def __len__(self) -> int:
        return len(self._nodes)

    def knows(self, name: str) -> bool:
        """Whether a task was split and waits for its cases."""
        return name in self._nodes

    def wants(self, name: str) -> bool:
        """Whether a task waits for this case."""
        return name in self._parents

    def is_given_up(self, name: str) -> bool:
        """Whether this case was tried before, and a task still waits for it."""
        return any(name in self._nodes[each].given_up for each in self._parents.get(name, ()))

    def has_room(self, task: Task) -> bool:
        """Whether the tree of a task may grow by the cases of that task."""
        size = self._sizes.get(self._roots.get(task.name, task.name), 0)
        return size + len(task.cases) <= MOST_IN_TREE

    def add(self, task: Task, known: Children, out: Collection[str] = ()) -> list[Event]:
        """Add a task that was split; return the events that follow from cases already known.

        Cases that are ``out`` are not taken again.  Nor are cases that were split themselves; add
        these too.
        """
        children = {child.name: child for child in list_cases(task)}
        self._nodes[task.name] = _Node(set(children), needs_all=find_split(task).needs_all)
        root = self._roots.get(task.name, task.name)
        limit = grow_limit(task, self._limits.get(task.name, task.budget.seconds))
        # The cases of a case that waits for them are counted when that is added.
        below = (s.children for _, s in known.values() if s.status is not Status.SPLIT)
        self._sizes[root] = self._sizes.get(root, 0) + len(children) + sum(below)
        for name, child in reversed(children.items()):
            self._parents.setdefault(name, set()).add(task.name)
            self._roots.setdefault(name, root)
            due = replace(child, budget=replace(child.budget, seconds=limit))
            if name in known:
                self._begun.add(name)
                due, state = known[name]
                if state.status not in (*RUNNING, Status.DROPPED):
                    continue
            self._limits[name] = due.budget.seconds
            if name not in out:
                self._line.pop(name, None)
                self._line[name] = due
        events: list[Event] = []
        for name in children:
            if name in known and not events:
                events += self.tell(name, known[name][1])
        return events

    def take(self, count: int) -> list[Task]:
        """Take the next cases that a task waits for."""
        taken: list[Task] = []
        while self._line and len(taken) < count:
            name, task = self._line.popitem()
            if name in self._parents:
                self._begun.add(name)
                taken.append(self._allow(task))
        return taken

    def spend(self, name: str, seconds: float) -> None:
        """Take in the seconds that a case, or the task that was split first, has taken."""
        root = self._roots.get(name, name)
        self._spent[root] = self._spent.get(root, 0.0) + seconds

    def _allow(self, task: Task) -> Task:
        """Return a case with a limit that grows with all that was spent on its tree."""
        share = self._spent.get(self._roots.get(task.name, ""), 0.0) / SHARES
        least = task.budget.seconds
        if not task.split or least is None:
            return task
        most = max(least, min(share, MOST_GROWTH * least))
        return replace(task, budget=replace(task.budget, seconds=round(most, 3)))

    def tell(self, name: str, state: TaskState) -> list[Event]:
        """Take in the state of a case; return what follows for the tasks that wait for it."""
        status = state.status
        if name not in self._parents or status in (*RUNNING, Status.SPLIT, Status.DROPPED):
            return []
        events: list[Event] = []
        for parent in sorted(self._parents[name]):
            node = self._nodes[parent]
            if status is Status.FOUND:
                node.finder = name
                if not node.needs_all:
                    events.append(ImpliedEvent(parent, Status.FOUND, name))
                    continue
            node.open.discard(name)
            if status in FINAL:
                node.given_up.discard(name)
                node.is_certified &= state.certified
            else:
                node.given_up.add(name)
            if node.given_up and not node.open:
                events.append(JoinedEvent(parent, Status.UNDECIDED))
            elif not node.open and node.finder:
                events.append(ImpliedEvent(parent, Status.FOUND, node.finder))
            elif not node.open:
                events.append(JoinedEvent(parent, Status.IMPOSSIBLE, node.is_certified))
        if status in FINAL:
            del self._parents[name]
            self._roots.pop(name, None)
            self._limits.pop(name, None)
            self._begun.discard(name)
        return events

    def close(self, name: str) -> list[str]:
        """Stop waiting for a task's cases; return the cases that no other task needs."""
        node = self._nodes.pop(name, None)
        if name not in self._roots:
            self._sizes.pop(name, None)
            self._spent.pop(name, None)
        self._limits.pop(name, None)
        needless: list[str] = []
        for child in sorted(node.open | node.given_up) if node is not None else ():
            parents = self._parents.get(child, set())
            parents.discard(name)
            if not parents:
                self._parents.pop(child, None)
                self._roots.pop(child, None)
                self._limits.pop(child, None)
                if child in self._begun:
                    self._begun.discard(child)
                    needless.append(child)
        return needless


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
        if self._trees.has_room(event.task):
            return event
        words = f"time limit; it is not split, since its task has {MOST_IN_TREE:,} cases"
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
        """Take in a task that was split, and those of its cases that are in the ledger."""
        effects = Effects()
        if self._trees.knows(task.name):
            return effects
        known = {name: (child, state) for name, child, state in rows}
        if state.status in (Status.UNDECIDED, Status.IMPOSSIBLE):
            # Cases may have been answered since, or found though they were impossible.
            effects.record += filter(_is_answer, Trees().add(task, known))
            if effects.record or state.status is Status.UNDECIDED:
                return effects
        if state.status is not Status.SPLIT:
            begun = (n for n, (_, s) in known.items() if s.status in (*RUNNING, Status.SPLIT))
            effects.record += self._drop(name for name in begun if not self._trees.wants(name))
            return effects
        told = find_split(task).find_answers(task, state.worker)
        answered = [each for each in told if each[0].name not in known]
        if answered:  # they are included when the cases are looked up again
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
        name, state = event.name, step.state
        self.has_found |= state.status is Status.FOUND
        if isinstance(event, SplitEvent) or self._trees.wants(name):
            self._trees.spend(name, getattr(event, "seconds", 0.0))
        if step.changed:
            effects.news.append((event, step))
        for instruction in step.instructions:
            self._obey(instruction, effects)
        if state.status is Status.SPLIT:
            # The schedule waits for it like for a task that is out.
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

    def _close(self, event: Event, step: Transition, effects: Effects) -> None:
        """Pass an answer on to the schedule; look up a task that the schedule does not know."""
        name, state = event.name, step.state
        # Other tasks may have drawn conclusions from a case that was tried before.
        is_first = not state.round and not self._trees.is_given_up(name)
        is_known = self._schedule.knows(name) or (is_first and self._trees.wants(name))
        self._forget(name)
        self._schedule.tell_state(name, state)
        effects.record += self._trees.tell(name, state)
        if state.children and step.changed and not self._trees.knows(name):
            effects.look_up_cases.append(name)
        effects.record += self._drop(self._trees.close(name))
        # What follows from its cases may change the tasks above.
        is_own = not isinstance(event, ImpliedEvent) or bool(state.children)
        is_answer = state.status in FINAL and is_own
        if is_answer and step.changed and not is_known:
            effects.look_up.append(name)

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

    def _is_begun(self, name: str) -> bool:
        """Whether a task is out, about to be, or waiting for its cases."""
        return name in self.out or name in self._taken or self._trees.knows(name)

    def _forget(self, name: str) -> None:
        """Stop waiting for a task."""
        self.out.pop(name, None)
        self._taken.pop(name, None)


def _is_answer(event: Event) -> bool:
    return isinstance(event, ImpliedEvent | JoinedEvent) and event.status in FINAL
