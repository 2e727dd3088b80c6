"""What a campaign costs in messages, rows and bytes: ``python -m bench.traffic [--tasks 2000]``.

One recorder, one nats-server and workers whose solvers answer at once.  The server's own counters
tell messages and bytes: of each task from its publication to its recorded answer, of a worker that
has nothing to do, and of a job that is at work.  The ledger tells rows and bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
import urllib.request
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

from bench.campaign import trivial_plan
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.pool import FinishedTask
from satlife.campaign.messages import ImpossibleResult, Task
from satlife.cluster.queue import Access, Stores
from satlife.cluster.recorder import Recorder
from satlife.cluster.worker import Worker
from tests.campaign.nats import Broker, free_ports

IDLE = 30.0
"""Seconds for which workers without work, and with work, are watched."""
WORKERS = 4


@dataclass(frozen=True)
class Counted:
    """Messages and bytes that went through the broker, in and out."""

    messages: int
    size: int

    def __sub__(self, other: Counted) -> Counted:
        return Counted(self.messages - other.messages, self.size - other.size)

    def each(self, count: float) -> str:
        """In words, for each of so many."""
        return f"{self.messages / count:.2f} messages, {self.size / count:,.0f} bytes"


class Quick:
    """Stands in for a pool: tasks wait ``seconds``, and then there is none."""

    def __init__(self, name: str, jobs: int = 1, seconds: float = 0.0) -> None:
        self.jobs, self.name, self.seconds = jobs, name, seconds
        self._line: deque[tuple[float, Task, Hashable]] = deque()

    @property
    def busy(self) -> int:
        """How many tasks are waiting."""
        return len(self._line)

    def submit(self, task: Task, token: Hashable) -> None:
        """Put a task at the end of the line."""
        self._line.append((time.monotonic() + self.seconds, task, token))

    def poll(self, timeout: float) -> list[FinishedTask]:
        """Answer what is due."""
        if self._line[0][0] > time.monotonic():
            time.sleep(timeout)
        found = []
        while self._line and self._line[0][0] <= time.monotonic():
            _, task, token = self._line.popleft()
            words = "refuted by the solver"
            result = ImpossibleResult(task=task.name, worker=self.name, reason=words, seconds=0.001)
            found.append(FinishedTask(token, result, None))
        return found

    def cancel(self, token: Hashable) -> bool:
        """Take a task out of the line."""
        self._line = deque(entry for entry in self._line if entry[2] != token)
        return True

    def close(self) -> None:
        """Forget them all."""
        self._line.clear()


def count(port: int) -> Counted:
    """Ask the server."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/varz", timeout=5) as page:
        read = json.load(page)
    return Counted(read["in_msgs"] + read["out_msgs"], read["in_bytes"] + read["out_bytes"])


async def measure(tasks: int, watch: float, folder: Path, url: str, port: int) -> list[str]:
    """Measure; return lines."""
    plan = trivial_plan(tasks)
    lines = [f"{plan.size():,} tasks, answers at once, {WORKERS} workers"]
    access = Access(servers=(url,), role="recorder")
    workers = [Worker(Access(servers=(url,)), Quick(f"w{n}"), f"w{n}") for n in range(WORKERS)]
    # The streams must be there before workers can ask.
    first = Recorder(plan, str(folder / "a.db"), access, stores=Stores(lease=30), outstanding=500)
    running = [asyncio.create_task(worker.run()) for worker in workers]
    before = await asyncio.to_thread(count, port)
    await first.run()
    after = await asyncio.to_thread(count, port)
    lines.append(f"each task               {(after - before).each(plan.size())}")
    before = await asyncio.to_thread(count, port)
    await asyncio.sleep(watch)
    idle = await asyncio.to_thread(count, port) - before
    minutes = watch / 60
    lines.append(f"an idle worker, minute  {idle.each(WORKERS * minutes)}")
    for worker in workers:
        worker.stop()
    await asyncio.gather(*running)
    jobs = 50
    busy = Worker(Access(servers=(url,)), Quick("busy", jobs, 3600.0), "busy")
    second = Recorder(plan, str(folder / "b.db"), access, stores=Stores(lease=30))
    both = [asyncio.create_task(each.run()) for each in (second, busy)]
    while busy.held < jobs:
        await asyncio.sleep(0.2)
    await asyncio.sleep(12 * min(watch / IDLE, 1))  # past the first report of each
    before = await asyncio.to_thread(count, port)
    await asyncio.sleep(watch)
    work = await asyncio.to_thread(count, port) - before
    lines.append(f"a job at work, minute   {work.each(jobs * minutes)} (the recorder's included)")
    busy.stop()
    second.stop()
    await asyncio.gather(*both, return_exceptions=True)
    return lines


def look(path: Path) -> list[str]:
    """Rows and bytes of a ledger."""
    with open_ledger(str(path)) as ledger:
        tasks = ledger.counts().total
        tables = sorted(ledger.store.tables() - {"ledger_version", "plan"})
        rows = {
            table: int(ledger.store.execute(f"SELECT count(*) FROM {table}")[0][0])
            for table in tables
        }
    each = sum(rows.values()) / tasks
    size = path.stat().st_size / tasks
    most = ", ".join(f"{n / tasks:.2f} {name}" for name, n in rows.items() if n > tasks / 10)
    return [f"ledger, each task       {each:.2f} rows ({most}), {size:,.0f} bytes"]


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.traffic", description=__doc__)
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--watch", type=float, default=IDLE, help="seconds")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="satlife-traffic-") as name:
        folder = Path(name)
        (monitor,) = free_ports(1)
        store = ["-js", "-sd", str(folder / "jetstream"), "-m", str(monitor)]
        broker = Broker(folder / "nats", words=store)
        broker.start()
        try:
            lines = asyncio.run(measure(words.tasks, words.watch, folder, broker.url, monitor))
        finally:
            broker.stop()
        lines += look(folder / "a.db")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
