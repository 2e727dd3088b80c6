"""Tasks that were split, pure: their answers follow from those of their cases.

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
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from satlife.campaign.cases import CELLS, MOST_CASES, MOST_IN_TREE, find_split, list_cases
from satlife.campaign.core.events import FINAL, RUNNING, Event, ImpliedEvent, JoinedEvent, Status
from satlife.campaign.core.state import TaskState
from satlife.campaign.messages import Task
from satlife.engine.estimates import estimate
from satlife.problem import Problem

SHARES: Final = 500
"""The limit of a case is at least this part of the time that its tree has taken so far: so the
cases of a long refutation are few, and still enough for as many workers."""

DEEP: Final = 15
"""Given cells at which the limits of cases stop growing: after three splits into 32, to 64
times the limit of the first task."""
TOLERANCE: Final = 100
"""How many times as long as estimated a task may take before its tree grows no more."""
MOST_GROWTH: Final = 64
"""The most by which the seconds that workers say they took may extend the limit of a case."""

Children = Mapping[str, tuple[Task, TaskState]]
"""Tasks and their states in the ledger, by name."""


def grow_limit(task: Task, seconds: float | None) -> float | None:
    """Return the limit of a task's cases, given its own: four times as long for 32 by cells.

    Most of 32 cases are easy, and one that is little harder than its limit costs more split than
    solved.  The factor depends on their number, so many small splits do not make a limit longer.
    """
    if seconds is None or find_split(task) is not CELLS or len(task.cells) >= DEEP:
        return seconds
    return round(seconds * math.sqrt(len(task.cases) / 2), 3)


def count_worth(problem: Problem, prove: bool, seconds: float | None) -> int:
    """Return the number of cases that a task could be worth, given the plan's limit.

    So users who split an easy task by their votes alone make little work of it.

    >>> from satlife import ship
    >>> [count_worth(ship("c/3", box=box), False, 60.0) for box in ("5x5", "8x10", "10x12")]
    [256, 256, 17523]
    """
    if problem.motion is None or seconds is None or problem.has_open_height:
        return MOST_IN_TREE
    took = estimate(problem.all_boxes[0], problem.symmetry, str(problem.motion), prove=prove)
    return min(max(MOST_CASES, int(TOLERANCE * took / seconds)), MOST_IN_TREE)


@dataclass(slots=True)
class _Split:
    """A task that was split and waits for its cases."""

    untried: set[str]
    """Names of the cases that have not been tried."""
    given_up: set[str] = field(default_factory=set)
    """Cases that were tried without an answer; one may still come."""
    is_certified: bool = True
    needs_all: bool = False
    """Whether a find leaves the other cases open."""
    finder: str = ""
    """A case that was found, if all are needed."""

    def conclude(self, name: str) -> Event | None:
        """Return the answer of the task of that name, if its cases give one."""
        if self.untried:
            return None
        if self.given_up:
            return JoinedEvent(name, Status.UNDECIDED)
        if self.finder:
            return ImpliedEvent(name, Status.FOUND, self.finder)
        return JoinedEvent(name, Status.IMPOSSIBLE, self.is_certified)


@dataclass(slots=True)
class _Case:
    """A case that at least one task waits for."""

    root: str
    """The first task above it; of several, the one that was split first."""
    parents: set[str] = field(default_factory=set)
    """The tasks that wait for it; mostly one."""
    due: Task | None = None
    """The case as it is to be taken, with its limit; None if it was tried or split before."""
    is_begun: bool = False
    """Whether it was taken, or is in the ledger."""


@dataclass(slots=True)
class _Tree:
    """What is known of all cases below a first task."""

    size: int = 0
    spent: float = 0.0
    """The seconds that they have taken."""


class Trees:
    """The tasks that wait for their cases."""

    def __init__(self) -> None:
        self._split: dict[str, _Split] = {}
        self._cases: dict[str, _Case] = {}
        self._trees: dict[str, _Tree] = {}
        """By the name of the first task."""
        self._line: dict[str, None] = {}
        """Cases that have not been taken, the next one last; each once, even for two parents."""

    def __len__(self) -> int:
        return len(self._split)

    def knows(self, name: str) -> bool:
        """Whether a task was split and waits for its cases."""
        return name in self._split

    def wants(self, name: str) -> bool:
        """Whether a task waits for this case."""
        return name in self._cases

    def is_given_up(self, name: str) -> bool:
        """Whether this case was tried before, and a task still waits for it."""
        case = self._cases.get(name)
        return case is not None and any(name in self._split[p].given_up for p in case.parents)

    def has_room(self, task: Task, seconds: float | None) -> bool:
        """Whether the tree of a task may grow by the cases of that task.

        ``seconds`` is the plan's limit.
        """
        tree = self._trees.get(self._root(task.name), _Tree())
        return tree.size + len(task.cases) <= count_worth(task.problem, task.prove, seconds)

    def add(self, task: Task, known: Children, out: Collection[str] = ()) -> list[Event]:
        """Add a task that was split; return the events that follow from cases already known.

        Cases that are ``out`` are not taken again.  Nor are cases that were split themselves; add
        these too.
        """
        children = {child.name: child for child in list_cases(task)}
        self._split[task.name] = _Split(set(children), needs_all=find_split(task).needs_all)
        root = self._root(task.name)
        # The cases of a case that waits for them are counted when that is added.
        below = (s.children for _, s in known.values() if s.status is not Status.SPLIT)
        self._trees.setdefault(root, _Tree()).size += len(children) + sum(below)

        before = self._cases[task.name].due if task.name in self._cases else None
        if before is None or before.round != task.round:  # a retry has a limit of its own
            before = task
        limit = grow_limit(task, before.budget.seconds)
        for name, child in reversed(children.items()):
            case = self._cases.setdefault(name, _Case(root))
            case.parents.add(task.name)
            due = replace(child, budget=replace(child.budget, seconds=limit))
            if name in known:
                case.is_begun = True
                due, state = known[name]
                if state.status not in (*RUNNING, Status.DROPPED):
                    continue
            case.due = due
            if name not in out:
                self._line.pop(name, None)
                self._line[name] = None
        events: list[Event] = []
        for name in children:
            if name in known and not events:
                events += self.tell(name, known[name][1])
        return events

    def take(self, count: int) -> list[Task]:
        """Take the next cases that a task waits for."""
        taken: list[Task] = []
        while self._line and len(taken) < count:
            name, _ = self._line.popitem()
            case = self._cases.get(name)
            if case is not None and case.due is not None:
                case.is_begun = True
                taken.append(self._extend(case.due, case.root))
        return taken

    def spend(self, name: str, seconds: float) -> None:
        """Take in the seconds that a case, or the task that was split first, has taken."""
        self._trees.setdefault(self._root(name), _Tree()).spent += seconds

    def tell(self, name: str, state: TaskState) -> list[Event]:
        """Take in the state of a case; return what follows for the tasks that wait for it."""
        case, status = self._cases.get(name), state.status
        if case is None or status in (*RUNNING, Status.SPLIT, Status.DROPPED):
            return []
        events: list[Event] = []
        for parent in sorted(case.parents):
            split = self._split[parent]
            if status is Status.FOUND:
                split.finder = name
                if not split.needs_all:
                    events.append(ImpliedEvent(parent, Status.FOUND, name))
                    continue
            split.untried.discard(name)
            if status in FINAL:
                split.given_up.discard(name)
                split.is_certified &= state.certified
            else:
                split.given_up.add(name)
            if (answer := split.conclude(parent)) is not None:
                events.append(answer)
        if status in FINAL:
            del self._cases[name]
        return events

    def close(self, name: str) -> list[str]:
        """Stop waiting for a task's cases; return the cases that no other task needs."""
        if name not in self._cases:
            self._trees.pop(name, None)
        split = self._split.pop(name, None)
        needless: list[str] = []
        for child in sorted(split.untried | split.given_up) if split is not None else ():
            if (case := self._cases.get(child)) is None:
                continue
            case.parents.discard(name)
            if not case.parents:
                del self._cases[child]
                if case.is_begun:
                    needless.append(child)
        return needless

    def _root(self, name: str) -> str:
        """Return the first task above a task, which may be itself."""
        return self._cases[name].root if name in self._cases else name

    def _extend(self, task: Task, root: str) -> Task:
        """Return a case with a limit that grows with all that was spent on its tree."""
        least = task.budget.seconds
        if not task.split or least is None:
            return task
        spent = self._trees[root].spent if root in self._trees else 0.0
        most = max(least, min(spent / SHARES, MOST_GROWTH * least))
        return replace(task, budget=replace(task.budget, seconds=round(most, 3)))
