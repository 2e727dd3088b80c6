"""Calls in threads that an event loop can abandon: they never keep the process from ending."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a new thread, and return its result.

    Not :func:`asyncio.to_thread`: at its end, an event loop waits for the threads of that.
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
    """Call it in the event loop, if that is still running."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call, value)
