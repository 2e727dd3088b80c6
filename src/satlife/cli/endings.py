"""The end of every command: one clear line on standard error, the right exit code, and signals."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from textwrap import TextWrapper
from typing import Any

from satlife.cli.start import CLOSED
from satlife.errors import InternalError, SatlifeError
from satlife.given import make_visible

FOUND, IMPOSSIBLE, USAGE, UNDECIDED, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""The request was met; the answer is no; bad use; no answer; a bug of satlife; Ctrl-C."""

LONGEST = 400
"""Maximum length of a message, in characters."""

BROKEN_PIPE = 141
"""128 + SIGPIPE: the reader closed our output."""


_QUIET: list[bool] = [False]
"""Whether ``-q`` was given; it is the same for the whole process."""


def be_quiet(quiet: bool) -> None:
    """Let :func:`say` write nothing, as ``-q`` asks."""
    _QUIET[0] = quiet


def is_quiet() -> bool:
    """Whether only the result and errors are wanted."""
    return _QUIET[0]


def say(message: str) -> None:
    """Write one line on standard error, unless only errors are wanted there."""
    if not is_quiet():
        complain(message)


def complain(message: str) -> None:
    """Write one line on standard error: an error, or a warning that must be seen."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{_fold(message)}\n")
        sys.stderr.flush()


def _fold(message: str) -> str:
    """Break long lines between words on a terminal, which would break them inside one."""
    if not sys.stderr.isatty():
        return message
    columns = os.environ.get("COLUMNS", "")
    size = int(columns) if columns.isdecimal() else os.get_terminal_size(2).columns
    folding = TextWrapper(size or 80, break_long_words=False, break_on_hyphens=False)
    lines = (
        line if len(line) <= folding.width else folding.fill(line) for line in message.split("\n")
    )
    return "\n".join(lines)


@contextlib.contextmanager
def ending(name: str) -> Iterator[None]:
    """Turn any error into one line and an exit code; a broken pipe is silent."""
    try:
        try:
            yield
        except SystemExit:
            sys.stdout.flush()  # a code is not an answer before the answer is written
            raise
        sys.stdout.flush()
    except KeyboardInterrupt as interrupt:
        _leave_by(interrupt, name)
    except InternalError as error:
        _leave(INTERNAL, f"{name}: internal error: {error}")
    except SatlifeError as error:
        _leave(USAGE, f"{name}: {one_line(str(error))}")
    except MemoryError:
        _leave(UNDECIDED, f"{name}: undecided: this machine does not have enough memory")
    except OSError as error:
        is_silent = isinstance(error, BrokenPipeError)
        if not is_silent:
            complain(f"{name}: {one_line(_describe(error))}")
        if earlier := _signal_before(error):
            _leave_by(earlier, name)
        _leave(BROKEN_PIPE if is_silent else USAGE)
    except Exception as error:
        if type(error).__module__.startswith("click."):
            raise  # wrong use, which click reports well; the scripts do not even import click
        # A bug must not look like "impossible", which is code 1.
        _leave(INTERNAL, f"{name}: internal error: {type(error).__name__}: {error}")


def one_line(text: str) -> str:
    r"""Return a message that quotes a file as one line of bounded length.

    >>> one_line("no key 'a\n\x1b[2J'"), len(one_line("9" * 5000))
    ("no key 'a\\n\\x1b[2J'", 405)
    """
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 150]} ... {text[-150:]}"
    return make_visible(text)


def _describe(error: OSError) -> str:
    if error.errno == errno.EBADF and CLOSED:
        return f"{' and '.join(CLOSED)} {'are' if CLOSED[1:] else 'is'} closed"
    file = f"{error.filename}: " if error.filename else ""
    return f"{file}{error.strerror or error}"


def _signal_before(error: BaseException) -> KeyboardInterrupt | None:
    """Return the signal whose handling caused an error, as when the terminal is gone."""
    earlier: BaseException | None = error
    while earlier is not None and not isinstance(earlier, KeyboardInterrupt):
        earlier = earlier.__cause__ or earlier.__context__
    return earlier


def _leave_by(interrupt: KeyboardInterrupt, name: str) -> None:
    if isinstance(interrupt, Terminated):
        _leave(128 + interrupt.number, f"{name}: {interrupt}")
    _leave(INTERRUPTED, f"{name}: interrupted")


def _leave(code: int, message: str = "") -> None:
    if message:
        complain(message)
    # Buffered output can no longer be written; the interpreter must not try to at its end.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


# Signals that end a command: Ctrl-C, SIGTERM and SIGHUP.
#
# Usually they raise, and unfinished work is cleaned up.  A search is asked to stop instead, so
# that all finds are written first.


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
    """Turn SIGTERM and SIGHUP, which Windows does not have, into :class:`Terminated`.

    A signal that is ignored (``nohup``) stays so.  Further signals are ignored while we tidy up:
    ``timeout`` sends one to the process and one to its group.
    """
    ours: list[signal.Signals] = []

    def end(number: int, _: object) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        raise Terminated(number)

    wanted = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
    ours += [each for each in wanted if each and signal.getsignal(each) is signal.SIG_DFL]
    with contextlib.suppress(ValueError):  # only the main thread may do so, and needs to
        for each in ours:
            signal.signal(each, end)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            for each in ours:
                signal.signal(each, signal.SIG_DFL)


class Stopping:
    """The first signal, and the function that it calls to stop the work."""

    signal: Terminated | None = None
    _stop: Callable[[str], object] | None = None

    def hand_to(self, stop: Callable[[str], object]) -> None:
        """Let a signal call ``stop`` with the reason; if there was one already, call it now."""
        self._stop = stop
        if self.signal is not None:
            stop(self.signal.why)

    def receive(self, number: int) -> None:
        """Handle the first signal."""
        self.signal = Terminated(number)
        if self._stop is not None:
            self._stop(self.signal.why)


@contextlib.contextmanager
def stopping() -> Iterator[Stopping]:
    """Let a signal ask the work to stop, and raise it afterwards; a second one raises at once."""
    state, first = Stopping(), 0.0
    before: dict[int, Callable[[int, Any], Any]] = {}

    def receive(number: int, frame: Any) -> None:
        nonlocal first
        if state.signal is None:
            first = time.monotonic()
            state.receive(number)
        elif time.monotonic() - first > TWICE:
            before[number](number, frame)

    with contextlib.suppress(ValueError):  # only the main thread receives signals
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and callable(handler := signal.getsignal(number)):
                before[number] = handler
                signal.signal(number, receive)
    try:
        yield state
    except SystemExit:
        if state.signal is None:
            raise
    except OSError as error:  # the finds cannot be written: end with the signal's code
        raise error from state.signal
    finally:
        with contextlib.suppress(ValueError):
            for number, handler in before.items():
                signal.signal(number, handler)
    if state.signal is not None:
        raise state.signal
