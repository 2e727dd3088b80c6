"""Export a ledger as JSON Lines, and merge such exports, so that two ledgers become one.

A ledger is a set of events, and the events of a task, sorted by time, give its state.  Merging
unites the sets and recomputes the states.  So it does not matter which ledger is merged into which,
in what order, or how often: states and findings come out the same.

Times are set by the writer of the file, and our next event of the task comes after them.  So an
event that is more than a day ahead of our clock is refused, however trusted the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Annotated, BinaryIO, Literal, NamedTuple

import msgspec

from satlife.campaign.core.events import Event, FoundEvent, ImpliedEvent, SplitEvent
from satlife.campaign.core.state import Alarm, TaskState
from satlife.campaign.core.trust import (
    check_find,
    identify_finding,
    is_elsewhere,
    refuse_patterns,
)
from satlife.campaign.ledger import statements
from satlife.campaign.ledger.ledger import Ledger
from satlife.campaign.ledger.transaction import encode_event, now
from satlife.campaign.messages import LARGEST_MESSAGE, Task
from satlife.errors import FormatError, UsageError
from satlife.verifier.generations import VerificationError

VERSION = 1
"""Increases when the meaning of existing files changes."""

_PAGE = 500
_PAGE_BYTES = 16 * LARGEST_MESSAGE
"""The most lines, and the most bytes, of a page, which is held in memory as a whole."""
_LONGEST_LINE = 2 * LARGEST_MESSAGE
_SKEW = 24 * 3600 * 1_000_000
"""Microseconds by which another clock may be ahead of ours."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an export."""

    format: Literal["satlife-ledger"]
    version: int
    plan: str | None = None
    plan_text: str | None = None


class EventLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any other line: an event and its time, in microseconds since 1970."""

    time: Annotated[int, msgspec.Meta(ge=1)]
    event: Event


_HEADER = msgspec.json.Decoder(Header)
_LINE = msgspec.json.Decoder(EventLine)
_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)

Cause = tuple[Task, TaskState]
"""A task whose answer implies another's, with its state."""
Entry = tuple[int, str]
"""Microseconds and JSON: two events are the same if both are equal."""


def export(ledger: Ledger) -> Iterator[bytes]:
    """Yield the lines of a ledger: a header with version and plan, then every event."""
    header = Header(
        format="satlife-ledger",
        version=VERSION,
        plan=ledger.plan_name(),
        plan_text=ledger.plan_text(),
    )
    yield msgspec.json.encode(header) + b"\n"
    for _, when, body in ledger.lines():
        yield f'{{"time":{when},"event":{body}}}\n'.encode()


@dataclass
class Merged:
    """The outcome of merging another ledger."""

    new: int = 0
    """Events that were added."""
    left_out: int = 0
    """Events that the examiner left out."""
    unproved: set[str] = field(default_factory=set)
    """Tasks whose proofs were checked elsewhere, and are needed here."""
    refused: list[str] = field(default_factory=list)
    """Reasons for refused events, each with its line number."""
    alarms: list[Alarm] = field(default_factory=list)
    """Contradictions completed by this merge."""


class Examiner:
    """Accepts everything but patterns, which are simulated again; a subclass may be stricter."""

    def read(self, event: Event, state: TaskState | None) -> Event | None:
        """Return the event to add for an event of the file; None to leave it out.

        ``state`` is the state of its task in this ledger, if it has one.
        """
        return event

    def refuse(self, task: Task, event: Event, cause: Cause | None) -> str | None:
        """Return the reason to refuse an event; ``cause`` is the task that implies its answer."""
        if isinstance(event, SplitEvent):
            try:
                refuse_patterns(event.task)
            except UsageError as error:
                return f"a split of {event.name}: {error}"
        if not isinstance(event, FoundEvent):
            return None
        try:
            problem, history = check_find(task, event.generations)
        except (FormatError, VerificationError) as error:
            return f"not a solution of {event.name}: {error}"
        if identify_finding(problem, history) != event.identity:
            return f"the object is not {event.identity}"
        if is_elsewhere(task, history) != event.elsewhere:
            return f"the recorded size of a find of {event.name} is wrong"
        return task.selection.refusal(problem, history) or None


def merge(
    ledger: Ledger,
    lines: Iterable[bytes],
    *,
    examiner: Examiner | None = None,
    on_alarm: Callable[[Alarm], None] | None = None,
) -> Merged:
    """Merge the lines of another ledger; return what was new, and what was refused.

    Without an ``examiner`` everything in the other ledger is accepted but patterns, which are
    simulated again.  ``on_alarm`` is called when the second half of a contradiction arrives.
    """
    numbered = enumerate(lines, 1)
    header = read_header(next(numbered, (1, b""))[1])
    if header.plan is not None:
        ledger.begin(header.plan, header.plan_text or "")
    merged = Merged()
    while page := [_read(number, line) for number, line in _take_page(numbered)]:
        before = len(merged.alarms)
        with ledger.store.write():
            _Page(ledger, examiner or Examiner(), merged).take(page)
            ledger.note_merge()
        if on_alarm is not None:
            for alarm in merged.alarms[before:]:
                on_alarm(alarm)
    return merged


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; of one that is too long, no more is read than the limit."""
    for number in count(1):
        line = file.readline(_LONGEST_LINE + 1)
        if len(line) > _LONGEST_LINE:
            raise FormatError(f"more than {_LONGEST_LINE:,} bytes, the limit", line=number)
        if not line:
            return
        yield line


def _take_page(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield some of the lines."""
    size = 0
    for number, line in islice(lines, _PAGE):
        yield number, line
        if (size := size + len(line)) > _PAGE_BYTES:
            return


