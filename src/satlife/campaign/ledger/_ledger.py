"""The ledger's one interface; what differs between the databases is in their stores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import TypeVar

import msgspec

from satlife.campaign.ledger import _sql
from satlife.campaign.ledger._batch import Batch, now, read_place, read_state
from satlife.campaign.ledger._store import Line, Store
from satlife.campaign.ledger.migrations import migrate
from satlife.campaign.ledger.values import Counts, Entry, FindingRow, Row
from satlife.campaign.messages import Task
from satlife.campaign.state import (
    MOST_DEATHS,
    Event,
    Found,
    Leased,
    Queued,
    Released,
    Status,
    Step,
    TaskState,
)
from satlife.errors import UsageError

POSTGRES = ("postgresql://", "postgres://")
PAGE = 1000
"""Rows that are read or added at once."""

_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_TASK = msgspec.json.Decoder(Task)
_FOUND = msgspec.json.Decoder(Found)
T = TypeVar("T")


def open_ledger(where: str, *, create: bool = True, most_deaths: int = MOST_DEATHS) -> Ledger:
    """Open a ledger: a path is an SQLite file, ``postgresql://…`` a database of PostgreSQL.

    A ledger that is not there is made, unless ``create`` is false; an old one is brought
    up to date.
    """
    store = _open_store(where, create)
    try:
        migrate(store, create=create)
    except BaseException:
        store.close()
        raise
    return Ledger(store, most_deaths=most_deaths)


def _open_store(where: str, create: bool) -> Store:
    # A store's module is imported when its database is asked for.
    if where.startswith(POSTGRES):
        from satlife.campaign.ledger.postgres import PostgresStore  # noqa: PLC0415 - one of the two

        return PostgresStore(where)
    if "://" in where or not where:
        raise UsageError(f"{where!r} is no ledger; give a file, or postgresql://HOST/DATABASE")
    from satlife.campaign.ledger.sqlite import SQLiteStore  # noqa: PLC0415 - one of the two

    return SQLiteStore(where, create=create)


class Ledger:
    """What became of every task; safe with many threads and many processes.

    Iterators read page by page and hold nothing open: what is written meanwhile may be seen.
    """

    def __init__(self, store: Store, *, most_deaths: int = MOST_DEATHS) -> None:
        self.store = store
        self.most_deaths = most_deaths

    def begin(self, plan_name: str, plan_text: str) -> None:
        """Make this the ledger of a plan; of another plan it must not be already."""
        with self.store.write():
            there = self.plan_name()
            if there is None:
                self.store.execute(_sql.SET_PLAN, (plan_name, plan_text))
        if there not in (None, plan_name):
            raise UsageError(
                f"the ledger {self.store} belongs to the plan {there}, not to {plan_name}; "
                "give another ledger, or that plan"
            )

    def plan_name(self) -> str | None:
        """The name of the plan, if it has begun."""
        return next((name for name, _ in self.store.execute(_sql.PLAN)), None)

    def plan_text(self) -> str | None:
        """The text of the plan, if it has begun."""
        return next((text for _, text in self.store.execute(_sql.PLAN)), None)

    def add(self, tasks: Iterable[Task]) -> int:
        """Queue the tasks that are not known yet; return how many those are."""
        rest = iter(tasks)
        added = 0
        while page := [Queued(task) for task in islice(rest, PAGE)]:
            added += sum(step.changed for step in self.record(page))
        return added

    def lease(self, worker: str, count: int) -> list[Task]:
        """Give queued tasks to a worker, the oldest first, and each to one worker only."""
        with self.store.write():
            lines = self.store.execute(_sql.QUEUED, (max(count, 0),))
            tasks = [_read_task(line[-1]) for line in lines]
            batch = self.batch()
            batch.take(map(read_place, lines))
            for line, task in zip(lines, tasks, strict=True):
                batch.apply(line[1], Leased(line[1], worker, task.round))
            batch.write()
        return tasks

    def record(self, events: Sequence[Event]) -> list[Step]:
        """Write down what happened, all or nothing; return what each event did.

        An event of a task that was never queued is a :class:`~satlife.errors.UsageError`.
        """
        named = [(event.name, event) for event in events]
        with self.store.write():
            batch = self.batch()
            batch.look_up(name for name, _ in named)
            steps = [batch.apply(name, event) for name, event in named]
            batch.write()
        return steps

    def release(self, worker: str | None = None) -> int:
        """Queue again what a worker, or anybody, has leased; return how many tasks."""
        with self.store.write():
            batch = self.batch()
            places = list(map(read_place, self.store.execute(_sql.LEASED)))
            batch.take(places)
            released = 0
            for place in places:
                state = place.state
                if state is not None and worker in (None, state.worker):
                    event = Released(place.name, state.worker, state.round)
                    released += batch.apply(place.name, event).changed
            batch.write()
        return released

    def task(self, name: str) -> Task | None:
        """A task by its name, as it is to be tried now (in its last round)."""
        found = self.store.execute(_sql.BODY_OF, (name,)) if name.isprintable() else []
        return _read_task(found[0][0]) if found else None

    def state(self, name: str) -> TaskState | None:
        """Where a task stands; None if it is not known."""
        found = self.store.execute(_sql.STATE_OF, (name,)) if name.isprintable() else []
        return read_state(found[0]) if found else None

    def counts(self) -> Counts:
        """How many tasks stand where."""
        counts = dict.fromkeys(Status, 0)
        certified = claimed = implied = contradicted = 0
        for status, proved, opposed, follows, count in self.store.execute(_sql.COUNTS):
            counts[Status(status)] += count
            certified += count * proved
            implied += count * follows
            contradicted += count * opposed
            if status == Status.IMPOSSIBLE and not proved and not follows:
                claimed += count
        ((findings,),) = self.store.execute(_sql.COUNT_FINDINGS)
        return Counts(
            **{status.value: count for status, count in counts.items()},
            certified=certified,
            claimed=claimed,
            implied=implied,
            contradicted=contradicted,
            findings=findings,
        )

    def rows(self, status: Status | None = None) -> Iterator[Row]:
        """Every task, or those of one status, in the order in which they came."""

        def page(after: int) -> list[Line]:
            if status is None:
                return self.store.execute(_sql.ROWS, (after, PAGE))
            return self.store.execute(_sql.ROWS_WITH, (after, status.value, PAGE))

        for line in _pages(page, 0, lambda line: int(line[0])):
            yield Row(line[1], _read_task(line[-1]), read_state(line[3:10]))

    def findings(self) -> Iterator[FindingRow]:
        """Every object that was found, once, in the order in which they were found."""

        def page(after: tuple[int, str]) -> list[Line]:
            return self.store.execute(_sql.FINDINGS, (*after, PAGE))

        for identity, name, event, task, when in _pages(page, (0, ""), lambda ln: (ln[4], ln[0])):
            found = _FOUND.decode(event)
            problem = _read_task(task).problem
            yield FindingRow(
                identity, name, found.generations, problem, found.worker, when / 1_000_000
            )

    def events(self, after: int = 0) -> Iterator[Entry]:
        """The log, from an entry's id on; ids grow without gaps, and none comes late."""
        for number, when, body in self.lines(after):
            yield Entry(number, when / 1_000_000, _EVENT.decode(body))

    def lines(self, after: int = 0) -> Iterator[Line]:
        """The log as it is written: id, microseconds, JSON."""

        def page(last: int) -> list[Line]:
            return self.store.execute(_sql.EVENTS, (last, PAGE))

        return _pages(page, after, lambda line: int(line[0]))

    def rate(self, seconds: float) -> float:
        """Answers per second in the last so many seconds."""
        since = now() - int(seconds * 1_000_000)
        ((answers,),) = self.store.execute(_sql.COUNT_ANSWERS, (since,))
        return float(answers / seconds)

    def batch(self) -> Batch:
        """Begin to write; only inside ``store.write()``."""
        return Batch(self.store, self.most_deaths)

    def close(self) -> None:
        """Let go of the file or the connection."""
        self.store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _read_task(text: str) -> Task:
    return _TASK.decode(text)


def _pages(page: Callable[[T], list[Line]], after: T, mark: Callable[[Line], T]) -> Iterator[Line]:
    """Yield page after page; a mark says where the next one begins."""
    while lines := page(after):
        yield from lines
        after = mark(lines[-1])
