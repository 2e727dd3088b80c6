"""A ledger for asynchronous code: calls run in a thread, and are repeated until they succeed."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

from satlife.campaign.ledger import Ledger, LedgerError, open_ledger
from satlife.cluster.operating.seen import Seen

# Calls in threads that an event loop can abandon: they never keep the process from ending.


P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a new thread, and return its result.

    Unlike :func:`asyncio.to_thread`, whose threads an event loop waits for at its end.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def succeed(result: T) -> None:
        if not future.done():
            future.set_result(result)

    def fail(error: BaseException) -> None:
        if not future.done():
            future.set_exception(error)

    def run() -> None:
        try:
            result = call(*args, **kwargs)
        except BaseException as error:
            _soon(loop, fail, error)
        else:
            _soon(loop, succeed, result)

    threading.Thread(target=run, name="satlife-call", daemon=True).start()
    return await future


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[T], None], value: T) -> None:
    """Schedule a call in the event loop, if that is still running."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call, value)


log = logging.getLogger(__name__)

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
        # Calls run one after the other, even after an abandoned call.
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
        """Close the ledger; abandon a call that does not return."""

        def close() -> None:
            with self._turn:
                if self._ledger is not None:
                    self._ledger.close()

        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await in_thread(close)
