"""Which task comes next, pure: answers are told, tasks are taken; nothing that is implied is taken.

Small boxes come first, since the time for a box grows exponentially: all smaller boxes together
cost less than the next one.  Where a box was given up undecided, the boxes beyond it would mostly
be given up, too, one after the other; from there on the question's boxes are halved instead, for
a find settles all larger ones and a refutation all smaller ones, the undecided included.

>>> from satlife.campaign.plan import Plan
>>> schedule = Schedule(Plan.from_toml('''
... [[search]]
... kind = "still-life"
... boxes = ["1x1", "2x2", "3x3"]
... '''))
>>> task, = schedule.take(1)
>>> schedule.tell(task.name, Status.IMPOSSIBLE), task.problem.boxes
([], ('1x1',))
>>> task, = schedule.take(1)
>>> event, = schedule.tell(task.name, Status.FOUND)
>>> event.status.value, event.task.problem.boxes
('found', ('3x3',))
>>> schedule.finished
True

Of a plan of millions of tasks only a window of questions is held; answers of others that are told
(on a new start) are kept until their turn comes.  Of a question that is closed nothing is kept; if
a later one of the plan asks the same, its task is taken again, and the ledger has the answer.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from satlife.campaign.dominance import embeds
from satlife.campaign.group import Group, Question
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.state import FINAL, RUNNING, Implied, Status, TaskState

WINDOW = 256
"""Questions that are open at a time; to open one takes 60 µs for each of its boxes."""
_CROWDING = 4.0
"""A second task of one question, whose answer may come to be implied, counts as so much dearer."""

_OUT = "out"
"""A task that is taken and not answered."""


@dataclass(eq=False, slots=True)
class _Open:
    """A question that is being worked on."""

    order: int
    group: Group
    names: list[str]
    answers: list[Status | str | None]
    version: int = 0

    def choose(self) -> int | None:
        """Choose the next box: the smallest, or the one in the middle of those that are left."""
        left = [i for i, answer in enumerate(self.answers) if answer is None]
        left = [i for i in left if not any(self._twins(i, j) for j in self.out())]
        if not left:
            return None
        gave_up = isinstance(self.group.asked, Question) and Status.UNDECIDED in self.answers
        return left[len(left) // 2] if gave_up else left[0]

    def out(self) -> list[int]:
        """Which are taken and not answered."""
        return [i for i, answer in enumerate(self.answers) if answer is _OUT]

    def _twins(self, i: int, j: int) -> bool:
        """Whether two boxes are the same question, turned."""
        return self.embeds(i, j) and self.embeds(j, i)

    def embeds(self, i: int, j: int) -> bool:
        """Whether a solution in box i gives one in box j."""
        asked, boxes = self.group.asked, self.group.boxes
        return isinstance(asked, Question) and embeds(asked, boxes[i], boxes[j])

    def implied(self, i: int, status: Status) -> Iterator[int]:
        """Yield what follows from an answer and is not answered yet."""
        if status not in FINAL:
            return
        for j, answer in enumerate(self.answers):
            if j != i and answer not in FINAL:
                small, large = (i, j) if status is Status.FOUND else (j, i)
                if self.embeds(small, large):
                    yield j

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to take, or to wait for."""
        return all(answer is not None and answer is not _OUT for answer in self.answers)


