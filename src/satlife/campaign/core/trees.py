"""The trees of a campaign, pure: tasks that were split, and what their cases' answers amount to.

A case may be split again, so a task and its cases are a tree.  A find in a case is a find in all
tasks above it, and ends their other cases.  When every case of a task is impossible, so is the
task; when all are tried and some are not decided, neither is the task.  The regions of a map are
all asked for: it is found when one of them is, but only when all have an answer.

Of a tree only what is open is held.  Cases are taken depth first, so that few are open at a time.

>>> from satlife.campaign.core.state import TaskState
>>> from satlife.search import still_life
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

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from satlife.campaign.core.events import (
    FINAL,
    RUNNING,
    Event,
    ImpliedEvent,
    JoinedEvent,
    Status,
)
from satlife.campaign.core.state import TaskState
from satlife.campaign.messages import Task
from satlife.campaign.parts import divide, find_division

Children = Mapping[str, tuple[Task, TaskState]]
"""Tasks by their names, as the ledger has them."""


@dataclass(slots=True)
class _Node:
    """A task that was split."""

    open: set[str]
    """The names of the cases that have not been tried."""
    given_up: set[str] = field(default_factory=set)
    """Cases that were tried and have no answer; one may still come."""
    is_certified: bool = True
    needs_all: bool = False
    """Whether a find does not end the others."""
    finder: str = ""
    """A case that was found, if all are needed."""


class Trees:
    """The tasks that wait for their cases."""

    def __init__(self) -> None:
        self._nodes: dict[str, _Node] = {}
        self._parents: dict[str, set[str]] = {}
        """Of each open case, the tasks that wait for it; mostly one."""
        self._line: list[Task] = []
        """Cases that have not been taken, the next one last."""
        self._begun: set[str] = set()
        """Open cases that were taken, or that the ledger has."""

    def __len__(self) -> int:
        return len(self._nodes)

    def knows(self, name: str) -> bool:
        """Whether a task was split, and waits for its cases."""
        return name in self._nodes

    def wants(self, name: str) -> bool:
        """Whether a task waits for this case."""
        return name in self._parents

    def add(self, task: Task, known: Children, out: Collection[str] = ()) -> list[Event]:
        """Add a task that was split; return what follows from the cases that are known already.

        Cases that are ``out`` are not taken again, nor those that were split themselves, which must
        be added too.
        """
        children = {child.name: child for child in divide(task)}
        self._nodes[task.name] = _Node(set(children), needs_all=find_division(task).needs_all)
        waiting: list[Task] = []
        for name, child in children.items():
            self._parents.setdefault(name, set()).add(task.name)
            if name not in known:
                waiting.append(child)
                continue
            self._begun.add(name)
            if known[name][1].status in (*RUNNING, Status.DROPPED) and name not in out:
                waiting.append(known[name][0])
        self._line += reversed(waiting)
        events: list[Event] = []
        for name in children:
            if name in known and not events:
                events += self.tell(name, known[name][1])
        return events

    def take(self, count: int) -> list[Task]:
        """Take the next cases that somebody waits for."""
        taken: list[Task] = []
        while self._line and len(taken) < count:
            task = self._line.pop()
            if task.name in self._parents:
                self._begun.add(task.name)
                taken.append(task)
        return taken

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
            self._begun.discard(name)
        return events

    def close(self, name: str) -> list[str]:
        """Wait for a task's cases no longer; return those that were begun for nobody else."""
        node = self._nodes.pop(name, None)
        needless: list[str] = []
        for child in sorted(node.open | node.given_up) if node is not None else ():
            parents = self._parents.get(child, set())
            parents.discard(name)
            if not parents:
                self._parents.pop(child, None)
                if child in self._begun:
                    self._begun.discard(child)
                    needless.append(child)
        return needless
