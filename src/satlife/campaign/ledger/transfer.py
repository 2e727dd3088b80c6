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
from typing import Annotated, BinaryIO, Literal

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
from satlife.campaign.ledger.ledger import Ledger, encode_event, now
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
            return _refuse_split(event)
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


def _refuse_split(event: SplitEvent) -> str | None:
    """Return the reason to refuse the patterns of a split's cases."""
    try:
        refuse_patterns(event.task)
    except UsageError as error:
        return f"a split of {event.name}: {error}"
    return None


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


class _Page:
    """Some lines to be merged in one transaction."""

    def __init__(self, ledger: Ledger, examiner: Examiner, merged: Merged) -> None:
        self._ledger, self._examiner, self._merged = ledger, examiner, merged
        self._batch = ledger.batch()
        self._latest = now() + _SKEW

    def take(self, page: list[tuple[int, str, EventLine]]) -> None:
        """Add the events that the examiner does not refuse."""
        names = {name for _, name, _ in page}
        causes = {e.event.by for _, _, e in page if isinstance(e.event, ImpliedEvent)}
        self._batch.look_up(names | causes)
        there = self._entries(names)
        fresh: dict[str, dict[Entry, tuple[int, Event]]] = {}
        for number, name, line in page:
            place = self._batch.place(name)
            event = self._examiner.read(line.event, place.state if place else None)
            if event is None:
                self._merged.left_out += 1
                continue
            if line.time > self._latest:
                self._refuse(number, "its time is more than a day ahead of this machine's clock")
                continue
            entry = line.time, encode_event(event)
            known = there.get(name, {})
            if entry not in known and (line.time, encode_event(line.event)) not in known:
                fresh.setdefault(name, {}).setdefault(entry, (number, event))
        # Implied answers come last and in order, after the answers that imply them.
        for name in sorted(fresh, key=lambda name: _implied_at(fresh[name])):
            self._make_anew(name, there.get(name, {}), fresh[name])
        # The log keeps the order of the file.
        for _, name, (when, body), event in sorted(
            (number, name, entry, event)
            for name, entries in fresh.items()
            for entry, (number, event) in entries.items()
        ):
            if place := self._batch.place(name):
                self._batch.log(place, when, event, body)
        self._batch.write()
        self._merged.new += sum(map(len, fresh.values()))

    def _entries(self, names: set[str]) -> dict[str, dict[Entry, Event]]:
        """Return the events of these tasks that are in the ledger."""
        ids = {place.id: name for name in names if (place := self._batch.place(name))}
        store = self._ledger.store
        sql = statements.EVENTS_OF.format(among=store.among)
        found: dict[str, dict[Entry, Event]] = {}
        for task, when, body in store.execute(sql, (store.pack(list(ids)),)):
            found.setdefault(ids[task], {})[when, body] = _EVENT.decode(body)
        return found

    def _make_anew(
        self, name: str, there: dict[Entry, Event], fresh: dict[Entry, tuple[int, Event]]
    ) -> None:
        """Recompute a task's state from the old and the new events, without those refused."""
        self._sift(name, there, fresh)
        if not fresh:
            return
        united = {**there, **{entry: event for entry, (_, event) in fresh.items()}}
        ordered = [(entry[0], united[entry]) for entry in sorted(united)]
        place = self._batch.place(name) or self._batch.found_place(name)
        was_contradicted = place.state is not None and place.state.contradicted
        for step in self._batch.replay(place, ordered):
            if not was_contradicted:
                notes = step.instructions
                self._merged.alarms += [note for note in notes if isinstance(note, Alarm)]

    def _sift(
        self, name: str, there: dict[Entry, Event], fresh: dict[Entry, tuple[int, Event]]
    ) -> None:
        """Remove the refused events; all events if none before them carries the task."""
        task = _first_task({**there, **{entry: event for entry, (_, event) in fresh.items()}})
        if task is None:
            number = min(number for number, _ in fresh.values())
            self._refuse(number, f"an event of task {name}, which was never queued")
            fresh.clear()
            return
        for entry, (number, event) in sorted(fresh.items(), key=lambda each: each[1][0]):
            reason = self._examiner.refuse(task, event, self._find_cause(event))
            if reason is not None:
                self._refuse(number, reason)
                del fresh[entry]
        rest = {**there, **{entry: event for entry, (_, event) in fresh.items()}}
        if fresh and _first_task(rest) is None:  # no event is left that carries the task
            fresh.clear()

    def _refuse(self, number: int, reason: str) -> None:
        self._merged.refused.append(f"line {number}: {reason}")

    def _find_cause(self, event: Event) -> Cause | None:
        place = self._batch.place(event.by) if isinstance(event, ImpliedEvent) else None
        if place is None or place.state is None:
            return None
        task = self._batch.task(place) or self._ledger.task(place.name)
        return None if task is None else (task, place.state)


def _first_task(entries: dict[Entry, Event]) -> Task | None:
    """Return the task that the first of some events carries, if any."""
    return getattr(entries[min(entries)], "task", None) if entries else None


def _implied_at(entries: dict[Entry, tuple[int, Event]]) -> int:
    """Return the last line with an implied answer of a task; 0 if there is none."""
    lines = (number for number, event in entries.values() if isinstance(event, ImpliedEvent))
    return max(lines, default=0)
