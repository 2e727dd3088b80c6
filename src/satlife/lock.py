"""One runner at a time for one file, such as a ledger.

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
import sys
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout, lock_descriptor

from satlife.errors import UsageError

_PATIENCE, _PAUSE = 0.04, 0.02  # it may be held for a moment by is_held


@contextlib.contextmanager
def only_runner(path: Path, what: str = "ledger") -> Iterator[None]:
    """Hold a lock file; the operating system releases it when this process dies."""
    with contextlib.suppress(PermissionError):  # on Windows, for a file that is being removed
        path.touch()  # filelock would make a missing folder
    try:
        held = FileLock(path, fallback_to_soft=False).acquire(_PATIENCE, _PAUSE)
    except Timeout:
        raise UsageError(
            f"another run is using this {what} ({path.name} is held); "
            "wait for it to end, or stop it"
        ) from None
    with held:
        try:
            yield
        finally:
            if sys.platform != "win32":  # there filelock removes it
                path.unlink(missing_ok=True)


def is_held(path: Path) -> bool:
    """Return whether a run holds the lock; no file is created."""
    try:
        with path.open("rb+") as file:
            return not lock_descriptor(file.fileno(), blocking=False)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # no permission to look
