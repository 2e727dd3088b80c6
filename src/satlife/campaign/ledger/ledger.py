"""The ledger's interface; what differs between databases is in their stores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec

from satlife.campaign.core.events import (
    RUNNING,
    Event,
    FoundEvent,
    LeasedEvent,
    QueuedEvent,
    ReleasedEvent,
    Status,
)
from satlife.campaign.core.state import MOST_DEATHS, TaskState, Transition
from satlife.campaign.core.summary import TaskCounts
from satlife.campaign.ledger import statements
from satlife.campaign.ledger.notes import Notes
from satlife.campaign.ledger.sqlite import SQLiteStore
from satlife.campaign.ledger.store import (
    VERSION_TABLE,
    FindingRow,
    Line,
    LogEntry,
    Store,
    TaskRow,
    prepare,
)
from satlife.campaign.ledger.transaction import (
    Transaction,
    encode_event,
    now,
    read_place,
    read_state,
)
from satlife.campaign.messages import Task
from satlife.errors import UsageError
from satlife.machine import replacing

POSTGRES = ("postgresql://", "postgres://")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.I)  # C:// is a drive
PAGE = 1000
"""Rows per read or write."""

_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_TASK = msgspec.json.Decoder(Task)
_FOUND = msgspec.json.Decoder(FoundEvent)
T = TypeVar("T")


def open_ledger(where: str, *, create: bool = True, most_deaths: int = MOST_DEATHS) -> Ledger:
    """Open a ledger: a path is an SQLite file, ``postgresql://…`` a PostgreSQL database.

    A ledger that does not exist is created unless ``create`` is false.
    """
    store = open_store(where, create=create)
    try:
        prepare(store, create=create)
    except BaseException:
        store.close()
        raise
    return Ledger(store, most_deaths=most_deaths)


def is_file(where: str) -> bool:
    r"""Return whether a ledger is in a file, and not in a database.

    >>> is_file(r"C:\x y\plan.db"), is_file("C://plan.db"), is_file("postgresql://host/plan")
    (True, True, False)
    """
    return _ADDRESS.match(where) is None


def open_store(where: str, *, create: bool = True) -> Store:
    """Open the database of a ledger, whatever its version."""
    if where.startswith(POSTGRES):
        from satlife.campaign.ledger.postgres import PostgresStore  # noqa: PLC0415 - an extra

        return PostgresStore(where)
    if not is_file(where) or not where:
        raise UsageError(f"'{where}' is not a ledger; give a file, or postgresql://HOST/DATABASE")
    return SQLiteStore(where, create=create)


def backup(where: str, target: Path) -> int:
    """Copy a ledger to a new file while the campaign goes on; return its size in bytes.

    The file appears only when it is whole and on the disk, and only its owner can read it.
    """
    if target.exists():
        raise UsageError(f"{target} exists; a backup never overwrites one")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent} for the backup")
    with closing(open_store(where, create=False)) as store:
        if VERSION_TABLE not in store.tables():
            raise UsageError(f"{store} has no ledger")
        with replacing(target, 0o600) as new:
            store.backup(new)
    return target.stat().st_size


class Ledger(Notes):
    """The record of every task; safe to use from many threads and many processes.

    Iterators read page by page and hold nothing open, so they may see what is written meanwhile.
    """

    def __init__(self, store: Store, *, most_deaths: int = MOST_DEATHS) -> None:
        super().__init__(store)
        self.most_deaths = most_deaths

    def add(self, tasks: Iterable[Task]) -> int:
        """Queue the tasks that are not known yet; return their number."""
        rest = iter(tasks)
        added = 0
        while page := [QueuedEvent(task) for task in islice(rest, PAGE)]:
            added += sum(step.changed for step in self.record(page))
        return added

    def lease(self, worker: str, count: int) -> list[Task]:
        """Lease queued tasks to a worker, the oldest first, each to one worker only."""
        with self.writing():
            lines = self.store.execute(statements.QUEUED, (max(count, 0),))
            tasks = [_read_task(line[-1]) for line in lines]
            batch = self.batch()
            batch.take(map(read_place, lines))
            for line, task in zip(lines, tasks, strict=True):
                batch.apply(line[1], LeasedEvent(line[1], worker, task.round))
            batch.write()
        return tasks

    def record(self, events: Sequence[Event]) -> list[Transition]:
        """Write events in one transaction; return their transitions.

        An event of a task that was never queued is a :class:`~satlife.errors.UsageError`.
        """
        named = [(event.name, event) for event in events]
        with self.writing():
            batch = self.batch()
            batch.look_up(name for name, _ in named)
            steps = [batch.apply(name, event) for name, event in named]
            batch.write()
        return steps

    def add_find(self, event: FoundEvent) -> bool:
        """Record a find, even if its task has one already; return whether the object is new.

        The caller has checked the pattern.  A task keeps its first answer; a second one is logged,
        and its object is among the findings.
        """
        with self.writing():
            before = int(self.store.execute(statements.COUNT_FINDINGS)[0][0])
            batch = self.batch()
            batch.look_up([event.name])
            place = batch.place(event.name)
            if not batch.apply(event.name, event).changed and place is not None:
                batch.log(place, max(now(), place.time + 1), event, encode_event(event))
            batch.write()
            return int(self.store.execute(statements.COUNT_FINDINGS)[0][0]) > before

    def release(self, worker: str | None = None) -> int:
        """Queue again the tasks leased by a worker, or by all workers; return their number."""
        with self.writing():
            batch = self.batch()
            places = list(map(read_place, self.store.execute(statements.LEASED)))
            batch.take(places)
            released = 0
            for place in places:
                state = place.state
                if state is not None and worker in (None, state.worker):
                    event = ReleasedEvent(place.name, state.worker, state.round)
                    released += batch.apply(place.name, event).changed
            batch.write()
        return released

    def task(self, name: str) -> Task | None:
        """Return a task by its name, in its latest round."""
        found = self.store.execute(statements.BODY_OF, (name,)) if name.isprintable() else []
        return _read_task(found[0][0]) if found else None

    def state(self, name: str) -> TaskState | None:
        """Return the state of a task; None if the task is not known."""
        found = self.store.execute(statements.STATE_OF, (name,)) if name.isprintable() else []
        return read_state(found[0]) if found else None

    def counts(self) -> TaskCounts:
        """Return the number of tasks with each status."""
        counts = dict.fromkeys(Status, 0)
        certified = claimed = implied = contradicted = cases = open_cases = 0
        for status, proved, opposed, follows, is_case, count in self.store.execute(
            statements.COUNTS
        ):
            if is_case:
                contradicted += count * opposed
                cases += count
                open_cases += count * (Status(status) in (*RUNNING, Status.SPLIT))
                continue
            counts[Status(status)] += count
            certified += count * proved
            implied += count * follows
            contradicted += count * opposed
            if status == Status.IMPOSSIBLE and not proved and not follows:
                claimed += count
        ((findings,),) = self.store.execute(statements.COUNT_FINDINGS)
        return TaskCounts(
            **{status.value: count for status, count in counts.items()},
            certified=certified,
            claimed=claimed,
            implied=implied,
            contradicted=contradicted,
            findings=findings,
            cases=cases,
            open_cases=open_cases,
        )

    def rows(self, status: Status | None = None) -> Iterator[TaskRow]:
        """Yield all tasks, or those with one status, in the order in which they were added."""

        def page(after: int) -> list[Line]:
            if status is None:
                return self.store.execute(statements.ROWS, (after, PAGE))
            sql = statements.ROWS_WITH.format(status=status.value)
            return self.store.execute(sql, (after, PAGE))

        for line in _pages(page, 0, lambda line: int(line[0])):
            yield _read_row(line)

    def split_rows(self) -> Iterator[TaskRow]:
        """Yield the tasks that were split, whatever their status."""

        def page(after: int) -> list[Line]:
            return self.store.execute(statements.SPLIT_ROWS, (after, PAGE))

        return map(_read_row, _pages(page, 0, lambda line: int(line[0])))

    def last_rows(self, most: int) -> list[tuple[TaskRow, float]]:
        """Return the tasks that changed last and when, in seconds since 1970; the latest first."""
        lines = self.store.execute(statements.LAST_ROWS, (most,))
        return [(_read_row(line), int(line[2]) / 1_000_000) for line in lines]

    def oldest_open(self, most: int) -> list[tuple[TaskRow, float]]:
        """Return early open tasks, each with the time of its last event.

        The one that has waited longest is first.
        """
        lines = [
            line
            for sql in (statements.QUEUED, statements.LEASED_ROWS)
            for line in self.store.execute(sql, (most,))
        ]
        lines.sort(key=lambda line: int(line[2]))
        return [(_read_row(line), int(line[2]) / 1_000_000) for line in lines[:most]]

    def find(self, names: Iterable[str]) -> Iterator[TaskRow]:
        """Yield the known tasks among these names, in no particular order."""
        rest = iter(names)
        sql = statements.ROWS_AMONG.format(among=self.store.among)
        while page := [name for name in islice(rest, PAGE) if name.isprintable()]:
            for line in self.store.execute(sql, (self.store.pack(page),)):
                yield _read_row(line)

    def states(self, names: Iterable[str]) -> dict[str, TaskState]:
        """Return the states of the known tasks among these names."""
        rest = iter(names)
        sql = statements.PLACES.format(among=self.store.among)
        found: dict[str, TaskState] = {}
        while page := [name for name in islice(rest, PAGE) if name.isprintable()]:
            for line in self.store.execute(sql, (self.store.pack(page),)):
                found[line[1]] = read_state(line[3:])
        return found

    def findings(self) -> Iterator[FindingRow]:
        """Return every object that was found, once, in the order of discovery."""

        def page(after: tuple[int, str]) -> list[Line]:
            return self.store.execute(statements.FINDINGS, (*after, PAGE))

        return map(_read_finding, _pages(page, (0, ""), lambda ln: (ln[4], ln[0])))

    def last_findings(self, most: int) -> list[FindingRow]:
        """Return the objects that were found last, the oldest of them first."""
        lines = self.store.execute(statements.LAST_FINDINGS, (most,))
        return [_read_finding(line) for line in reversed(lines)]

    def found(self, names: Sequence[str]) -> dict[str, FoundEvent]:
        """Return the last find of each of these few tasks."""
        sql = statements.FOUND_OF.format(among=self.store.among)
        lines = self.store.execute(sql, (self.store.pack(list(names)),))
        return {name: _FOUND.decode(body) for name, body in lines}

    def events(self, after: int = 0) -> Iterator[LogEntry]:
        """Yield the log after an entry's id; no event comes late, and few were removed."""
        for number, when, body in self.lines(after):
            yield LogEntry(number, when / 1_000_000, _EVENT.decode(body))

    def lines(self, after: int = 0) -> Iterator[Line]:
        """Return the log as it is stored: id, microseconds, JSON."""

        def page(last: int) -> list[Line]:
            return self.store.execute(statements.EVENTS, (last, PAGE))

        return _pages(page, after, lambda line: int(line[0]))

    def rate(self, seconds: float) -> float:
        """Return the answers per second in the last ``seconds`` seconds, or since the first."""
        today = now()
        ((answers, first),) = self.store.execute(
            statements.RATE, (today - int(seconds * 1_000_000),)
        )
        spent = (today - int(first)) / 1_000_000
        return int(answers) / max(spent, 1.0)

    def batch(self) -> Transaction:
        """Return an empty batch; use it only inside ``store.write()``."""
        return Transaction(self.store, self.most_deaths)

    def close(self) -> None:
        """Close the file or the connection."""
        self.store.close()


def _read_row(line: Line) -> TaskRow:
    return TaskRow(line[1], _read_task(line[-1]), read_state(line[3:]))


def _read_task(text: str) -> Task:
    return _TASK.decode(text)


def _read_finding(line: Line) -> FindingRow:
    identity, name, event, task, when = line
    found, asked = _FOUND.decode(event), _read_task(task)
    time = when / 1_000_000
    return FindingRow(
        identity, name, found.generations, asked.problem, found.worker, time, asked.selection
    )


def _pages(page: Callable[[T], list[Line]], after: T, key: Callable[[Line], T]) -> Iterator[Line]:
    """Yield lines page by page; the next page begins after the key of the last line."""
    while lines := page(after):
        yield from lines
        after = key(lines[-1])
