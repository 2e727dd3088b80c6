"""Queue tasks again: given up, failed, only claimed, or answered by somebody who was revoked.

>>> from satlife.campaign.core.events import UndecidedEvent
>>> from satlife.campaign.ledger import open_ledger
>>> from satlife.campaign.messages import Task
>>> from satlife.search import still_life
>>> task = Task(problem=still_life(box="3x3"))
>>> with open_ledger(":memory:") as ledger:
...     _ = ledger.add([task])
...     _ = ledger.record([UndecidedEvent(task.name, "anna")])
...     retry(ledger, [Status.UNDECIDED], seconds=60), ledger.task(task.name).budget.seconds
(1, 60.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from msgspec.structs import replace

from satlife.campaign.core.events import RetriedEvent, RevokedEvent, Status
from satlife.campaign.core.state import TaskState
from satlife.campaign.ledger import Ledger, Row

_BATCH = 1000
"""Tasks in one transaction."""


def retry(
    ledger: Ledger,
    statuses: Iterable[Status],
    seconds: float | None = None,
    memory_bytes: int | None = None,
) -> int:
    """Queue the tasks with these statuses again; return how many.

    A limit that is None stays as it was.  Cases of a task that has an answer are left.
    """
    given = {"seconds": seconds, "memory_bytes": memory_bytes}
    changes = {name: value for name, value in given.items() if value is not None}
    count = 0
    for status in statuses:
        rows = ledger.rows(status)
        while some := list(islice(rows, _BATCH)):
            above = _find_above(ledger, some)
            some = [row for row in some if _is_needed(row, above)]
            steps = ledger.record([_queue_again(row, changes) for row in some])
            count += sum(step.changed for step in steps)
            # What was given up above them waits for them again.
            parents = {name for row in some for name in _line(row, above)}
            given_up = (name for name in parents if above[name].state.status is Status.UNDECIDED)
            ledger.record([_queue_again(above[name], {}) for name in given_up])
    return count


def _find_above(ledger: Ledger, rows: Iterable[Row]) -> dict[str, Row]:
    """Return the tasks of which these are cases, and those above them."""
    found: dict[str, Row] = {}
    while parents := {row.task.parent for row in rows if row.task.parent} - found.keys():
        rows = list(ledger.find(parents))
        found |= {row.name: row for row in rows}
        if not rows:
            break
    return found


def _line(row: Row, above: dict[str, Row]) -> Iterator[str]:
    """Yield the names of the tasks above a case."""
    while row.task.parent in above:
        row = above[row.task.parent]
        yield row.name


def _is_needed(row: Row, above: dict[str, Row]) -> bool:
    """Whether a task, or the tasks of which it is a case, have no answer yet."""
    waiting = (Status.SPLIT, Status.UNDECIDED)
    return all(above[name].state.status in waiting for name in _line(row, above))


def retry_claims(
    ledger: Ledger, seconds: float | None = None, memory_bytes: int | None = None
) -> int:
    """Queue the impossibilities that are only claimed, and what follows from them; return how many.

    A limit that is None stays as it was.
    """

    def is_claim(state: TaskState) -> bool:
        is_impossible = state.status is Status.IMPOSSIBLE and not state.certified
        is_unproved = state.status is Status.UNDECIDED and bool(state.claimants)
        return (is_impossible and state.implied_by is None) or is_unproved

    return _take_back(ledger, is_claim, "claims are tried again", seconds, memory_bytes)


def revoke(ledger: Ledger, user: str) -> int:
    """Take back what rests on a user's word alone, and queue it again; return how many tasks.

    Patterns and checked proofs stay.  A recorder refuses what the user sends from now on.
    """
    ledger.add_revoked(user)
    return _take_back(ledger, lambda state: state.rests_on(user), f"{user} was revoked")


def _take_back(
    ledger: Ledger,
    is_doubtful: Callable[[TaskState], bool],
    reason: str,
    seconds: float | None = None,
    memory_bytes: int | None = None,
) -> int:
    """Queue doubtful answers again, and those that follow from them."""
    given = {"seconds": seconds, "memory_bytes": memory_bytes}
    changes = {name: value for name, value in given.items() if value is not None}
    doubtful: set[str] = set()
    parents: dict[str, str] = {}
    for row in ledger.rows():
        if row.task.parent:
            parents[row.name] = row.task.parent
        if is_doubtful(row.state):
            doubtful.add(row.name)
    for name in tuple(doubtful):  # what cases are not, the tasks above them are not either
        while (name := parents.get(name, "")) and name not in doubtful:
            doubtful.add(name)
    count = 0
    rows = (row for row in ledger.rows() if {row.name, row.state.implied_by} & doubtful)
    while some := list(islice(rows, _BATCH)):
        events = [RevokedEvent(_queue_again(row, changes).task, reason) for row in some]
        count += sum(step.changed for step in ledger.record(events))
    return count


def _queue_again(row: Row, changes: dict[str, Any]) -> RetriedEvent:
    budget = replace(row.task.budget, **changes)
    return RetriedEvent(replace(row.task, budget=budget, round=row.state.round + 1))
