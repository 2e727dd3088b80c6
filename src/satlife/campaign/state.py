"""The life of a task, pure: an event comes in, a new state and instructions come out.

Nothing here knows a clock, a file, a database or a queue.  Where a task's events come from, and in
which order, does not matter to the laws:

- An answer (found, impossible) stays.  Only its evidence may grow: an implied answer gets its
  own, a claim is certified.
- The first answer counts, whoever gives it, also when the lease has passed on; a second one changes
  nothing.
- Found and impossible of one task are a contradiction: an :class:`Alarm`, and a mark that stays.
  A pattern has been checked, so it overrides what is only claimed or implied to be impossible;
  otherwise the first answer stays.
- The third death or failure (``most_deaths``) ends a task, with its log.

>>> from satlife.search import still_life
>>> task = Task(problem=still_life(box="3x3"))
>>> queued = advance(None, Queued(task))
>>> queued.state.status, queued.instructions == (Publish(task.name),)
(<Status.QUEUED: 'queued'>, True)
>>> advance(queued.state, Claimed(task.name, "anna", 0)).state.status
<Status.IMPOSSIBLE: 'impossible'>
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from satlife.campaign.messages import Bounds, Task
from satlife.errors import UsageError

MOST_DEATHS = 3
"""So many deaths or failures end a task."""


class Status(StrEnum):
    """Where a task stands."""

    QUEUED = "queued"
    LEASED = "leased"
    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        """Whether it is an answer: found or impossible."""
        return self in FINAL


FINAL = frozenset({Status.FOUND, Status.IMPOSSIBLE})
RUNNING = frozenset({Status.QUEUED, Status.LEASED})


class _Event(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="event"
):
    """What happened to a task."""


class Queued(_Event, frozen=True, tag="queued"):
    """The plan asks for it."""

    task: Task

    @property
    def name(self) -> str:
        """The problem's hash."""
        return self.task.name


class Retried(_Event, frozen=True, tag="retried"):
    """An undecided or failed task is queued again: a longer round."""

    task: Task

    @property
    def name(self) -> str:
        """The problem's hash."""
        return self.task.name


class Leased(_Event, frozen=True, tag="leased"):
    """A worker has it; if another had it, the lease has passed on."""

    name: str
    worker: str
    round: int = 0


class Released(_Event, frozen=True, tag="released"):
    """The worker gives it back unsolved, in peace: nobody died."""

    name: str
    worker: str
    round: int = 0


class Died(_Event, frozen=True, tag="died"):
    """The worker, or its solver, died over it."""

    name: str
    worker: str
    round: int = 0
    log: str = ""


class Failed(_Event, frozen=True, tag="failed"):
    """The worker could not do it, or its result was refused; counts like a death."""

    name: str
    worker: str
    round: int = 0
    log: str = ""


class Found(_Event, frozen=True, tag="found"):
    """A pattern, checked by the recorder."""

    name: str
    worker: str
    round: int
    generations: tuple[tuple[str, ...], ...]
    """The rows of each generation's box, of ``o`` and ``.``."""
    identity: str
    """The same for the same object; see :func:`satlife.campaign.trust.identity`."""
    seconds: float = 0.0
    solver: str = ""


class Claimed(_Event, frozen=True, tag="claimed"):
    """Impossible, says the worker; nobody has checked a proof."""

    name: str
    worker: str
    round: int = 0
    reason: str = ""
    seconds: float = 0.0
    solver: str = ""


class Certified(_Event, frozen=True, tag="certified"):
    """Impossible, with a proof that the recorder has checked."""

    name: str
    worker: str
    round: int
    proof_hash: str
    """SHA-256 of the proof, in hexadecimal."""
    checker: str
    seconds: float = 0.0
    solver: str = ""


class Undecided(_Event, frozen=True, tag="undecided"):
    """Not within the bounds."""

    name: str
    worker: str
    round: int = 0
    reason: str = ""
    bounds: Bounds = Bounds()
    seconds: float = 0.0


class Implied(_Event, frozen=True, tag="implied"):
    """Found or impossible, because another task is."""

    name: str
    status: Status
    by: str
    """The other task's name."""
    task: Task | None = None
    """Needed if the task was never queued; then it enters the ledger with its answer."""

    def __post_init__(self) -> None:
        if self.status not in FINAL:
            raise UsageError(f"only found and impossible can be implied, not {self.status}")
        if self.task is not None and self.task.name != self.name:
            raise UsageError(f"the task of an implied answer is {self.task.name}, not {self.name}")


Event = (
    Queued
    | Leased
    | Released
    | Died
    | Found
    | Claimed
    | Certified
    | Undecided
    | Failed
    | Implied
    | Retried
)


class TaskState(msgspec.Struct, frozen=True):
    """All that the next event's effect depends on."""

    status: Status
    certified: bool = False
    """Impossible, and the recorder has checked a proof of it."""
    round: int = 0
    deaths: int = 0
    """In this round, failures included."""
    worker: str = ""
    """Who has it, or whose word the status is."""
    implied_by: str | None = None
    """The task from whose answer this one follows; None if it has an answer of its own."""
    contradicted: bool = False
    """It was said to be found and to be impossible."""


class Publish(msgspec.Struct, frozen=True, tag=True):
    """Put the task into the queue."""

    name: str


class Withdraw(msgspec.Struct, frozen=True, tag=True):
    """The task is in the queue or with another worker, and no longer needed there."""

    name: str


class Poison(msgspec.Struct, frozen=True, tag=True):
    """The task has failed too often; take it out of the queue and show its log."""

    name: str
    log: str


class Alarm(msgspec.Struct, frozen=True, tag=True):
    """Two words on one task contradict each other: somebody must look."""

    name: str
    words: str


