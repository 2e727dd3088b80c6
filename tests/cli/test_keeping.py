"""``satlife campaign backup``, as an operator uses it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner

from satlife.cli.group import cli

PLAN = '[[search]]\nkind = "still-life"\nboxes = "1x1..2x2"\n'


def campaign(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(cli, ["campaign", *map(str, words)])
    assert done.exit_code == code, done.output
    return done.output


def test_a_ledger_of_another_version_is_refused_and_kept(tmp_path: Path) -> None:
    plan, ledger = tmp_path / "plan.toml", tmp_path / "plan.db"
    plan.write_text(PLAN)
    campaign("plan", plan)
    campaign("run", plan, "--jobs", 1)
    with closing(sqlite3.connect(ledger)) as other, other:
        other.execute("UPDATE ledger_version SET version = 99")
    before = ledger.read_bytes()
    for command in ("status", "run", "results"):
        assert "has version 99, and" in campaign(command, plan, code=2)
    campaign("backup", plan, tmp_path / "copy.db")
    assert ledger.read_bytes() == before


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
