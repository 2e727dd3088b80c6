"""What a campaign costs beside the solving: ``python -m bench.campaign [--tasks N] [--rounds N]``.

Side by side in one run, interleaved, medians of the rounds:

- trivial tasks by the local runner, over NATS one by one, and over NATS in batches, each against
  the seconds that the solving itself took in the same run;
- tasks that sleep, by one worker and by eight.

Needs nats-server.  The ledger is SQLite, in a temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from itertools import combinations, islice
from pathlib import Path
from typing import NamedTuple

from satlife.campaign.core.events import RUNNING, Event
from satlife.campaign.core.state import Transition
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.pool import FinishedTask
from satlife.campaign.local.runner import run
from satlife.campaign.messages import Task, UndecidedResult
from satlife.campaign.plan import Plan
from satlife.cluster.queue import Access, Stores, connect, jetstream, prepare
from satlife.cluster.queue.streams import TASKS, WORKERS
from satlife.cluster.recorder import Recorder
from satlife.cluster.worker import Worker
from tests.campaign.nats import Broker

NAP = 0.25
GOALS = {"local": 0.005, "NATS, one by one": 0.015, "NATS, in batches": 0.002}
TIMES = 7.0
"""Eight workers on sleeping tasks shall do so many times what one does."""


class SleepingPool:
    """Stands in for a pool: a task takes a nap, one after the other, and is given up."""

    jobs = 1

    def __init__(self, name: str) -> None:
        self.name = name
        self._line: deque[tuple[Task, Hashable]] = deque()

    @property
    def busy(self) -> int:
        """How many tasks are waiting."""
        return len(self._line)

    def submit(self, task: Task, token: Hashable) -> None:
        """Put a task at the end of the line."""
        self._line.append((task, token))

    def poll(self, timeout: float) -> list[FinishedTask]:
        """Take a nap."""
        task, token = self._line.popleft()
        time.sleep(NAP)
        result = UndecidedResult(task=task.name, worker=self.name, seconds=NAP)
        return [FinishedTask(token, result, None)]

    def cancel(self, token: Hashable) -> bool:
        """Take a task out of the line."""
        self._line = deque(entry for entry in self._line if entry[1] != token)
        return True

    def close(self) -> None:
        """Forget them all."""
        self._line.clear()


class Cost(NamedTuple):
    """Seconds for each task: by the clock, and in the child that solved it."""

    wall: float
    solving: float


class Clock:
    """When the first and the last answer came."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.solving: list[float] = []

    def __call__(self, event: Event, step: Transition) -> None:
        """Take one event."""
        if step.state.status not in RUNNING:
            self.times.append(time.perf_counter())
            self.solving.append(getattr(event, "seconds", 0.0))

    def cost(self) -> Cost:
        """What a task took, without the first ones: children start, and batches grow."""
        skip = len(self.times) // 4
        times = self.times[skip:]
        wall = (times[-1] - times[0]) / (len(times) - 1)
        return Cost(wall, statistics.mean(self.solving[skip:]))


def trivial_plan(tasks: int) -> Plan:
    """The same small box under so many rules."""
    digits = "12345678"
    rules = (
        f"B3{''.join(b)}/S{''.join(s)}"
        for size in range(6)
        for s in combinations(digits, size)
        for more in range(3)
        for b in combinations("45678", more)
    )
    return Plan.from_toml(
        f'[[search]]\nkind = "still-life"\nboxes = "3x3"\nrules = {list(islice(rules, tasks))}\n'
    )


def local(plan: Plan, folder: Path) -> Cost:
    """The local runner."""
    clock = Clock()
    with open_ledger(str(folder / f"local-{time.monotonic_ns()}.db")) as ledger:
        run(plan, ledger, 1, on_news=clock)
    return clock.cost()


@contextmanager
def workers(url: str, count: int, *words: str) -> Iterator[None]:
    """So many workers, each a process, when all of them ask for tasks."""
    program = [sys.executable, "-m", "bench.campaign", "--as-worker", url, *words]
    running = [subprocess.Popen([*program, "--name", f"w{n}"]) for n in range(count)]
    try:
        asyncio.run(_all_ask(url, running))
        yield
    finally:
        for each in running:
            each.terminate()
        for each in running:
            each.wait(20)


