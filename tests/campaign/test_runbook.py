"""The runbook's lines, word for word: a backup and its restore, and the joining of shards."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import psycopg.conninfo
import pytest

from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.runner import run
from satlife.campaign.plan import Plan
from tests.campaign.nats import ROOT, Broker, broker
from tests.campaign.postgres import PostgresServer, find_program
from tests.campaign.running import Command
from tests.campaign.scene import TINY
from tests.test_docs import blocks

HOW_TO = ROOT / "docs" / "how-to"


def lines_of(page: str, heading: str) -> list[str]:
    """The commands of a section that are only shown, one block after the other."""
    text = (HOW_TO / page).read_text(encoding="utf-8")
    section = re.split(r"(?m)^## ", text.split(f"\n## {heading}\n", 1)[1])[0] if heading else text
    shown = [block.text for block in blocks(section) if block.language == "sh"]
    return [line for text in shown for line in text.splitlines()]


def bash(folder: Path, lines: list[str], **variables: str) -> str:
    """Run lines in a shell that stops at the first error; return what they print."""
    scripts = Path(sys.executable).parent
    programs = Path(find_program("pg_restore")).parent
    path = os.pathsep.join([str(scripts), str(programs), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)],
        cwd=folder,
        env=os.environ | {"PATH": path} | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{lines}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Broker]:
    with broker(tmp_path / "nats") as one:
        yield one


@pytest.mark.parametrize("schema", ["public", "ledger"])
def test_a_backup_is_made_and_restored(tmp_path: Path, nats: Broker, schema: str) -> None:
    (tmp_path / "plan.toml").write_text(TINY, encoding="utf-8")
    with PostgresServer("fsync=off") as server:
        parts = psycopg.conninfo.conninfo_to_dict(server.url)
        names = {"PGHOST": "host", "PGPORT": "port", "PGUSER": "user", "PGPASSWORD": "password"}
        variables = {name: str(parts[key]) for name, key in names.items()}
        variables["SATLIFE_NATS"] = nats.url
        if schema != "public":
            variables["PGOPTIONS"] = f"-csearch_path={schema}"

        def place(database: str) -> str:
            url = server.url.replace("/postgres", f"/{database}")
            return url if schema == "public" else f"{url}?options=-csearch_path%3D{schema}"

        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE life")
        with psycopg.connect(server.url.replace("/postgres", "/life")) as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        with open_ledger(place("life")) as ledger:
            summary = run(Plan.from_toml(TINY), ledger, jobs=1)
        lines = lines_of("runbook.md", "Back up and restore")[1:]  # the first is cron's
        assert [line.split()[0] for line in lines if "=" not in line.split()[0]] == [
            "createdb",
            "pg_restore",
        ]
        bash(tmp_path, lines, **variables)
        with open_ledger(place("life")) as lost, open_ledger(place("life-restored")) as restored:
            assert restored.counts() == lost.counts() == summary.counts
            assert len(list(restored.lines())) == len(list(lost.lines()))


def test_crons_line_makes_a_copy(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(TINY, encoding="utf-8")
    with open_ledger(str(tmp_path / "plan.db")) as ledger:
        run(Plan.from_toml(TINY), ledger, jobs=1)
    line = lines_of("runbook.md", "Back up and restore")[0]
    command = re.fullmatch(r"0 3 \* \* \*  (.*)", line)
    assert command is not None
    here = re.sub(r"/srv/life|/backup", str(tmp_path), command[1]).replace("\\%", "%")
    bash(tmp_path, [here])
    (copy,) = tmp_path.glob("life-*.db")
    with open_ledger(str(copy)) as ledger:
        assert ledger.counts().queued == 0


def test_shards_are_served_and_joined(tmp_path: Path, nats: Broker) -> None:
    (tmp_path / "plan.toml").write_text(TINY, encoding="utf-8")
    serving = [line for line in lines_of("cluster.md", "") if "--shard" in line]
    assert len(serving) == 2
    worker = Command("runbook", tmp_path / "log", ["worker", "--nats", nats.url, "--jobs", "1"])
    worker.start()
    try:
        bash(tmp_path, serving, SATLIFE_NATS=nats.url)
    finally:
        worker.stop()
    lines = lines_of("runbook.md", "Join shards")
    out = bash(tmp_path, lines)
    assert re.search(r"^done .* \(100%\)$", out, re.M)
    with open_ledger(str(tmp_path / "whole.db")) as joined, open_ledger(":memory:") as whole:
        run(Plan.from_toml(TINY), whole, jobs=1)
        statuses = [{r.name: r.state.status for r in each.rows()} for each in (joined, whole)]
        assert statuses[0] == statuses[1]
    into_a_shard = lines[2].replace("whole.db", "one.db") + " 2>&1 || true"
    assert "not of the whole plan; join shards in a new ledger" in bash(tmp_path, [into_a_shard])
