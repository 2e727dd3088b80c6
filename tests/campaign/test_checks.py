"""Proof checks as tasks: over a real broker, with the accounts that we ship."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import nats.errors
import pytest

from satlife.campaign.core.events import CertifiedEvent, FailedEvent
from satlife.campaign.core.trust import Checked
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.pool import Pool
from satlife.campaign.messages import ImpossibleResult, encode
from satlife.campaign.plan import Plan
from satlife.campaign.proofs import KeptProofs
from satlife.certificates.make.refute import refute
from satlife.cluster.checks import checker as checkers
from satlife.cluster.checks.checker import Checker
from satlife.cluster.protocol import CheckRequest, Outcome, read, write
from satlife.cluster.queue import Access, connect, jetstream, put_proof
from satlife.cluster.queue.proofs import list_proofs, name_upload, remove_proof
from satlife.cluster.queue.pull import Pull
from satlife.cluster.queue.streams import CHECKERS, CHECKS, checked_subject, result_subject
from satlife.cluster.recorder import Recorder
from satlife.cluster.worker import Worker
from satlife.errors import InternalError
from tests.campaign.nats import Broker, plain_broker
from tests.campaign.running import Command, nothing_left
from tests.campaign.scene import SMALL, at_work, until
from tests.campaign.strangers import access
from tests.cli.running import run
from tests.patience import PATIENCE

# In 1x2 there is nothing; in 2x2 there is a block.
PLAN = 'prove = true\n[[search]]\nkind = "still-life"\nboxes = ["1x2", "2x2"]\n'


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with plain_broker(tmp_path / "nats") as one:
        yield one


def checker_access(server: Broker) -> Access:
    return Access(servers=(server.url,), user="checker", password="checks")


def make_checker(server: Broker, name: str = "rack.node1") -> Checker:
    return Checker(checker_access(server), name, 1)


class Scene:
    """A recorder whose tasks are all out, and a worker's connection."""

    def __init__(self, recorder: Recorder, client: Any, where: Path) -> None:
        self.recorder, self.client, self.where = recorder, client, where
        self.campaign = recorder.board.campaign

    async def claim(self, box: str, proof: Path) -> str:
        """Say that there is nothing in a box, with a proof; return the task's name."""
        tasks = (start.task for start in self.recorder.out.values())
        (task,) = (one for one in tasks if str(one.problem.boxes[0]) == box)
        js = jetstream(self.client)
        name = name_upload("eve", task.name)
        stored = await put_proof(js, self.campaign, name, proof)
        result = ImpossibleResult(task=task.name, worker="eve.x", proof=name, proof_hash=stored)
        await js.publish(result_subject(self.campaign, "eve.x"), encode(result))
        return task.name

    def verdicts(self) -> list[CertifiedEvent | FailedEvent]:
        with open_ledger(str(self.where)) as ledger:
            events = [entry.event for entry in ledger.events()]
        return [event for event in events if isinstance(event, CertifiedEvent | FailedEvent)]

    async def verdict(self) -> CertifiedEvent | FailedEvent:
        await until(self.verdicts)
        (event,) = self.verdicts()
        return event


@contextlib.asynccontextmanager
async def scene(
    server: Broker, tmp_path: Path, keep: KeptProofs | None = None
) -> AsyncIterator[Scene]:
    where = tmp_path / "a.db"
    who = access(server, "recorder")
    recorder = Recorder(Plan.from_toml(PLAN), str(where), who, stores=SMALL, keep=keep)
    async with at_work(recorder):
        await until(lambda: len(recorder.out) == 2)
        client = await connect(access(server, "worker"))
        try:
            yield Scene(recorder, client, where)
        finally:
            await client.close()


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    """A proof that there is nothing in 1x2."""
    path = tmp_path / "proof"
    (group,) = Plan.from_toml(PLAN).groups()
    refute(Plan.from_toml(PLAN).task(group, 0).problem, path)
    return path


@pytest.fixture
def false_proof(tmp_path: Path) -> Path:
    path = tmp_path / "false"
    path.write_bytes(b"0\n")
    return path