class Schedule:
    """The tasks of a plan in the order of their turns; see the module's own words."""

    def __init__(self, plan: Plan, *, window: int = WINDOW) -> None:
        self.plan = plan
        self._coming = enumerate(plan.groups())
        self._window = window
        self._open: dict[int, _Open] = {}
        self._heap: list[tuple[float, int, int]] = []
        self._where: dict[str, list[tuple[_Open, int]]] = defaultdict(list)
        self._out: set[str] = set()
        self._told: dict[bytes, tuple[Status, bool]] = {}
        self._pending: list[Implied] = []
        self._stopped: set[int] = set()
        self._unwanted: list[str] = []
        self._exhausted = False
        self._fill()

    @property
    def outstanding(self) -> int:
        """How many tasks are taken and not answered."""
        return len(self._out)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to take, and nothing to wait for."""
        self._fill()
        return self._exhausted and not self._open

    def take(self, count: int) -> list[Task]:
        """Take the next tasks; fewer, or none, if the others wait for answers."""
        taken: list[Task] = []
        while len(taken) < count:
            self._fill()
            if not self._heap:
                break
            _, order, version = heapq.heappop(self._heap)
            group = self._open.get(order)
            if group is None or group.version != version:
                continue
            index = group.choose()
            if index is None:
                continue
            taken.append(self.plan.task(group.group, index))
            self._out.add(group.names[index])
            for each, i in tuple(self._where[group.names[index]]):
                each.answers[i] = _OUT
                self._push(each)
        return taken

    def tell_state(self, name: str, state: TaskState) -> list[Implied]:
        """Tell a task's state; from a mere claim nothing follows if the plan asks for proofs."""
        claimed = state.status is Status.IMPOSSIBLE and not state.certified
        doubtful = self.plan.prove and claimed and state.implied_by is None
        return self.tell(name, state.status, sure=not doubtful)

    def tell(self, name: str, status: Status, *, sure: bool = True) -> list[Implied]:
        """Tell how a task stands; return what now follows for others, each with its task.

        Queued means that it is to be taken (again).  What followed meanwhile for questions that
        were opened by :meth:`take` is in the answer, too; :meth:`news` asks for that alone.
        """
        places = self._where.get(name)
        if places is None:
            if status not in RUNNING:
                self._told[bytes.fromhex(name)] = (status, sure)
        else:
            self._out.discard(name)
            for group, index in tuple(places):
                self._answer(group, index, status, sure)
        return self.news()

    def tell_all(self, answers: Iterable[tuple[str, Status]]) -> list[Implied]:
        """Tell many answers, as on a new start."""
        return [event for name, status in answers for event in self.tell(name, status)]

    def news(self) -> list[Implied]:
        """Return what followed since the last time."""
        self._fill()
        news, self._pending = self._pending, []
        return news

    def unwanted(self) -> list[str]:
        """Return the tasks that were taken and are no longer wanted: cancel them."""
        names, self._unwanted = self._unwanted, []
        return names

    def _answer(self, group: _Open, index: int, status: Status, sure: bool) -> None:
        before = group.answers[index]
        if before in FINAL or group.order not in self._open:
            return
        group.answers[index] = None if status in RUNNING else status
        for other in list(group.implied(index, status)) if sure else ():
            name, task = group.names[other], self.plan.task(group.group, other)
            self._pending.append(Implied(name, status, group.names[index], task))
            self._drop(name)
            for each, i in tuple(self._where[name]):
                each.answers[i] = status
                self._settle(each)
        self._settle(group)
        if status is Status.FOUND:
            self._stop_at(group.group.scope)

    def _settle(self, group: _Open) -> None:
        if group.is_done:
            self._close(group)
        else:
            self._push(group)

    def _stop_at(self, scope: int) -> None:
        """A find may end its search, or the whole campaign."""
        whole = self.plan.stop == "first"
        if not (whole or self.plan.stops_at_first(scope)):
            return
        self._stopped.add(scope)
        for group in tuple(self._open.values()):
            if whole or group.group.scope == scope:
                for index in group.out():
                    self._drop(group.names[index])
                self._close(group)
        if whole:
            self._coming = enumerate(())

    def _drop(self, name: str) -> None:
        """No longer wait for a task."""
        if name in self._out:
            self._out.remove(name)
            self._unwanted.append(name)

    def _push(self, group: _Open) -> None:
        group.version += 1
        index = group.choose()
        if index is not None and group.order in self._open:
            cost = group.group.cost(index) * _CROWDING ** len(group.out())
            heapq.heappush(self._heap, (cost, group.order, group.version))

    def _close(self, group: _Open) -> None:
        if self._open.pop(group.order, None) is None:
            return
        for index, name in enumerate(group.names):
            places = self._where.get(name, [])
            places[:] = [place for place in places if place != (group, index)]
            if not places:
                self._where.pop(name, None)

    def _fill(self) -> None:
        """Open questions until the window is full."""
        while len(self._open) < self._window and not self._exhausted:
            following = next(islice(self._coming, 1), None)
            if following is None:
                self._exhausted = True
                break
            order, group = following
            if group.scope not in self._stopped:
                self._begin(order, group)

    def _begin(self, order: int, group: Group) -> None:
        names = [group.problem(index).name for index in range(len(group))]
        opened = _Open(order, group, names, [None] * len(names))
        self._open[order] = opened
        for index, name in enumerate(names):
            self._where[name].append((opened, index))
        for index, name in enumerate(names):
            told = self._told.pop(bytes.fromhex(name), None)
            if told is not None:
                self._answer(opened, index, *told)
        if order in self._open:
            self._settle(opened)
