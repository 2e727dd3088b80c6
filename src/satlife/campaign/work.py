"""The state of the work, from the ledger alone: users, stuck tasks, refusals."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

import msgspec

from satlife.campaign.ledger import Ledger, TaskRow

MOST: Final = 5
"""Number of open tasks that are shown: those that have waited longest."""
STALE: Final = 60.0
"""Age in seconds from which a report is out of date."""


class UserReport(msgspec.Struct, frozen=True, kw_only=True):
    """The activity of a user."""

    user: str
    workers: int
    """Workers heard from lately."""
    answers: int
    """Answers since the recorder started."""
    rate: float
    """Answers per second, lately."""
    last: float
    """The time of the last answer, in seconds since 1970."""


class RefusalReport(msgspec.Struct, frozen=True, kw_only=True):
    """The refused messages of a user."""

    user: str
    count: int
    words: str
    """The latest reason."""
    last: float


class WorkReport(msgspec.Struct, frozen=True, kw_only=True):
    """The recorder's report on the work, kept in the ledger."""

    time: float
    """When the report was written, in seconds since 1970."""
    since: float
    """When the recorder started."""
    out: int = 0
    """Tasks in the queue or with workers."""
    checking: int = 0
    """Proofs that are being checked, or wait for a check."""
    users: tuple[UserReport, ...] = ()
    """The users, the busiest first."""
    refused: tuple[RefusalReport, ...] = ()
    """The refusals, the latest first."""

    def encode(self) -> str:
        """Return the report as JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def decode(cls, text: str) -> WorkReport | None:
        """Read a report; None if another version of satlife wrote it in another form."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError:
            return None


@dataclass(frozen=True)
class Waiting:
    """An open task, and the time since its last event."""

    row: TaskRow
    seconds: float


@dataclass(frozen=True)
class WorkStatus:
    """The state of the work: users, stuck tasks, refusals."""

    oldest: tuple[Waiting, ...] = ()
    report: WorkReport | None = None
    """The recorder's last report; a run on one machine has none."""
    age: float = 0.0
    """Seconds since the report was written."""

    @property
    def users(self) -> tuple[UserReport, ...]:
        """The users, the busiest first."""
        return self.report.users if self.report else ()

    @property
    def refused(self) -> tuple[RefusalReport, ...]:
        """The refusals, the latest first."""
        return self.report.refused if self.report else ()

    @property
    def is_current(self) -> bool:
        """Whether a recorder is at work now, or was a moment ago."""
        return self.report is not None and self.age < STALE


def read_work(ledger: Ledger, *, most: int = MOST) -> WorkStatus:
    """Read the state of the work; the cost does not depend on the size of the ledger."""
    now = time.time()
    oldest = tuple(Waiting(row, max(0.0, now - when)) for row, when in ledger.oldest_open(most))
    text = ledger.report()
    report = None if text is None else WorkReport.decode(text)
    return WorkStatus(oldest, report, max(0.0, now - report.time) if report else 0.0)