async def no_checks(one: Scene) -> bool:
    return (await one.recorder.board.js.stream_info(CHECKS)).state.messages == 0


async def idle(one: Scene) -> None:
    """Wait until a checker waits for work."""
    async with asyncio.timeout(120):
        while not (await one.recorder.board.js.consumer_info(CHECKS, CHECKERS)).num_waiting:
            await asyncio.sleep(0.05)


def test_a_checker_certifies_and_refuses(
    server: Broker,
    tmp_path: Path,
    proof: Path,
    false_proof: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checkers, "ALONE", float("inf"))  # the recorder does not help

    async def play() -> None:
        checker = make_checker(server)
        async with scene(server, tmp_path) as one, at_work(checker):
            await idle(one)
            name = await one.claim("2x2", false_proof)
            event = await one.verdict()
            assert isinstance(event, FailedEvent)
            assert (event.name, event.worker) == (name, "eve.x")
            assert "the proof of eve.x is not valid" in event.log
            name = await one.claim("1x2", proof)
            await until(lambda: len(one.verdicts()) == 2)
            event = one.verdicts()[1]
            assert isinstance(event, CertifiedEvent)
            assert event.name == name
            assert event.checker.endswith("on rack.node1")
            await until(lambda: checker.done == 2)
            assert checker.results == {"valid": 1, "invalid": 1}

    asyncio.run(play())


class Silent:
    """Takes a check, and is never heard of again."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.pull = Pull(client, CHECKS, CHECKERS)

    async def take(self) -> CheckRequest:
        (message,) = await self.pull.fetch(1, 30)
        return read(message.data, CheckRequest, "a check")


@contextlib.asynccontextmanager
async def silent(server: Broker) -> AsyncIterator[Silent]:
    client = await connect(checker_access(server))
    try:
        one = Silent(client)
        await one.pull.open()
        yield one
    finally:
        await client.close()


def test_the_check_of_a_dead_checker_goes_to_another(
    server: Broker, tmp_path: Path, proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is the real command, and a program that it asks never ends."""
    monkeypatch.setattr(checkers, "ALONE", float("inf"))  # the recorder does not help
    mark, slow = tmp_path / "mark", tmp_path / "bin" / "lrat-check"
    slow.parent.mkdir()
    # Whoever dies within the moment before a program is watched leaves it behind.
    slow.write_text(f"#!/bin/sh\nsleep 0.5\ntouch {mark}\nexec sleep 600\n")
    slow.chmod(0o755)
    words = ["worker", "--checks", "--nats", server.url, "--name", "rack.node1", "--jobs", "1"]
    variables = {
        "SATLIFE_NATS_USER": "checker",
        "SATLIFE_NATS_PASSWORD": "checks",
        "PATH": f"{slow.parent}:{os.environ['PATH']}",
    }
    first = Command(str(tmp_path), tmp_path / "log", words, variables=variables)

    async def play() -> None:
        async with scene(server, tmp_path) as one:
            first.start()
            await idle(one)
            name = await one.claim("1x2", proof)
            await until(mark.exists)
            first.kill()
            async with at_work(make_checker(server, "rack.node2")):
                event = await one.verdict()
            assert isinstance(event, CertifiedEvent)
            assert (event.name, event.checker.rpartition(" ")[2]) == (name, "rack.node2")

    with nothing_left(str(tmp_path)):
        try:
            asyncio.run(play())
        finally:
            first.kill()


