"""The database interface of a ledger, its tables, and the rows that it returns.

The statements are the same for every database (see ``statements.py``); a store states only how its
dialect differs.  A writer has the ledger to itself, in PostgreSQL too: so there are no races or
deadlocks, and the ids of the log are in the order of the commits.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from satlife.campaign.core.events import Event, Status
from satlife.campaign.core.state import TaskState
from satlife.campaign.messages import Task
from satlife.campaign.selection import EVERYTHING, Selection
from satlife.errors import UsageError
from satlife.problem import Problem

Line = tuple[Any, ...]


@dataclass(frozen=True)
class Insert:
    """New lines of a table.

    >>> print(Insert("notes", ("name", "body")))
    INSERT INTO notes (name, body) VALUES (?, ?)
    """

    table: str
    columns: tuple[str, ...]
    conflict: str = ""
    """What happens to a line that is there."""

    @property
    def head(self) -> str:
        """The statement up to the lines."""
        return f"INSERT INTO {self.table} ({', '.join(self.columns)})"

    def __str__(self) -> str:
        marks = ", ".join("?" for _ in self.columns)
        return f"{self.head} VALUES ({marks}) {self.conflict}".rstrip()


@dataclass(frozen=True)
class Update:
    """Changes of lines that are found by a key, which is the last parameter.

    >>> print(Update("tasks", ("status", "time"), "id"))
    UPDATE tasks SET status = ?, time = ? WHERE id = ?
    """

    table: str
    columns: tuple[str, ...]
    key: str

    def __str__(self) -> str:
        changes = ", ".join(f"{name} = ?" for name in self.columns)
        return f"UPDATE {self.table} SET {changes} WHERE {self.key} = ?"


class Store(ABC):
    """An open database."""

    key: str
    """The type of an auto-numbered key column."""
    among: str
    """The condition that a value is in the list given as parameter."""
    reclaim: str
    """The statement that gives the space of removed lines back."""
    parts: str = ""
    """The end of the statement that creates a large table, if it is partitioned."""

    def make_room(self, event: int) -> None:  # noqa: B027 - few databases need it
        """Prepare to write events up to this id; only inside :meth:`write`."""

    def misfits(self) -> Iterator[str]:
        """Yield what no ledger has, and values that do not fit their columns."""
        return iter(())  # most databases let none in

    @abstractmethod
    def write(self) -> AbstractContextManager[None]:
        """Return a transaction: all or nothing, with no other writer meanwhile."""

    @abstractmethod
    def read(self) -> AbstractContextManager[None]:
        """Return a context in which all reads see one snapshot, whatever others write."""

    @abstractmethod
    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Line]:
        """Run a statement whose parameters are question marks; return all lines."""

    @abstractmethod
    def execute_many(self, statement: Insert | Update, lines: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each line of parameters."""

    @abstractmethod
    def pack(self, values: Sequence[Any]) -> Any:
        """Return values as the parameter of ``among``."""

    @abstractmethod
    def tables(self) -> set[str]:
        """Return the names of the tables."""

    @abstractmethod
    def size(self) -> int:
        """Return the approximate size on disk, in bytes."""

    def free(self) -> int | None:
        """Return the free bytes of its disk; None if it is on a server, and not for us to see."""
        return None

    @abstractmethod
    def backup(self, path: Path) -> None:
        """Write a snapshot to a new file; others may read and write meanwhile."""

    @abstractmethod
    def close(self) -> None:
        """Close the database; a second call does nothing."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the location for display, without a password."""


# The ledger's tables and their version.
#
# A change of the tables raises :data:`VERSION`; from the first release on it comes with a step that
# upgrades the tables of the version before.


VERSION: Final = 2
VERSION_TABLE: Final = "ledger_version"

_COLUMN_TYPES: Final = {
    Status: "TEXT NOT NULL",
    bool: "INTEGER NOT NULL",
    int: "BIGINT NOT NULL",
    str: "TEXT NOT NULL",
    str | None: "TEXT",
}
STATE_COLUMNS: Final = {
    field.name: _COLUMN_TYPES[field.type] for field in msgspec.structs.fields(TaskState)
}
"""A column for each field of a task's state, with its type; ``statements.py`` has their names."""

