"""Processes that tests look at: who started them, and whether they still run. Not for Windows."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.patience import wait_until


def _list() -> list[tuple[int, int, str]]:
    """Return pid, parent and state of every process but the one that lists them."""
    command = ["ps", "-A", "-o", "pid=,ppid=,stat="]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listing:
        rows = [line.split() for line in listing.communicate()[0].splitlines()]
    every = [(int(pid), int(parent), state) for pid, parent, state in rows]
    return [each for each in every if each[0] != listing.pid]


def children(pid: int) -> list[int]:
    """Return the running processes that a process has started."""
    return [each for each, parent, state in _list() if parent == pid and state[0] != "Z"]


def descendants(pid: int) -> list[int]:
    """Return the running processes below a process."""
    every, below = _list(), [pid]
    for one in below:
        below += [each for each, parent, state in every if parent == one and state[0] != "Z"]
    return below[1:]


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not only waiting for its parent to notice its end."""
    return any(each == pid and state[0] != "Z" for each, _, state in _list())


def wait_for_children(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the children of a process once one of them is past its start, at its work."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs /proc to see how far a child is")

    def look() -> list[int]:
        assert process.poll() is None, process.communicate()
        found = children(process.pid)
        return found if any(read_processor_time(pid) > 0.3 for pid in found) else []

    return wait_until(look, "the work of a child")


def read_processor_time(pid: int) -> float:
    """Return the seconds of the processor that a process has taken; 0 if it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
