"""The ledger for a program that must not wait: a thread asks it, for as long as it takes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from satlife.campaign.ledger import Ledger, LedgerError, open_ledger

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 0.5
"""Seconds between attempts to reach the database."""


class Book:
    """A ledger that is asked again until it answers, or until ``stop`` is set."""

    def __init__(self, where: str, stop: asyncio.Event) -> None:
        self.where = where
        self._stop = stop
        # One thread: calls come one after the other.
        self._thread = ThreadPoolExecutor(1, "satlife-ledger")
        self._ledger: Ledger | None = None

    async def ask(
        self, call: Callable[Concatenate[Ledger, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call it with the ledger; what it does may be done twice."""

        def ask() -> T:
            if self._ledger is None:
                self._ledger = open_ledger(self.where)
            return call(self._ledger, *args, **kwargs)

        said = ""
        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, ask)
            except LedgerError as error:
                if str(error) != said:
                    log.warning("waiting: %s", error)
                said = str(error)
            if self._stop.is_set():
                raise asyncio.CancelledError
            await asyncio.sleep(PATIENCE)

    async def close(self) -> None:
        """Let go of the ledger."""
        if self._ledger is not None:
            self._thread.submit(self._ledger.close)
        await asyncio.to_thread(self._thread.shutdown)
