"""Compare the tables of a ledger with its log, from which they follow.

Anyone who has the file can edit it.  :func:`compare` replays the events of every task through the
state machine, simulates every find again, and compares all tables with the result.
:func:`looks_edited` compares only sums and the objects found, for progress displays.  That a proof
was checked rests on the log; the proofs themselves are not in a ledger.  :func:`prune` removes
from the log what no table rests on any more.

>>> from satlife.campaign.ledger import open_ledger
>>> from satlife.campaign.messages import Task
>>> from satlife import still_life
>>> with open_ledger(":memory:") as ledger:
...     ledger.add([Task(problem=still_life(box="3x3"))])
...     compare(ledger).differences
...     _ = ledger.store.execute("UPDATE tasks SET status = 'found'")
...     compare(ledger).words[0].partition(": ")[2], looks_edited(ledger)
1
0
('its status is found, and queued by the log', True)
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from satlife.campaign.core.events import (
    DiedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    LeasedEvent,
    ReleasedEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.state import TaskState
from satlife.campaign.ledger import statements
from satlife.campaign.ledger.ledger import PAGE, Ledger
from satlife.campaign.ledger.notes import sum_log
from satlife.campaign.ledger.store import STATE_COLUMNS, LedgerError, Line, Store
from satlife.campaign.ledger.transaction import ANSWERS, Place, Transaction, now, write_columns
from satlife.campaign.ledger.transfer import Examiner
from satlife.campaign.messages import Task, decode_task
from satlife.campaign.plan import Plan
from satlife.errors import UsageError

MOST_WORDS: Final = 20
"""Maximum number of differences that are described."""
MOST_SUMMED: Final = 100_000
"""Most tasks for a quick comparison: a tenth of a second, or half a second if all have finds."""


class _Named(msgspec.Struct):
    """A find; only its object is read."""

    identity: str


_NAMED = msgspec.json.Decoder(_Named)
_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


@dataclass
class Comparison:
    """Differences between the tables of a ledger and its log."""

    tasks: int = 0
    events: int = 0
    finds: int = 0
    """Patterns that were simulated."""
    differences: int = 0
    words: list[str] = field(default_factory=list)
    """Descriptions of the first differences."""

    def add(self, description: str) -> None:
        """Add a difference."""
        self.differences += 1
        if len(self.words) < MOST_WORDS:
            self.words.append(description)


def compare(ledger: Ledger) -> Comparison:
    """Compare all tables in one snapshot; others may write meanwhile."""
    with ledger.store.read():
        return _Comparer(ledger).compare()


def looks_edited(ledger: Ledger) -> bool:
    """Whether the tables contradict each other or lack events; a large ledger is not checked."""
    store = ledger.store
    ((tasks,),) = store.execute(statements.COUNT_TASKS)
    if tasks > MOST_SUMMED:
        return False
    ((events, last),) = store.execute(statements.COUNT_EVENTS)
    lacks = events + ledger.removed() != last or events < tasks
    return bool(
        lacks
        or store.execute(statements.UNEQUAL_SUMS)
        or store.execute(statements.LOST_FINDS)
        or _differ_in_objects(store)
    )


def _differ_in_objects(store: Store) -> bool:
    """Whether the findings and the log differ in their objects."""
    try:
        logged = {
            (_NAMED.decode(body).identity,) for (body,) in store.execute(statements.LOGGED_FINDS)
        }
    except msgspec.MsgspecError:
        return True
    return logged != set(store.execute(statements.IDENTITIES))


class _Comparer:
    """A comparison in progress."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._store = ledger, ledger.store
        self._result = Comparison()
        self._sum = 0
        self._answers = 0
        self._first: dict[str, tuple[int, str, str]] = {}
        """The time, the task and the text of the first find of each object."""

    def compare(self) -> Comparison:
        """Compare table after table, first what would keep the others from being read."""
        for description in self._store.misfits():
            self._result.add(description)
        if not self._result.differences:
            self._compare_notes()
        if not self._result.differences:
            self._compare_tables()
        return self._result

    def _compare_tables(self) -> None:
        last = 0
        while lines := self._store.execute(statements.STATES, (last, PAGE)):
            self._compare_tasks(lines)
            last = lines[-1][0]
        self._compare_log()
        for *where, count in self._store.execute(statements.UNEQUAL_SUMS):
            self._result.add(f"tallies: {where[0]} differs by {count} from the number of tasks")
        for status in {line[0] for line in self._store.execute(statements.COUNTS)} - set(Status):
            self._result.add(f"tallies: there is no status {status[:60]!r}")
        ((wrong,),) = self._store.execute(statements.WRONG_RATES)
        if wrong:
            self._result.add(f"rates: {wrong:,} are of no time, or of no number of answers")
        ((answers, _),) = self._store.execute(statements.RATE, (0,))
        if answers > self._answers and not (wrong or self._ledger.removed()):
            self._result.add(f"rates: they count {answers:,} answers, the log {self._answers:,}")
        self._compare_findings()

    def _compare_notes(self) -> None:
        """Read the plan and the notes."""
        for description in self._ledger.errors():
            self._result.add(description)
        text = self._ledger.plan_text()
        try:
            if text and Plan.from_toml(text).name != self._ledger.plan_name():
                self._result.add("plan: its text is that of another plan")
        except (UsageError, ValueError) as error:
            self._result.add(f"plan: it cannot be read: {error}")

    def _compare_tasks(self, lines: list[Line]) -> None:
        ids = self._store.pack([line[0] for line in lines])
        entries: dict[int, list[tuple[int, str, str]]] = {}
        for line in self._among(statements.LOG_OF, ids):
            _, task, kind, when, body = line
            entries.setdefault(task, []).append((when, body, kind))
            self._sum = sum_log([line], self._sum)
        bodies: dict[int, str] = dict(self._among(statements.BODIES_OF, ids))
        batch = self._ledger.batch()
        for number, name, when, *state in lines:
            self._result.tasks += 1
            there = sorted(entries.get(number, ()))
            try:
                self._compare_task(batch, number, name, there, (*state, when), bodies.get(number))
            except (UsageError, msgspec.MsgspecError) as error:
                self._add(name, str(error))

    def _among(self, sql: str, ids: Any) -> list[Line]:
        return self._store.execute(sql.format(among=self._store.among), (ids,))

    def _compare_task(
        self,
        batch: Transaction,
        number: int,
        name: str,
        entries: list[tuple[int, str, str]],
        columns: Line,
        body: str | None,
    ) -> None:
        events = [(when, _EVENT.decode(text)) for when, text, _ in entries]
        place = Place(number, name, 0, None)
        batch.replay(place, events)
        self._answers += sum(isinstance(event, ANSWERS) for _, event in events)
        for (when, event), (_, _, kind) in zip(events, entries, strict=True):
            if not 0 < when < 1 << 53:
                self._add(name, f"its log has the time {when}")
            if event.name != name or type(event).__struct_config__.tag != kind:
                self._add(name, f"its log has {kind} of {event.name[:12]}")
        *expected, _ = write_columns(place)
        for column, has, wants in zip(STATE_COLUMNS, columns, expected, strict=False):
            if has != wants:
                self._add(name, f"its {column} is {has}, and {wants} by the log")
        if columns[-1] not in {when for when, _, _ in entries}:
            self._add(name, "nothing happened at its time")
        if body != batch.body(place) and _read_task(body) != batch.task(place):
            self._add(name, "its text is not the one in the log")
        for (when, event), (_, text, _) in zip(events, entries, strict=True):
            if isinstance(event, FoundEvent) and (task := batch.task(place)) is not None:
                self._result.finds += 1
                if reason := Examiner().refuse(task, event, None):
                    self._add(name, reason)
                first = self._first.get(event.identity)
                here = when, name, text
                self._first[event.identity] = here if first is None else min(first, here)

    def _compare_log(self) -> None:
        ((self._result.events, last),) = self._store.execute(statements.COUNT_EVENTS)
        events, removed = self._result.events, self._ledger.removed()
        if events + removed != last:
            gone = f", without {removed} that were removed" if removed else ""
            self._result.add(f"events: there are {events}{gone}, and the last is {last}")
        if self._ledger.log_sum() not in (None, self._sum):
            self._result.add("events: their sum is another; times or texts have changed")
        ((lost,),) = self._store.execute(statements.COUNT_LOST_EVENTS)
        if lost:
            self._result.add(f"events: {lost} are of no task")

    def _compare_findings(self) -> None:
        last = ""
        while lines := self._store.execute(statements.FIRST_FINDS, (last, PAGE)):
            for identity, *first in lines:
                if tuple(first) != self._first.pop(identity, None):
                    self._result.add(f"findings: {identity} was not found there first")
            last = lines[-1][0]
        for identity in self._first:
            self._result.add(f"findings: {identity} is missing")

    def _add(self, name: str, description: str) -> None:
        self._result.add(f"{name[:12]}: {description}")


