"""The ledger's interface; what differs between databases is in their stores."""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from satlife.campaign.cases import is_case_of, list_cases
from satlife.campaign.core.events import (
    RUNNING,
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FoundEvent,
    ImpliedEvent,
    LeasedEvent,
    QueuedEvent,
    ReleasedEvent,
    RetriedEvent,
    RevokedEvent,
    SplitEvent,
    Status,
)
from satlife.campaign.core.state import MOST_DEATHS, TaskState, Transition, advance
from satlife.campaign.core.summary import TaskCounts
from satlife.campaign.ledger import statements
from satlife.campaign.ledger.sqlite import SQLiteStore
from satlife.campaign.ledger.store import (
    VERSION_TABLE,
    FencedError,
    FindingRow,
    Line,
    LogEntry,
    Store,
    TaskRow,
    prepare,
)
from satlife.campaign.messages import Region, Task, decode_task, encode
from satlife.closable import Closing
from satlife.errors import UsageError
from satlife.life.rule import Rule
from satlife.machine import replacing
from satlife.problem.statement import read_open

# Notes of a ledger about itself: its plan and shard, its writer, its progress.


_SHARD, _HOLDER, _WHOLE = "shard", "holder", "1/1"
_CHECKPOINT, _PLANNED, _MERGED, _REVOKED = "checkpoint", "planned", "merged", "revoked"
_REPORT, _REMOVED = "report", "removed"
_PLAN_HASH, _LOG_SUM = "plan-hash", "log-sum"
_NOTES = {_SHARD, _HOLDER, _CHECKPOINT, _PLANNED, _MERGED, _REVOKED, _REPORT, _REMOVED}
_NOTES |= {_PLAN_HASH, _LOG_SUM}
"""The names of notes."""


def sum_log(lines: Iterable[Line], before: int = 0) -> int:
    """Return the sum of the hashes of lines of the log, in any order, modulo 2^128."""
    total = before
    for line in lines:
        text = "\0".join(map(str, line)).encode("utf-8", "surrogatepass")
        total += int.from_bytes(hashlib.sha256(text).digest()[:16])
    return total % (1 << 128)


_NUMBER = re.compile(r"[0-9]{1,18}(?![^ ])")
_SHARD_WORDS = re.compile(r"[0-9]{1,9}/[0-9]{1,9}")
_SUM = re.compile(r"[0-9a-f]{1,32}")


def _read_note(store: Store, name: str) -> str | None:
    return next((body for (body,) in store.execute(statements.NOTE, (name,))), None)


def _read_sum(store: Store) -> int | None:
    text = _read_note(store, _LOG_SUM)
    return None if text is None else int(text, 16)


