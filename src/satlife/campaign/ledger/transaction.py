"""A batch of events to be written: the states before it, and the rows to write."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FoundEvent,
    ImpliedEvent,
    QueuedEvent,
    RetriedEvent,
    RevokedEvent,
    SplitEvent,
    Status,
)
from satlife.campaign.core.state import TaskState, Transition, advance
from satlife.campaign.ledger import statements
from satlife.campaign.ledger.notes import read_sum, sum_log, write_sum
from satlife.campaign.ledger.store import Insert, Line, Store, Update
from satlife.campaign.messages import Task, decode_task, encode
from satlife.errors import UsageError

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
        period = self._now - self._now % BUCKET
        rates: list[Line] = [(period, self._answers)] if self._answers else []
        work: tuple[tuple[Insert | Update, list[Line]], ...] = (
            (statements.ADD_TASK, [(*write_columns(p), p.id, p.name) for p in changed if p.is_new]),
            (statements.SET_TASK, [(*write_columns(p), p.id) for p in changed if not p.is_new]),
            (statements.ADD_TALLY, _tally(changed)),
            (statements.SET_BODY, list(self._bodies.items())),
            (statements.ADD_EVENT, self._events),
            (statements.ADD_FINDING, [line for line, _ in self._findings.values()]),
            (statements.ADD_RATE, rates),
        )
        if self._events:
            is_first = self._last_event == len(self._events)
            if (total := 0 if is_first else read_sum(self._store)) is not None:
                write_sum(self._store, sum_log(self._events, total))
        self._store.make_room(self._last_event)
        for statement, lines in work:
            if lines:
                self._store.execute_many(statement, lines)


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
