"""The order of a campaign's tasks, pure: answers come in, tasks go out; implied ones are skipped.

Small boxes come first, since the time for a box grows exponentially: all smaller boxes together
cost less than the next one.  Beyond a box that was given up undecided, most boxes would be given up
too, one after the other; from there on the question's boxes are bisected instead, for a find
settles all larger ones and a refutation all smaller ones, the undecided included.  Boxes that are
asked exactly are not bisected: a refutation settles nothing else, and a find in a small box most.

>>> from satlife.campaign.plan import Plan
>>> schedule = Schedule(Plan.from_toml('''
... [[search]]
... kind = "still-life"
... boxes = ["1x1", "2x2", "3x3"]
... '''))
>>> task, = schedule.take(1)
>>> schedule.tell(task.name, Status.IMPOSSIBLE)
>>> schedule.news(), task.problem.boxes
([], ('1x1',))
>>> task, = schedule.take(1)
>>> schedule.tell(task.name, Status.FOUND)
>>> event, = schedule.news()
>>> event.status.value, event.task.problem.boxes
('found', ('3x3',))
>>> schedule.finished
True

Of a plan with millions of questions, only those with tasks being taken are held: about as many as
tasks are out.  Nothing is kept of a closed question.  A task shared by two questions may be taken a
second time after its answer; the ledger has it.

The boxes of one question are a :class:`~satlife.campaign.core.frontier.Frontier`.  The progress of
a schedule is a :class:`~satlife.campaign.core.checkpoint.Checkpoint`.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from satlife.campaign.core.checkpoint import Checkpoint, Saved
from satlife.campaign.core.events import FINAL, RUNNING, ImpliedEvent, Status
from satlife.campaign.core.frontier import Frontier, members, read_set, write_set
from satlife.campaign.core.state import TaskState
from satlife.campaign.core.votes import name_user
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.dominance import Embeddings, find_embedding
from satlife.campaign.plan.plan import WHOLE, Shard
from satlife.campaign.plan.question import Group


@dataclass(eq=False, slots=True)
class OpenQuestion:
    """A question from which tasks are taken."""

    number: int
    group: Group
    frontier: Frontier
    names: dict[int, str] = field(default_factory=dict)
    """Names of the boxes that are out, or were given up since the question was opened."""
    version: int = 0
    """Counts its places in the heap; only the last one is valid."""
    is_asking: bool = False
    """Whether the question waits for a look-up of its states before tasks are taken."""
    unsaid: int = 0
    """Boxes that were settled, but whose events have not been returned yet."""
    is_closed: bool = False
    """Whether nothing is left to do; a find in another question may close it at any time."""
    claimants: set[str] = field(default_factory=set)
    """Users who called one of its boxes impossible, if that is asked again."""


Place = tuple[OpenQuestion, int]
"""A question, and the index of a box in it."""


@dataclass(slots=True)
class Settled:
    """Boxes settled by an answer."""

    question: OpenQuestion
    bits: int
    status: Status
    by: str
    rest: Iterator[int]


AHEAD: Final = 256
"""Minimum number of open questions, so that cheap tasks are found among them."""
_CROWDING: Final = 4.0
"""Cost multiplier per task of the question that is out: its answer may imply this one."""
_MOST_ASKED: Final = 2000
"""Maximum number of names per look-up."""
MOST_AVOIDED: Final = 100
"""Maximum number of users who do not get a task if others do."""
_NOT_TRIED: Final = RUNNING | {Status.DROPPED, Status.SPLIT}
"""Statuses of tasks that are to be taken; a split task is then waited for."""


class Schedule:
    """The tasks of a plan in the order in which they are taken; see above."""

    def __init__(
        self,
        plan: Plan,
        checkpoint: Checkpoint | None = None,
        *,
        is_cautious: bool = False,
        is_over: bool = False,
        shard: Shard = WHOLE,
    ) -> None:
        """Begin a plan or a shard of it, or resume from a checkpoint.

        A cautious schedule looks up all states of a question before it takes tasks from it: the
        ledger may have answers that the schedule does not.  One that is over takes nothing.
        """
        self.plan = plan
        self._terms = plan.terms
        self._questions = plan.groups()
        stops = ",".join((plan.stop, *(search.stop for search in plan.search)))
        self._shard = shard
        self._fingerprint = " ".join(filter(None, (self._questions.fingerprint, stops, shard.word)))
        self._cursor = 0
        """The first question that was not opened yet."""
        self._again: dict[int, None] = {}
        """Questions that were closed and are to be reopened."""
        self._is_cautious = is_cautious
        self._is_over = is_over
        self._embeddings: Embeddings = {}
        self._open: dict[int, OpenQuestion] = {}
        """By number."""
        self._heap: list[tuple[float, int, int]] = []
        """The cost of the next task, number and version of each question that has one."""
        self._where: dict[str, list[Place]] = {}
        """The places of each task that is out, or was given up in an open question."""
        self._asking: dict[str, list[Place]] = {}
        """The places of each task whose state is to be looked up."""
        self._out: set[str] = set()
        """Tasks that were taken and not answered."""
        self._settled: deque[Settled] = deque()
        """Answers of which events are to be returned."""
        self._stopped: set[int] = set()
        """Searches that a find has ended."""
        self._dropped: list[str] = []
        """Tasks that were out when a find ended their search."""
        if checkpoint is not None and checkpoint.questions == self._fingerprint:
            self._cursor = checkpoint.cursor
            self._stopped = set(checkpoint.stopped)
            for each in checkpoint.open:
                self._restore(each)

    @property
    def outstanding(self) -> int:
        """The number of tasks that were taken and not answered."""
        return len(self._out)

    @property
    def questions_open(self) -> int:
        """The number of questions that are held."""
        return len(self._open)

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to take, to wait for, or to return."""
        return not (self._open or self._settled or self._may_open)

    def take(self, count: int) -> list[Task]:
        """Take the next tasks; fewer, or none, if the others wait for answers or look-ups."""
        taken: list[Task] = []
        wanted = len(self._out) + count
        while len(taken) < count:
            question = self._next(wanted)
            if question is None:
                break
            index = question.frontier.choose()
            assert index is not None  # it would not be in the heap
            task = self._task(question, index)
            if question.claimants and question.group.is_asked_again(index):
                task = replace(task, avoid=tuple(sorted(question.claimants)))
            if self._enter(question, index, task.name):
                taken.append(task)
        return taken

    def asked(self) -> list[str]:
        """Return the names of tasks whose states must be looked up before more tasks are taken."""
        return list(self._asking)

    def recall(self, states: Mapping[str, TaskState]) -> None:
        """Take in the states of the tasks that were looked up; a missing one is not known."""
        asking, self._asking = self._asking, {}
        questions: dict[int, OpenQuestion] = {}
        known: list[tuple[OpenQuestion, int, str, TaskState]] = []
        for name, places in asking.items():
            for question, index in places:
                questions[question.number] = question
                if name in states:
                    known.append((question, index, name, states[name]))
        # Answers first, so that only the remaining boxes are reported as implied.
        for question, index, _, state in known:
            if state.status in FINAL:
                question.frontier.final |= 1 << index
        for question, index, name, state in known:
            self._note(state, [(question, index)])
            if state.status in FINAL:
                question.frontier.final &= ~(1 << index)
            if state.status not in _NOT_TRIED:
                self._answer(question, index, name, state.status, self._is_sure(state))
        for question in questions.values():
            question.is_asking = False
            self._go_on(question)

    def reopen(self, task: Task) -> bool:
        """Free a task that was given up before; return whether the plan asks for it."""
        places = list(self._questions.find(task))
        for number, index in places:
            if number in self._open:
                question = self._open[number]
                if index in question.names:
                    self._leave(question, index, question.names.pop(index))
                question.frontier.settle(index, Status.QUEUED)
                self._go_on(question)
            elif number < self._cursor:
                self._again[number] = None
        return bool(places)

    def knows(self, name: str) -> bool:
        """Whether a task is out or was given up, so that its answer can be reported by name."""
        return name in self._where

    def tell_state(self, name: str, state: TaskState) -> None:
        """Take in the state of a task; a claim settles nothing else if the plan asks for proofs."""
        self._note(state, self._where.get(name, ()))
        self.tell(name, state.status, is_sure=self._is_sure(state))

    def tell(self, name: str, status: Status, *, is_sure: bool = True) -> None:
        """Take in the status of a task; queued means that it is to be taken again."""
        self._tell(name, tuple(self._where.get(name, ())), status, is_sure)

    def tell_task(self, task: Task, state: TaskState) -> None:
        """Take in the state of a task that is not known by its name."""
        places = ((self._open.get(number), i) for number, i in self._questions.find(task))
        known = tuple((question, index) for question, index in places if question is not None)
        self._note(state, known)
        self._tell(task.name, known, state.status, self._is_sure(state))

    def news(self, most: int = 1000) -> list[ImpliedEvent]:
        """Return the implied answers, each with its task; the rest at the next call."""
        events: list[ImpliedEvent] = []
        while self._settled and len(events) < most:
            settled = self._settled[0]
            index = next(settled.rest, None)
            if index is None:
                self._settled.popleft()
                settled.question.unsaid -= 1
                self._go_on(settled.question)
                continue
            task = self._task(settled.question, index)
            events.append(ImpliedEvent(task.name, settled.status, settled.by, task))
            self.tell(task.name, settled.status)  # another question may have it out
        return events

    def dropped(self) -> list[str]:
        """Return the tasks that were taken and are no longer needed after a find."""
        names, self._dropped = self._dropped, []
        return names

    def checkpoint(self) -> Checkpoint:
        """Return the progress so far; all events that :meth:`news` returned must be recorded."""
        unsaid: dict[int, int] = {}
        for each in self._settled:
            # The box whose answer settles the others is taken again, and settles them again.
            unsaid[each.question.number] = unsaid.get(each.question.number, 0) | each.bits
        return Checkpoint(
            questions=self._fingerprint,
            cursor=self._cursor,
            stopped=tuple(sorted(self._stopped)),
            open=tuple(
                Saved(
                    number,
                    write_set(question.frontier.final & ~unsaid.get(number, 0)),
                    write_set(question.frontier.undecided),
                    write_set(question.frontier.given_up),
                    tuple(sorted(question.claimants)),
                )
                for number, question in self._open.items()
            ),
        )

    # Opening and closing questions

    @property
    def _may_open(self) -> bool:
        return not self._is_over and bool(self._again or self._cursor < len(self._questions))

    def _next(self, wanted: int) -> OpenQuestion | None:
        """Return the question with the cheapest task; open one question per task wanted."""
        while True:
            while self._heap and not self._is_current(self._heap[0]):
                heapq.heappop(self._heap)
            is_short = len(self._open) < max(AHEAD, wanted) or not (self._heap or self._asking)
            if self._may_open and is_short and len(self._asking) < _MOST_ASKED:
                self._begin()
            elif self._heap:
                return self._open[heapq.heappop(self._heap)[1]]
            else:
                return None

    def _is_current(self, entry: tuple[float, int, int]) -> bool:
        question = self._open.get(entry[1])
        return question is not None and question.version == entry[2]

    def _begin(self) -> None:
        if self._again:
            number, is_asking = self._again.popitem()[0], True
        else:
            number, is_asking = self._cursor, self._is_cautious
            self._cursor += 1
        if not (self._shard.is_whole or self._shard.holds(self._questions.mark(number))):
            return
        group = self._questions[number]
        if is_stopped := group.scope in self._stopped:
            self._cursor = max(self._cursor, self._questions.end_of(group.scope))
        if is_stopped or not len(group):
            return
        question = self._hold(
            number, group, Frontier(len(group), find_embedding(group, self._embeddings))
        )
        if is_asking:
            question.is_asking = True
            for index in range(len(group)):
                name = self._task(question, index).name
                self._asking.setdefault(name, []).append((question, index))
        self._push(question)

    def _restore(self, each: Saved) -> None:
        group = self._questions[each.number]
        frontier = Frontier(
            len(group),
            find_embedding(group, self._embeddings),
            final=read_set(each.final),
            undecided=read_set(each.undecided),
            given_up=read_set(each.given_up),
        )
        question = self._hold(each.number, group, frontier)
        question.claimants.update(each.claimants)
        self._push(question)

    def _hold(self, number: int, group: Group, frontier: Frontier) -> OpenQuestion:
        return self._open.setdefault(number, OpenQuestion(number, group, frontier))

    def _go_on(self, question: OpenQuestion) -> None:
        """Close a question that is done; otherwise requeue it by its new cost."""
        if question.frontier.is_done and not question.unsaid:
            self._close(question)
        else:
            self._push(question)

    def _close(self, question: OpenQuestion) -> None:
        if question.is_closed:
            return
        question.is_closed = True
        del self._open[question.number]
        for index, name in question.names.items():
            self._leave(question, index, name)
        question.names.clear()

    def _push(self, question: OpenQuestion) -> None:
        question.version += 1
        if question.is_asking or question.is_closed:
            return
        index = question.frontier.choose()
        if index is not None:
            crowd = question.frontier.out.bit_count()
            cost = question.group.cost(index) * _CROWDING**crowd
            heapq.heappush(self._heap, (cost, question.number, question.version))
        if len(self._heap) > 2 * (len(self._open) + AHEAD):
            self._heap = [entry for entry in self._heap if self._is_current(entry)]
            heapq.heapify(self._heap)

    # Tasks that are out

    def _task(self, question: OpenQuestion, index: int) -> Task:
        return question.group.task(index, self._terms)

    def _enter(self, question: OpenQuestion, index: int, name: str) -> bool:
        """Take a box; return whether its task is not already out, or given up, elsewhere."""
        places = self._where.setdefault(name, [])
        elsewhere = places[0] if places else None
        places.append((question, index))
        question.names[index] = name
        if elsewhere is not None and name not in self._out:
            other = elsewhere[0].frontier
            is_undecided = other.undecided >> elsewhere[1] & 1
            question.frontier.settle(index, Status.UNDECIDED if is_undecided else Status.FAILED)
        else:
            question.frontier.take(index)
        self._go_on(question)
        if elsewhere is None:
            self._out.add(name)
        return elsewhere is None

    def _leave(self, question: OpenQuestion, index: int, name: str) -> None:
        """Forget a task of a question that was out or given up."""
        places = self._where.get(name, [])
        places[:] = [place for place in places if place != (question, index)]
        if not places:
            self._where.pop(name, None)
            self._out.discard(name)

    def _tell(self, name: str, places: tuple[Place, ...], status: Status, is_sure: bool) -> None:
        self._out.discard(name)
        for question, index in places:
            if status in FINAL or status in RUNNING:
                self._leave(question, index, question.names.pop(index, name))
            self._answer(question, index, name, status, is_sure)
            self._go_on(question)

    def _answer(
        self, question: OpenQuestion, index: int, name: str, status: Status, is_sure: bool
    ) -> None:
        if question.is_closed:
            return
        out = question.frontier.out
        settled = question.frontier.settle(index, status, is_sure=is_sure)
        for each in members(out & settled):
            self._leave(question, each, question.names.pop(each))
        if settled:
            question.unsaid += 1
            entry = Settled(question, settled | 1 << index, status, name, members(settled))
            self._settled.append(entry)
        if status is Status.FOUND:
            self._stop_at(question.group.scope)

    def _stop_at(self, scope: int) -> None:
        """End the search, or the whole campaign, if a find ends it."""
        self._is_over |= self.plan.stop == "first"
        if not (self._is_over or self.plan.stops_at_first(scope)):
            return
        self._stopped.add(scope)
        for question in tuple(self._open.values()):
            if self._is_over or question.group.scope == scope:
                names = [question.names[index] for index in members(question.frontier.out)]
                self._dropped += [name for name in names if len(self._where[name]) == 1]
                self._close(question)

    def _note(self, state: TaskState, places: Iterable[Place]) -> None:
        """Note who has made a claim that is looked at again."""
        if self.plan.recheck and state.status is Status.IMPOSSIBLE and state.worker:
            for question, _ in places:
                if len(question.claimants) < MOST_AVOIDED:
                    question.claimants.add(name_user(state.worker))

    def _is_sure(self, state: TaskState) -> bool:
        claimed = state.status is Status.IMPOSSIBLE and not state.certified
        return not (self.plan.prove and claimed and state.implied_by is None)
