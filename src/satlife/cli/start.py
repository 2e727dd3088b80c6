"""The first and last moments of a command, when no other code of satlife can catch Ctrl-C.

Only modules that Python has loaded already are imported here: importing a command's own modules
takes most of its start, and Ctrl-C must not end that with a traceback.
"""

from __future__ import annotations

import _thread
import atexit
import codecs
import gc
import io
import os
import sys
import time

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from sys import UnraisableHookArgs
    from typing import Any, TextIO

    from _typeshed import ReadableBuffer


_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""The numbers of NumPy's threads for linear algebra, which satlife never does; they cost 0.1 s."""


_GARBAGE = 200_000
"""New objects before Python looks for garbage; importing makes none."""


def start(name: str, module: str, function: str, *arguments: str) -> None:
    """Import a function and call it, with all three standard streams open."""
    BEGUN.append(time.monotonic())
    sys.unraisablehook = _raise_again
    for threads in _THREADS:
        os.environ.setdefault(threads, "1")
    gc.set_threshold(_GARBAGE)
    code = [1]
    ours = "/" + name, f"/{name}.exe", "/satlife/__main__.py"
    if sys.argv[0].replace("\\", "/").endswith(ours):  # not inside another program
        atexit.register(_leave, code)  # the first one is called last
    try:
        _open_streams()
        __import__(module)
        getattr(sys.modules[module], function)(*arguments)
        code[:] = [0]
    except SystemExit as end:
        code[:] = [end.code if isinstance(end.code, int) else int(end.code is not None)]
        raise
    except KeyboardInterrupt:
        # Nothing is open yet, or everything is closed already.
        try:
            os.write(2, f"{name}: interrupted\n".encode())
        finally:
            os._exit(130)


def _leave(code: list[int]) -> None:
    """End at once: unloading all modules would take a seventh of the time of a short search."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except (OSError, ValueError):
        return  # Python reports it, and ends with its own code
    os._exit(code[0])


def _raise_again(lost: UnraisableHookArgs) -> None:
    """Raise Ctrl-C once more if it came where Python ignores exceptions, as in a callback.

    The importing of modules has such places.  A thread does it, since here it would be lost again.
    """
    if lost.exc_type is not None and issubclass(lost.exc_type, KeyboardInterrupt):
        _thread.start_new_thread(_interrupt_soon, ())
    else:
        sys.__unraisablehook__(lost)


def _interrupt_soon() -> None:
    time.sleep(0.01)
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        os.kill(os.getpid(), 2)  # SIGINT itself, which ends a sleep or a wait too


def _open_streams() -> None:
    """Open streams that the caller has closed (``>&-``), or the next file would get their numbers.

    Reading standard input, or writing standard output, is then the error that it should be;
    standard error is lost, as the caller wished.
    """
    for stream, access, mode, name in (
        ("stdin", os.O_WRONLY, "r", "standard input"),
        ("stdout", os.O_RDONLY, "w", "standard output"),
        ("stderr", os.O_WRONLY, "w", ""),
    ):
        if getattr(sys, stream) is None:
            number = os.open(os.devnull, access)  # the lowest that is free: its own
            file = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, stream, file)
            CLOSED.extend([name] if name else [])
    codecs.register_error("satlife", _substitute)
    codecs.register(_find_codec)
    out = sys.__stdout__
    if out is not None and out is sys.stdout:
        is_plain = out.errors in {"strict", "surrogateescape"}
        errors = "satlife" if is_plain else out.errors
        buffered = out.line_buffering
        sys.stdout = Visible(out.buffer, _name_codec(out.encoding), errors, line_buffering=buffered)
    if sys.stderr is sys.__stderr__ and sys.stderr is not None:
        encoding = _name_codec(sys.stderr.encoding)
        raw = io.BufferedWriter(_Lossy(sys.stderr.fileno(), "w", closefd=False))
        sys.stderr = Visible(raw, encoding, "satlife", line_buffering=True)


class _Escapes(dict[int, str]):
    """For ``str.translate``: an escape for each character that cannot be seen."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        seen = letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        return self.setdefault(code, seen)


_ESCAPES = _Escapes({ord(letter): letter for letter in "\n\t"})


def make_visible(text: str) -> str:
    r"""Return a text that is safe for a terminal: control characters become escapes.

    >>> print(make_visible("name\x1b[31m\x9b2J\u202e\n of a file"))
    name\x1b[31m\x9b2J\u202e
     of a file
    """
    return text if text.isprintable() else text.translate(_ESCAPES)


class Visible(io.TextIOWrapper):
    """A standard stream: whatever is printed goes through here, so nothing can act on a terminal.

    Code that controls the terminal on purpose (a live line, a player) uses :class:`AsIs`.
    """

    def write(self, text: str) -> int:
        """Write a text, with its control characters made visible."""
        super().write(make_visible(text))
        return len(text)

    def write_as_is(self, text: str) -> int:
        """Write a text whose control characters are meant for the terminal."""
        return super().write(text)


class AsIs:
    """A stream that keeps control characters: escape the text of others before writing it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.write: Callable[[str], int] = getattr(stream, "write_as_is", stream.write)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_PLAIN = dict(zip("…×·–±▀▄█▓▒░", ("...", "x", ".", "-", "+-", *"'.#%+?"), strict=True))
"""Replacements for characters that the reader's encoding lacks, as cp1252 lacks blocks."""


def _substitute(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace satlife's own characters, and escape all others (``\\u03b1``)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    end = error.start + 1
    letter = error.object[error.start : end]
    if "\u2800" <= letter <= "\u28ff":  # the spinner's dots
        return "*", end
    error.end = end
    return (_PLAIN[letter], end) if letter in _PLAIN else codecs.backslashreplace_errors(error)


def _name_codec(encoding: str) -> str:
    """Return the name of an encoding; click writes UTF-8 to whatever is called ASCII."""
    return "satlife_ascii" if codecs.lookup(encoding).name == "ascii" else encoding


def _find_codec(name: str) -> codecs.CodecInfo | None:
    if name != "satlife_ascii":
        return None
    ascii_ = codecs.lookup("ascii")
    return codecs.CodecInfo(*ascii_, ascii_.incrementalencoder, ascii_.incrementaldecoder, name)


class _Lossy(io.FileIO):
    """Standard error: text that cannot be written is lost, as when the terminal has been closed.

    A result must not be lost with it, nor the right exit code.
    """

    def write(self, text: ReadableBuffer) -> int:
        """Write as much as possible, and report all of it as written."""
        try:
            return super().write(text) or memoryview(text).nbytes
        except OSError:
            return memoryview(text).nbytes


BEGUN: list[float] = []
"""When the command began, by ``time.monotonic()``; empty if it runs inside another program."""
CLOSED: list[str] = []
"""The standard streams that were closed when we began."""
