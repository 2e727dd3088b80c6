"""Makes Python look like one on another system; for child processes of ``tests/test_platforms.py``.

Python imports this file at its start when its folder is in ``PYTHONPATH``.  What other systems lack
is removed, and ``sys.platform`` is set, after the standard library has chosen its own way.
"""

import asyncio.unix_events  # noqa: F401
import builtins
import io
import os
import signal
import subprocess
import sys
import types
from typing import Any

MISSING = {
    "bare": (os, "fork forkpty"),
    "macos": (os, "fork forkpty sched_getaffinity"),
    "windows": (
        os,
        "fork forkpty sched_getaffinity sysconf killpg setsid getpgid getuid geteuid chown mkfifo "
        "posix_spawn set_blocking getpgrp wait4 fchmod",
    ),
}
"""What the module ``os`` lacks there."""


def lose(module: Any, names: str) -> None:
    """Remove names from a module."""
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)


def hide_proc() -> None:
    """Let there be no folder ``/proc``."""

    def without(function: Any) -> Any:
        def call(path: Any, *args: Any, **options: Any) -> Any:
            if isinstance(path, (str, os.PathLike)) and os.fspath(path).startswith("/proc"):
                raise FileNotFoundError(2, "No such file or directory", os.fspath(path))
            return function(path, *args, **options)

        return call

    for module, name in ((builtins, "open"), (io, "open"), (os, "stat"), (os, "listdir")):
        setattr(module, name, without(getattr(module, name)))


def become_windows() -> None:
    """Hide what is of POSIX only, and fake the few things of Windows that are used."""
    lose(signal, "SIGHUP SIGALRM SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE setitimer alarm")
    for name in ("resource", "pwd", "grp", "termios", "pty", "tty"):
        sys.modules[name] = None  # type: ignore[assignment]  # as Python marks what is not there
    fake: Any = types.ModuleType("msvcrt")
    fake.setmode = lambda _file, _mode: 0
    sys.modules["msvcrt"] = fake
    os.O_BINARY = 0  # type: ignore[attr-defined]
    begin = subprocess.Popen.__init__

    def start(self: Any, *args: Any, creationflags: int = 0, **options: Any) -> None:
        assert creationflags in (0, 0x200), creationflags
        posix = options.keys() & {"start_new_session", "preexec_fn", "pass_fds", "process_group"}
        assert not any(options[name] for name in posix), posix
        begin(self, *args, **options)

    subprocess.Popen.__init__ = start  # type: ignore[method-assign]


SYSTEM = os.environ["SATLIFE_TEST_SYSTEM"]
PLATFORM = {"bare": "linux", "macos": "darwin", "windows": "win32"}[SYSTEM]
if SYSTEM == "windows":  # these packages choose their own way too, and there is no windll here
    import click  # noqa: F401
    import filelock  # noqa: F401
    import platformdirs.unix  # noqa: F401
lose(*MISSING[SYSTEM])
hide_proc()
if SYSTEM != "macos":
    lose(signal, "SIGHUP")
if SYSTEM == "windows":
    become_windows()
sys.platform = PLATFORM
