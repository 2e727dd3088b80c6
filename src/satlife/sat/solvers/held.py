"""A child process that cannot outlive this one.

The child gets a *leash*: a pipe to which nobody writes, and whose end shows that this process has
ended.  The child's side of it is ``Lifeline`` in ``_pysat_child.py``.  (The pipe of the standard
input does not work: the kernel may announce a write after the child has read it all.)
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import IO, Any, BinaryIO, cast

# Ctrl-C reaches the whole foreground group; a child has its own, so that the parent decides.
OWN_GROUP: dict[str, Any] = (
    {"creationflags": 0x00000200} if sys.platform == "win32" else {"start_new_session": True}
)


class Held:
    """A running child; ``read`` is called with its output, in a separate thread."""

    def __init__(self, command: Sequence[str], read: Callable[[BinaryIO], None], name: str) -> None:
        self._owner = os.getpid()
        self._closed = False
        # Its standard error goes to a file without a name, which vanishes with its last user.
        self._complaints = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115
        self.leash: int | None = None
        """The number of the pipe in the child; None on Windows."""
        self._end: int | None = None
        if sys.platform != "win32":
            self.leash, self._end = os.pipe()
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                # One arena: otherwise each thread takes 64 MB of address space, and the limit
                # on memory is a limit on address space.
                env={**os.environ, "MALLOC_ARENA_MAX": "1"},
                pass_fds=() if self.leash is None else (self.leash,),
                **OWN_GROUP,
            )
        except BaseException:
            self._complaints.close()
            self._let_go(self._end)
            raise
        finally:
            self._let_go(self.leash)  # the child has it now, or never will
        self._reader = threading.Thread(
            target=read, args=(self._process.stdout,), name=name, daemon=True
        )
        self._reader.start()

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def tell(self, *parts: bytes | memoryview) -> bool:
        """Write to its standard input; return False if it has ended."""
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            return False
        try:
            for part in parts:
                pipe.write(part)
            pipe.flush()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """Kill the child; this may be called from any thread."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def close(self) -> None:
        """Kill the child, wait for it, and close the pipes."""
        # A forked copy of this process must not kill the original's child.
        if self._closed or self._owner != os.getpid():
            return
        self._closed = True
        self.kill()
        self._process.wait()
        self._reader.join(timeout=5)
        self._let_go(self._end)
        pipes: tuple[IO[bytes] | None, ...]
        pipes = (self._process.stdin, self._process.stdout, self._complaints)
        for pipe in pipes:
            # Closing flushes what the child has not read.
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def forget_complaints(self) -> None:
        """Empty the file of its standard error; the child shares the position in it."""
        os.ftruncate(self._complaints.fileno(), 0)
        os.lseek(self._complaints.fileno(), 0, os.SEEK_SET)

    def last_words(self, longest: int = 4096) -> tuple[str, str]:
        """Wait for the child; return how it ended, and the last part of its standard error."""
        code = self._process.wait()
        self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, self._complaints.tell() - longest))
        return describe_exit(code), self._complaints.read().decode("utf-8", "replace").strip()

    @staticmethod
    def _let_go(fd: int | None) -> None:
        if fd is not None:
            with contextlib.suppress(OSError):
                os.close(fd)


def describe_exit(code: int) -> str:
    """Return in words how a process ended.

    >>> describe_exit(3)
    'exit code 3'
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"
