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
from satlife.cluster.dispatch.edge import Limits, listen, serve
from satlife.cluster.dispatch.record import Record
from satlife.cluster.patient_ledger import in_thread
from satlife.cluster.queue import Access
from satlife.cluster.recorder import Recorder
from satlife.cluster.volunteer import Door
from satlife.cluster.worker import Worker
from satlife.errors import UsageError
from satlife.serving import hash_password
from tests.campaign.nats import Broker
from tests.campaign.scene import SMALL, say_status

USERS = {name: f"{name}-secret" for name in ("anna", "bert", "eve")}


def access(server: Broker, user: str) -> Access:
    password = {"recorder": "records", "worker": "works"}
    return Access(servers=(server.url,), user=user, password=password[user])


def users() -> dict[str, str]:
    """The volunteers, with the hashes of their passwords."""
    return {name: hash_password(password) for name, password in USERS.items()}


def door_of(server: Broker, user: str, password: str | None = None) -> Access:
    """A volunteer's access to the dispatcher."""
    url = f"http://127.0.0.1:{server.edge}"
    secret = password or USERS[user]
    return Access(servers=(url,), user=user, password=secret, role="volunteer")


class Served:
    """A dispatcher with its edge."""

    def __init__(
        self,
        server: Broker,
        dispatcher: Dispatcher,
        limits: Limits | None,
        tls: tuple[str, str] | None = None,
    ) -> None:
        self.dispatcher, self.port, self.limits, self.tls = dispatcher, server.edge, limits, tls
        self.desk = dispatcher.desk
        self.stop = dispatcher.stop

    async def run(self) -> None:
        while True:
            try:
                listener = listen("127.0.0.1", self.port)
            except UsageError:  # one that was stopped is just leaving it
                await asyncio.sleep(0.05)
            else:
                break
        await serve(self.dispatcher, listener, self.limits, self.tls)


def served(
    server: Broker,
    dispatcher: Dispatcher,
    limits: Limits | None = None,
    tls: tuple[str, str] | None = None,
) -> Any:
    return Served(server, dispatcher, limits, tls)


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
    return Worker(door_of(server, name.partition(".")[0]), pool, name)


class Eve:
    """A volunteer who speaks the dispatcher's protocol, and means no good."""

    def __init__(self, door: Door, user: str = "eve") -> None:
        self.door, self.user = door, user
        self.worker = f"{user}.laptop"

    async def ask(
        self, verb: str, text: bytes, method: str = "POST", version: int = protocol.PROTOCOL
    ) -> protocol.Reply:
        path = protocol.path(verb, version)
        return await in_thread(self.door.ask, method, path, text, 20.0)

    async def lease(self, most: int, version: int = protocol.PROTOCOL) -> protocol.Reply:
        request = protocol.LeaseRequest(worker=self.worker, most=most)
        return await self.ask("lease", protocol.write(request), version=version)

    async def answer(
        self, lease: str, result: AnyResult, *, uploaded: bool = False
    ) -> protocol.Reply:
        text = msgspec.Raw(encode(result))
        said = protocol.LeaseAnswer(lease=lease, result=text, uploaded=uploaded)
        reply = await self.ask("answer", protocol.write(protocol.LeaseAnswers(answers=(said,))))
        return reply.answers[0] if reply.answers else reply

    async def upload(self, lease: str, number: int, part: bytes) -> protocol.Reply:
        return await self.ask(f"proof/{lease}/{number}", part, "PUT")

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
    limits: Limits | None = None,
    **words: Any,
) -> AsyncIterator[Stage]:
    """A recorder and a dispatcher at work."""
    record = Record(str(folder / "dispatch.db"))
    recorder = Recorder(
        Plan.from_toml(plan),
        str(folder / "a.db"),
        access(server, "recorder"),
        **{"stores": SMALL, "reconcile": 2.0} | words,
    )
    dispatcher = Dispatcher(access(server, "recorder"), users, record, Desk(quota or Quota()))
    running = asyncio.create_task(recorder.run())
    serving = asyncio.create_task(served(server, dispatcher, limits).run())
    try:
        async with asyncio.timeout(120):
            while not (dispatcher._is_open and recorder.out):
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
    door = Door(door_of(server, user))
    try:
        yield Eve(door, user)
    finally:
        door.close()


async def again_and_again(deed: Any, seconds: float = 0.02) -> None:
    """Do it until cancelled, whatever comes of it."""
    for _ in itertools.count():
        with contextlib.suppress(OSError):
            await deed()
        await asyncio.sleep(seconds)
