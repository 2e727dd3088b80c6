"""Ledgers for tests: a PostgreSQL of their own, and a place in either database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaign.postgres import PostgresServer


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer("fsync=off") as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The place of a new ledger, in each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_ledger()
