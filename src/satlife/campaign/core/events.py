"""The events of a task, which a ledger keeps, and the statuses that they lead to.

Their names in JSON never change, so that old ledgers can be read.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from satlife.campaign.messages import Budget, Task
from satlife.errors import UsageError


class Status(StrEnum):
    """The status of a task."""

    QUEUED = "queued"
    LEASED = "leased"
    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"
    FAILED = "failed"
    DROPPED = "dropped"
    SPLIT = "split"


FINAL = frozenset({Status.FOUND, Status.IMPOSSIBLE})
"""Statuses that are answers."""
RUNNING = frozenset({Status.QUEUED, Status.LEASED})
"""Statuses that still await an answer."""


class _Event(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="event"
):
    """An event in the life of a task."""


class _TaskEvent(_Event, frozen=True):
    """An event that carries its task."""

    task: Task

    @property
    def name(self) -> str:
        """The name of the task."""
        return self.task.name


class _WorkerEvent(_Event, frozen=True):
    """An event that a worker caused."""

    name: str
    worker: str
    round: int = 0


class QueuedEvent(_TaskEvent, frozen=True, tag="queued"):
    """The plan asks for the task."""


class RetriedEvent(_TaskEvent, frozen=True, tag="retried"):
    """An undecided or failed task is queued again: a longer round."""


class RevokedEvent(_TaskEvent, frozen=True, tag="revoked"):
    """An answer that rests on a user's claim is taken back, and the task is queued again."""

    reason: str = ""


class LeasedEvent(_WorkerEvent, frozen=True, tag="leased"):
    """A worker has the task; if another worker had it, the lease has passed on."""


class ReleasedEvent(_WorkerEvent, frozen=True, tag="released"):
    """The worker returns the task unsolved; this does not count as a death."""


class DiedEvent(_WorkerEvent, frozen=True, tag="died"):
    """The worker or its solver died while solving the task.

    Ledgers of earlier versions have it; today this is a ``FailedEvent``, or, of a task in a queue,
    no event: the broker delivers the task again.
    """

    log: str = ""


class FailedEvent(_WorkerEvent, frozen=True, tag="failed"):
    """The worker could not solve the task, or its result was refused; this counts as a death."""

    log: str = ""


class FoundEvent(_Event, frozen=True, tag="found"):
    """A pattern was found, and the recorder has checked it."""

    name: str
    worker: str
    round: int
    generations: tuple[tuple[str, ...], ...]
    """The rows of each generation's box, in ``o`` and ``.``."""
    identity: str
    """Identity of the object; see :func:`satlife.campaign.core.trust.identify_finding`."""
    seconds: float = 0.0
    solver: str = ""
    elsewhere: bool = False
    """Whether the task asks for an exact box, and the pattern fits a smaller one."""


class ClaimedEvent(_WorkerEvent, frozen=True, tag="claimed"):
    """Impossible according to the worker; no proof has been checked."""

    reason: str = ""
    seconds: float = 0.0
    solver: str = ""


class CertifiedEvent(_Event, frozen=True, tag="certified"):
    """Impossible, with a proof that the recorder has checked."""

    name: str
    worker: str
    round: int
    proof_hash: str
    """SHA-256 of the proof, in hexadecimal."""
    checker: str
    seconds: float = 0.0
    solver: str = ""


class UndecidedEvent(_WorkerEvent, frozen=True, tag="undecided"):
    """The budget was spent without an answer."""

    reason: str = ""
    budget: Budget = Budget()
    seconds: float = 0.0


class SplitEvent(_TaskEvent, frozen=True, tag="split"):
    """The task was split into cases, which are tasks themselves; its answer follows from theirs.

    The cases have been checked to cover the task.
    """

    worker: str
    seconds: float = 0.0

    @property
    def round(self) -> int:
        """The round of the task."""
        return self.task.round


class JoinedEvent(_Event, frozen=True, tag="joined"):
    """All cases are impossible; or all were tried, and some are undecided."""

    name: str
    status: Status
    certified: bool = False
    """Whether all cases are impossible with a checked proof."""

    def __post_init__(self) -> None:
        if self.status not in (Status.IMPOSSIBLE, Status.UNDECIDED):
            raise UsageError(f"cases are joined to impossible or undecided, not to {self.status}")


class DroppedEvent(_Event, frozen=True, tag="dropped"):
    """The answer is no longer needed: a find has ended the search."""

    name: str


class ImpliedEvent(_Event, frozen=True, tag="implied"):
    """Found or impossible, because another task is."""

    name: str
    status: Status
    by: str
    """The name of the other task."""
    task: Task | None = None
    """Needed if the task was never queued: it then enters the ledger with its answer.  Given if the
    answer follows from another box, and not if it follows from a case."""

    def __post_init__(self) -> None:
        if self.status not in FINAL:
            raise UsageError(f"only found and impossible can be implied, not {self.status}")
        if self.task is not None and self.task.name != self.name:
            raise UsageError(f"the task of an implied answer is {self.task.name}, not {self.name}")


Event = (
    QueuedEvent
    | LeasedEvent
    | ReleasedEvent
    | DiedEvent
    | FoundEvent
    | ClaimedEvent
    | CertifiedEvent
    | UndecidedEvent
    | FailedEvent
    | ImpliedEvent
    | RetriedEvent
    | RevokedEvent
    | DroppedEvent
    | SplitEvent
    | JoinedEvent
)
