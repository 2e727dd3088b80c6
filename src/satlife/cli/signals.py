"""Signals that end a command: what it has begun is tidied up, as after Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator


class Terminated(KeyboardInterrupt):
    """A signal that ends a command as Ctrl-C does."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(signal.Signals(number).name)


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
