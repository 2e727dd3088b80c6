"""One refutation on many machines, as a tree of cases: ``python -m bench.trees WHAT …``.

- ``cluster NAME…``: a campaign of one task with ``split = true``, 8 worker processes and a real
  nats-server; the processor seconds of all workers against those of one whole search;
- ``measure NAME FILE``: search the whole, then go through the tree with 64 simulated workers, each
  with a solver of its own, under the real conductor, and write what each case took; ``--limit 4s``
  is the first limit of a try;
- ``replay FILE``: the same cases with other numbers of workers (``--workers 2 8 64 512``).

Only what the whole search needs counts as useful: of n workers that are done after t seconds, the
part of n·t that the whole search takes.  A split is a part of its case, so others wait for it.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from bench.proofs import say, timing
from satlife import Impossible, find
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.cases import list_boxes
from satlife.campaign.core.events import ClaimedEvent, Event, SplitEvent
from satlife.campaign.ledger import open_ledger
from satlife.campaign.messages import Case, Task
from satlife.campaign.plan import Plan
from satlife.cluster.queue import Access
from satlife.cluster.recorder import Recorder
from satlife.engine.sat.cases import Casework
from satlife.engine.sat.engine import CaseEngine
from satlife.sat.solvers.pysat import InlineSolver
from tests.campaign.nats import Broker

WORKERS: Final = 8
SIMULATED: Final = 64
CONFLICTS: Final = 18_000
"""Conflicts of a second, for tries whose limit is simulated."""
LIMIT: Final = "4s"
"""The first limit of a try, in processor time; it grows with the work so far."""
REFUTATIONS: Final = {
    "c3-8x13": 'kind = "ship"\nspeeds = "c/3"\nboxes = "8x13"',
    "c3-9x13": 'kind = "ship"\nspeeds = "c/3"\nboxes = "9x13"',
    "c3-10x12": 'kind = "ship"\nspeeds = "c/3"\nboxes = "10x12"',
    "c3-11x12": 'kind = "ship"\nspeeds = "c/3"\nboxes = "11x12"',
    "c4-8x8": 'kind = "ship"\nspeeds = "c/4"\nboxes = "8x8"',
    "c4-8x9": 'kind = "ship"\nspeeds = "c/4"\nboxes = "8x9"',
    "c4-9x9": 'kind = "ship"\nspeeds = "c/4"\nboxes = "9x9"',
    "c5-7x7": 'kind = "ship"\nspeeds = "c/5"\nboxes = "7x7"',
    "p5-7x7": 'kind = "oscillator"\nperiods = 5\nboxes = "7x7"',
}
"""What is asked."""


class Tried(msgspec.Struct, frozen=True):
    """A case that was tried."""

    name: str
    seconds: float
    """Processor seconds, the split included."""
    cases: tuple[Case, ...] = ()
    """Empty if it was refuted."""


class Measured(msgspec.Struct, frozen=True):
    """A tree that was measured."""

    name: str
    whole: float
    """Processor seconds of one search."""
    limit: str
    tree: tuple[Tried, ...]


def make_plan(name: str, limit: str) -> Plan:
    """Return the plan of one task."""
    limits = f'[limits]\ntimeout = "{limit}"\n'
    return Plan.from_toml(f"split = true\n{limits}[[search]]\n{REFUTATIONS[name]}\n")


def solve_whole(name: str) -> float:
    """Return the processor seconds of one search."""
    with timing() as since:
        problem = make_plan(name, LIMIT).groups()[0].problem(0)
        assert isinstance(find(problem, engine="sat", jobs=1), Impossible)  # as workers do
        return since()


def run_cluster(name: str, limit: str) -> None:
    """Compare eight workers with one search."""
    plan = make_plan(name, limit)
    whole = solve_whole(name)
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
                event: Event = ClaimedEvent(
                    task.name, f"w{worker}", task.round, seconds=tried.seconds
                )
                if tried.cases:
                    divided = replace(task, cases=tried.cases)
                    event = SplitEvent(divided, f"w{worker}", tried.seconds)
                heapq.heappush(ends, (clock + tried.seconds, number, worker, event))
            if not ends:
                assert books.conductor.is_done
                assert ledger.counts().impossible == 1
                return busy, clock
            clock, _, worker, event = heapq.heappop(ends)
            idle.append(worker)
            books.push([event])
            line += [start.task for start in books.drain().start]


def measure(name: str, path: Path, limit: str) -> None:
    """Solve every case, each worker with its own solver; write what they took."""
    plan, crew, tree = make_plan(name, limit), dict[int, Casework](), list[Tried]()
    whole = solve_whole(name)

    def attempt(worker: int, task: Task) -> Tried:
        begun = time.process_time()
        if worker not in crew or crew[worker].problem != task.asked:
            crew[worker] = Casework(task.asked, wrap=InlineSolver)
        work = crew[worker]
        rate = task.budget.seconds or 0.0
        outcome = find(
            task.asked, engine=CaseEngine(work, task.cells), conflicts=int(CONFLICTS * rate)
        )
        cases: tuple[Case, ...] | None = None
        if not isinstance(outcome, Impossible):
            cases = list_boxes(task) or work.split(task.cells)
            assert cases != ()
        tree.append(Tried(task.name, time.process_time() - begun, cases or ()))
        return tree[-1]

    simulate(plan, SIMULATED, attempt)
    path.write_bytes(msgspec.json.encode(Measured(name, whole, limit, tuple(tree))))
    replay(path, [2, 8, 64, 512])


def replay(path: Path, numbers: list[int]) -> None:
    """Go through a measured tree with so many workers."""
    told = msgspec.json.decode(path.read_bytes(), type=Measured)
    tree = {tried.name: tried for tried in told.tree}
    leaves = [tried.seconds for tried in told.tree if not tried.cases]
    busy = sum(tried.seconds for tried in told.tree)
    say(
        f"{told.name}: whole {told.whole:.1f} s; {len(leaves)} leaves, {sum(leaves):.1f} s, the "
        f"largest {max(leaves):.2f} s; all {len(tree)} tries {busy:.1f} s, "
        f"{busy / told.whole:.2f} times the whole"
    )
    for workers in numbers:
        plan = make_plan(told.name, told.limit)
        _, clock = simulate(plan, workers, lambda _, task: tree[task.name])
        say(f"{workers} workers: {clock:.2f} s, {told.whole / (workers * clock):.0%} useful")


def main() -> None:
    """Do what the words say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["cluster", "measure", "replay"])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 8, 64, 512])
    parser.add_argument("--limit", default=LIMIT)
    given = parser.parse_args()
    if given.what == "cluster":
        say("| refutation | whole CPU s | 8 workers CPU s | ratio | cases | wall s | load |")
        say("|---|---:|---:|---:|---:|---:|---:|")
        for name in given.words or REFUTATIONS:
            run_cluster(name, given.limit)
    elif given.what == "measure":
        measure(given.words[0], Path(given.words[1]), given.limit)
    else:
        replay(Path(given.words[0]), given.workers)


if __name__ == "__main__":
    main()
