"""The memory of processes: measuring it, limiting it, and recognising exhaustion; and their time.

Linux limits a process's address space itself.  macOS ignores such limits and Windows has none that
a child can set, so there the parent checks from time to time.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

if sys.platform == "linux":
    import resource

_LOADING = 32 << 20
"""Bytes for the libraries that a program loads before it reads anything."""
_OUT_OF_MEMORY = re.compile(
    r"out[ -]of[ -]memory|memory out|bad_alloc|MemoryError|cannot allocate", re.I
)


def confine(pid: int, memory_bytes: int | None) -> None:
    """Limit the address space of a program that has just started, and disable its core dumps.

    This works on Linux only.  Processes that the program starts later inherit the limit.
    """
    if sys.platform == "linux":
        # The program may be gone already; the end of its output shows that.
        with suppress(OSError, ValueError, IndexError):
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
            if memory_bytes is not None:
                pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0])
                resting = pages * os.sysconf("SC_PAGE_SIZE") + _LOADING
                _, hard = resource.prlimit(pid, resource.RLIMIT_AS)
                wanted = resting + memory_bytes
                soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
                resource.prlimit(pid, resource.RLIMIT_AS, (soft, hard))


def outgrown(pid: int, memory_bytes: int | None) -> bool:
    """Return whether a process exceeds its memory limit, where :func:`confine` has no effect."""
    if memory_bytes is None or sys.platform == "linux":
        return False
    return resident_bytes(pid) > memory_bytes


def ran_out(how: str, words: str) -> bool:
    """Return whether a process ran out of memory, by its exit and its last error output.

    >>> ran_out("signal 6 (SIGABRT)", ""), ran_out("exit code 1", "std::bad_alloc")
    (True, True)
    """
    return bool(_OUT_OF_MEMORY.search(words)) or "SIGABRT" in how or "SIGSEGV" in how


def is_memory_error(error: BaseException | None) -> bool:
    """Return whether an error, also of a thread or fork, means that memory ran out."""
    return (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or (isinstance(error, RuntimeError) and "new thread" in str(error))
    )


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process, 0 if it is unknown."""
    readers = {"linux": _linux, "win32": _windows}
    try:
        return readers.get(sys.platform, _ps)(pid)
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return 0


def limit_growth(memory_bytes: int | None) -> Callable[[int], bool] | None:
    """Return a check: whether this process may grow by some bytes more, counted from now."""
    if memory_bytes is None:
        return None
    pid = os.getpid()
    most = resident_bytes(pid) + memory_bytes
    return lambda size: resident_bytes(pid) + size <= most


def _linux(pid: int) -> int:
    if sys.platform == "win32":
        return 0  # never called there; this is for the type checker
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _ps(pid: int) -> int:
    return int(_ask_ps(pid, "rss")[0]) * 1024


def _ask_ps(pid: int, what: str) -> list[bytes]:
    return subprocess.run(
        ["ps", "-o", f"{what}=", "-p", str(pid)], capture_output=True, check=True, timeout=5
    ).stdout.split()


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used, 0 if it is unknown (as on Windows)."""
    try:
        if sys.platform == "linux":
            words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        if sys.platform == "darwin":
            minutes, _, seconds = _ask_ps(pid, "time")[0].decode().rpartition(":")
            return 60 * int(minutes.replace("-", ":").rpartition(":")[2] or 0) + float(seconds)
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        pass
    return 0.0


class _Counters(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS of the Windows API."""

    _fields_ = (
        ("cb", ctypes.c_uint32),
        ("PageFaultCount", ctypes.c_uint32),
        ("PeakWorkingSetSize", ctypes.c_size_t),
        ("WorkingSetSize", ctypes.c_size_t),
        ("QuotaPeakPagedPoolUsage", ctypes.c_size_t),
        ("QuotaPagedPoolUsage", ctypes.c_size_t),
        ("QuotaPeakNonPagedPoolUsage", ctypes.c_size_t),
        ("QuotaNonPagedPoolUsage", ctypes.c_size_t),
        ("PagefileUsage", ctypes.c_size_t),
        ("PeakPagefileUsage", ctypes.c_size_t),
    )


def _windows(pid: int) -> int:
    kernel = ctypes.CDLL("kernel32")
    kernel.OpenProcess.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(kernel.OpenProcess(0x1000, False, pid))  # query limited information
    counters = _Counters(cb=ctypes.sizeof(_Counters))
    try:
        kernel.K32GetProcessMemoryInfo(handle, ctypes.byref(counters), counters.cb)
    finally:
        kernel.CloseHandle(handle)
    return int(counters.WorkingSetSize)
