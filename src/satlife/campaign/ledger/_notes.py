"""What a ledger keeps about itself: its plan and shard, who writes it, how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from satlife.campaign.ledger import _sql
from satlife.campaign.ledger._store import Store
from satlife.campaign.ledger.values import FencedError
from satlife.closing import Closing
from satlife.errors import UsageError

_SHARD, _HOLDER, _WHOLE = "shard", "holder", "1/1"
_CHECKPOINT, _PLANNED, _MERGED, _REVOKED = "checkpoint", "planned", "merged", "revoked"
_REPORT = "report"
"""The names of notes."""


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
        """Make this the ledger of a plan, or of a shard; raise an error if it is another one's.

        ``size`` counts the tasks of the plan; it is called once in the life of a ledger.
        """
        with self.writing():
            if self.plan_name() is None:
                self.store.execute(_sql.SET_PLAN, (plan_name, plan_text))
                self.store.execute(_sql.SET_NOTE, (_SHARD, shard))
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
            raise UsageError(
                f"the ledger {self.store} is of shard {has}, not of {shard}; each has its own"
            )

    def hold(self, holder: str) -> None:
        """Become the only one who writes through :meth:`writing` and the calls that use it.

        Whoever held the ledger before finds out at its next write, and writes nothing.
        """
        with self.store.write():
            number = int((self._note(_HOLDER) or "0").split()[0]) + 1
            self._held = f"{number} {holder}"
            self.store.execute(_sql.SET_NOTE, (_HOLDER, self._held))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write in a transaction; raise :class:`FencedError` if somebody else holds the ledger."""
        with self.store.write():
            self.check_hold()
            yield

    def check_hold(self) -> None:
        """Raise :class:`FencedError` if this ledger was held, and is somebody else's now."""
        if self._held is not None and (holder := self._note(_HOLDER)) != self._held:
            who = (holder or "").partition(" ")[2] or "somebody else"
            raise FencedError(f"the ledger {self.store} was taken over by {who}")

    def plan_name(self) -> str | None:
        """Return the name of the plan, if it has begun."""
        return next((name for name, _ in self.store.execute(_sql.PLAN)), None)

    def plan_text(self) -> str | None:
        """Return the text of the plan, if it has begun."""
        return next((text for _, text in self.store.execute(_sql.PLAN)), None)

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
        """Return what a recorder has left of who works and what was refused, if it has."""
        return self._note(_REPORT)

    def save_report(self, text: str) -> None:
        """Replace the report."""
        self._set_note(_REPORT, text)

    def has_merged(self) -> bool:
        """Whether other ledgers were merged into this one, whose answers came in no order."""
        return self._note(_MERGED) is not None

    def note_merge(self) -> None:
        """Remember that another ledger was merged; only inside ``store.write()``."""
        self.store.execute(_sql.SET_NOTE, (_MERGED, "yes"))

    def revoked(self) -> frozenset[str]:
        """Return the users whose word counts no more."""
        return frozenset((self._note(_REVOKED) or "").split())

    def add_revoked(self, user: str) -> None:
        """Remember that a user's word counts no more."""
        self._set_note(_REVOKED, " ".join(sorted({*self.revoked(), user})))

    def _note(self, name: str) -> str | None:
        return next((body for (body,) in self.store.execute(_sql.NOTE, (name,))), None)

    def _set_note(self, name: str, body: str) -> None:
        with self.writing():
            self.store.execute(_sql.SET_NOTE, (name, body))
