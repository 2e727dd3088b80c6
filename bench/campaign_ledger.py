"""What a large ledger costs those who open it: ``python -m bench.campaign_ledger fill|measure``.

- ``fill``: make a ledger of ``--tasks`` finished tasks in the file ``--ledger``, or go on with it.
  Conductor, state machine and ledger do all of it as in a campaign, with answers that come at once;
  some tasks stay queued, as if the recorder had been killed.  ``--spare`` tasks of the plan are
  never begun.
- ``measure``: what a restart, ``status``, ``plan --dry-run`` and ``results --json`` take on it, in
  seconds of processor time and megabytes at most.

A question has 16 boxes; it is answered in 5 of them, and the answers for the others follow.  With
``--boxes 3x3`` it has one box, and every task is answered.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

from bench.campaign_scale import describe_conditions, make_plan, say, spent
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import ClaimedEvent, Event, FoundEvent
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.axes import read_boxes
from satlife.life.box import Box

OUT = 2000
"""Tasks that are out at once."""
SMALLEST_FIND = 16
"""Cells of the smallest box with a find."""
EVERY = 30.0
"""Seconds between lines of progress."""


def answer(task: Task) -> Event:
    """Answer a task: large boxes have a find, always the same object."""
    box = Box.parse(task.problem.boxes[0])
    if box.area < SMALLEST_FIND:
        return ClaimedEvent(task.name, "bench", 0, "refuted")
    rows = ("ooo".ljust(box.width, "."), *["." * box.width] * (box.height - 1))
    return FoundEvent(task.name, "bench", 0, (rows,) * task.problem.generations, "xp2_7")


def count_finished(ledger: Ledger) -> int:
    """Return how many tasks are not open."""
    counts = ledger.counts()
    return counts.total - counts.open


def fill(place: str, tasks: int, spare: int, boxes: str) -> None:
    """Answer tasks until so many are finished, or until SIGTERM."""
    stopped: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        stopped.append(number)

    signal.signal(signal.SIGTERM, stop)
    text = Path(f"{place}.toml")
    if not text.exists():
        text.write_text(make_plan((tasks + spare) // len(read_boxes([boxes])), boxes))
    plan = Plan.from_toml(text.read_text(), is_checked=True)
    begun, said = spent(), time.monotonic()
    with open_ledger(place) as ledger:
        before = finished = count_finished(ledger)
        bookkeeper = Bookkeeper(plan, ledger)
        starts = bookkeeper.adopt(OUT).start
        while finished < tasks and not bookkeeper.conductor.is_done and not stopped:
            bookkeeper.push(answer(start.task) for start in starts)
            bookkeeper.drain()
            starts = bookkeeper.take(OUT).start
            bookkeeper.save()
            finished = count_finished(ledger)
            if time.monotonic() - said > EVERY:
                said = time.monotonic()
                say(f"{finished:,} of {tasks:,} tasks; {ledger.store.size() / 1e9:.2f} GB")
        bookkeeper.save(now=True)
    each = 1e6 * (spent() - begun) / max(finished - before, 1)
    say(f"{finished:,} of {plan.size():,} tasks are finished; {each:.0f} µs each to make")


def measure(place: str) -> None:
    """Measure what starts on a ledger."""
    with open_ledger(place, create=False) as ledger:
        say(f"{count_finished(ledger):,} finished tasks, {ledger.store.size() / 1e9:.2f} GB")
    plan = f"{place}.toml"
    satlife = ["-m", "satlife", "campaign"]
    for what, words in {
        "start of Python": ["-c", ""],
        "restart": ["-m", "bench.campaign_ledger", "restart", "--ledger", place],
        "status": [*satlife, "status", place, "--json"],
        "plan --dry-run": [*satlife, "plan", plan, "--dry-run"],
        "results --json": [*satlife, "results", place, "--json"],
    }.items():
        begun = time.monotonic()
        with Path(os.devnull).open("wb") as nowhere:
            process = subprocess.Popen([sys.executable, *words], stdout=nowhere)
            _, _, used = os.wait4(process.pid, 0)
        say(
            f"{what:>16}: {used.ru_utime + used.ru_stime:.2f} s of processor time, "
            f"{time.monotonic() - begun:.1f} s, {used.ru_maxrss / 1024:.0f} MB"
        )
    say(describe_conditions())


def restart(place: str) -> None:
    """Start on a ledger as a recorder does, until the first tasks are taken."""
    plan = Plan.read(Path(f"{place}.toml"))
    with open_ledger(place) as ledger:
        bookkeeper = Bookkeeper(plan, ledger)
        if not bookkeeper.conductor.is_done:
            assert bookkeeper.take(OUT).start, "nothing is left to take"


def main() -> None:
    """Read the options, and fill or measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["fill", "measure", "restart"])
    parser.add_argument("--ledger", required=True)
    parser.add_argument("--tasks", type=int, default=10_000_000)
    parser.add_argument("--spare", type=int, default=100_000)
    parser.add_argument("--boxes", default="3x3..6x6")
    options = parser.parse_args()
    if options.what == "fill":
        fill(options.ledger, options.tasks, options.spare, options.boxes)
    elif options.what == "measure":
        measure(options.ledger)
    else:
        restart(options.ledger)


if __name__ == "__main__":
    main()
