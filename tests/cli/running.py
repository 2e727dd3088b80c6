"""Running the installed commands, as a person does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
HUP, KILL = (getattr(signal, name, signal.SIGTERM) for name in ("SIGHUP", "SIGKILL"))
"""Signals that Windows does not have: tests that send them are skipped there, but collected."""


def run(
    *command: str, stdin: bytes = b"", timeout: float = 100
) -> subprocess.CompletedProcess[bytes]:
    """Run a script of this environment to its end."""
    name, *arguments = command
    return subprocess.run(
        [str(BIN / name), *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=timeout,
        env={**os.environ, "COLUMNS": "80"},
    )