def _write_sum(store: Store, total: int) -> None:
    store.execute(statements.SET_NOTE, (_LOG_SUM, f"{total % (1 << 128):x}"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Notes(Closing):
    """The part of a ledger that is not about tasks."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._held: str | None = None

    def begin(
        self,
        plan_name: str,
        plan_text: str,
        size: Callable[[], int] | None = None,
        shard: str = _WHOLE,
    ) -> None:
        """Make this the ledger of a plan or a shard; raise an error if it belongs to another.

        ``size`` counts the tasks of the plan; it is called once in the life of a ledger.
        """
        with self.writing():
            if self.plan_name() is None:
                self.store.execute(statements.SET_PLAN, (plan_name, plan_text))
                self.store.execute(statements.SET_NOTE, (_PLAN_HASH, _hash(plan_text)))
                self.store.execute(statements.SET_NOTE, (_SHARD, shard))
        self.check_plan(plan_name, shard)
        if size is not None and self._note(_PLANNED) is None:
            self._set_note(_PLANNED, str(size()))

    def check_plan(self, plan_name: str, shard: str | None = None) -> None:
        """Raise :class:`~satlife.errors.UsageError` if the ledger is of another plan or shard."""
        there = self.plan_name()
        if there not in (None, plan_name):
            raise UsageError(
                f"the ledger {self.store} belongs to the plan {there[:12]}, not to "
                f"{plan_name[:12]}; give another ledger, or that plan"
            )
        has = self._note(_SHARD) or _WHOLE
        if there is not None and shard not in (None, has):
            way = "each has its own" if shard != _WHOLE else "join shards in a new ledger"
            of = f"of {shard}" if shard != _WHOLE else "of the whole plan"
            raise UsageError(f"the ledger {self.store} is of shard {has}, not {of}; {way}")

    def hold(self, holder: str) -> None:
        """Become the only writer through :meth:`writing` and the calls that use it.

        The previous holder finds out at its next write, and writes nothing.
        """
        with self.store.write():
            number = int((self._note(_HOLDER) or "0").split()[0]) + 1
            self._held = f"{number} {holder}"
            self.store.execute(statements.SET_NOTE, (_HOLDER, self._held))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write in a transaction; raise :class:`FencedError` if another holds the ledger."""
        with self.store.write():
            self.check_hold()
            yield

    def check_hold(self) -> None:
        """Raise :class:`FencedError` if this ledger was held, and another holds it now."""
        if self._held is not None and (holder := self._note(_HOLDER)) != self._held:
            who = (holder or "").partition(" ")[2] or "somebody else"
            raise FencedError(f"the ledger {self.store} was taken over by {who}")

    def plan_name(self) -> str | None:
        """Return the name of the plan, if it has begun."""
        return next((name for name, _ in self.store.execute(statements.PLAN)), None)

    def plan_text(self) -> str | None:
        """Return the text of the plan, if it has begun."""
        return next((text for _, text in self.store.execute(statements.PLAN)), None)

    def planned(self) -> int | None:
        """Return the number of tasks of the plan, if it was counted."""
        text = self._note(_PLANNED)
        return None if text is None else int(text)

    def checkpoint(self) -> str | None:
        """Return the last checkpoint, if there is one."""
        return self._note(_CHECKPOINT)

    def save_checkpoint(self, text: str) -> None:
        """Replace the checkpoint."""
        self._set_note(_CHECKPOINT, text)

    def report(self) -> str | None:
        """Return the recorder's last report on workers and refusals, if there is one."""
        return self._note(_REPORT)

    def save_report(self, text: str) -> None:
        """Replace the report."""
        self._set_note(_REPORT, text)

    def has_merged(self) -> bool:
        """Whether other ledgers were merged into this one; their answers come in any order."""
        return self._note(_MERGED) is not None

    def note_merge(self) -> None:
        """Remember that another ledger was merged; only inside ``store.write()``."""
        self.store.execute(statements.SET_NOTE, (_MERGED, "yes"))

    def removed(self) -> int:
        """Return the number of events that were removed from the log."""
        return int(self._note(_REMOVED) or "0")

    def remove(self, events: Sequence[int]) -> None:
        """Remove events; only inside ``store.write()``, and never the last one."""
        among, ids = self.store.among, self.store.pack(events)
        gone = self.store.execute(statements.LINES_AMONG.format(among=among), (ids,))
        self.store.execute(statements.DELETE_EVENTS.format(among=among), (ids,))
        if (total := self.log_sum()) is not None:
            _write_sum(self.store, total - sum_log(gone))
        self.store.execute(statements.SET_NOTE, (_REMOVED, str(self.removed() + len(events))))

    def log_sum(self) -> int | None:
        """Return the sum of all lines of the log; None if an older satlife began the ledger."""
        return _read_sum(self.store)

    def errors(self) -> Iterator[str]:
        """Yield what cannot be read in the notes, or contradicts the plan."""
        notes: dict[str, str] = dict(self.store.execute(statements.NOTES))
        for name in sorted(notes.keys() - _NOTES):
            yield f"notes: there is no note {name[:60]!r}"
        if (_PLAN_HASH in notes) != (_LOG_SUM in notes) and self.store.execute(statements.PLAN):
            yield "notes: one of the sums of the plan and the log is missing"
        for name in (_PLANNED, _REMOVED, _HOLDER):
            if name in notes and not _NUMBER.match(notes[name]):
                yield f"notes: {name} is {notes[name][:60]!r}"
        if not _SHARD_WORDS.fullmatch(notes.get(_SHARD, _WHOLE)):
            yield f"notes: {_SHARD} is {notes[_SHARD][:60]!r}"
        if not _SUM.fullmatch(notes.get(_LOG_SUM, "0")):
            yield f"notes: {_LOG_SUM} is {notes[_LOG_SUM][:60]!r}"
        plans = self.store.execute(statements.PLAN)
        if len(plans) > 1:
            yield f"plan: there are {len(plans)}"
        for _, text in plans:
            if notes.get(_PLAN_HASH, _hash(text)) != _hash(text):
                yield "plan: its text is not the one with which the ledger was begun"

    def revoked(self) -> frozenset[str]:
        """Return the users whose claims no longer count."""
        return frozenset((self._note(_REVOKED) or "").split())

    def add_revoked(self, user: str) -> None:
        """Remember that a user's claims no longer count."""
        self._set_note(_REVOKED, " ".join(sorted({*self.revoked(), user})))

    def _note(self, name: str) -> str | None:
        return _read_note(self.store, name)

    def _set_note(self, name: str, body: str) -> None:
        with self.writing():
            self.store.execute(statements.SET_NOTE, (name, body))


# A batch of events to be written: the states before it, and the rows to write.


ANSWERS = FoundEvent | ClaimedEvent | CertifiedEvent | ImpliedEvent
"""Events that count as answers."""
NEWER_TASKS = QueuedEvent | RetriedEvent | RevokedEvent | SplitEvent
"""Events that may bring a newer version of their task."""
BUCKET = 10_000_000
"""Microseconds over which answers are counted together."""


@dataclass(slots=True)
class Place:
    """A task's row while a batch works on it."""

    id: int
    name: str
    time: int
    """When its last event happened, in microseconds since 1970."""
    state: TaskState | None
    is_new: bool = False
    is_changed: bool = False
    before: TaskState | None = None
    """The state in the database, if ``state`` has changed."""


_READERS: Any = tuple(
    field.type if field.type in (Status, bool) else None
    for field in msgspec.structs.fields(TaskState)
)


def read_state(columns: Line) -> TaskState:
    """Return the state in a line that begins with its columns."""
    pairs = zip(_READERS, columns, strict=False)
    return TaskState(*[read(value) if read else value for read, value in pairs])


def read_place(line: Line) -> Place:
    """Return the place in a line of id, name, time and the columns of the state."""
    return Place(line[0], line[1], line[2], read_state(line[3:]))


def encode_event(event: Event) -> str:
    """Return an event as JSON; equal events give equal texts."""
    return msgspec.json.encode(event, order="sorted").decode()


def now() -> int:
    """Return the current time in microseconds since 1970."""
    return time.time_ns() // 1000


class Transaction:
    """Collects the writes of a transaction; begin it inside ``store.write()``."""

    def __init__(self, store: Store, most_deaths: int) -> None:
        self._store = store
        self._most_deaths = most_deaths
        self._places: dict[str, Place] = {}
        self._bodies: dict[int, str] = {}
        self._events: list[Line] = []
        self._findings: dict[str, tuple[Line, str]] = {}
        self._answers = 0
        self._last_task = self._last(statements.LAST_TASK)
        self._last_event = self._last(statements.LAST_EVENT)
        self._now = now()

    def _last(self, sql: str) -> int:
        ((last,),) = self._store.execute(sql)
        return int(last)

    def look_up(self, names: Iterable[str]) -> None:
        """Read the states of tasks."""
        # No task has a name with a zero character, which PostgreSQL refuses.
        asked = sorted({name for name in names if name.isprintable()} - self._places.keys())
        if asked:
            sql = statements.PLACES.format(among=self._store.among)
            self.take(map(read_place, self._store.execute(sql, (self._store.pack(asked),))))

    def take(self, places: Iterable[Place]) -> None:
        """Add places that have already been read."""
        self._places.update((place.name, place) for place in places)

    def place(self, name: str) -> Place | None:
        """Return a task's place, if it was looked up and exists."""
        return self._places.get(name)

    def apply(self, name: str, event: Event) -> Transition:
        """Apply an event now; it is written if it changes the state."""
        place = self._places.get(name)
        state = place.state if place else None
        step = advance(state, event, most_deaths=self._most_deaths)
        if step.changed:
            place = place or self.found_place(name)
            # Strictly after the task's last event, so that sorting by time keeps the order.
            self.settle(place, step.state, max(self._now, place.time + 1))
            if state is None or isinstance(event, NEWER_TASKS):
                self.set_task(place, event, step.state)
            self.log(place, place.time, event, encode_event(event))
            self._answers += isinstance(event, ANSWERS)
        return step

    def replay(self, place: Place, entries: Iterable[tuple[int, Event]]) -> list[Transition]:
        """Recompute the state from all events of a task, in their order."""
        last = 0
        steps: list[Transition] = []
        for when, event in entries:
            last = when
            before = steps[-1].state if steps else None
            steps.append(advance(before, event, most_deaths=self._most_deaths))
            if steps[-1].changed and (before is None or isinstance(event, NEWER_TASKS)):
                self.set_task(place, event, steps[-1].state)
        if not steps:
            raise UsageError(f"the task {place.name} has no events")
        self.settle(place, steps[-1].state, last)
        return steps

    def found_place(self, name: str) -> Place:
        """Add a row for an unknown task."""
        self._last_task += 1
        place = self._places[name] = Place(self._last_task, name, 0, None, is_new=True)
        return place

    def settle(self, place: Place, state: TaskState, when: int) -> None:
        """Change a task's state."""
        if not place.is_changed:
            place.before = place.state
        place.state, place.time, place.is_changed = state, when, True

    def set_task(self, place: Place, event: Event, state: TaskState) -> None:
        """Store the task that an event carries, unless a later round is stored."""
        task = getattr(event, "task", None)
        if task is not None and task.round == state.round:
            self._bodies[place.id] = encode(task).decode()

    def task(self, place: Place) -> Task | None:
        """Return the task that is about to be stored for a place, if one is."""
        text = self.body(place)
        return None if text is None else decode_task(text.encode())

    def body(self, place: Place) -> str | None:
        """Return the text of that task."""
        return self._bodies.get(place.id)

    def log(self, place: Place, when: int, event: Event, body: str) -> None:
        """Append an event to the log, and a find to the findings."""
        self._last_event += 1
        kind: Any = type(event).__struct_config__.tag
        self._events.append((self._last_event, place.id, kind, when, body))
        if isinstance(event, FoundEvent):
            line = (event.identity, self._last_event, when, place.name)
            earlier, text = self._findings.setdefault(event.identity, (line, body))
            if (*line[2:], body) < (*earlier[2:], text):
                self._findings[event.identity] = line, body

    def write(self) -> None:
        """Write everything."""
        changed = [place for place in self._places.values() if place.is_changed]
        work: tuple[tuple[str, list[Line]], ...] = (
            (statements.ADD_TASK, [(*write_columns(p), p.id, p.name) for p in changed if p.is_new]),
            (statements.SET_TASK, [(*write_columns(p), p.id) for p in changed if not p.is_new]),
            (statements.ADD_TALLY, _tally(changed)),
            (statements.SET_BODY, list(self._bodies.items())),
            (statements.ADD_EVENT, self._events),
            (statements.ADD_FINDING, [line for line, _ in self._findings.values()]),
            (statements.ADD_RATE, self._rate()),
        )
        if self._events:
            is_first = self._last_event == len(self._events)
            if (total := 0 if is_first else _read_sum(self._store)) is not None:
                _write_sum(self._store, sum_log(self._events, total))
        self._store.make_room(self._last_event)
        for sql, lines in work:
            if lines:
                self._store.execute_many(sql, lines)

    def _rate(self) -> list[Line]:
        return [(self._now - self._now % BUCKET, self._answers)] if self._answers else []


def _tally(changed: Iterable[Place]) -> list[Line]:
    """Return the change of each count of tasks."""
    differences: Counter[Line] = Counter()
    for place in changed:
        for state, sign in ((place.state, 1), (place.before, -1)):
            if state is not None:
                implied = state.implied_by is not None
                marks = state.certified, state.contradicted, implied, bool(state.parent)
                where = state.status.value, *marks
                differences[where] += sign
    return [(w[0], *map(int, w[1:]), number) for w, number in differences.items() if number]


def write_columns(place: Place) -> Line:
    """Return the columns of a place's state, and its time."""
    state = place.state
    assert state is not None  # a place that has changed has a state
    return (*map(_write_value, msgspec.structs.astuple(state)), place.time)


def _write_value(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "")  # which PostgreSQL refuses
    return int(value) if isinstance(value, bool) else value


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
        return [
            (
                _read_row(line),
                int(line[2]) / 1_000_000,
            )
            for line in self.store.execute(statements.LAST_ROWS, (most,))
        ]

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


def _pages(page: Callable[[T], list[Line]], after: T, mark: Callable[[Line], T]) -> Iterator[Line]:
    """Yield lines page by page; the mark of a page's last line says where the next page begins."""
    while lines := page(after):
        yield from lines
        after = mark(lines[-1])


# Families in a ledger: split tasks with their cases, and cases with all their parents.
#
# A task names one parent, its first. But a region of rules may be a case of several maps, and an
# untrusted file may name a parent that never had the case. So only the cases listed by split tasks
# count.


Parents = dict[str, dict[str, TaskRow]]
"""The tasks that were split into a case and others, by name, for the name of each case."""


def read_families(ledger: Ledger, names: Iterable[str]) -> list[tuple[TaskRow, list[TaskRow]]]:
    """Return the split tasks among these names, each with its cases in the ledger.

    Tasks that wait for their cases come first, so that their cases are not dropped for the others.
    """
    split = [row for row in ledger.find(set(names)) if row.task.cases]
    split.sort(key=lambda row: row.state.status is not Status.SPLIT)
    cases = {row.name: [child.name for child in list_cases(row.task)] for row in split}
    rows = {row.name: row for row in ledger.find(set(chain(*cases.values())))}
    return [(row, [rows[name] for name in cases[row.name] if name in rows]) for row in split]


def find_parents(ledger: Ledger, tasks: Iterable[Task]) -> Parents:
    """Return all parents of each of these tasks; tasks that are no case are left out."""
    cases = {task.name: task for task in tasks if task.may_be_case}
    named = {row.name: row for row in ledger.find({task.parent for task in cases.values()})}
    parents: Parents = {}
    regions: dict[str, list[Task]] = {}
    for name, task in cases.items():
        if not task.is_part:
            regions.setdefault(task.problem.rule, []).append(task)
            continue
        rows = [named[task.parent]] if task.parent in named else []
        if not any(_has_case(row.task, task) for row in rows):
            rows = list(ledger.find({whole.name for whole in _find_wholes(task)}))
        parents[name] = {row.name: row for row in rows if _has_case(row.task, task)}
    for row in ledger.split_rows() if regions else ():
        divided = {_spell(case.rules) for case in row.task.cases if isinstance(case, Region)}
        for task in chain(*(regions[rules] for rules in regions.keys() & divided)):
            if task.problem.boxes == row.task.problem.boxes and is_case_of(task, row.task):
                parents.setdefault(task.name, {})[row.name] = row
    return {name: found for name, found in parents.items() if found}


def _find_wholes(task: Task) -> Iterator[Task]:
    """Yield the tasks with fewer cells or shares, or any box, that may be parents of a task."""
    if task.exact is not None and not task.cells:
        yield replace(task, exact=None)
    for count in range(len(task.cells)):
        yield replace(task, cells=task.cells[:count])
    for count in range(len(task.shares)):
        yield replace(task, shares=task.shares[:count])


def _has_case(whole: Task, task: Task) -> bool:
    """Whether a part of a problem is one of the cases into which another task was split."""
    if whole.exact != task.exact:
        return is_case_of(task, whole) and not task.cells and task.exact in whole.cases
    more = task.cells[len(whole.cells) :], task.shares[len(whole.shares) :]
    return is_case_of(task, whole) and any(
        more in ((case, ()), ((), (case,))) for case in whole.cases
    )


@lru_cache(maxsize=1 << 16)
def _spell(rules: str) -> str:
    """Return rules as a problem writes them."""
    return str(read_open(rules) or Rule(rules))