def test_without_any_checker_left_the_recorder_checks(
    server: Broker,
    tmp_path: Path,
    proof: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(checkers, "ALONE", 1.0)

    async def play() -> None:
        async with scene(server, tmp_path) as one:
            # There never was one: at once.
            begun = time.monotonic()
            await one.claim("1x2", proof)
            first = await one.verdict()
            assert isinstance(first, CertifiedEvent)
            assert " on " not in first.checker
            # One takes it, and dies.
            async with silent(server) as dead:
                taking = asyncio.create_task(dead.take())
                await idle(one)
                await one.claim("2x2", proof)
                await taking
            await until(lambda: len(one.verdicts()) == 2)
            assert isinstance(one.verdicts()[1], FailedEvent), "the proof is another's"
            await until(lambda: no_checks(one))
            assert time.monotonic() - begun < 60

    with caplog.at_level(logging.WARNING):
        asyncio.run(play())


def test_nobody_but_a_checker_can_answer_a_check(
    server: Broker, tmp_path: Path, false_proof: Path
) -> None:
    async def play() -> None:
        async with scene(server, tmp_path) as one, silent(server) as checker:
            taking = asyncio.create_task(checker.take())
            await idle(one)
            await one.claim("2x2", false_proof)
            check = await taking
            checked = Checked(is_valid=True, proof_hash=check.result.proof_hash or "")
            lie = write(Outcome(result=check.result, worker="rack.node1", checked=checked))
            client = await connect(access(server, "worker"))
            for subject in (
                checked_subject(one.campaign),
                f"$JS.API.CONSUMER.MSG.NEXT.{CHECKS}.{CHECKERS}",
                f"satlife.check.{one.campaign}.{check.result.task}.{check.proof}",
            ):
                client._err = None
                with pytest.raises(nats.errors.Error):
                    await client.request(subject, lie, timeout=0.3)
                assert "permissions violation" in str(client.last_error).lower()
            await client.close()
            assert one.verdicts() == []
            # The same word from a checker is believed: it is the broker that tells them apart.
            await checker.client.request(checked_subject(one.campaign), lie, timeout=PATIENCE)
            assert isinstance(await one.verdict(), CertifiedEvent)

    asyncio.run(play())


@pytest.mark.parametrize(
    "subject",
    [
        "satlife.result.c0ffee.checker",
        "satlife.control.c0ffee",
        "satlife.check.c0ffee.x",
        "satlife.task.c0ffee.x.0.0",
        "$O.satlife-proofs-c0ffee.C.x",
        "$JS.API.CONSUMER.MSG.NEXT.satlife-tasks.workers",
        "$JS.API.STREAM.PURGE.satlife-checks",
        "$JS.API.STREAM.MSG.GET.satlife-results-c0ffee",
        "$JS.API.STREAM.MSG.DELETE.satlife-results-c0ffee",
    ],
)
def test_a_checker_can_do_nothing_else(module_server: Broker, subject: str) -> None:
    async def play() -> None:
        client = await connect(checker_access(module_server))
        with pytest.raises(nats.errors.Error):
            await client.request(subject, b"", timeout=0.2)
        assert "permissions violation" in str(client.last_error).lower()
        await client.close()

    asyncio.run(play())


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with plain_broker(tmp_path_factory.mktemp("nats")) as one:
        yield one


@pytest.mark.parametrize("other", ["https://life.example.org", "--leaf"])
def test_a_volunteer_cannot_ask_to_be_a_checker(other: str) -> None:
    done = run("satlife", "worker", "--nats", "nats://127.0.0.1:1", "--checks", other)
    assert done.returncode == 2
    assert b"--checks cannot be combined with" in done.stderr


# No stall: every check ends, whatever has become of its proof and of whoever asked for it


def test_a_check_without_its_proof_ends_at_once(
    server: Broker, tmp_path: Path, proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its place was held for 150 s, and the recorder did not check meanwhile, for up to 600 s."""
    monkeypatch.setattr(checkers, "ALONE", float("inf"))
    monkeypatch.setattr(checkers, "PAUSE", 0.1)

    async def play() -> None:
        async with scene(server, tmp_path) as one:
            await one.claim("2x2", proof)
            js = one.recorder.board.js
            await until(lambda: len(one.recorder.intake.checking) == 1)
            (name,) = one.recorder.intake.checking
            await remove_proof(js, one.campaign, name)
            checker = make_checker(server)
            async with at_work(checker):
                await until(lambda: no_checks(one))
                assert checker.results == {"failed": 1}
                await one.claim("1x2", proof)
                assert isinstance(await one.verdict(), CertifiedEvent)

    asyncio.run(play())


def test_a_check_for_a_campaign_that_is_gone_is_dropped(
    server: Broker, tmp_path: Path, proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkers, "ALONE", float("inf"))
    monkeypatch.setattr(checkers, "SILENCE", 1.0)
    monkeypatch.setattr(checkers, "PAUSE", 0.1)

    async def play() -> None:
        async with scene(server, tmp_path) as one:
            await one.claim("2x2", proof)
            await until(lambda: len(one.recorder.intake.checking) == 1)
            text = (await one.recorder.board.js.get_msg(CHECKS, 1)).data or b""
            subject = "satlife.check.dead.5fef.eve-5fef-00"
            await one.recorder.board.order(subject, text)
            checker = make_checker(server)
            async with at_work(checker):
                await until(lambda: no_checks(one))
                await until(lambda: not checker.held)
            assert checker.done == 1, "only one outcome could be stored"

    asyncio.run(play())


def test_a_check_that_kills_its_checkers_is_given_up(
    server: Broker, tmp_path: Path, proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkers, "ALONE", float("inf"))
    monkeypatch.setattr(checkers, "MOST_DELIVERIES", 0)

    async def play() -> None:
        async with scene(server, tmp_path) as one:
            await one.claim("1x2", proof)
            await until(lambda: len(one.recorder.intake.checking) == 1)
            checker = make_checker(server)
            async with at_work(checker):
                await until(lambda: no_checks(one))
            assert checker.results == {"failed": 1}
            await until(lambda: not one.recorder.intake.checking)
            assert await stored(one), "nobody has found it false"

    asyncio.run(play())


def test_a_broker_that_is_killed_delays_a_check_by_seconds(
    server: Broker, tmp_path: Path, proof: Path
) -> None:
    """The recorder alone, and no checker: what is queued survives, and what is held comes again."""

    async def play() -> None:
        async with scene(server, tmp_path) as one:
            name = await one.claim("1x2", proof)
            server.kill()
            server.start()
            event = await one.verdict()
            assert isinstance(event, CertifiedEvent)
            assert event.name == name

    asyncio.run(play())


# A machine that cannot check or keep a proof: nothing is lost, and nobody else suffers


async def stored(one: Scene) -> bool:
    return bool(await list_proofs(one.recorder.board.js, one.campaign))


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[list[str]]:
    """A file system of 64 kB; yield the beginning of a command that sees it."""
    folder.mkdir()
    mount = f'mount -t tmpfs -o size=64k tmpfs "{folder}"'
    before = ["unshare", "-m", *(() if os.geteuid() == 0 else ("-r",)), "sh", "-c"]
    trial = subprocess.run([*before, mount], capture_output=True, check=False)
    if trial.returncode:
        pytest.xfail(f"no file system can be mounted here: {trial.stderr.decode().strip()}")
    yield [*before, f'{mount}; exec "$@"', "sh"]


def fill(command: Command, folder: Path) -> Path:
    """Fill the disk that only this command sees; return the file to remove."""
    file = Path(f"/proc/{command.pid}/root") / folder.relative_to("/") / "x"
    with pytest.raises(OSError, match="No space left"):
        file.write_bytes(bytes(10**6))
    return file


def test_a_checker_with_a_full_disk_loses_no_proof(
    server: Broker,
    tmp_path: Path,
    proof: Path,
    false_proof: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The check goes back, and on once there is room."""
    monkeypatch.setattr(checkers, "ALONE", float("inf"))  # the recorder does not help
    words = ["worker", "--checks", "--nats", server.url, "--name", "rack.node1", "--jobs", "1"]
    user = {"SATLIFE_NATS_USER": "checker", "SATLIFE_NATS_PASSWORD": "checks"}
    disk, log = tmp_path / "disk", tmp_path / "log"

    async def play(command: Command) -> None:
        async with scene(server, tmp_path) as one:
            command.start()
            await idle(one)
            await one.claim("2x2", false_proof)
            assert isinstance(await one.verdict(), FailedEvent)
            file = fill(command, disk)
            name = await one.claim("1x2", proof)
            await until(lambda: "goes back" in log.read_text())
            assert "No space left on device" in log.read_text()
            assert len(one.verdicts()) == 1
            assert await stored(one)
            file.unlink()
            await until(lambda: len(one.verdicts()) == 2)
            event = one.verdicts()[1]
            assert isinstance(event, CertifiedEvent)
            assert (event.name, event.checker.rpartition(" ")[2]) == (name, "rack.node1")

    with nothing_left(str(tmp_path)), small_disk(disk) as before:
        variables = user | {"TMPDIR": str(disk)}
        command = Command(str(tmp_path), log, words, before, variables)
        try:
            asyncio.run(play(command))
        finally:
            command.stop()


@pytest.mark.parametrize("error", [MemoryError(), ZeroDivisionError("a bug"), InternalError("one")])
def test_an_error_of_a_checker_sends_the_check_to_another(
    server: Broker, tmp_path: Path, proof: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(checkers, "ALONE", float("inf"))
    monkeypatch.setattr(checkers, "PAUSE", 0.1)

    async def play() -> None:
        broken = make_checker(server, "rack.node1")

        async def check(*_: object) -> Checked:
            raise error

        monkeypatch.setattr(broken, "_check", check)
        async with scene(server, tmp_path) as one:
            async with at_work(broken):
                await idle(one)
                await one.claim("1x2", proof)
                await until(lambda: broken.solving)
                await until(lambda: not broken.held)
            assert (one.verdicts(), broken.results) == ([], {})
            assert await stored(one)
            async with at_work(make_checker(server, "rack.node2")):
                event = await one.verdict()
                assert isinstance(event, CertifiedEvent)
                await until(lambda: no_checks(one))

    asyncio.run(play())


def test_only_a_proof_that_was_judged_is_removed(
    server: Broker, tmp_path: Path, false_proof: Path
) -> None:
    async def play() -> None:
        async with scene(server, tmp_path) as one:
            await one.claim("2x2", false_proof)
            assert isinstance(await one.verdict(), FailedEvent)
            async with asyncio.timeout(PATIENCE):
                while await stored(one):
                    await asyncio.sleep(0.05)

    asyncio.run(play())


def test_a_recorder_whose_store_is_full_waits_with_the_proof(
    server: Broker, tmp_path: Path, proof: Path
) -> None:
    """The real command; other answers are recorded meanwhile."""
    (tmp_path / "plan.toml").write_text(PLAN)
    disk, log, ledger = tmp_path / "disk", tmp_path / "log", tmp_path / "a.db"
    words = ["campaign", "serve", str(tmp_path / "plan.toml"), "--nats", server.url]
    words += ["--ledger", str(ledger), "--keep-proofs", str(disk)]
    user = {"SATLIFE_NATS_USER": "recorder", "SATLIFE_NATS_PASSWORD": "records"}

    async def play(command: Command) -> None:
        command.start()
        await until(ledger.exists)
        file = fill(command, disk)
        async with at_work(make_honest(server)):
            await until(lambda: "is kept later" in log.read_text())
            assert "No space left on device" in log.read_text()
            await until(lambda: count(ledger) == {"found": 1, "queued": 1})
            file.unlink()
            assert await asyncio.to_thread(command.wait, PATIENCE) == 0
        assert count(ledger) == {"found": 1, "impossible": 1}
        with open_ledger(str(ledger)) as done:
            assert done.counts().certified == 1

    with nothing_left(str(tmp_path)), small_disk(disk) as before:
        command = Command(str(tmp_path), log, words, before, user)
        try:
            asyncio.run(play(command))
        finally:
            command.stop()


def count(ledger: Path) -> dict[str, int]:
    with open_ledger(str(ledger)) as one:
        return dict(Counter(str(row.state.status) for row in one.rows()))


def make_honest(server: Broker) -> Worker:
    return Worker(access(server, "worker"), Pool(1, worker="rack.solver"), "rack.solver")
