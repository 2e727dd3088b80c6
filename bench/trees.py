"""One refutation on many machines, as a tree of cases: ``python -m bench.trees WHAT …``.

- ``cluster NAME…``: a campaign of one task with ``split = true``, 8 worker processes and a real
  nats-server; the processor seconds of all workers against those of one whole search;
- ``measure NAME FILE``: go through the tree with 64 simulated workers, each with a solver of its
  own, under the real conductor, and write what each case took (a try ends at ``--conflicts``);
- ``replay FILE``: the same cases with other numbers of workers (``--workers 64 512``).
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from bench.proofs import say, timing
from satlife import Impossible, find
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import ClaimedEvent, Event, SplitEvent
from satlife.campaign.ledger import open_ledger
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.cluster.queue import Access
from satlife.cluster.recorder import Recorder
from satlife.engine.sat.cases import Casework
from satlife.engine.sat.engine import CaseEngine
from satlife.problem import Cells
from satlife.sat.solvers.pysat import InlineSolver
from tests.campaign.nats import Broker

WORKERS: Final = 8
SIMULATED: Final = 64
REFUTATIONS: Final = {
    "c3-12x8": ('kind = "ship"\nspeeds = "c/3"\nboxes = "12x8"', "20s"),
    "c3-9x12": ('kind = "ship"\nspeeds = "c/3"\nboxes = "9x12"', "20s"),
    "c3-13x8": ('kind = "ship"\nspeeds = "c/3"\nboxes = "13x8"', "20s"),
    "c4-8x8": ('kind = "ship"\nspeeds = "c/4"\nboxes = "8x8"', "20s"),
    "c5-7x7": ('kind = "ship"\nspeeds = "c/5"\nboxes = "7x7"', "20s"),
    "c3-8x13": ('kind = "ship"\nspeeds = "c/3"\nboxes = "8x13"', "10s"),
    "c3-9x13": ('kind = "ship"\nspeeds = "c/3"\nboxes = "9x13"', "60s"),
    "p8-9x9": ('kind = "oscillator"\nperiods = 8\nsymmetries = "C4"\nboxes = "9x9"', "20s"),
}
"""What is asked, and the time limit of a try; on a busy machine eight workers share processors."""


class Tried(NamedTuple):
    """A case that was tried."""

    name: str
    seconds: float
    """Processor seconds, the split included."""
    cases: tuple[Cells, ...] = ()
    """Empty if it was refuted."""


def make_plan(name: str) -> Plan:
    """Return the plan of one task."""
    asked, limit = REFUTATIONS[name]
    return Plan.from_toml(f'split = true\n[limits]\ntimeout = "{limit}"\n[[search]]\n{asked}\n')


def run_cluster(name: str) -> None:
    """Compare eight workers with one search."""
    plan = make_plan(name)
    with timing() as since:
        assert isinstance(find(plan.groups()[0].problem(0), jobs=1), Impossible)
        whole = since()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        broker = Broker(folder / "nats")
        broker.start()
        words = [sys.executable, "-m", "satlife", "worker", "--nats", broker.url, "--jobs", "1"]
        workers = [
            subprocess.Popen([*words, "--name", f"w{n}", "-q"], start_new_session=True)
            for n in range(WORKERS)
        ]
        begun = time.monotonic()
        try:
            access = Access(servers=(broker.url,), role="recorder")
            summary = asyncio.run(Recorder(plan, str(folder / "a.db"), access).run())
            wall = time.monotonic() - begun
        finally:
            spent = sum(_end(worker) for worker in workers)
            broker.stop()
        assert summary.counts.impossible == 1
        say(
            f"| {name} | {whole:.1f} | {spent:.1f} | {spent / whole:.2f} | {summary.counts.cases} "
            f"| {wall:.0f} | {os.getloadavg()[0]:.1f} |"
        )


def _end(worker: subprocess.Popen[bytes]) -> float:
    """Stop a worker; return the processor seconds of it and its children."""
    worker.send_signal(signal.SIGTERM)
    _, status, used = os.wait4(worker.pid, 0)
    worker.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def simulate(
    plan: Plan, workers: int, attempt: Callable[[int, Task], Tried]
) -> tuple[float, float]:
    """Let simulated workers answer; return the busy seconds in sum, and when all was done."""
    busy = clock = 0.0
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger)
        idle, ends = list(range(workers)), list[tuple[float, int, int, Event]]()
        line, number = list[Task](), 0
        while True:
            line += [start.task for start in books.take(4 * workers).start]
            while idle and line:
                worker, task = idle.pop(), line.pop(0)
                tried = attempt(worker, task)
                busy, number = busy + tried.seconds, number + 1
                event: Event = ClaimedEvent(task.name, f"w{worker}", task.round)
                if tried.cases:
                    event = SplitEvent(replace(task, cases=tried.cases), f"w{worker}")
                heapq.heappush(ends, (clock + tried.seconds, number, worker, event))
            if not ends:
                assert books.conductor.is_done
                assert ledger.counts().impossible == 1
                return busy, clock
            clock, _, worker, event = heapq.heappop(ends)
            idle.append(worker)
            books.push([event])
            line += [start.task for start in books.drain().start]


def measure(name: str, path: Path, conflicts: int) -> None:
    """Solve every case, each worker with its own solver; write what they took."""
    plan, crew, tree = make_plan(name), dict[int, Casework](), list[Tried]()

    def attempt(worker: int, task: Task) -> Tried:
        begun = time.process_time()
        if worker not in crew:
            crew[worker] = Casework(task.problem, wrap=InlineSolver)
        work = crew[worker]
        outcome = find(task.problem, engine=CaseEngine(work, task.cells), conflicts=conflicts)
        cases = None if isinstance(outcome, Impossible) else work.split(task.cells)
        assert cases != ()
        tree.append(Tried(task.name, time.process_time() - begun, cases or ()))
        return tree[-1]

    busy, clock = simulate(plan, SIMULATED, attempt)
    path.write_text(json.dumps({"name": name, "conflicts": conflicts, "tree": tree}))
    report(SIMULATED, busy, clock, len(tree))


def replay(path: Path, workers: int) -> None:
    """Go through a measured tree with so many workers."""
    told = json.loads(path.read_text())
    tree = {
        each[0]: Tried(each[0], each[1], tuple(tuple(map(tuple, case)) for case in each[2]))  # type: ignore[misc]
        for each in told["tree"]
    }
    busy, clock = simulate(make_plan(told["name"]), workers, lambda _, task: tree[task.name])
    report(workers, busy, clock, len(tree))


def report(workers: int, busy: float, clock: float, tasks: int) -> None:
    """Print how well the workers were used."""
    say(
        f"{workers} workers: {tasks} tasks, {busy:.1f} s of work done in {clock:.2f} s, "
        f"efficiency {busy / (workers * clock):.0%}"
    )


def main() -> None:
    """Do what the words say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["cluster", "measure", "replay"])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--conflicts", type=int, default=50_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[SIMULATED, 512])
    given = parser.parse_args()
    if given.what == "cluster":
        say("| refutation | whole CPU s | 8 workers CPU s | ratio | cases | wall s | load |")
        say("|---|---:|---:|---:|---:|---:|---:|")
        for name in given.words or REFUTATIONS:
            run_cluster(name)
    elif given.what == "measure":
        measure(given.words[0], Path(given.words[1]), given.conflicts)
    else:
        for workers in given.workers:
            replay(Path(given.words[0]), workers)


if __name__ == "__main__":
    main()
