"""A ledger in PostgreSQL, for writers on many machines; it needs the extra ``cluster``.

A database, or a schema by ``?options=-csearch_path%3Dname``, holds one ledger.  A lost connection
raises :class:`~satlife.campaign.ledger.LedgerError`; the next call connects again.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from satlife.campaign.ledger.store import (
    STATE_COLUMNS,
    Insert,
    LedgerError,
    Line,
    Store,
    Update,
)
from satlife.errors import UsageError
from satlife.machine import how_to_install

try:
    import psycopg
    import psycopg.conninfo
except ImportError:
    raise UsageError(f"a ledger in PostgreSQL needs psycopg: {how_to_install('cluster')}") from None

# A copy of a ledger in PostgreSQL, made by ``pg_dump``.


def dump(arguments: Mapping[str, str], schema: str, path: Path) -> None:
    """Write one schema to a file in pg_dump's own format, which ``pg_restore`` reads."""
    program = shutil.which("pg_dump")
    if program is None:
        raise UsageError("a backup of PostgreSQL needs pg_dump, from the package of its client")
    where = {key: text for key, text in arguments.items() if key not in ("password", "options")}
    with tempfile.TemporaryDirectory(prefix="satlife-backup-") as folder:
        if "password" in arguments:
            # Other users can read a command line; only the owner can read this file.
            passfile = Path(folder) / "password"
            passfile.touch(0o600)
            passfile.write_text(f"*:*:*:*:{_escape(arguments['password'])}\n", encoding="utf-8")
            where["passfile"] = str(passfile)
        # Quoted, or pg_dump reads the schema as a pattern.
        quoted = '"' + schema.replace('"', '""') + '"'
        options = ["--format=custom", "--no-owner", "--no-privileges", "--no-password"]
        options += [f"--schema={quoted}", f"--file={path}"]
        options += [f"--dbname={psycopg.conninfo.make_conninfo(**where)}"]
        done = subprocess.run(
            [program, *options],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"]
        raise UsageError(f"pg_dump could not copy the ledger: {lines[-1]}")


def _escape(password: str) -> str:
    r"""Return a password escaped for a password file.

    >>> print(_escape(r"a:b\c"))
    a\:b\\c
    """
    return password.replace("\\", "\\\\").replace(":", "\\:")


# The log in PostgreSQL is partitioned, so that old events can be archived and indices stay small.
#
# Ids are assigned in the order of time, so a part with a range of ids is one with a range of time.
# Unlike times, ids are the log's primary key, used for every look-up, and determine the part of a
# line.


SPAN: Final = 5_000_000
"""Events in a part."""

_LAST: Final = r"""SELECT coalesce(max(substring(tablename FROM '^events_(\d+)$')::BIGINT), -1)
    FROM pg_tables WHERE schemaname = current_schema()"""


def add_parts(store: Store, event: int) -> int:
    """Add the parts that are missing up to an event; return the first id without a part."""
    ((last,),) = store.execute(_LAST)
    for number in range(last + 1, event // SPAN + 1):
        store.execute(
            f"CREATE TABLE events_{number} PARTITION OF events "
            f"FOR VALUES FROM ({number * SPAN}) TO ({(number + 1) * SPAN})"
        )
    return (max(int(last), event // SPAN) + 1) * SPAN


_TYPES = (
    {name: kind.split()[0].lower() for name, kind in STATE_COLUMNS.items()}
    | dict.fromkeys(("id", "task", "time", "event", "count", "answers"), "bigint")
    | dict.fromkeys(("implied", "is_case"), "integer")
)
"""The types of columns; others are text."""
WRITERS = 0x5A71_11FE
"""The advisory lock that a writer holds, one for each ledger of a database."""
_LOCK = "SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))"

_SETTINGS = {
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
    "application_name": "satlife",
}
_SESSION = (
    # A writer that hangs, or whose machine is gone, must not hold the lock forever.
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
    "SET idle_in_transaction_session_timeout = '120s'",
    "SET lock_timeout = '180s'",
    "SET client_encoding = 'UTF8'",
)


class PostgresStore(Store):
    """A database on a server."""

    key = "BIGINT PRIMARY KEY"
    among = "= ANY(?)"
    reclaim = "VACUUM events"  # to the ledger, which writes there again
    parts = " PARTITION BY RANGE (id)"

    def __init__(self, where: str) -> None:
        self._lock = threading.RLock()
        self._open: psycopg.Connection[Line] | None = None
        self._room = 0
        """The first event id without a part of the log; 0 if unknown."""
        try:
            asked = psycopg.conninfo.conninfo_to_dict(where)
        except psycopg.Error as error:
            raise UsageError(f"not an address of PostgreSQL: {_first_line(error)}") from None
        given = {key: str(value) for key, value in asked.items()}
        self._arguments: dict[str, Any] = _SETTINGS | given

    @contextmanager
    def write(self) -> Iterator[None]:
        """See :class:`Store`."""
        with self._using() as connection, connection.transaction():
            connection.execute(_LOCK, (WRITERS,))
            try:
                yield
            except BaseException:
                self._room = 0  # a part may have been rolled back
                raise

    @contextmanager
    def read(self) -> Iterator[None]:
        """See :class:`Store`."""
        with self._using() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield

    def make_room(self, event: int) -> None:
        """See :class:`Store`."""
        if event >= self._room:
            self._room = add_parts(self, event)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Line]:
        """See :class:`Store`."""
        with self._using() as connection:
            cursor = connection.execute(_write_parameters(sql), values)
            return cursor.fetchall() if cursor.description else []

    def execute_many(self, statement: Insert | Update, lines: Iterable[Sequence[Any]]) -> None:
        """See :class:`Store`."""
        columns = [list(column) for column in zip(*lines, strict=True)]
        with self._using() as connection:
            connection.execute(_write_bulk(statement), columns)

    def pack(self, values: Sequence[Any]) -> Any:
        """See :class:`Store`."""
        return list(values)

    def tables(self) -> set[str]:
        """See :class:`Store`."""
        found = self.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {name for (name,) in found}

    def size(self) -> int:
        """See :class:`Store`; tables and indices."""
        ((size,),) = self.execute(
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')"
        )
        return int(size)

    def backup(self, path: Path) -> None:
        """See :class:`Store`; the copy is for ``pg_restore``."""
        ((schema,),) = self.execute("SELECT current_schema()")
        dump(self._arguments, str(schema), path)

    def close(self) -> None:
        """See :class:`Store`."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def __str__(self) -> str:
        where = self._arguments
        return f"{where.get('dbname', '')} on {where.get('host', 'this machine')}"

    @contextmanager
    def _using(self) -> Iterator[psycopg.Connection[Line]]:
        """Yield the connection, opened if necessary; close it if it breaks."""
        with self._lock:
            try:
                if self._open is None or self._open.closed:
                    self._open = self._connect()
                yield self._open
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                self.close()
                reason = _first_line(error)
                raise LedgerError(f"the ledger {self} cannot be used now: {reason}") from None
            except psycopg.Error as error:
                raise UsageError(f"the ledger {self}: {_first_line(error)}") from None

    def _connect(self) -> psycopg.Connection[Line]:
        connection: psycopg.Connection[Line] = psycopg.connect(autocommit=True, **self._arguments)
        try:
            for statement in _SESSION:
                connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection


@cache
def _write_parameters(sql: str) -> Any:
    """Return a statement with parameters in psycopg's notation."""
    return sql.replace("?", "%s")


@cache
def _write_bulk(statement: Insert | Update) -> Any:
    """Return a statement for many lines, whose parameters are columns.

    >>> _write_bulk(Insert("notes", ("name", "body")))
    'INSERT INTO notes (name, body) SELECT * FROM unnest(%b::text[], %b::text[]) '
    >>> _write_bulk(Update("tasks", ("status",), "id"))
    'UPDATE tasks SET status = v.status FROM unnest(%b::text[], %b::bigint[]) AS v(status, id) \
WHERE tasks.id = v.id'
    """
    if isinstance(statement, Insert):
        lines = _unnest(statement.columns)
        return f"{statement.head} SELECT * FROM {lines} {statement.conflict}"
    table, key = statement.table, statement.key
    names = *statement.columns, key
    changes = ", ".join(f"{name} = v.{name}" for name in statement.columns)
    return (
        f"UPDATE {table} SET {changes} FROM {_unnest(names)} AS v({', '.join(names)}) "
        f"WHERE {table}.{key} = v.{key}"
    )


def _unnest(names: Sequence[str]) -> str:
    # Binary: escaping the quotes of JSON in an array's text took two thirds of a transaction.
    columns = (f"%b::{_TYPES.get(name, 'text')}[]" for name in names)
    return f"unnest({', '.join(columns)})"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