def read_header(line: bytes) -> Header:
    """Read the first line of an export."""
    try:
        header = _HEADER.decode(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not an exported ledger: {error}", line=1) from None
    if header.version > VERSION:
        raise FormatError(
            f"an export of version {header.version}; this satlife reads version {VERSION}", line=1
        )
    return header


def _read(number: int, line: bytes) -> tuple[int, str, EventLine]:
    """Return the number of a line, the name of its task, and its content."""
    if len(line) > _LONGEST_LINE:
        raise FormatError(f"{len(line):,} bytes; the limit is {_LONGEST_LINE:,}", line=number)
    try:
        read = _LINE.decode(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not an event: {error}", line=number) from None
    return number, read.event.name, read


class _Arrival(NamedTuple):
    """An event of the file that the ledger does not have."""

    line: int
    entry: Entry
    event: Event


@dataclass(slots=True)
class _History:
    """The events of one task, on both sides."""

    name: str
    known: dict[Entry, Event]
    """The events in the ledger."""
    fresh: dict[Entry, _Arrival] = field(default_factory=dict)

    def unite(self) -> list[tuple[Entry, Event]]:
        """Return all events in their order."""
        fresh = {entry: arrival.event for entry, arrival in self.fresh.items()}
        return sorted({**self.known, **fresh}.items(), key=lambda each: each[0])

    @property
    def task(self) -> Task | None:
        """The task that the first event carries, if any."""
        united = self.unite()
        return getattr(united[0][1], "task", None) if united else None

    @property
    def implied_at(self) -> int:
        """The last line with an implied answer; 0 if there is none."""
        lines = (each.line for each in self.fresh.values() if isinstance(each.event, ImpliedEvent))
        return max(lines, default=0)


class _Page:
    """Some lines to be merged in one transaction."""

    def __init__(self, ledger: Ledger, examiner: Examiner, merged: Merged) -> None:
        self._ledger, self._examiner, self._merged = ledger, examiner, merged
        self._batch = ledger.batch()
        self._latest = now() + _SKEW

    def take(self, page: list[tuple[int, str, EventLine]]) -> None:
        """Add the events that the examiner does not refuse."""
        names = list(dict.fromkeys(name for _, name, _ in page))
        causes = {e.event.by for _, _, e in page if isinstance(e.event, ImpliedEvent)}
        self._batch.look_up({*names, *causes})
        histories = self._read_histories(names)
        for number, name, line in page:
            self._read_event(number, line, histories[name])
        # Implied answers come last and in order, after the answers that imply them.
        for history in sorted(histories.values(), key=lambda each: each.implied_at):
            if history.fresh:
                self._remove_refused(history)
            if history.fresh:
                self._replay(history)
        # The log keeps the order of the file.
        arrivals = [(each, h.name) for h in histories.values() for each in h.fresh.values()]
        for arrival, name in sorted(arrivals, key=lambda each: (each[0].line, each[1])):
            if place := self._batch.place(name):
                when, body = arrival.entry
                self._batch.log(place, when, arrival.event, body)
        self._batch.write()
        self._merged.new += len(arrivals)

    def _read_histories(self, names: list[str]) -> dict[str, _History]:
        """Return the events of these tasks that are in the ledger."""
        histories = {name: _History(name, {}) for name in names}
        ids = {place.id: name for name in names if (place := self._batch.place(name))}
        store = self._ledger.store
        sql = statements.EVENTS_OF.format(among=store.among)
        for task, when, body in store.execute(sql, (store.pack(list(ids)),)):
            histories[ids[task]].known[when, body] = _EVENT.decode(body)
        return histories

    def _read_event(self, number: int, line: EventLine, history: _History) -> None:
        """Add the event of a line, as the examiner reads it, if the ledger does not have it."""
        place = self._batch.place(history.name)
        event = self._examiner.read(line.event, place.state if place else None)
        if event is None:
            self._merged.left_out += 1
        elif line.time > self._latest:
            self._refuse(number, "its time is more than a day ahead of this machine's clock")
        else:
            entry = line.time, encode_event(event)
            as_written = line.time, encode_event(line.event)
            if entry not in history.known and as_written not in history.known:
                history.fresh.setdefault(entry, _Arrival(number, entry, event))

    def _remove_refused(self, history: _History) -> None:
        """Remove the refused events; all events if none before them carries the task."""
        task = history.task
        if task is None:
            first = min(each.line for each in history.fresh.values())
            self._refuse(first, f"an event of task {history.name}, which was never queued")
            history.fresh.clear()
            return
        for arrival in sorted(history.fresh.values(), key=lambda each: each.line):
            event = arrival.event
            reason = self._examiner.refuse(task, event, self._find_cause(event))
            if reason is not None:
                self._refuse(arrival.line, reason)
                del history.fresh[arrival.entry]
        if history.task is None:  # no event is left that carries the task
            history.fresh.clear()

    def _replay(self, history: _History) -> None:
        """Recompute a task's state from the old and the new events."""
        place = self._batch.place(history.name) or self._batch.found_place(history.name)
        was_contradicted = place.state is not None and place.state.contradicted
        ordered = [(when, event) for (when, _), event in history.unite()]
        for step in self._batch.replay(place, ordered):
            if not was_contradicted:
                alarms = (each for each in step.instructions if isinstance(each, Alarm))
                self._merged.alarms += alarms

    def _refuse(self, number: int, reason: str) -> None:
        self._merged.refused.append(f"line {number}: {reason}")

    def _find_cause(self, event: Event) -> Cause | None:
        place = self._batch.place(event.by) if isinstance(event, ImpliedEvent) else None
        if place is None or place.state is None:
            return None
        task = self._batch.task(place) or self._ledger.task(place.name)
        return None if task is None else (task, place.state)
