"""What a ledger needs of a database: transactions of one writer at a time, and plain SQL.

The statements are the same for every database (see ``_sql.py``); a store states only how its own
dialect differs.  A writer has the ledger to itself, also in PostgreSQL: then states never race,
nobody deadlocks, and the ids of the log come in the order of the commits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

Line = tuple[Any, ...]


class Store(ABC):
    """An open database."""

    key: str
    """The type of a column that numbers the rows."""
    among: str
    """The condition that a value is one of the list that is the parameter."""

    @abstractmethod
    def write(self) -> AbstractContextManager[None]:
        """A transaction: no other writer meanwhile, and all or nothing."""

    @abstractmethod
    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Line]:
        """Run a statement, whose parameters are question marks; return all lines."""

    @abstractmethod
    def execute_many(self, sql: str, lines: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each line of parameters."""

    @abstractmethod
    def pack(self, values: Sequence[Any]) -> Any:
        """Make the parameter of ``among``."""

    @abstractmethod
    def tables(self) -> set[str]:
        """The names of the tables there are."""

    @abstractmethod
    def close(self) -> None:
        """Let go; twice is no harm."""

    @abstractmethod
    def __str__(self) -> str:
        """Name it for a person, without a password."""
