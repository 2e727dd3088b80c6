"""What a ledger needs from a database: transactions for one writer at a time, and plain SQL.

The statements are the same for every database (see ``_sql.py``); a store states only how its
dialect differs.  A writer has the ledger to itself, in PostgreSQL too: so states never race, nobody
deadlocks, and the ids of the log are in the order of the commits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

Line = tuple[Any, ...]


class Store(ABC):
    """An open database."""

    key: str
    """The type of a column that numbers the rows."""
    among: str
    """The condition that a value is in the list that is the parameter."""
    upgrades: Mapping[int, Sequence[str]] = {}
    """What a version changes in this kind of database only."""

    def make_room(self, event: int) -> None:  # noqa: B027 - few databases need it
        """Prepare to write events up to this id; only inside :meth:`write`."""

    @abstractmethod
    def write(self) -> AbstractContextManager[None]:
        """Return a transaction: all or nothing, with no other writer meanwhile."""

    @abstractmethod
    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Line]:
        """Run a statement whose parameters are question marks; return all lines."""

    @abstractmethod
    def execute_many(self, sql: str, lines: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each line of parameters."""

    @abstractmethod
    def pack(self, values: Sequence[Any]) -> Any:
        """Return values as the parameter of ``among``."""

    @abstractmethod
    def tables(self) -> set[str]:
        """Return the names of the tables."""

    @abstractmethod
    def size(self) -> int:
        """Return how many bytes it takes on its disk, about."""

    @abstractmethod
    def backup(self, path: Path) -> None:
        """Write a copy, as of one moment, to a new file; others may read and write meanwhile."""

    @abstractmethod
    def close(self) -> None:
        """Close it; a second call does nothing."""

    @abstractmethod
    def __str__(self) -> str:
        """Return its place for a person to read, without a password."""
