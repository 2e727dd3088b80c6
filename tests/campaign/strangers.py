"""A campaign among strangers: a broker with our accounts, recorder, dispatcher, and volunteers."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import nats.errors

from satlife.campaign.core.events import Status
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.pool import FinishedTask
from satlife.campaign.local.runner import run
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import (
    AnyResult,
    FoundResult,
    ImpossibleResult,
    Task,
    decode_task,
    encode,
)
from satlife.campaign.plan import Plan
from satlife.cluster import protocol
from satlife.cluster.dispatch.desk import Desk, Quota
from satlife.cluster.dispatch.dispatcher import Dispatcher
from satlife.cluster.dispatch.record import Record
from satlife.cluster.queue import Access, connect
from satlife.cluster.recorder import Recorder
from satlife.cluster.worker import Worker
from tests.campaign.nats import Broker
from tests.campaign.scene import SMALL, say_status

USERS = {name: f"{name}-secret" for name in ("anna", "bert", "eve")}


def access(server: Broker, user: str) -> Access:
    password = {"recorder": "records", "worker": "works"} | USERS
    return Access(servers=(server.url,), user=user, password=password[user])


@dataclass
class Truth:
    """A plan's answers, computed here."""

    patterns: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    statuses: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: str, where: Path) -> Truth:
        """Run the plan on this machine; find a pattern also where it would be implied."""
        truth = cls()
        with open_ledger(str(where)) as ledger:
            run(Plan.from_toml(plan), ledger, jobs=1)
            for row in ledger.rows(Status.FOUND):
                whole = msgspec.structs.replace(row.task, exact=None)
                result = solve_task(whole, "x", None)
                assert isinstance(result, FoundResult)
                truth.patterns[row.name] = result.generations
            truth.statuses = {row.name: say_status(row) for row in ledger.rows()}
        return truth

    def answer(self, task: Task, worker: str) -> AnyResult:
        """What an honest worker says."""
        who: dict[str, Any] = {"task": task.name, "worker": worker, "round": task.round}
        if task.name in self.patterns:
            return FoundResult(generations=self.patterns[task.name], **who)
        return ImpossibleResult(**who)


class Honest:
    """Stands in for a pool: knows the truth, and takes some time to say it, one after the other."""

    def __init__(self, truth: Truth, seconds: float = 0.0, jobs: int = 1) -> None:
        self.truth, self.seconds, self.jobs = truth, seconds, jobs
        self.line: list[tuple[float, Task, Any]] = []
        self.done = 0
        self._free = 0.0

    @property
    def busy(self) -> int:
        return len(self.line)

    def submit(self, task: Task, token: Any) -> None:
        self._free = max(self._free, time.monotonic()) + self.seconds / self.jobs
        self.line.append((self._free, task, token))

    def poll(self, timeout: float) -> list[FinishedTask]:
        end = time.monotonic() + timeout
        while time.monotonic() < end and all(at > time.monotonic() for at, _, _ in self.line):
            time.sleep(0.005)
        now = time.monotonic()
        done = [entry for entry in self.line if entry[0] <= now]
        self.line = [entry for entry in self.line if entry[0] > now]
        self.done += len(done)
        return [FinishedTask(token, self._say(task), None) for _, task, token in done]

    def _say(self, task: Task) -> AnyResult:
        return msgspec.structs.replace(self.truth.answer(task, "x"), seconds=self.seconds)

    def cancel(self, token: Any) -> bool:
        self.line = [entry for entry in self.line if entry[2] != token]
        return True

    def close(self) -> None:
        self.line.clear()


def volunteer(server: Broker, name: str, pool: Any) -> Worker:
    user = name.partition(".")[0]
    return Worker(access(server, user), pool, name, volunteer=True)


class Eve:
    """A volunteer who speaks the dispatcher's protocol, and means no good."""

    def __init__(self, client: Any, user: str = "eve") -> None:
        self.client, self.user = client, user
        self.worker = f"{user}.laptop"

    async def ask(
        self, verb: str, text: bytes, headers: dict[str, str] | None = None, timeout: float = 2.0
    ) -> protocol.Reply:
        subject = protocol.ask_subject(self.user, verb)
        message = await self.client.request(subject, text, timeout=timeout, headers=headers)
        return msgspec.json.decode(message.data, type=protocol.Reply)

    async def lease(self, most: int, version: int = protocol.PROTOCOL) -> protocol.Reply:
        request = protocol.LeaseRequest(worker=self.worker, most=most, protocol=version)
        return await self.ask("lease", protocol.write(request))

    async def answer(self, lease: str, result: AnyResult) -> protocol.Reply:
        said = protocol.LeaseAnswer(lease=lease, result=msgspec.Raw(encode(result)))
        return await self.ask("answer", protocol.write(said))

    async def back(self, leases: Iterable[str]) -> protocol.Reply:
        return await self.ask("back", protocol.write(protocol.LeaseList(leases=tuple(leases))))

    async def keep(self, leases: Iterable[str]) -> protocol.Reply:
        return await self.ask("keep", protocol.write(protocol.LeaseList(leases=tuple(leases))))

    @staticmethod
    def task(leased: protocol.Leased) -> Task:
        return decode_task(bytes(leased.task))


@dataclass
class Stage:
    """All that runs."""

    server: Broker
    recorder: Recorder
    dispatcher: Dispatcher
    running: asyncio.Task[Any]


@contextlib.asynccontextmanager
async def staged(
    server: Broker,
    folder: Path,
    plan: str,
    quota: Quota | None = None,
    **words: Any,
) -> AsyncIterator[Stage]:
    """A recorder and a dispatcher at work."""
    record = Record(str(folder / "dispatch.db"))
    users = frozenset(USERS)
    recorder = Recorder(
        Plan.from_toml(plan),
        str(folder / "a.db"),
        access(server, "recorder"),
        **{"stores": SMALL, "reconcile": 2.0} | words,
    )
    dispatcher = Dispatcher(
        access(server, "recorder"), lambda: users, record, Desk(quota or Quota())
    )
    running = asyncio.create_task(recorder.run())
    serving = asyncio.create_task(dispatcher.run())
    try:
        async with asyncio.timeout(120):
            while not all(user in dispatcher._audience for user in users) or not recorder.out:
                await asyncio.sleep(0.02)
                for each in (running, serving):
                    if each.done():
                        each.result()
        yield Stage(server, recorder, dispatcher, running)
    finally:
        recorder.stop()
        dispatcher.stop()
        async with asyncio.timeout(120):
            await asyncio.gather(running, serving, return_exceptions=True)
        record.close()


@contextlib.asynccontextmanager
async def connected(server: Broker, user: str = "eve") -> AsyncIterator[Eve]:
    client = await connect(access(server, user))
    try:
        yield Eve(client, user)
    finally:
        await client.close()


async def again_and_again(deed: Any, seconds: float = 0.02) -> None:
    """Do it until cancelled, whatever comes of it."""
    for _ in itertools.count():
        with contextlib.suppress(nats.errors.Error, asyncio.TimeoutError):
            await deed()
        await asyncio.sleep(seconds)
