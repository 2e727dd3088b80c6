"""A recorder, workers and strangers in one process, over a real broker."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from satlife.campaign.core.events import Status
from satlife.campaign.core.summary import Summary
from satlife.campaign.ledger import Ledger, TaskRow, open_ledger
from satlife.campaign.local.pool import Pool
from satlife.campaign.plan import Plan
from satlife.cluster.queue import Access, Stores, connect, jetstream
from satlife.cluster.recorder import Recorder
from satlife.cluster.worker import Worker
from tests.patience import PATIENCE

SMALL = Stores(task_bytes=10**8, result_bytes=10**8, proof_bytes=10**8, lease=3)

TINY = """
[[search]]
kind = "still-life"
boxes = "1x1..3x3"

[[search]]
kind = "oscillator"
periods = "2..3"
symmetries = ["C4", "D4+"]
boxes = "3x3..5x5"
"""


def make_recorder(url: str, where: Path | str, plan: str = TINY, **words: Any) -> Recorder:
    access = Access(servers=(url,), role="recorder")
    return Recorder(Plan.from_toml(plan), str(where), access, **{"stores": SMALL} | words)


def make_worker(url: str, name: str = "honest", jobs: int = 1, **words: Any) -> Worker:
    return Worker(Access(servers=(url,)), Pool(jobs, worker=name), name, **words)


@contextlib.asynccontextmanager
async def at_work(*doers: Recorder | Worker) -> AsyncIterator[None]:
    """Let them work; stop them at the end."""
    running = [asyncio.create_task(doer.run()) for doer in doers]
    try:
        yield
        for each in running:
            if each.done():
                each.result()
    finally:
        for doer in doers:
            doer.stop()
        async with asyncio.timeout(120):
            await asyncio.gather(*running, return_exceptions=True)


@contextlib.asynccontextmanager
async def stranger(url: str) -> AsyncIterator[Any]:
    """A client of the broker, and its JetStream."""
    client = await connect(Access(servers=(url,), role="stranger"))
    try:
        yield jetstream(client)
    finally:
        await client.close()


async def until(question: Callable[[], object]) -> None:
    """Wait until a question, asked of the broker or of an object here, is answered with yes."""
    async with asyncio.timeout(PATIENCE):
        while not (await answer if inspect.isawaitable(answer := question()) else answer):
            await asyncio.sleep(0.05)


def finish(url: str, where: Path | str, plan: str = TINY, **words: Any) -> Summary:
    """Serve a plan to one honest worker until it is done."""

    async def play() -> Summary:
        recorder = make_recorder(url, where, plan, **words)
        async with at_work(make_worker(url)), asyncio.timeout(120):
            return await recorder.run()

    return asyncio.run(play())


def say_status(row: TaskRow) -> str:
    """The status of a task, but for what depends on the order in which tasks are answered.

    An exact box may be impossible itself, or found because a smaller box is found first.
    """
    is_final = row.state.status in (Status.FOUND, Status.IMPOSSIBLE)
    return "answered" if row.task.exact and is_final else str(row.state.status)


def answers(where: Path | str) -> dict[str, tuple[str, str]]:
    """Every task's problem and status."""

    def read(ledger: Ledger) -> dict[str, tuple[str, str]]:
        return {row.name: (str(row.task.problem.boxes), say_status(row)) for row in ledger.rows()}

    with open_ledger(str(where)) as ledger:
        return read(ledger)
