"""Signals that end a command: Ctrl-C, SIGTERM and SIGHUP.

As a rule they raise, and whatever was begun is tidied up.  A search is asked to stop instead, so
that everything it has found is written first.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

TWICE = 0.5
"""Seconds within which signals count as one: ``timeout`` signals the process and its group."""


class Terminated(KeyboardInterrupt):
    """A signal that ends a command."""

    def __init__(self, number: int) -> None:
        self.number = number
        is_key = number == signal.SIGINT
        super().__init__("interrupted" if is_key else f"ended by {signal.Signals(number).name}")
        self.why = f"stopped by {'Ctrl-C' if is_key else signal.Signals(number).name}"


@contextlib.contextmanager
def signals_as_interrupts() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into :class:`Terminated`; not on Windows.

    A signal that is ignored (``nohup``) stays so.  Further signals are ignored while we tidy up:
    ``timeout`` sends one to the process and one to its group.
    """
    ours: list[signal.Signals] = []

    def end(number: int, _: object) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        raise Terminated(number)

    if sys.platform != "win32":
        wanted = (signal.SIGTERM, signal.SIGHUP)
        ours += [each for each in wanted if signal.getsignal(each) is signal.SIG_DFL]
    with contextlib.suppress(ValueError):  # only the main thread may do so, and only it needs to
        for each in ours:
            signal.signal(each, end)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            for each in ours:
                signal.signal(each, signal.SIG_DFL)


class Stopping:
    """The first signal that came, and whom it asks to stop."""

    signal: Terminated | None = None
    _stop: Callable[[str], object] | None = None

    def hand_to(self, stop: Callable[[str], object]) -> None:
        """Let a signal call ``stop`` with the reason; if one has come already, now."""
        self._stop = stop
        if self.signal is not None:
            stop(self.signal.why)

    def hear(self, number: int) -> None:
        """Take the first signal."""
        self.signal = Terminated(number)
        if self._stop is not None:
            self._stop(self.signal.why)


@contextlib.contextmanager
def stopping() -> Iterator[Stopping]:
    """Let a signal ask for the end, and raise it when all is written; a second raises at once."""
    state, heard = Stopping(), 0.0
    before: dict[int, Callable[[int, Any], Any]] = {}

    def hear(number: int, frame: Any) -> None:
        nonlocal heard
        if state.signal is None:
            heard = time.monotonic()
            state.hear(number)
        elif time.monotonic() - heard > TWICE:
            before[number](number, frame)

    with contextlib.suppress(ValueError):  # only the main thread hears signals
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and callable(handler := signal.getsignal(number)):
                before[number] = handler
                signal.signal(number, hear)
    try:
        yield state
    except SystemExit:
        if state.signal is None:
            raise
    except OSError as error:  # what was found cannot be written: it ends as the signal says
        raise error from state.signal
    finally:
        with contextlib.suppress(ValueError):
            for number, handler in before.items():
                signal.signal(number, handler)
    if state.signal is not None:
        raise state.signal
