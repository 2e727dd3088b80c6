"""``satlife campaign migrate`` and ``backup``, as an operator uses them."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner

from satlife.campaign.ledger import migrations
from satlife.campaign.ledger.sqlite import SQLiteStore
from satlife.cli.group import cli

PLAN = '[[search]]\nkind = "still-life"\nboxes = "1x1..2x2"\n'


def campaign(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(cli, ["campaign", *map(str, words)])
    assert done.exit_code == code, done.output
    return done.output


def make_version(path: Path, version: int) -> None:
    """A ledger as an earlier satlife made it."""
    with closing(sqlite3.connect(path)) as old, old:
        old.execute("PRAGMA journal_mode = WAL")
        old.execute(f"CREATE TABLE {migrations.VERSION_TABLE} (version INTEGER NOT NULL)")
        old.execute(f"INSERT INTO {migrations.VERSION_TABLE} VALUES ({version})")
        for statements in migrations.MIGRATIONS[:version]:
            for statement in statements:
                old.execute(statement.format(key=SQLiteStore.key))


def test_an_old_ledger_is_upgraded_when_somebody_asks(tmp_path: Path) -> None:
    plan, ledger = tmp_path / "plan.toml", tmp_path / "plan.db"
    plan.write_text(PLAN)
    make_version(ledger, 3)
    before = ledger.read_bytes()
    for command in ("status", "run", "results"):
        words = campaign(command, plan, code=2)
        assert "has version 3, and" in words
        assert "satlife campaign migrate" in words
    campaign("backup", plan, tmp_path / "copy.db")
    assert ledger.read_bytes() == before
    assert "upgraded from version 3" in campaign("migrate", plan)
    assert "nothing to do" in campaign("migrate", plan)
    assert "done" in campaign("status", plan)
    assert "there is no ledger" in campaign("migrate", tmp_path / "none.toml", code=2)


def test_a_campaign_goes_on_from_a_backup(tmp_path: Path) -> None:
    plan, ledger, copy = tmp_path / "plan.toml", tmp_path / "plan.db", tmp_path / "copy.db"
    plan.write_text(PLAN)
    campaign("plan", plan)
    campaign("backup", plan, copy)
    assert "never overwrites" in campaign("backup", plan, copy, code=2)
    campaign("run", plan, "--jobs", 1)
    answers = campaign("results", plan)
    assert "block" in answers
    ledger.unlink()
    shutil.copy(copy, ledger)
    campaign("run", plan, "--jobs", 1)
    assert campaign("results", plan) == answers
