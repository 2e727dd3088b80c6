"""How fast a ledger takes events in, with a million tasks in it: ``python -m bench.ledger``.

SQLite and PostgreSQL (one that is started for the purpose, with its defaults) are measured in turn,
round by round; a figure is the median of the rounds.  Every transaction is flushed to the disk.
``add`` is the mean over all tasks that were added, from the first to the last.

    python -m bench.ledger --tasks 1000000 --rounds 5 --ledgers sqlite,postgres
"""

from __future__ import annotations

import argparse
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from satlife import Problem
from satlife.campaign.core.events import (
    ClaimedEvent,
    Event,
    LeasedEvent,
    UndecidedEvent,
)
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.messages import Task
from satlife.problem.constraints import Population
from tests.campaign.postgres import PostgresServer

GOAL = 2000
"""Events per second, in SQLite."""
ROUND = 2000
"""Events of a round."""


def make_task(number: int) -> Task:
    """Make a small problem that is like no other."""
    width, height = 3 + number % 50, 3 + number // 50 % 50
    bounds = (Population(least=1, most=1 + number // 2500),)
    return Task(problem=Problem(boxes=(f"{width}x{height}",), constraints=bounds))


def measure_leasing(ledger: Ledger, size: int) -> float:
    """Lease the oldest tasks and record their answers; return events per second."""
    begun = time.perf_counter()
    for _ in range(ROUND // (2 * size)):
        tasks = ledger.lease("bench", size)
        ledger.record([ClaimedEvent(task.name, "bench", 0, "measured") for task in tasks])
    return ROUND / (time.perf_counter() - begun)


def measure_scattered(ledger: Ledger, size: int, names: Iterator[str]) -> float:
    """Record a lease and a result for tasks from all over the ledger; return events per second."""
    batches: list[list[Event]] = [
        [
            event
            for name in (next(names) for _ in range(size // 2))
            for event in (LeasedEvent(name, "bench"), UndecidedEvent(name, "bench", 0, "measured"))
        ]
        for _ in range(ROUND // size)
    ]
    begun = time.perf_counter()
    changed = sum(step.changed for batch in batches for step in ledger.record(batch))
    seconds = time.perf_counter() - begun
    assert changed == ROUND, "a name came twice"
    return ROUND / seconds


def measure_seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def scatter(tasks: int, rounds: int) -> Iterator[str]:
    """Names from the later half, which nobody leases; each once."""
    chosen = random.Random(6).sample(range(tasks // 2, tasks), min(tasks // 2, 4 * rounds * ROUND))
    return (make_task(number).name for number in chosen)


def measure(where: dict[str, str], tasks: int, rounds: int, say: Callable[[str], None]) -> None:
    """Fill the ledgers and measure them."""
    figures: dict[str, dict[str, list[float]]] = {name: {} for name in where}
    with ExitStack() as stack:
        ledgers = {name: stack.enter_context(open_ledger(at)) for name, at in where.items()}
        names = {name: scatter(tasks, rounds) for name in ledgers}
        for name, ledger in ledgers.items():
            took = measure_seconds(lambda one=ledger: one.add(map(make_task, range(tasks))))
            figures[name]["add, events/s"] = [tasks / took]
            say(f"{name}: {tasks:,} tasks added in {took:.0f} s")
        for _ in range(rounds):
            for name, ledger in ledgers.items():
                found = {
                    "lease and answer by 1, events/s": measure_leasing(ledger, 1),
                    "lease and answer by 10, events/s": measure_leasing(ledger, 10),
                    "lease and answer by 100, events/s": measure_leasing(ledger, 100),
                    "scattered, 2 at once, events/s": measure_scattered(ledger, 2, names[name]),
                    "scattered, 100 at once, events/s": measure_scattered(ledger, 100, names[name]),
                    "scattered, 1000 at once, events/s": measure_scattered(
                        ledger, 1000, names[name]
                    ),
                    "counts, ms": 1000 * measure_seconds(ledger.counts),
                    "rate of the last minute, ms": 1000 * measure_seconds(lambda: ledger.rate(60)),  # noqa: B023
                }
                for key, value in found.items():
                    figures[name].setdefault(key, []).append(value)
        say(f"{'median of ' + str(rounds) + ' rounds':36}" + "".join(f"{n:>12}" for n in figures))
        for key in next(iter(figures.values())):
            values = [statistics.median(each[key]) for each in figures.values()]
            say(f"{key:36}" + "".join(f"{value:>12,.0f}" for value in values))


def main() -> None:
    """Read the options, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ledgers", default="sqlite,postgres")
    options = parser.parse_args()
    if options.tasks < 4 * options.rounds * ROUND:
        parser.error(f"{options.rounds} rounds need --tasks {4 * options.rounds * ROUND}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends with us

    def say(words: str) -> None:
        sys.stdout.write(f"{words}\n")
        sys.stdout.flush()

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="satlife-bench-")))
        where = {}
        if "sqlite" in options.ledgers:
            where["sqlite"] = str(folder / "ledger.db")
        if "postgres" in options.ledgers:
            where["postgres"] = stack.enter_context(PostgresServer()).new_ledger()
        measure(where, options.tasks, options.rounds, say)
        for file in sorted(folder.iterdir()):
            say(f"{file.name}: {file.stat().st_size / options.tasks:,.0f} bytes for each task")


if __name__ == "__main__":
    main()
