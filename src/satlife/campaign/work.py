"""How the work goes, from the ledger alone: who works, what is stuck, what was refused."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

import msgspec

from satlife.campaign.ledger import Ledger, TaskRow

MOST: Final = 5
"""Open tasks that are shown: those that have waited longest."""
STALE: Final = 60.0
"""Seconds after which a report says how things were, not how they are."""


class UserReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a user does."""

    user: str
    workers: int
    """Workers that were heard of lately."""
    answers: int
    """Since the recorder started."""
    rate: float
    """Answers per second, lately."""
    last: float
    """When the last answer came, in seconds since 1970."""


class RefusalReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was refused of a user."""

    user: str
    count: int
    words: str
    """Why, the last time."""
    last: float


class WorkReport(msgspec.Struct, frozen=True, kw_only=True):
    """How the work goes; the recorder leaves it in the ledger."""

    time: float
    """When it was written, in seconds since 1970."""
    since: float
    """When the recorder started."""
    out: int = 0
    """Tasks in the queue or with workers."""
    checking: int = 0
    """Proofs that are being checked, or wait for it."""
    users: tuple[UserReport, ...] = ()
    """The busiest first."""
    refused: tuple[RefusalReport, ...] = ()
    """The latest first."""

    def encode(self) -> str:
        """Return it as JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def decode(cls, text: str) -> WorkReport | None:
        """Return a report; None if another version of satlife has written something else."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError:
            return None


@dataclass(frozen=True)
class Waiting:
    """An open task, and how long nothing has happened to it."""

    row: TaskRow
    seconds: float


@dataclass(frozen=True)
class WorkStatus:
    """Who works, what is stuck, what was refused."""

    oldest: tuple[Waiting, ...] = ()
    report: WorkReport | None = None
    """What a recorder has left; a run on one machine leaves none."""
    age: float = 0.0
    """Seconds since the report was written."""

    @property
    def users(self) -> tuple[UserReport, ...]:
        """The users, the busiest first."""
        return self.report.users if self.report else ()

    @property
    def refused(self) -> tuple[RefusalReport, ...]:
        """What was refused, the latest first."""
        return self.report.refused if self.report else ()

    @property
    def is_current(self) -> bool:
        """Whether a recorder is at work now, or was a moment ago."""
        return self.report is not None and self.age < STALE


def read_work(ledger: Ledger, *, most: int = MOST) -> WorkStatus:
    """Read it; this costs the same however large the ledger is."""
    now = time.time()
    oldest = tuple(Waiting(row, max(0.0, now - when)) for row, when in ledger.oldest_open(most))
    text = ledger.report()
    report = None if text is None else WorkReport.decode(text)
    return WorkStatus(oldest, report, max(0.0, now - report.time) if report else 0.0)
