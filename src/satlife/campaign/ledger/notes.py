"""Notes of a ledger about itself: its plan and shard, its writer, its progress."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from satlife.campaign.ledger import statements
from satlife.campaign.ledger.store import FencedError, Line, Store
from satlife.closable import Closing
from satlife.errors import UsageError

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


def read_sum(store: Store) -> int | None:
    """Return the noted sum of the log; None if an older satlife began the ledger."""
    text = _read_note(store, _LOG_SUM)
    return None if text is None else int(text, 16)


def write_sum(store: Store, total: int) -> None:
    """Note the sum of the log."""
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
            write_sum(self.store, total - sum_log(gone))
        self.store.execute(statements.SET_NOTE, (_REMOVED, str(self.removed() + len(events))))

    def log_sum(self) -> int | None:
        """Return the sum of all lines of the log; None if an older satlife began the ledger."""
        return read_sum(self.store)

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
