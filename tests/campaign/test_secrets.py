"""Secrets: not in commands, not in files that others can read, and with any characters."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from satlife.campaign.ledger import open_ledger
from satlife.cli.group import cli
from satlife.cluster.queue import Access, connect
from satlife.errors import UsageError
from tests.campaign.nats import DEPLOY, free_ports, server_program
from tests.cli.running import run
from tests.patience import PATIENCE

posix = pytest.mark.skipif(os.name == "nt", reason="modes and signals are of POSIX")


@posix
def test_only_its_owner_can_read_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "plan.db"
    with open_ledger(str(path)) as ledger:
        ledger.begin("p", "")
        modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
    assert modes["plan.db"] == 0o600
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize(
    "words",
    [
        ("campaign", "status", "plan.toml", "--ledger", "postgresql://me:secret@host/ledger"),
        ("worker", "--nats", "nats://me:secret@host:4222"),
    ],
)
def test_a_password_in_a_command_is_refused_and_not_repeated(words: tuple[str, ...]) -> None:
    done = run("satlife", *words)
    assert done.returncode == 2
    assert b"others can see a password in a command" in done.stderr
    assert b"secret" not in done.stderr


def test_a_password_is_read_from_a_file_or_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satlife.cli.campaign.broker import Broker

    file = tmp_path / "password"
    file.write_text(' p"a#s s$ \n')
    nothing = tmp_path / "empty"
    nothing.write_text("")
    monkeypatch.setenv("SATLIFE_NATS_PASSWORD", "from the environment")
    servers = ("nats://127.0.0.1:4222",)
    assert Broker(servers, "me", str(file)).make_access("worker").password == (' p"a#s s$ ')
    variable = Broker(servers, "me").make_access("worker")
    assert variable.password == "from the environment"
    with pytest.raises(UsageError, match="no password in its first line"):
        Broker(servers, "me", str(nothing)).make_access("worker")


def test_the_brokers_password_does_not_go_to_a_dispatcher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator's variables are set where a volunteer's worker starts."""
    file = tmp_path / "password"
    file.write_text("of the broker\n")
    for name, value in (("USER", "recorder"), ("PASSWORD_FILE", str(file)), ("TOKEN_FILE", "no")):
        monkeypatch.setenv(f"SATLIFE_NATS_{name}", value)
    monkeypatch.setenv("SATLIFE_NATS", "nats://127.0.0.1:4222")
    monkeypatch.setenv("SATLIFE_NATS_PASSWORD", "of the broker")
    monkeypatch.delenv("SATLIFE_PASSWORD", raising=False)
    seen: list[Access] = []

    def note(access: Access, *_: object, **__: object) -> None:
        seen.append(access)
        raise UsageError("enough")

    monkeypatch.setattr("satlife.cluster.worker.Worker", note)
    url, mine = "https://life.example.org", tmp_path / "mine"
    mine.write_text("my own\n")
    for words in (["--user", "alice"], ["--user", "alice", "--password-file", str(mine)]):
        said = CliRunner().invoke(cli, ["worker", url, "--jobs", "1", *words])
        assert "enough" in f"{said.output} {said.exception}"
    alice = Access(servers=(url,), user="alice", role="volunteer")
    assert seen == [alice, replace(alice, password="my own")]
    for words in (["--nats", url], ["--creds", "x"], ["--token-file", "x"], ["--leaf"]):
        said = CliRunner().invoke(cli, ["worker", url, "--user", "alice", *words])
        assert "for a broker" in f"{said.output} {said.exception}"
    assert len(seen) == 2


@posix
def test_any_password_works_in_the_accounts_file(tmp_path: Path) -> None:
    conf = tmp_path / "server.conf"
    store = tmp_path / "jetstream"
    conf.write_text(f'jetstream {{ store_dir: "{store}" }}\ninclude "accounts.conf"\n')
    (tmp_path / "accounts.conf").write_text((DEPLOY / "accounts.conf").read_text())
    for recorder, worker in (("123", "true"), ('p"a\\s#s {x}', "$HOME, 1e5"), ("-", "ö 'q'")):
        (port,) = free_ports(1)
        process = subprocess.Popen(
            [DEPLOY / "start", "-c", conf, "-a", "127.0.0.1", "-p", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
            env=os.environ
            | {
                "PATH": f"{Path(server_program()).parent}:{os.environ.get('PATH', '')}",
                "SATLIFE_RECORDER_PASSWORD": recorder,
                "SATLIFE_WORKER_PASSWORD": worker,
            },
        )
        try:
            for user, password in (("recorder", recorder), ("worker", worker)):
                access = Access(servers=(f"nats://127.0.0.1:{port}",), user=user, password=password)
                asyncio.run(_greet(access))
            assert process.poll() is None
        finally:
            process.terminate()
            process.wait(PATIENCE)
            time.sleep(0)


async def _greet(access: Access) -> None:
    async with asyncio.timeout(120):
        client = await connect(access)
        await client.close()
