"""Running the commands to their end, as a person does."""

from __future__ import annotations

import os
import signal
import subprocess

from tests.forked import BIN, find_scripts
from tests.patience import PATIENCE

__all__ = ["BIN", "HUP", "KILL", "run"]

HUP, KILL = (getattr(signal, name, signal.SIGTERM) for name in ("SIGHUP", "SIGKILL"))
"""Signals that Windows does not have: tests that send them are skipped there, but collected."""


def run(
    *command: str, stdin: bytes = b"", timeout: float = PATIENCE
) -> subprocess.CompletedProcess[bytes]:
    """Run a script of this environment to its end, without the time that it takes to start."""
    name, *arguments = command
    return subprocess.run(
        [str(find_scripts() / name), *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=timeout,
        env={**os.environ, "COLUMNS": "80"},
    )
