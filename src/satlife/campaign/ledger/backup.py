"""Copy a ledger while the campaign goes on, so that a lost disk costs hours and not months."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from satlife.campaign.ledger import open_store
from satlife.campaign.ledger.store import VERSION_TABLE
from satlife.errors import UsageError


def backup(where: str, target: Path) -> int:
    """Copy a ledger of any version to a new file; return its size in bytes.

    The file appears only when it is whole and on the disk, and only its owner can read it.
    """
    if target.exists():
        raise UsageError(f"{target} exists; a backup never overwrites one")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent} for the backup")
    part = target.with_name(f".{target.name}.part-{os.getpid()}")
    with closing(open_store(where, create=False)) as store:
        if VERSION_TABLE not in store.tables():
            raise UsageError(f"{store} has no ledger")
        try:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            store.backup(part)
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.rename(target)
        finally:
            part.unlink(missing_ok=True)
    return target.stat().st_size
