"""One runner at a time for one ledger file.

>>> import tempfile
>>> folder = tempfile.TemporaryDirectory()
>>> path = Path(folder.name, "plan.db.lock")
>>> with only_runner(path):
...     is_held(path)
True
>>> is_held(path)
False
>>> with only_runner(path), only_runner(path):
...     pass
Traceback (most recent call last):
satlife.errors.UsageError: another run is using this ledger (plan.db.lock is held); wait for it \
to end, or stop it
>>> path.exists(), folder.cleanup()
(False, None)
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from satlife.errors import UsageError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_TRIES, _PAUSE = 3, 0.02


@contextlib.contextmanager
def only_runner(path: Path, what: str = "ledger") -> Iterator[None]:
    """Hold a lock file; the operating system releases it when this process dies."""
    with path.open("ab") as file:
        if not _try_to_hold(file.fileno(), _TRIES):
            raise UsageError(
                f"another run is using this {what} ({path.name} is held); "
                "wait for it to end, or stop it"
            )
        if not path.exists() or path.stat().st_ino != os.fstat(file.fileno()).st_ino:
            raise UsageError("another run has just ended; try again")
        try:
            yield
        finally:
            if sys.platform != "win32":  # there an open file cannot be removed
                path.unlink(missing_ok=True)


def is_held(path: Path) -> bool:
    """Return whether a run holds the lock; no file is created."""
    try:
        with path.open("rb+") as file:
            return not _try_to_hold(file.fileno(), 1)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # we may not look


def _try_to_hold(file: int, tries: int) -> bool:
    for left in reversed(range(tries)):
        try:
            _hold(file)
        except OSError:
            if left:  # it may be held for a moment by is_held
                time.sleep(_PAUSE)
        else:
            return True
    return False


def _hold(file: int) -> None:
    if sys.platform == "win32":
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