TABLES: Final = (
    f"CREATE TABLE {VERSION_TABLE} (version INTEGER NOT NULL)",
    "CREATE TABLE plan (name TEXT PRIMARY KEY, body TEXT NOT NULL)",
    """CREATE TABLE tasks (
        id {key},
        name TEXT NOT NULL UNIQUE,
        time BIGINT NOT NULL,
        {state}
    )""",
    "CREATE INDEX tasks_queued ON tasks (id) WHERE status = 'queued'",
    "CREATE INDEX tasks_leased ON tasks (id) WHERE status = 'leased'",
    "CREATE INDEX tasks_split ON tasks (id) WHERE status = 'split'",
    # The tasks themselves are stored apart, so that counting reads little.
    "CREATE TABLE bodies (task {key}, body TEXT NOT NULL)",
    # The log is authoritative; everything else follows from it.
    """CREATE TABLE events (
        id {key},
        task BIGINT NOT NULL,
        kind TEXT NOT NULL,
        time BIGINT NOT NULL,
        body TEXT NOT NULL
    ){parts}""",
    "CREATE INDEX events_of_task ON events (task)",
    """CREATE TABLE findings (
        identity TEXT PRIMARY KEY,
        event BIGINT NOT NULL,
        time BIGINT NOT NULL,
        name TEXT NOT NULL
    )""",
    "CREATE INDEX findings_by_time ON findings (time, identity)",
    # Counts, the rate and a checkpoint: read instead of the log.
    """CREATE TABLE tallies (
        status TEXT NOT NULL,
        certified INTEGER NOT NULL,
        contradicted INTEGER NOT NULL,
        implied INTEGER NOT NULL,
        is_case INTEGER NOT NULL,
        count BIGINT NOT NULL,
        PRIMARY KEY (status, certified, contradicted, implied, is_case)
    )""",
    "CREATE TABLE rates (time BIGINT PRIMARY KEY, answers BIGINT NOT NULL)",
    "CREATE TABLE notes (name TEXT PRIMARY KEY, body TEXT NOT NULL)",
)
"""``{key}`` is the type of an auto-numbered key column, ``{state}`` the columns of a state,
``{parts}`` the partitioning of a large table."""
TABLE_NAMES: Final = (VERSION_TABLE, *re.findall(r"CREATE TABLE (\w+)", "".join(TABLES[1:])))


def prepare(store: Store, *, create: bool = True) -> None:
    """Create the tables where there are none; refuse those of another version."""
    if is_ready(store, create):
        return
    with store.write():
        if is_ready(store, create):  # another process was faster
            return
        state = ", ".join(f"{name} {kind}" for name, kind in STATE_COLUMNS.items())
        for statement in TABLES:
            store.execute(statement.format(key=store.key, state=state, parts=store.parts))
        store.execute(f"INSERT INTO {VERSION_TABLE} VALUES (?)", (VERSION,))


def is_ready(store: Store, create: bool) -> bool:
    """Return whether the tables exist; raise an error if they are foreign or may not be created."""
    tables = store.tables()
    if VERSION_TABLE in tables:
        ((version,),) = store.execute(f"SELECT version FROM {VERSION_TABLE}")
        if version != VERSION:
            raise UsageError(
                f"the ledger {store} has version {version}, and this satlife reads version "
                f"{VERSION}: use the satlife that made it, or begin a new ledger"
            )
        return True
    if tables:
        known = ", ".join(sorted(tables)[:3])
        raise UsageError(f"{store} is a database, but not a ledger: it has the tables {known}")
    if not create:
        raise UsageError(f"{store} has no ledger; satlife campaign run creates one")
    return False


# The rows of a ledger: tasks, findings and log entries.


class LedgerError(UsageError):
    """The ledger cannot be used now: its server is down, its disk is full, or it is locked.

    Nothing of the call has been written, unless the connection was lost during the commit.  The
    next call connects again, so a recorder waits and repeats the call.
    """


class FencedError(UsageError):
    """Another writer has taken over the ledger; nothing was written, and nothing will be."""


class TaskRow(NamedTuple):
    """A task and its state."""

    name: str
    task: Task
    state: TaskState


class FindingRow(NamedTuple):
    """An object and its first find."""

    identity: str
    name: str
    """The name of the task."""
    generations: tuple[tuple[str, ...], ...]
    problem: Problem
    worker: str
    time: float
    """Seconds since 1970."""
    selection: Selection = EVERYTHING


class LogEntry(NamedTuple):
    """An event in the log."""

    id: int
    time: float
    """Seconds since 1970."""
    event: Event
