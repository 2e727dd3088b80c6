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
from tests.campaign.scene import TINY, say_status
from tests.test_deploy import scripts
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


def test_a_copy_is_restored_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    """The words of the runbook, with a copy that ends in the middle, and over another ledger."""
    (restore,) = (
        line.split()
        for line in lines_of("runbook.md", "Back up and restore")
        if line.startswith("pg_restore")
    )
    words = [word for word in restore[1:] if word.startswith("--") and "dbname" not in word]
    with PostgresServer("fsync=off") as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE new")
        new = server.url.replace("/postgres", "/new")
        with open_ledger(server.url) as ledger:
            before = run(Plan.from_toml(TINY), ledger, jobs=1).counts
            ledger.store.backup(tmp_path / "whole")
        whole = (tmp_path / "whole").read_bytes()
        (tmp_path / "cut").write_bytes(whole[: len(whole) * 2 // 3])

        def restores(name: str, place: str) -> bool:
            program = [find_program("pg_restore"), *words, f"--dbname={place}"]
            done = subprocess.run([*program, str(tmp_path / name)], check=False)
            return done.returncode == 0

        assert not restores("cut", new)
        with psycopg.connect(new) as connection:
            found = connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")
            assert found.fetchall() == []
        assert not restores("whole", server.url)
        assert restores("whole", new)
        for place in (server.url, new):
            with open_ledger(place, create=False) as ledger:
                assert ledger.counts() == before


def script(name: str, folder: Path) -> str:
    """The shell's words of a pod, with its folders in another one."""
    (container,) = scripts()[name]["containers"]
    shell, option, words = container["args"]
    assert (shell, option) == ("sh", "-ec")
    return re.sub(r"/(plan|backup)/", rf"{folder}/\1/", words).replace(
        "find /backup", f"find {folder}/backup"
    )


def test_the_pods_make_a_copy_remove_old_ones_and_restore_it(tmp_path: Path) -> None:
    for name in ("plan", "backup"):
        (tmp_path / name).mkdir()
    (tmp_path / "plan" / "plan.toml").write_text(TINY, encoding="utf-8")
    for name in ("ledger-old.dump", "ledger-young.dump"):
        (tmp_path / "backup" / name).touch()
    os.utime(tmp_path / "backup" / "ledger-old.dump", (0, 0))
    with PostgresServer("fsync=off") as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE life")
            connection.execute("CREATE DATABASE other")
        life, other = (server.url.replace("/postgres", f"/{name}") for name in ("life", "other"))
        with open_ledger(life) as ledger:
            summary = run(Plan.from_toml(TINY), ledger, jobs=1)
        bash(tmp_path, [script("backup", tmp_path)], SATLIFE_LEDGER=life)
        copies = sorted(path.name for path in (tmp_path / "backup").iterdir())
        assert (len(copies), copies[-1]) == (2, "ledger-young.dump")
        (tmp_path / "backup" / copies[-1]).unlink()
        said = bash(tmp_path, [script("restore", tmp_path)], SATLIFE_LEDGER=other)
        assert "the tables agree with the log" in said
        assert f"{copies[0]} is restored" in said
        with open_ledger(other) as restored:
            assert restored.counts() == summary.counts


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
        statuses = [{r.name: say_status(r) for r in each.rows()} for each in (joined, whole)]
        assert statuses[0] == statuses[1]
    into_a_shard = lines[2].replace("whole.db", "one.db") + " 2>&1 || true"
    assert "not of the whole plan; join shards in a new ledger" in bash(tmp_path, [into_a_shard])


def test_the_authority_of_volunteers_is_accepted_by_strict_clients(tmp_path: Path) -> None:
    """Python 3.13 is one: it asks a certificate of an authority for the use of its key."""
    text = "\n".join(lines_of("volunteers.md", "The dispatcher")).replace("\\\n", "")
    made = [line for line in text.splitlines() if line.startswith("openssl req")]
    assert len(made) == 2
    bash(tmp_path, [*made, "openssl verify -x509_strict -CAfile ca.pem server.pem"])