# Remove what an old answer does not rest on: leases, deaths, failures, rounds without an answer.


_PASSING: Final = LeasedEvent | ReleasedEvent | DiedEvent | FailedEvent | UndecidedEvent
_Dated = tuple[int, str, int]
"""Microseconds, JSON and id of an event."""


def prune(ledger: Ledger, seconds: float) -> int:
    """Remove events of tasks that were answered longer ago than this; return their number.

    Only events go without which the rest of the log gives the same state and the same task. So
    answers, finds, certificates, counts and later merges are as before.
    """
    store, before, last, gone = ledger.store, now() - int(seconds * 1_000_000), 0, 0
    while True:
        with store.write():
            tasks: dict[int, str] = dict(store.execute(statements.OLD_TASKS, (last, before, PAGE)))
            if not tasks:
                break
            logs: dict[int, list[_Dated]] = {}
            sql = statements.OLD_LOG.format(among=store.among)
            for task, *line in store.execute(sql, (store.pack(list(tasks)),)):
                logs.setdefault(task, []).append((line[0], line[1], line[2]))
            ((newest,),) = store.execute(statements.LAST_EVENT)
            batch = ledger.batch()  # only for its replay; nothing is written
            needless = [
                number
                for task, log in logs.items()
                for number in _find_needless(batch, tasks[task], sorted(log))
                if number != newest
            ]
            if needless:
                ledger.remove(needless)
                gone += len(needless)
            last = max(tasks)
    if gone:
        with suppress(LedgerError):  # a busy or full disk: the space is used again anyway
            store.execute(store.reclaim)
    return gone


def _find_needless(batch: Transaction, name: str, log: list[_Dated]) -> list[int]:
    """Return the ids of events of a task, in their order, that its state does not rest on."""
    events = [(when, _EVENT.decode(body), number) for when, body, number in log]

    def replay(dropped: set[int]) -> tuple[TaskState | None, str | None]:
        place = Place(-log[0][2], name, 0, None)  # no task has this id
        batch.replay(place, [each[:2] for each in events if each[2] not in dropped])
        return place.state, batch.body(place)

    wanted = replay(set())
    passing = {number for _, event, number in events[:-1] if isinstance(event, _PASSING)}
    if replay(passing) == wanted:
        return sorted(passing)
    gone: set[int] = set()
    for number in sorted(passing):
        if replay(gone | {number}) == wanted:
            gone.add(number)
    return sorted(gone)


def _read_task(body: str | None) -> Task | None:
    return None if body is None else decode_task(body.encode())
