"""What a ledger returns: rows, findings and entries of its log."""

from __future__ import annotations

from typing import NamedTuple

from satlife.campaign.core.events import Event
from satlife.campaign.core.state import TaskState
from satlife.campaign.messages import Task
from satlife.campaign.selection import EVERYTHING, Selection
from satlife.errors import UsageError
from satlife.search.problem import Problem


class LedgerError(UsageError):
    """The ledger cannot be used now: its server is down, its disk is full, or it is locked.

    Nothing of the call has been written, unless the connection was lost during the commit.  The
    next call connects again, so a recorder waits and repeats the call.
    """


class FencedError(UsageError):
    """Somebody else has become the ledger's writer; nothing was written, and nothing will be."""


class Row(NamedTuple):
    """A task and its state."""

    name: str
    task: Task
    state: TaskState


class FindingRow(NamedTuple):
    """An object, and where it was found first."""

    identity: str
    name: str
    """The name of the task."""
    generations: tuple[tuple[str, ...], ...]
    problem: Problem
    worker: str
    time: float
    """Seconds since 1970."""
    selection: Selection = EVERYTHING


class Entry(NamedTuple):
    """An event in the log."""

    id: int
    time: float
    """Seconds since 1970."""
    event: Event
