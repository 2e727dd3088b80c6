"""Waiting for a broker: until we are told to stop, and without repeating log messages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

QUIET = 60.0
"""Seconds for which the same message is not repeated."""
MOST = 100
"""Messages to remember."""


class Repeats:
    """Remembers recent log messages."""

    def __init__(self) -> None:
        self._said: dict[str, float] = {}

    def is_new(self, words: object) -> bool:
        """Return whether to log this now; if so, remember it."""
        now, text = time.monotonic(), str(words)
        if now - self._said.get(text, -QUIET) < QUIET:
            return False
        if len(self._said) >= MOST:
            self._said.clear()
        self._said[text] = now
        return True


async def quietly(word: Awaitable[None]) -> None:
    """Send it if possible; if it is lost, a lease expires or a message comes again, that is all."""
    import nats.errors  # noqa: PLC0415  # an extra

    with suppress(nats.errors.Error, OSError):
        await word


async def heed(stop: asyncio.Event | None, work: Coroutine[Any, Any, T]) -> T:
    """Do the work; if ``stop`` is set, cancel it and the caller."""
    doing = asyncio.ensure_future(work)
    stopped = asyncio.ensure_future((stop or asyncio.Event()).wait())
    both: list[asyncio.Future[Any]] = [doing, stopped]
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise asyncio.CancelledError
        return doing.result()
    finally:
        await give_up(*both)


async def give_up(*work: asyncio.Future[Any]) -> None:
    """Cancel the work, and wait until it has ended."""
    pending = {each for each in work if not each.done()}
    while pending:
        for each in pending:
            each.cancel()
        # Repeatedly: in Python 3.11, wait_for may swallow a cancellation.
        _, pending = await asyncio.wait(pending, timeout=1.0)
