"""The real commands as processes, that can be killed; and what is left of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.patience import PATIENCE

MARK = "SATLIFE_TEST_MARK"
"""In the environment of every process that we start, and of those that they start."""


class Command:
    """``satlife …`` as a process; its words go to a file."""

    def __init__(
        self,
        mark: str,
        log: Path,
        words: Sequence[str],
        before: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
        first: str = "",
    ) -> None:
        """Do nothing yet; ``first`` is Python that the process runs before the command."""
        self.mark, self.log, self.words, self.before = mark, log, list(words), list(before)
        self.variables = dict(variables or {})
        self.first = first
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = f"{self.first}\nfrom satlife.cli.app import main; main()"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.before, sys.executable, "-c", program, *self.words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {MARK: self.mark} | self.variables,
            )

    @property
    def code(self) -> int | None:
        """The exit code, if it has ended."""
        return self.process.poll() if self.process else None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def wait(self, seconds: float) -> int:
        assert self.process is not None
        return self.process.wait(seconds)

    def kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()


def left_over(mark: str) -> list[int]:
    """The processes that bear the mark and still run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"{MARK}={mark}\0".encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


@contextmanager
def nothing_left(mark: str) -> Iterator[None]:
    """Check at the end that no process with the mark is left; end those that are."""
    try:
        yield
    finally:
        end = time.monotonic() + PATIENCE
        while (left := left_over(mark)) and time.monotonic() < end:
            time.sleep(0.1)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    assert not left, f"processes are left: {left}"
