"""Child processes: start them, communicate with them, end them, and leave nothing behind.

A :class:`Child` is one of our own programs, which communicates in packets.  A
:class:`ForeignProgram` is any other program; it gets bytes and prints lines.  Both work from
scripts, notebooks and threads, and on every platform: there is no fork and no re-import of the main
program, and threads serve the pipes.

A child cannot outlive this process.  It gets a *leash*: a pipe that is never written to, and whose
closing shows that this process has ended.  The child's side of it is ``Lifeline`` in
``_pysat_child.py``.  (The pipe of the standard input does not work: the kernel may announce a write
after the child has read it all.)
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO, Any, BinaryIO, cast

from msgspec import Struct

from satlife.sat.solvers.memory import confine

# Ctrl-C reaches the whole foreground group; a child has its own, so that the parent decides.
OWN_GROUP: dict[str, Any] = (
    {"creationflags": 0x00000200} if sys.platform == "win32" else {"start_new_session": True}
)


class Held:
    """A running child process on a leash; ``read`` is called with its output, in a thread."""

    def __init__(self, command: Sequence[str], read: Callable[[BinaryIO], None], name: str) -> None:
        self._owner = os.getpid()
        self._closed = False
        # Its standard error goes to an unnamed file, which vanishes when it is closed.
        self._complaints = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115
        self.leash: int | None = None
        """The file descriptor of the leash in the child; None on Windows."""
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
        """Write to the child's standard input; return False if it has ended."""
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
        # A forked copy of this process must not kill the child of the original.
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
        """Truncate the file of the child's standard error; the child shares its position."""
        os.ftruncate(self._complaints.fileno(), 0)
        os.lseek(self._complaints.fileno(), 0, os.SEEK_SET)

    def last_words(self, longest: int = 4096) -> tuple[str, str]:
        """Wait for the child; return its exit in words, and the tail of its standard error."""
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
    """Describe an exit code in words.

    >>> describe_exit(3)
    'exit code 3'
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"


_MAGIC = b"slf1"
_HEADER = struct.Struct("=4sII")
_LARGEST = 1 << 31
_LONGEST_LINE = 1 << 20
"""Bytes above which a line is passed on in pieces."""
_TAIL = 4096
"""Bytes kept of the end of a program's standard error."""
_GRACE = 0.3
"""Seconds for a program to end when asked, before it is killed."""


class Packet(Struct, frozen=True):
    """One message: a kind and its bytes."""

    kind: int
    payload: bytes


class Ended(Struct, frozen=True):
    """The child's output has ended; ``nonsense`` if it was not a packet."""

    nonsense: bool = False


class Child(Held):
    """A running child process that communicates in packets."""

    def __init__(self, command: Sequence[str]) -> None:
        self._inbox: queue.SimpleQueue[Packet | Ended] = queue.SimpleQueue()
        super().__init__(command, lambda pipe: _read_frames(pipe, self._inbox), "satlife-solver")

    def send(self, kind: int, *parts: bytes | memoryview) -> bool:
        """Send a packet; return False if the child has ended."""
        size = sum(len(part) for part in parts)
        return self.tell(_HEADER.pack(_MAGIC, kind, size), *parts)

    def receive(self, timeout: float) -> Packet | Ended | None:
        """Return the next packet, or None if none comes within the timeout."""
        try:
            return self._inbox.get(timeout=timeout)
        except queue.Empty:
            return None


