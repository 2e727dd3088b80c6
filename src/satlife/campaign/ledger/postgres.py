"""A ledger in PostgreSQL, for writers on many machines; needs the extra ``cluster``.

One database, or one schema by ``?options=-csearch_path%3Dname``, holds one ledger.  A connection
that was lost is a :class:`~satlife.campaign.ledger.LedgerError`; the next call connects again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from satlife.campaign.ledger._store import Line, Store
from satlife.campaign.ledger.values import LedgerError
from satlife.errors import UsageError

if TYPE_CHECKING:
    import psycopg

WRITERS = 0x5A71_11FE
"""The advisory lock that a writer holds; ledgers in one database share it."""

_SETTINGS = {
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
    "application_name": "satlife",
}
_SESSION = (
    # A writer whose machine has vanished, or that hangs, must not hold the lock for ever.
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
    "SET idle_in_transaction_session_timeout = '120s'",
    "SET lock_timeout = '180s'",
    "SET client_encoding = 'UTF8'",
)


class PostgresStore(Store):
    """A database of a server."""

    key = "BIGINT PRIMARY KEY"
    among = "= ANY(?)"

    def __init__(self, where: str) -> None:
        self._psycopg = _import_psycopg()
        self._lock = threading.RLock()
        self._open: psycopg.Connection[Line] | None = None
        try:
            asked = self._psycopg.conninfo.conninfo_to_dict(where)
        except self._psycopg.Error as error:
            raise UsageError(f"not an address of PostgreSQL: {_first_line(error)}") from None
        self._arguments = _SETTINGS | {key: str(value) for key, value in asked.items()}

    @contextmanager
    def write(self) -> Iterator[None]:
        """See :class:`Store`."""
        with self._using() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (WRITERS,))
            yield

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Line]:
        """See :class:`Store`."""
        with self._using() as connection:
            cursor = connection.execute(_spell(sql), values)
            return cursor.fetchall() if cursor.description else []

    def execute_many(self, sql: str, lines: Iterable[Sequence[Any]]) -> None:
        """See :class:`Store`."""
        with self._using() as connection, connection.cursor() as cursor:
            cursor.executemany(_spell(sql), lines)

    def pack(self, values: Sequence[Any]) -> Any:
        """See :class:`Store`."""
        return list(values)

    def tables(self) -> set[str]:
        """See :class:`Store`."""
        found = self.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {name for (name,) in found}

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
        """Give the connection, made if need be; drop it if it breaks."""
        with self._lock:
            try:
                if self._open is None or self._open.closed:
                    self._open = self._connect()
                yield self._open
            except (self._psycopg.OperationalError, self._psycopg.InterfaceError) as error:
                self.close()
                reason = _first_line(error)
                raise LedgerError(f"the ledger {self} cannot be used now: {reason}") from None
            except self._psycopg.Error as error:
                raise UsageError(f"the ledger {self} refuses: {_first_line(error)}") from None

    def _connect(self) -> psycopg.Connection[Line]:
        connection: psycopg.Connection[Line] = self._psycopg.connect(
            autocommit=True, **self._arguments
        )
        try:
            for statement in _SESSION:
                connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection


@cache
def _spell(sql: str) -> Any:
    """Write the parameters as psycopg wants them."""
    return sql.replace("?", "%s")


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _import_psycopg() -> Any:
    try:
        import psycopg  # noqa: PLC0415 - only with the extra
    except ImportError:
        raise UsageError(
            "a ledger in PostgreSQL needs psycopg; pip install 'satlife[cluster]'"
        ) from None
    return psycopg