Instruction = Publish | Withdraw | Poison | Alarm


class Step(msgspec.Struct, frozen=True):
    """What an event did."""

    state: TaskState
    changed: bool
    """Whether the state is another one now; if not, the event need not be kept."""
    instructions: tuple[Instruction, ...] = ()


def advance(state: TaskState | None, event: Event, *, most_deaths: int = MOST_DEATHS) -> Step:
    """Tell what an event makes of a task's state; None is a task that is not known yet."""
    if state is None:
        return _begin(event)
    return _RULES[type(event)](state, event, most_deaths)


def _begin(event: Event) -> Step:
    task = getattr(event, "task", None)
    if task is None:
        raise UsageError(f"there is no task {event.name}: it was never queued")
    begun = TaskState(Status.QUEUED, round=task.round)
    if isinstance(event, Implied):
        return Step(replace(begun, status=event.status, implied_by=event.by), True)
    return Step(begun, True, (Publish(task.name),))


def _keep(state: TaskState, *_: object) -> Step:
    return Step(state, False)


def _retry(state: TaskState, event: Retried, _: int) -> Step:
    if state.status not in (Status.UNDECIDED, Status.FAILED) or event.task.round <= state.round:
        return _keep(state)
    again = replace(state, status=Status.QUEUED, round=event.task.round, deaths=0, worker="")
    return Step(again, True, (Publish(event.name),))


def _lease(state: TaskState, event: Leased, _: int) -> Step:
    if state.status not in RUNNING or event.round != state.round:
        return _keep(state)
    leased = replace(state, status=Status.LEASED, worker=event.worker)
    return Step(leased, leased != state)


def _release(state: TaskState, event: Released, _: int) -> Step:
    if not _holds(state, event):
        return _keep(state)
    return Step(replace(state, status=Status.QUEUED, worker=""), True)


def _holds(state: TaskState, event: Released | Died | Failed) -> bool:
    holds = state.status is Status.LEASED and event.worker == state.worker
    return holds and event.round == state.round


def _fail(state: TaskState, event: Died | Failed, most_deaths: int) -> Step:
    """Count a death: of the worker that has the task, or of any where leases are not recorded.

    A task that is leased to another is in good hands.  One that is queued must be published in any
    case, even if this word of a death comes twice: better fail it early than lose it.
    """
    unleased = state.status is Status.QUEUED and event.round == state.round
    if not (unleased or _holds(state, event)):
        return _keep(state)
    dead = replace(state, status=Status.QUEUED, worker="", deaths=state.deaths + 1)
    if dead.deaths < most_deaths:
        return Step(dead, True, (Publish(event.name),))
    failed = replace(dead, status=Status.FAILED, worker=event.worker)
    return Step(failed, True, (Poison(event.name, event.log),))


def _give_up(state: TaskState, event: Undecided, _: int) -> Step:
    if state.status not in RUNNING or event.round != state.round:
        return _keep(state)
    undecided = replace(state, status=Status.UNDECIDED, worker=event.worker)
    return Step(undecided, True, _withdrawal(state, event.name, event.worker))


def _find(state: TaskState, event: Found, _: int) -> Step:
    if state.status is Status.IMPOSSIBLE and state.certified:
        return _contradict(state, event.name, f"certified as impossible, found by {event.worker}")
    if state.status is Status.FOUND and state.implied_by is None:
        return _keep(state)
    found = replace(state, status=Status.FOUND, worker=event.worker, implied_by=None)
    if state.status is Status.IMPOSSIBLE:
        who = state.worker or "implication"
        step = _contradict(found, event.name, f"impossible by {who}, found by {event.worker}")
        return Step(step.state, True, step.instructions)
    return Step(found, True, _withdrawal(state, event.name, event.worker))


def _refute(state: TaskState, event: Claimed | Certified, _: int) -> Step:
    certified = isinstance(event, Certified)
    how = "certified" if certified else "claimed"
    if state.status is Status.FOUND:
        return _contradict(state, event.name, f"found, {how} to be impossible by {event.worker}")
    if state.status is Status.IMPOSSIBLE:
        grows = not state.certified and (certified or state.implied_by is not None)
        if not grows:
            return _keep(state)
    refuted = replace(
        state,
        status=Status.IMPOSSIBLE,
        certified=certified,
        worker=event.worker,
        implied_by=None,
    )
    return Step(refuted, True, _withdrawal(state, event.name, event.worker))


def _imply(state: TaskState, event: Implied, _: int) -> Step:
    if state.status in FINAL:
        if state.status == event.status:
            return _keep(state)
        words = f"{state.status}, implied to be {event.status} by {event.by}"
        return _contradict(state, event.name, words)
    implied = replace(state, status=event.status, implied_by=event.by, worker="")
    running = state.status in RUNNING
    return Step(implied, True, (Withdraw(event.name),) if running else ())


def _withdrawal(state: TaskState, name: str, worker: str) -> tuple[Instruction, ...]:
    """The answer came from elsewhere than from the holder of the lease."""
    passed_on = state.status is Status.LEASED and state.worker != worker
    requeued = state.status is Status.QUEUED and state.deaths > 0
    return (Withdraw(name),) if passed_on or requeued else ()


def _contradict(state: TaskState, name: str, words: str) -> Step:
    if state.contradicted:
        return _keep(state)
    return Step(replace(state, contradicted=True), True, (Alarm(name, words),))


_RULES: dict[type[Any], Callable[[TaskState, Any, int], Step]] = {
    Queued: _keep,
    Retried: _retry,
    Leased: _lease,
    Released: _release,
    Died: _fail,
    Failed: _fail,
    Undecided: _give_up,
    Found: _find,
    Claimed: _refute,
    Certified: _refute,
    Implied: _imply,
}