class ForeignProgram:
    """A running external program: bytes in, lines out; its whole process group can be ended.

    ``feed`` writes to its standard input and ``take`` is called with each line of its output, both
    in threads, so a program that does not read or does not write never blocks the caller.  What
    ``take`` returns, unless it is None, goes to ``inbox``; so do an error in ``feed`` and, at the
    end of the output, ``Ended()``.
    """

    def __init__(
        self,
        command: Sequence[str],
        feed: Callable[[BinaryIO], None] | None,
        take: Callable[[bytes], object],
        inbox: queue.SimpleQueue[object],
        *,
        memory_bytes: int | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        self._inbox = inbox
        self._tail = b""
        # One arena, as for a Child; without a limit, each thread may have its own.
        limited = None if memory_bytes is None else {**os.environ, "MALLOC_ARENA_MAX": "1"}
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            command,
            bufsize=1 << 16,
            stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=limited,
            **OWN_GROUP,
        )
        self._threads = [
            threading.Thread(target=target, args=arguments, name="satlife-solver", daemon=True)
            for target, arguments in (
                (_read_lines, (self._process.stdout, take, inbox)),
                (self._read_complaints, (self._process.stderr,)),
                (_feed, (self._process.stdin, feed, inbox)),
            )
            if arguments[0] is not None
        ]
        try:
            if watcher is not None:
                watcher.watch(self._process.pid)
            confine(self._process.pid, memory_bytes)
            for thread in self._threads:
                thread.start()
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """The id of the program's process and of its process group."""
        return self._process.pid

    @property
    def code(self) -> int | None:
        """The exit code, or minus the signal that ended it; None while it runs."""
        return self._process.poll()

    @property
    def complaints(self) -> str:
        """The tail of its standard error."""
        return self._tail.decode("utf-8", "replace").strip()

    def wait(self, seconds: float) -> None:
        """Wait for the program to end, up to a timeout in seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def kill(self) -> None:
        """Kill the program and all processes in its group."""
        if sys.platform == "win32":
            if self._process.poll() is None:
                tree = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
                subprocess.run(tree, capture_output=True, check=False)
        else:
            self._signal(signal.SIGKILL)

    def end(self) -> None:
        """Ask the program to end, kill what is left of its group, and release all resources."""
        try:
            if sys.platform != "win32" and self.code is None:
                self._signal(signal.SIGTERM)
                self.wait(_GRACE)
        finally:
            self.kill()
            self._process.wait()
            # A process that has left the group may keep a pipe open; its thread is left alone.
            deadline = time.monotonic() + _GRACE
            for thread in self._threads:
                thread.join(max(0.0, deadline - time.monotonic()))

    def _signal(self, number: int) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, number)

    def _read_complaints(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while piece := pipe.readline(_TAIL):
                self._tail = (self._tail + piece)[-_TAIL:]


class Watcher:
    """Ends a program's group and removes a file when this process is gone (not on Windows).

    A shell waits at a pipe that only this process holds open.  The program itself could not wait:
    it is busy, and its standard input may have ended long ago.  (PR_SET_PDEATHSIG exists on Linux
    only, and would need code to run between fork and exec.)
    """

    _SCRIPT = (
        "read -r leader; read -r _; "
        'test -n "$leader" && kill -s KILL -- "-$leader"; test -n "$1" && rm -f -- "$1"'
    )

    def __init__(self, file: str = "") -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        if sys.platform != "win32":
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", self._SCRIPT, "sh", file],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                **OWN_GROUP,
            )

    def watch(self, leader: int) -> None:
        """Watch the group of this leader."""
        if self._shell is not None and self._shell.stdin is not None:
            with contextlib.suppress(OSError):
                self._shell.stdin.write(b"%d\n" % leader)

    def dismiss(self) -> None:
        """Stop watching; calling it again is harmless."""
        if self._shell is not None:
            self._shell.kill()
            self._shell.wait()
            if self._shell.stdin is not None:
                self._shell.stdin.close()


def _read_frames(pipe: BinaryIO, inbox: queue.SimpleQueue[Packet | Ended]) -> None:
    """Fill the inbox until the pipe ends; on Windows, only a thread gives a pipe a timeout."""
    nonsense = False
    with contextlib.suppress(OSError, ValueError):
        while header := pipe.read(_HEADER.size):
            if len(header) < _HEADER.size:
                break
            magic, kind, length = _HEADER.unpack(header)
            if magic != _MAGIC or length > _LARGEST:
                nonsense = True
                break
            payload = pipe.read(length)
            if len(payload) < length:
                break
            inbox.put(Packet(kind, payload))
    inbox.put(Ended(nonsense))


def _read_lines(
    pipe: IO[bytes], take: Callable[[bytes], object], inbox: queue.SimpleQueue[object]
) -> None:
    try:
        with contextlib.suppress(OSError), pipe:
            while line := pipe.readline(_LONGEST_LINE):
                news = take(line)
                if news is not None:
                    inbox.put(news)
    finally:
        inbox.put(Ended())


def _feed(
    pipe: BinaryIO, feed: Callable[[BinaryIO], None], inbox: queue.SimpleQueue[object]
) -> None:
    try:
        feed(pipe)
    except OSError:
        pass  # it has stopped reading; its answer, or its end, will follow
    except BaseException as error:
        # A truncated text is a different formula: the error comes before the answer to it.
        inbox.put(error)
    finally:
        with contextlib.suppress(OSError):
            pipe.close()
