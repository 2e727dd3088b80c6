"""Export a ledger as JSON Lines, and merge such files, so that two people's ledgers become one.

A ledger is a set of events, and the events of a task, sorted by time, give its state.  Merging
unites the sets and computes the states again.  So it does not matter which ledger is merged into
which, in what order, or how often: states and findings come out the same.

A time is the word of whoever wrote the file, and our next event of the task comes after it.  So an
event that is more than a day ahead of our clock is refused, whoever is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Literal

import msgspec

from satlife.campaign.core.events import Event, FoundEvent, ImpliedEvent, SplitEvent
from satlife.campaign.core.state import Alarm, TaskState
from satlife.campaign.core.trust import check_find, identify_finding, refuse_patterns
from satlife.campaign.ledger import statements
from satlife.campaign.ledger.ledger import Ledger, encode_event, now
from satlife.campaign.messages import LARGEST_MESSAGE, Task
from satlife.errors import FormatError, UsageError
from satlife.verifier.generations import VerificationError

VERSION = 1
"""Increases when the meaning of existing files changes."""

_PAGE = 500
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
"""A task with its state, from whose answer another one follows."""
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
    """What became of the lines of another ledger."""

    new: int = 0
    """Events that were taken in."""
    left_out: int = 0
    """Events that count for nothing here, as the examiner says."""
    refused: list[str] = field(default_factory=list)
    """Why events were refused, each with the number of its line."""
    alarms: list[Alarm] = field(default_factory=list)
    """Contradictions of which the second half has arrived."""


class Examiner:
    """Believes everything but patterns, which are simulated again; a stricter one overrides it."""

    def read(self, event: Event, state: TaskState | None) -> Event | None:
        """Return the event that is taken in for one in the file; None if it is left out.

        ``state`` is that of its task here, if it is known here.
        """
        return event

    def refuse(self, task: Task, event: Event, cause: Cause | None) -> str | None:
        """Return why an event is refused; ``cause`` is the task from which its answer follows."""
        if isinstance(event, SplitEvent):
            return _refuse_split(event)
        if not isinstance(event, FoundEvent):
            return None
        try:
            problem, history = check_find(task, event.generations)
        except (FormatError, VerificationError) as error:
            return f"not a solution of {event.name}: {error}"
        if reason := task.selection.refusal(problem, history):
            return reason
        if identify_finding(problem, history) != event.identity:
            return f"the object is not {event.identity}"
        return None


def _refuse_split(event: SplitEvent) -> str | None:
    """Return why the patterns of a split's cases are refused."""
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

    Without an ``examiner`` the other ledger's word is taken for everything but patterns, which are
    simulated again.  ``on_alarm`` is called when the second half of a contradiction arrives.
    """
    numbered = enumerate(lines, 1)
    header = read_header(next(numbered, (1, b""))[1])
    if header.plan is not None:
        ledger.begin(header.plan, header.plan_text or "")
    merged = Merged()
    while page := [_read(number, line) for number, line in islice(numbered, _PAGE)]:
        before = len(merged.alarms)
        with ledger.store.write():
            _Page(ledger, examiner or Examiner(), merged).take(page)
            ledger.note_merge()
        if on_alarm is not None:
            for alarm in merged.alarms[before:]:
                on_alarm(alarm)
    return merged


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
    """Some lines on their way into a ledger, in one transaction."""

    def __init__(self, ledger: Ledger, examiner: Examiner, merged: Merged) -> None:
        self._ledger, self._examiner, self._merged = ledger, examiner, merged
        self._batch = ledger.batch()
        self._latest = now() + _SKEW

    def take(self, page: list[tuple[int, str, EventLine]]) -> None:
        """Take in what the examiner does not refuse."""
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
        # What is implied comes last and in its order, when what it follows from is there.
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
        """Compute a task's state from the old and the new events, without those refused."""
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
        """Remove the events that are refused; all of them if none before them has the task."""
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
        if fresh and _first_task(rest) is None:  # nothing is left that brings the task
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
    """Return the task that the first of some events brings, if it brings one."""
    return getattr(entries[min(entries)], "task", None) if entries else None


def _implied_at(entries: dict[Entry, tuple[int, Event]]) -> int:
    """Return the last line by which a task's answer follows from another's; 0 if there is none."""
    lines = (number for number, event in entries.values() if isinstance(event, ImpliedEvent))
    return max(lines, default=0)
