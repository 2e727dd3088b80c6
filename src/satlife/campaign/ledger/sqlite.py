"""A ledger in one SQLite file, with a write-ahead log beside it while it is open.

Any number of processes on one machine may open it; a network file system will not do.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from satlife.campaign.ledger.store import (
    TABLE_NAMES,
    Insert,
    LedgerError,
    Line,
    Store,
    Update,
)
from satlife.errors import UsageError

PATIENCE = 60.0
"""Seconds to wait for another writing process."""

MEMORY = ":memory:"
_TYPES = {"INTEGER": "integer", "BIGINT": "integer", "TEXT": "text"}
"""What ``typeof`` returns for the values of a column."""


class SQLiteStore(Store):
    """A database in a file, or in memory by the name ``:memory:``."""

    key = "INTEGER PRIMARY KEY"
    among = "IN (SELECT value FROM json_each(?))"
    reclaim = "VACUUM"

    def __init__(self, path: str, *, create: bool = True) -> None:
        self._path = path
        self._lock = threading.RLock()
        if path != MEMORY:
            _check_place(Path(path), create)
            # Only its owner may read it; SQLite gives the files beside it the same mode.
            with suppress(OSError):  # it exists, or the error is reported below
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with self._translated():
            # We begin transactions ourselves; a lock lets several threads share the connection.
            self._connection = sqlite3.connect(
                path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        # FULL: a recorded answer survives a power failure.
        for pragma in ("synchronous = FULL", "cache_size = -65536"):
            self._connection.execute(f"PRAGMA {pragma}")
        until = time.monotonic() + PATIENCE
        while True:  # SQLite does not wait here if two processes open a new file at once
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)

    @contextmanager
    def write(self) -> Iterator[None]:
        """See :class:`Store`."""
        with self._lock, self._translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk has rolled back already
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def read(self) -> Iterator[None]:
        """See :class:`Store`."""
        with self._lock, self._translated():
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Line]:
        """See :class:`Store`."""
        with self._lock, self._translated():
            return self._connection.execute(sql, values).fetchall()

    def execute_many(self, statement: Insert | Update, lines: Iterable[Sequence[Any]]) -> None:
        """See :class:`Store`."""
        with self._lock, self._translated():
            self._connection.executemany(str(statement), lines)

    def pack(self, values: Sequence[Any]) -> Any:
        """See :class:`Store`."""
        return msgspec.json.encode(values).decode()

    def tables(self) -> set[str]:
        """See :class:`Store`."""
        return {
            name for (name,) in self.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        }

    def misfits(self) -> Iterator[str]:
        """See :class:`Store`: SQLite takes any value in any column."""
        sql = "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger')"
        yield from (f"there is a {kind} {name[:60]!r}" for kind, name in self.execute(sql))
        for table in TABLE_NAMES:
            for _, column, declared, is_needed, _, is_key in self.execute(
                f"PRAGMA table_info({table})"
            ):
                fits = [_TYPES.get(declared, ""), *([] if is_needed or is_key else ["null"])]
                among, name = str(fits).strip("[]"), column.replace('"', '""')
                ((count,),) = self.execute(
                    f'SELECT count(*) FROM {table} WHERE typeof("{name}") NOT IN ({among})'
                )
                if count:
                    yield f"{table}: {count:,} values of {column[:60]} do not fit its type"

    def size(self) -> int:
        """See :class:`Store`; without the write-ahead log."""
        ((pages,),), ((size,),) = map(self.execute, ("PRAGMA page_count", "PRAGMA page_size"))
        return int(pages) * int(size)

    def free(self) -> int | None:
        """See :class:`Store`."""
        return None if self._path == MEMORY else shutil.disk_usage(Path(self._path).parent).free

    def backup(self, path: Path) -> None:
        """See :class:`Store`; the copy is itself a ledger."""
        # In one step: a reader of the write-ahead log blocks no writer.
        with self._lock, self._translated(), closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)
            ((verdict,),) = copy.execute("PRAGMA quick_check(1)").fetchall()
            # A single file, without a log beside it, until it is opened as a ledger.
            copy.execute("PRAGMA journal_mode = DELETE")
        if verdict != "ok":
            raise UsageError(f"the copy of {self} is damaged: {verdict}")

    def close(self) -> None:
        """See :class:`Store`."""
        with self._lock:
            self._connection.close()

    def __str__(self) -> str:
        return self._path

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise LedgerError(f"the ledger {self} cannot be used now: {error}") from None
        except sqlite3.Error as error:
            raise UsageError(f"{self} is not a ledger: {error}") from None


def _check_place(path: Path, create: bool) -> None:
    if path.is_dir():
        raise UsageError(f"{path} is a folder; a ledger is a file")
    if not path.exists():
        if not create:
            raise UsageError(f"there is no ledger {path}; satlife campaign run creates one")
        if not path.parent.is_dir():
            raise UsageError(f"there is no folder {path.parent} for the ledger {path.name}")
