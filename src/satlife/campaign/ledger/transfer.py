"""Export a ledger as JSON Lines, and merge such files, so that two people's ledgers become one.

A ledger is a set of events, and the events of a task, sorted by time, give its state.  Merging
unites the sets and computes the states again.  So it does not matter which ledger is merged into
which, in what order, or how often: states and findings come out the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Annotated, Literal

import msgspec

from satlife.campaign.core.events import Event, FoundEvent
from satlife.campaign.core.state import Alarm
from satlife.campaign.ledger import _sql
from satlife.campaign.ledger._batch import Batch, encode_event
from satlife.campaign.ledger._ledger import Ledger
from satlife.campaign.messages import LARGEST_MESSAGE, Task
from satlife.errors import FormatError
from satlife.search.checking.verify import VerificationError

VERSION = 1
"""Increases when the meaning of existing files changes."""

_PAGE = 500
_LONGEST_LINE = 2 * LARGEST_MESSAGE
_LATEST = 1 << 53


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an export."""

    format: Literal["satlife-ledger"]
    version: int
    plan: str | None = None
    plan_text: str | None = None


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any other line: an event and its time, in microseconds since 1970."""

    time: Annotated[int, msgspec.Meta(ge=1, lt=_LATEST)]
    event: Event


_HEADER = msgspec.json.Decoder(Header)
_LINE = msgspec.json.Decoder(Line)
_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)

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


def merge(
    ledger: Ledger,
    lines: Iterable[bytes],
    *,
    on_alarm: Callable[[Alarm], None] | None = None,
) -> int:
    """Merge the lines of another ledger; return how many events were new.

    Patterns are simulated again; a proof that the other ledger's recorder has checked counts as
    checked.  ``on_alarm`` is called when the second half of a contradiction arrives.
    """
    numbered = enumerate(lines, 1)
    _take_header(ledger, next(numbered, (1, b""))[1])
    new = 0
    while page := [_read(number, line) for number, line in islice(numbered, _PAGE)]:
        alarms: list[Alarm] = []
        with ledger.store.write():
            new += _take(ledger, page, alarms)
            ledger.note_merge()
        if on_alarm is not None:
            for alarm in alarms:
                on_alarm(alarm)
    return new


def _take_header(ledger: Ledger, line: bytes) -> None:
    try:
        header = _HEADER.decode(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not an exported ledger: {error}", line=1) from None
    if header.version > VERSION:
        raise FormatError(
            f"an export of version {header.version}; this satlife reads version {VERSION}", line=1
        )
    if header.plan is not None:
        ledger.begin(header.plan, header.plan_text or "")


def _read(number: int, line: bytes) -> tuple[int, str, Line]:
    """Return the number of a line, the name of its task, and its content."""
    if len(line) > _LONGEST_LINE:
        raise FormatError(f"{len(line):,} bytes; the limit is {_LONGEST_LINE:,}", line=number)
    try:
        read = _LINE.decode(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not an event: {error}", line=number) from None
    return number, read.event.name, read


def _take(ledger: Ledger, page: list[tuple[int, str, Line]], alarms: list[Alarm]) -> int:
    """Merge a page; return how many events were new."""
    batch = ledger.batch()
    batch.look_up(name for _, name, _ in page)
    there = _entries(ledger, batch, {name for _, name, _ in page})
    fresh: dict[str, dict[Entry, tuple[int, Event]]] = {}
    for number, name, line in page:
        entry = line.time, encode_event(line.event)
        if entry not in there.get(name, {}):
            fresh.setdefault(name, {}).setdefault(entry, (number, line.event))
    for name, entries in fresh.items():
        _make_anew(batch, name, there.get(name, {}), entries, alarms)
    # The log keeps the order of the file.
    for _, name, (when, body), event in sorted(
        (number, name, entry, event)
        for name, entries in fresh.items()
        for entry, (number, event) in entries.items()
    ):
        if place := batch.place(name):
            batch.log(place, when, event, body)
    batch.write()
    return sum(map(len, fresh.values()))


def _entries(ledger: Ledger, batch: Batch, names: set[str]) -> dict[str, dict[Entry, Event]]:
    """Return the events of these tasks that are in the ledger."""
    ids = {place.id: name for name in names if (place := batch.place(name))}
    sql = _sql.EVENTS_OF.format(among=ledger.store.among)
    found: dict[str, dict[Entry, Event]] = {}
    for task, when, body in ledger.store.execute(sql, (ledger.store.pack(list(ids)),)):
        found.setdefault(ids[task], {})[when, body] = _EVENT.decode(body)
    return found


def _make_anew(
    batch: Batch,
    name: str,
    there: dict[Entry, Event],
    fresh: dict[Entry, tuple[int, Event]],
    alarms: list[Alarm],
) -> None:
    """Compute a task's state from the old and the new events."""
    united = {**there, **{entry: event for entry, (_, event) in fresh.items()}}
    ordered = [(entry[0], united[entry]) for entry in sorted(united)]
    task = getattr(ordered[0][1], "task", None)
    for number, event in fresh.values():
        if task is None:
            raise FormatError(f"an event of task {name}, which was never queued", line=number)
        if isinstance(event, FoundEvent):
            _check(task, event, number)
    place = batch.place(name) or batch.found_place(name)
    was_contradicted = place.state is not None and place.state.contradicted
    for step in batch.replay(place, ordered):
        if not was_contradicted:
            alarms += [note for note in step.instructions if isinstance(note, Alarm)]


def _check(task: Task, event: FoundEvent, number: int) -> None:
    from satlife.campaign.core.trust import check_pattern, identify_finding  # noqa: PLC0415 - finds only

    try:
        history = check_pattern(task.problem, event.generations)
    except (FormatError, VerificationError) as error:
        raise FormatError(f"not a solution of {event.name}: {error}", line=number) from None
    if identify_finding(task.problem, history) != event.identity:
        raise FormatError(f"the object is not {event.identity}", line=number)
