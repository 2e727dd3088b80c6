"""A ledger for asynchronous code: calls run in a thread, and are repeated until they succeed."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from satlife.campaign.cluster.threads import in_thread
from satlife.campaign.ledger import Ledger, LedgerError, open_ledger
from satlife.campaign.operating.seen import Seen

log = logging.getLogger(__name__)
T = TypeVar("T")

PATIENCE = 0.5
"""Seconds between attempts to reach the database."""
FAREWELL = 1.0
"""Seconds to wait for the last call when the ledger is closed."""


class PatientLedger:
    """A ledger whose calls are repeated until they succeed or ``stop`` is set."""

    def __init__(self, where: str, stop: asyncio.Event, seen: Seen | None = None) -> None:
        self.where = where
        self._seen = seen or Seen()
        self._stop = stop
        # Calls run one after the other, even after one that nobody waits for any more.
        self._turn = threading.Lock()
        self._ledger: Ledger | None = None

    async def ask(self, call: Callable[[Ledger], T]) -> T:
        """Call a function with the ledger; it must be safe to call twice."""

        def ask() -> T:
            with self._turn, self._seen.calling():
                if self._ledger is None:
                    self._ledger = open_ledger(self.where)
                return call(self._ledger)

        said = ""
        while True:
            try:
                return await in_thread(ask)
            except LedgerError as error:
                if str(error) != said:
                    log.warning("waiting: %s", error)
                said = str(error)
            if self._stop.is_set():
                raise asyncio.CancelledError
            await asyncio.sleep(PATIENCE)

    async def close(self) -> None:
        """Close the ledger; leave a call that does not return to the end of the process."""

        def close() -> None:
            with self._turn:
                if self._ledger is not None:
                    self._ledger.close()

        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await in_thread(close)
