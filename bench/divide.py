"""One job against two: short searches must not become slower, long refutations twice as fast.

Runs with one job and with two are interleaved, and the medians of three are compared: by the wall
clock, which needs a quiet machine with two processors, and by processor seconds.

    python -m bench.divide          both tables, in about a quarter of an hour
    python -m bench.divide short    only the benchmark's tasks that take at most 3 seconds
    python -m bench.divide R1 R2    only these refutations
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bench.proofs import say, timing
from bench.tasks import TASKS, Task
from satlife import Impossible, find, oscillator, ship

RUNS: Final = 3
SHORT: Final = 3.0
"""Seconds of one job."""

REFUTATIONS: Final = (
    Task("R1", "ship c/3, 12x8", ship("c/3", box="12x8"), "impossible"),
    Task("R2", "ship c/3, 9x12", ship("c/3", box="9x12"), "impossible"),
    Task("R3", "ship c/3, 13x8", ship("c/3", box="13x8"), "impossible"),
    Task("R4", "ship c/4, 8x8", ship("c/4", box="8x8"), "impossible"),
    Task("R5", "ship c/5, 7x7", ship("c/5", box="7x7"), "impossible"),
    Task("R6", "oscillator p5, 6x6", oscillator(5, box="6x6"), "impossible"),
)
"""From 10 seconds (R6) to a minute with one job."""


@dataclass(frozen=True)
class Spent:
    """What a run took."""

    wall: float
    cpu: float


def measure(task: Task, jobs: int) -> Spent:
    """Search with so many jobs."""
    with timing() as since:
        begun = time.monotonic()
        found = isinstance(find(task.problem, jobs=jobs), Impossible)
        wall, cpu = time.monotonic() - begun, since()
    assert found == (task.answer == "impossible")
    return Spent(wall, cpu)


def compare(task: Task) -> tuple[Spent, Spent]:
    """Return the medians of one job and of two."""
    runs = [[measure(task, jobs) for jobs in (1, 2)] for _ in range(RUNS)]
    one, two = map(_middle, zip(*runs, strict=True))
    return one, two


def _middle(runs: Sequence[Spent]) -> Spent:
    return Spent(
        statistics.median(run.wall for run in runs), statistics.median(run.cpu for run in runs)
    )


def table(tasks: Iterable[Task]) -> None:
    """Print a table of tasks."""
    say("| task | one job s | two jobs s | faster | CPU s | CPU s | ratio |")
    say("|---|---:|---:|---:|---:|---:|---:|")
    faster, dearer = [], []
    for task in tasks:
        one, two = compare(task)
        faster.append(one.wall / two.wall)
        dearer.append(two.cpu / one.cpu)
        say(
            f"| {task.name} {task.words} | {one.wall:.2f} | {two.wall:.2f} | {faster[-1]:.2f} "
            f"| {one.cpu:.2f} | {two.cpu:.2f} | {dearer[-1]:.2f} |"
        )
    say(
        f"\nfaster: {statistics.median(faster):.2f} at the median, {min(faster):.2f} at the worst; "
        f"CPU: {statistics.median(dearer):.2f} at the median, {max(dearer):.2f} at the worst\n"
    )


def main(names: list[str]) -> None:
    """Print both tables, or those asked for."""
    if not names or "short" in names:
        table(task for task in TASKS if not task.hard and measure(task, 1).wall <= SHORT)
    if long := [task for task in REFUTATIONS if not names or task.name in names]:
        table(long)


if __name__ == "__main__":
    main(sys.argv[1:])
