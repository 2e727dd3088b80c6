"""Queue tasks again that were given up or have failed, for a longer round.

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

from collections.abc import Iterable
from itertools import islice
from typing import Any

from msgspec.structs import replace

from satlife.campaign.core.events import RetriedEvent, Status
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

    A limit that is None stays as it was.
    """
    given = {"seconds": seconds, "memory_bytes": memory_bytes}
    changes = {name: value for name, value in given.items() if value is not None}
    count = 0
    for status in statuses:
        rows = ledger.rows(status)
        while some := list(islice(rows, _BATCH)):
            steps = ledger.record([_queue_again(row, changes) for row in some])
            count += sum(step.changed for step in steps)
    return count


def _queue_again(row: Row, changes: dict[str, Any]) -> RetriedEvent:
    budget = replace(row.task.budget, **changes)
    return RetriedEvent(replace(row.task, budget=budget, round=row.state.round + 1))
