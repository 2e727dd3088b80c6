"""One runner at a time for one ledger file.

>>> import tempfile
>>> folder = tempfile.TemporaryDirectory()
>>> path = Path(folder.name, "plan.db.lock")
>>> with only_runner(path), only_runner(path):
...     pass
Traceback (most recent call last):
satlife.errors.UsageError: another run is at work here (plan.db.lock is held); wait for its end, \
or stop it
>>> path.exists(), folder.cleanup()
(False, None)
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from satlife.errors import UsageError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


@contextlib.contextmanager
def only_runner(path: Path) -> Iterator[None]:
    """Hold a lock file; the operating system lets go of it when this process dies."""
    with path.open("ab") as file:
        try:
            _hold(file.fileno())
        except OSError:
            raise UsageError(
                f"another run is at work here ({path.name} is held); wait for its end, or stop it"
            ) from None
        if not path.exists() or path.stat().st_ino != os.fstat(file.fileno()).st_ino:
            raise UsageError("another run has just ended here; try again")
        try:
            yield
        finally:
            if sys.platform != "win32":  # there an open file cannot be removed
                path.unlink(missing_ok=True)


def _hold(file: int) -> None:
    if sys.platform == "win32":
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
