"""Queue tasks again: given up, failed, only claimed, or answered by a revoked user.

>>> from satlife.campaign.core.events import UndecidedEvent
>>> from satlife.campaign.ledger import open_ledger
>>> from satlife.campaign.messages import Task
>>> from satlife import still_life
>>> task = Task(problem=still_life(box="3x3"))
>>> with open_ledger(":memory:") as ledger:
...     _ = ledger.add([task])
...     _ = ledger.record([UndecidedEvent(task.name, "anna")])
...     retry(ledger, [Status.UNDECIDED], seconds=60), ledger.task(task.name).budget.seconds
(1, 60.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, islice

from msgspec.structs import replace

from satlife.campaign.cases import leave_out_claims
from satlife.campaign.core.events import RetriedEvent, RevokedEvent, Status
from satlife.campaign.core.votes import name_user
from satlife.campaign.ledger import Ledger, TaskRow
from satlife.campaign.ledger.families import Parents, find_parents

_BATCH = 1000
"""Tasks per transaction."""


def retry(
    ledger: Ledger,
    statuses: Iterable[Status],
    seconds: float | None = None,
    memory_bytes: int | None = None,
) -> int:
    """Queue the tasks with these statuses again; return their number.

    A limit of None stays as it was.  Cases of a task that has an answer are left alone.
    """
    count = 0
    for status in statuses:
        rows = ledger.rows(status)
        while some := list(islice(rows, _BATCH)):
            above = _find_above(ledger, some)
            some = [row for row in some if _is_needed(row, above)]
            steps = ledger.record([_queue_again(row, seconds, memory_bytes) for row in some])
            count += sum(step.changed for step in steps)
            # Tasks above them that were given up wait for them again.
            waiting = {row.name for row in some}
            given_up: dict[str, TaskRow] = {}
            while waiting:
                parents = chain(*(above.get(name, {}).values() for name in waiting))
                needed = {row.name: row for row in parents if _is_needed(row, above)}
                given_up |= needed
                waiting = set(needed)
            undecided = (r for r in given_up.values() if r.state.status is Status.UNDECIDED)
            ledger.record([_queue_again(row) for row in undecided])
    return count


def _find_above(ledger: Ledger, rows: Iterable[TaskRow]) -> Parents:
    """Return the parents of cases, and all tasks above them."""
    found: Parents = {}
    tasks = [row.task for row in rows]
    while tasks:
        parents = find_parents(ledger, tasks)
        found |= parents
        above = {name: row for each in parents.values() for name, row in each.items()}
        tasks = [row.task for name, row in above.items() if name not in found]
    return found


def _is_needed(row: TaskRow, above: Parents) -> bool:
    """Whether a task, or one of the tasks above it, has no answer yet."""
    parents = above.get(row.name, {}).values()
    is_asked = not row.task.parent or not parents
    return is_asked or any(
        each.state.status in (Status.SPLIT, Status.UNDECIDED) and _is_needed(each, above)
        for each in parents
    )


def retry_claims(
    ledger: Ledger, seconds: float | None = None, memory_bytes: int | None = None
) -> int:
    """Queue impossibilities that are only claimed, and their implications; return their number.

    A limit of None stays as it was.
    """

    def is_claim(row: TaskRow) -> bool:
        state = row.state
        is_impossible = state.status is Status.IMPOSSIBLE and not state.certified
        is_unproved = state.status is Status.UNDECIDED and bool(state.claimants)
        is_own = is_impossible and state.implied_by is None
        return is_own or is_unproved or _brings_claims(row)

    return _take_back(ledger, is_claim, "claims are tried again", seconds, memory_bytes)


def revoke(ledger: Ledger, user: str) -> int:
    """Take back answers that rest on a user's claim alone; return the number of tasks queued again.

    Patterns and checked proofs stay.  A recorder refuses the user's messages from now on.
    """
    ledger.add_revoked(user)

    def is_theirs(row: TaskRow) -> bool:
        is_split = _brings_claims(row) and name_user(row.state.worker) == user
        return is_split or row.state.rests_on(user)

    return _take_back(ledger, is_theirs, f"{user} was revoked")


def _brings_claims(row: TaskRow) -> bool:
    """Whether a task waits for cases that came with claims, perhaps not recorded as theirs yet."""
    is_split = row.state.status is Status.SPLIT
    return is_split and leave_out_claims(row.task.cases) != row.task.cases


def _take_back(
    ledger: Ledger,
    is_doubtful: Callable[[TaskRow], bool],
    reason: str,
    seconds: float | None = None,
    memory_bytes: int | None = None,
) -> int:
    """Queue doubtful answers again, and those that follow from them."""
    doubtful: set[str] = set()
    doubted = filter(is_doubtful, ledger.rows())
    while some := list(islice(doubted, _BATCH)):
        doubtful |= {row.name for row in some}
        # If cases are no longer impossible, neither are the tasks above them.
        doubtful.update(*_find_above(ledger, some).values())
    count = 0
    rows = (row for row in ledger.rows() if {row.name, row.state.implied_by} & doubtful)
    while some := list(islice(rows, _BATCH)):
        tasks = [_queue_again(row, seconds, memory_bytes).task for row in some]
        # Claims that came with cases and count are recorded as theirs; no others may be.
        tasks = [replace(task, cases=leave_out_claims(task.cases)) for task in tasks]
        events = [RevokedEvent(task, reason) for task in tasks]
        count += sum(step.changed for step in ledger.record(events))
    return count


def _queue_again(
    row: TaskRow, seconds: float | None = None, memory_bytes: int | None = None
) -> RetriedEvent:
    given = {"seconds": seconds, "memory_bytes": memory_bytes}
    changes = {name: value for name, value in given.items() if value is not None}
    budget = replace(row.task.budget, **changes)
    return RetriedEvent(replace(row.task, budget=budget, round=row.state.round + 1))
