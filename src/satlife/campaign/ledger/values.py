"""What a ledger tells: counts, rows, findings and entries of its log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from satlife.campaign.messages import Task
from satlife.campaign.state import Event, TaskState
from satlife.errors import UsageError
from satlife.search.problem import Problem


class LedgerError(UsageError):
    """The ledger cannot be reached now: its server is away, its disk is full, it is locked.

    Nothing of the call has been written, unless the connection was lost in the very moment of the
    commit.  The next call connects again, so a recorder waits and says the same once more.
    """


@dataclass(frozen=True, kw_only=True)
class Counts:
    """How many tasks stand where; the first six add up to all of them."""

    queued: int = 0
    leased: int = 0
    found: int = 0
    impossible: int = 0
    """All of them: certified, claimed and implied."""
    undecided: int = 0
    failed: int = 0
    certified: int = 0
    """Impossible, with a proof that the recorder has checked."""
    claimed: int = 0
    """Impossible by a worker's word only."""
    implied: int = 0
    """Found or impossible because another task is."""
    contradicted: int = 0
    """Said to be found and to be impossible; there should be none."""
    findings: int = 0
    """Different objects."""

    @property
    def total(self) -> int:
        """All tasks."""
        return self.open + self.final + self.undecided + self.failed

    @property
    def open(self) -> int:
        """Tasks that are queued or leased."""
        return self.queued + self.leased

    @property
    def final(self) -> int:
        """Tasks with an answer."""
        return self.found + self.impossible


class Row(NamedTuple):
    """A task and where it stands."""

    name: str
    task: Task
    state: TaskState


class FindingRow(NamedTuple):
    """An object, and where it was found first."""

    identity: str
    name: str
    """The task's name."""
    generations: tuple[tuple[str, ...], ...]
    problem: Problem
    worker: str
    time: float
    """Seconds since 1970."""


class Entry(NamedTuple):
    """An event in the log."""

    id: int
    time: float
    """Seconds since 1970."""
    event: Event
