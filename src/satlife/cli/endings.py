"""How every command ends: one clear line on standard error, and the right exit code."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator

from satlife.cli.signals import Terminated
from satlife.cli.start import CLOSED
from satlife.errors import InternalError, SatlifeError

FOUND, IMPOSSIBLE, USAGE, UNDECIDED, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""The request was met; the answer is no; bad use; no answer; our own fault; Ctrl-C."""

LONGEST = 400
"""Characters of a message."""

BROKEN_PIPE = 141
"""128 + SIGPIPE: the reader of our output has had enough."""


def say(message: str) -> None:
    """Write one line on standard error."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


@contextlib.contextmanager
def ending(name: str) -> Iterator[None]:
    """Turn what can go wrong into one line and an exit code; a broken pipe is silent."""
    try:
        try:
            yield
        except SystemExit:
            sys.stdout.flush()  # a code is not an answer before the answer is written
            raise
        sys.stdout.flush()
    except KeyboardInterrupt as signal:
        _leave_by(signal, name)
    except InternalError as error:
        _leave(INTERNAL, f"{name}: internal error: {error}")
    except SatlifeError as error:
        _leave(USAGE, f"{name}: {one_line(str(error))}")
    except MemoryError:
        _leave(UNDECIDED, f"{name}: undecided: this machine has not enough memory for it")
    except OSError as error:
        is_silent = isinstance(error, BrokenPipeError)
        if not is_silent:
            say(f"{name}: {one_line(_words(error))}")
        if earlier := _signal_before(error):
            _leave_by(earlier, name)
        _leave(BROKEN_PIPE if is_silent else USAGE)
    except Exception as error:
        if type(error).__module__.startswith("click."):
            raise  # wrong use; click tells it well, and the scripts do not even import click
        # A bug of ours must not look like "impossible", which is code 1.
        _leave(INTERNAL, f"{name}: internal error: {type(error).__name__}: {error}")


def one_line(text: str) -> str:
    r"""Return a message that quotes somebody's file as one line of a sensible length.

    >>> one_line("no key 'a\n\x1b[2J'"), len(one_line("9" * 5000))
    ("no key 'a\\n\\x1b[2J'", 405)
    """
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 150]} ... {text[-150:]}"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _words(error: OSError) -> str:
    if error.errno == errno.EBADF and CLOSED:
        return f"{' and '.join(CLOSED)} {'are' if CLOSED[1:] else 'is'} closed"
    what = f"{error.filename}: " if error.filename else ""
    return f"{what}{error.strerror or error}"


def _signal_before(error: BaseException) -> KeyboardInterrupt | None:
    """Return the signal that was being obeyed when an error came, as when the terminal is gone."""
    earlier: BaseException | None = error
    while earlier is not None and not isinstance(earlier, KeyboardInterrupt):
        earlier = earlier.__cause__ or earlier.__context__
    return earlier


def _leave_by(signal: KeyboardInterrupt, name: str) -> None:
    if isinstance(signal, Terminated):
        _leave(128 + signal.number, f"{name}: {signal}")
    _leave(INTERRUPTED, f"{name}: interrupted")


def _leave(code: int, message: str = "") -> None:
    if message:
        say(message)
    # What is still buffered can no longer be written; the interpreter must not try at its end.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
