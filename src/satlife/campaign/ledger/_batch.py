"""Events on their way into the ledger: the states they meet, and what is to be written."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from satlife.campaign.ledger import _sql
from satlife.campaign.ledger._store import Line, Store
from satlife.campaign.messages import encode
from satlife.campaign.state import (
    Event,
    Found,
    Queued,
    Retried,
    Status,
    Step,
    TaskState,
    advance,
)
from satlife.errors import UsageError


@dataclass(slots=True)
class Place:
    """A task's row while a batch is at work on it."""

    id: int
    name: str
    time: int
    """Of its last event, in microseconds since 1970."""
    state: TaskState | None
    is_new: bool = False
    is_changed: bool = False
    before: TaskState | None = None
    """What the database has, while the state is changed."""


def read_state(columns: Line) -> TaskState:
    """Make the state of its columns."""
    status, certified, round_, deaths, worker, implied_by, contradicted = columns
    return TaskState(
        Status(status), bool(certified), round_, deaths, worker, implied_by, bool(contradicted)
    )


def read_place(line: Line) -> Place:
    """Make a place of id, name, time and the columns of the state."""
    return Place(line[0], line[1], line[2], read_state(line[3:10]))


def encode_event(event: Event) -> str:
    """Write an event, always the same way."""
    return msgspec.json.encode(event, order="sorted").decode()


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Batch:
    """Collects what a transaction writes; begin it inside ``store.write()``."""

    def __init__(self, store: Store, most_deaths: int) -> None:
        self._store = store
        self._most_deaths = most_deaths
        self._places: dict[str, Place] = {}
        self._bodies: dict[int, str] = {}
        self._events: list[Line] = []
        self._findings: list[Line] = []
        self._last_task = self._last(_sql.LAST_TASK)
        self._last_event = self._last(_sql.LAST_EVENT)
        self._now = now()

    def _last(self, sql: str) -> int:
        ((last,),) = self._store.execute(sql)
        return int(last)

    def look_up(self, names: Iterable[str]) -> None:
        """Read where the tasks stand."""
        # No task has a name with a zero character, and PostgreSQL takes no such text.
        asked = sorted({name for name in names if name.isprintable()} - self._places.keys())
        if asked:
            sql = _sql.PLACES.format(among=self._store.among)
            self.take(map(read_place, self._store.execute(sql, (self._store.pack(asked),))))

    def take(self, places: Iterable[Place]) -> None:
        """Work on places that have been read already."""
        self._places.update((place.name, place) for place in places)

    def place(self, name: str) -> Place | None:
        """Where a task stands, if it has been looked up and is there."""
        return self._places.get(name)

    def apply(self, name: str, event: Event) -> Step:
        """Let an event happen now; it is kept if it changes something."""
        place = self._places.get(name)
        state = place.state if place else None
        step = advance(state, event, most_deaths=self._most_deaths)
        if step.changed:
            place = place or self.found_place(name)
            # Strictly after the task's last event: sorted by time, the log is in its true order.
            self.settle(place, step.state, max(self._now, place.time + 1))
            if state is None or isinstance(event, Queued | Retried):
                self.set_task(place, event)
            self.log(place, place.time, event, encode_event(event))
        return step

    def replay(self, place: Place, entries: Iterable[tuple[int, Event]]) -> list[Step]:
        """Make the state anew from all events of a task, given in their order."""
        state: TaskState | None = None
        steps = []
        last = 0
        for when, event in entries:
            last = when
            step = advance(state, event, most_deaths=self._most_deaths)
            if step.changed and (state is None or isinstance(event, Queued | Retried)):
                self.set_task(place, event)
            state = step.state
            steps.append(step)
        if state is None:
            raise UsageError(f"the task {place.name} has no events")
        self.settle(place, state, last)
        return steps

    def found_place(self, name: str) -> Place:
        """Make a row for a task that is not known yet."""
        self._last_task += 1
        place = self._places[name] = Place(self._last_task, name, 0, None, is_new=True)
        return place

    def settle(self, place: Place, state: TaskState, when: int) -> None:
        """Change a task's state."""
        if not place.is_changed:
            place.before = place.state
        place.state, place.time, place.is_changed = state, when, True

    def set_task(self, place: Place, event: Event) -> None:
        """Keep the task that an event brings."""
        task = getattr(event, "task", None)
        if task is not None:
            self._bodies[place.id] = encode(task).decode()

    def log(self, place: Place, when: int, event: Event, body: str) -> None:
        """Append an event to the log, and a find to the findings."""
        self._last_event += 1
        kind: Any = type(event).__struct_config__.tag
        self._events.append((self._last_event, place.id, kind, when, body))
        if isinstance(event, Found):
            self._findings.append((event.identity, self._last_event, when, place.name))

    def write(self) -> None:
        """Write everything."""
        changed = [place for place in self._places.values() if place.is_changed]
        work: tuple[tuple[str, list[Line]], ...] = (
            (_sql.ADD_TASK, [(*_columns(p), p.id, p.name) for p in changed if p.is_new]),
            (_sql.SET_TASK, [(*_columns(p), p.id) for p in changed if not p.is_new]),
            (_sql.ADD_TALLY, _tally(changed)),
            (_sql.SET_BODY, list(self._bodies.items())),
            (_sql.ADD_EVENT, self._events),
            (_sql.ADD_FINDING, self._findings),
        )
        for sql, lines in work:
            if lines:
                self._store.execute_many(sql, lines)


def _tally(changed: Iterable[Place]) -> list[Line]:
    """Count how many tasks more or fewer are where."""
    differences: Counter[Line] = Counter()
    for place in changed:
        for state, sign in ((place.state, 1), (place.before, -1)):
            if state is not None:
                implied = state.implied_by is not None
                where = state.status.value, state.certified, state.contradicted, implied
                differences[where] += sign
    return [(w[0], *map(int, w[1:]), number) for w, number in differences.items() if number]


def _columns(place: Place) -> Line:
    state = place.state
    assert state is not None  # a place that is changed has a state
    return (
        state.status.value,
        int(state.certified),
        state.round,
        state.deaths,
        state.worker.replace("\0", ""),
        state.implied_by,
        int(state.contradicted),
        place.time,
    )