async def _all_ask(url: str, workers: list[subprocess.Popen[bytes]]) -> None:
    client = await connect(Access(servers=(url,), role="recorder"))
    js = jetstream(client)
    await prepare(js, "none", Stores())
    async with asyncio.timeout(60):
        while ((await js.consumer_info(TASKS, WORKERS)).num_waiting or 0) < len(workers):
            if any(worker.poll() is not None for worker in workers):
                raise RuntimeError("a worker has ended")
            await asyncio.sleep(0.2)
    await client.close()


def nats(plan: Plan, folder: Path, url: str, count: int, *words: str) -> tuple[Cost, float]:
    """The broker and so many workers; also seconds for each task from the first publication on."""
    clock = Clock()
    access = Access(servers=(url,), role="recorder")
    begun = 0.0

    async def serve() -> None:
        nonlocal begun
        where = folder / f"nats-{time.monotonic_ns()}.db"
        recorder = Recorder(plan, str(where), access, on_news=clock)
        recording = asyncio.create_task(recorder.run())
        while not recorder.out:
            await asyncio.sleep(0.01)
        begun = time.perf_counter()
        await recording

    with workers(url, count, *words):
        asyncio.run(serve())
    return clock.cost(), (clock.times[-1] - begun) / len(clock.times)


def work(url: str, name: str, batch: int, asleep: bool) -> None:
    """Be a worker, until a signal."""
    from satlife.campaign.local.pool import Pool  # noqa: PLC0415
    from satlife.cli.campaign.broker import run_until_signal  # noqa: PLC0415

    pool = SleepingPool(name) if asleep else Pool(1, worker=name)
    worker = Worker(Access(servers=(url,)), pool, name, batch=batch)
    sys.stderr = sys.stdout = open("/dev/null", "w")  # noqa: SIM115, PTH123
    run_until_signal(worker.run(), worker.stop)


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.campaign", description=__doc__)
    parser.add_argument("--tasks", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--naps", type=int, default=40, help="tasks that sleep, for one worker")
    parser.add_argument("--as-worker", metavar="URL", help=argparse.SUPPRESS)
    parser.add_argument("--name", default="w", help=argparse.SUPPRESS)
    parser.add_argument("--batch", type=int, default=256, help=argparse.SUPPRESS)
    parser.add_argument("--asleep", action="store_true", help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.as_worker:
        work(words.as_worker, words.name, words.batch, words.asleep)
        return 0
    with tempfile.TemporaryDirectory(prefix="satlife-bench-") as name:
        folder = Path(name)
        broker = Broker(folder / "nats")
        broker.start()
        try:
            return measure(words.tasks, words.rounds, words.naps, folder, broker.url)
        finally:
            broker.stop()


def measure(tasks: int, rounds: int, naps: int, folder: Path, url: str) -> int:
    """Measure all, interleaved; return how many goals were missed."""
    plan = trivial_plan(tasks)
    found: dict[str, list[Cost]] = {name: [] for name in GOALS}
    for _ in range(rounds):
        found["local"].append(local(plan, folder))
        found["NATS, one by one"].append(nats(plan, folder, url, 1, "--batch", "1")[0])
        found["NATS, in batches"].append(nats(plan, folder, url, 1)[0])
    lines = [f"{'trivial tasks':<20}{'ms/task':>9}{'solving':>9}{'overhead':>10}{'goal':>6}"]
    missed = 0
    for name, goal in GOALS.items():
        wall = statistics.median(cost.wall for cost in found[name])
        solving = statistics.median(cost.solving for cost in found[name])
        over = statistics.median(cost.wall - cost.solving for cost in found[name])
        missed += over > goal
        lines.append(
            f"{name:<20}{1000 * wall:>9.2f}{1000 * solving:>9.2f}{1000 * over:>10.2f}"
            f"{1000 * goal:>6.0f}{'  MISSED' if over > goal else ''}"
        )
    _, one = nats(trivial_plan(naps), folder, url, 1, "--asleep")
    _, eight = nats(trivial_plan(6 * naps), folder, url, 8, "--asleep")
    lines.append(
        f"\ntasks that sleep {NAP} s: 1 worker {1 / one:.2f}/s, 8 workers {1 / eight:.2f}/s"
    )
    times = one / eight
    missed += times < TIMES
    lines.append(f"8 workers do {times:.2f} times what 1 does (goal {TIMES:g})")
    sys.stdout.write("\n".join(lines) + "\n")
    return missed


if __name__ == "__main__":
    sys.exit(main())
