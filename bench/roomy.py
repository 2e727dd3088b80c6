"""Roomy boxes: easy finds in boxes much larger than they need, with restrictions and without.

    python -m bench.roomy [--limit 60] [--without SECONDS] [NAME ...]

Each task has a known solution in at most half of its box's area, at a place that its symmetry
allows.  One job, one run.  Seconds, those of the limits too, are CPU seconds of all processes; the
answer is verified as always.  The results are kept in ``bench/results/roomy.json``.
"""

from __future__ import annotations

import argparse
import json
import shlex
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.machine import describe_machine
from bench.measure import run_satlife

RESULTS = Path(__file__).with_name("results") / "roomy.json"
WITHOUT = ("--no-restrictions", "--engine", "sat")


@dataclass(frozen=True)
class Roomy:
    """A command, and what is known to answer it in how small a box."""

    words: str
    known: str
    drawing: str = ""
    """What stands for the word DRAWING."""


PAIR = "24?$" * 12 + "11?2o11?" + "$24?" * 11 + "!"
"""Two live cells in the middle of 24x24 unknown ones."""
TASKS = {
    "p2": Roomy("oscillator 2 --box 40x40", "blinker, 3x3"),
    "p3": Roomy("oscillator 3 --box 100x100", "caterer, 8x6"),
    "p4": Roomy("oscillator 4 --box 20x20", "mold, 6x6"),
    "p4 C2": Roomy("oscillator 4 --box 20x20 --symmetry C2", "two molds, 14x14"),
    "p5": Roomy("oscillator 5 --box 16x16", "octagon 2, 8x8"),
    "p6": Roomy("oscillator 6 --box 20x20", "A for all, 10x10"),
    "p7": Roomy("oscillator 7 --box 22x22", "burloaferimeter"),
    "p8": Roomy("oscillator 8 --box 20x20", "figure eight, 10x10"),
    "p8 C4": Roomy("oscillator 8 --box 27x27 --symmetry C4", "Kok's galaxy, 13x13"),
    "c/4d": Roomy("ship c/4d --box 24x24", "glider, 4x4"),
    "2c/4": Roomy("ship 2c/4 --box 24x24", "LWSS, 5x7"),
    "c/3": Roomy("ship c/3 --box 32x20", "turtle, 12x14"),
    "c/3 D2v": Roomy("ship c/3 --box 30x20 --symmetry D2v", "turtle, 12x14"),
    "c/4 D2v": Roomy("ship c/4 --box 27x42 --symmetry D2v", "B22's, 13x21"),
    "2c/5 D2v": Roomy("ship 2c/5 --box 31x26 --symmetry D2v", "B21's, 15x13"),
    "agar p2": Roomy("agar 2 --box 24x24", "1x4"),
    "agar p3": Roomy("agar 3 --box 30x30", "5x6"),
    "agar p4": Roomy("agar 4 --box 24x24", "1x8"),
    "completion p3": Roomy("complete DRAWING --motion p3 --full-period", "caterer, 8x6", PAIR),
    "ancestor": Roomy("parent pulsar --generations 3 --margin 8", "its own phases, 15x15"),
    "HighLife p3": Roomy("oscillator 3 --box 40x40 --rule HighLife", "10x10"),
    "HighLife p5": Roomy("oscillator 5 --box 24x24 --rule HighLife", "unknown to us"),
    "Day & Night p3": Roomy("oscillator 3 --box 30x30 --rule B3678/S34678", "7x4"),
    "2x2 p4": Roomy("oscillator 4 --box 30x30 --rule B36/S125", "a seed of 5x5"),
    "2x2 ship": Roomy("ship c/8d --box 20x20 --rule B36/S125", "the natural glider, 5x4"),
    "strict still life": Roomy("still-life --box 40x40 --population '>=40' --symmetry D8", "10x10"),
}


def run(task: Roomy, limit: float, *more: str) -> dict[str, Any]:
    """Run a task; return its record."""
    words = (task.drawing if word == "DRAWING" else word for word in shlex.split(task.words))
    return run_satlife([*words, *more], limit)


def main() -> None:
    """Print a line for each task, and keep the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="tasks; all if none is named")
    parser.add_argument(
        "--limit", type=float, default=60.0, help="CPU seconds of a task; 0: keep what is stored"
    )
    parser.add_argument("--without", type=float, help="CPU seconds of a task without restrictions")
    given = parser.parse_args()
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    tasks: dict[str, Any] = kept.setdefault("tasks", {})
    for name in given.names or TASKS:
        task = TASKS[name]
        record = tasks.setdefault(name, {})
        record["words"] = task.words
        for side, limit, more in (("with", given.limit, ()), ("without", given.without, WITHOUT)):
            if limit:
                told = record[side] = {**run(task, limit, *more), "limit": limit}
                words = f"{told['answer']} {told['name'] or ''} {told['restriction'] or ''}"
                print(f"{name:18} {side:8} {told['seconds']:6.1f} s  {words}", flush=True)  # noqa: T201
        kept |= {"date": time.strftime("%Y-%m-%d"), "machine": describe_machine()}
        RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    found = sum(each.get("with", {}).get("answer") == "found" for each in tasks.values())
    print(f"{found} of {len(TASKS)} found")  # noqa: T201


if __name__ == "__main__":
    main()
