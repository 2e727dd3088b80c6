"""Roomy boxes: easy finds in boxes much larger than they need, with restrictions and without.

    python -m bench.roomy [--timeout 60] [--without] [NAME ...]

Each task has a known solution that fits into a quarter of its box.  One job, one run; the answer is
verified as always.  The figures are seconds of wall time on this machine.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time

TASKS = {
    "p2": "oscillator 2 --box 40x40",
    "p3": "oscillator 3 --box 100x100",
    "p4": "oscillator 4 --box 20x20",
    "p4 C2": "oscillator 4 --box 20x20 --symmetry C2",
    "p5": "oscillator 5 --box 16x16",
    "p6": "oscillator 6 --box 20x20",
    "p7": "oscillator 7 --box 22x22",
    "p8": "oscillator 8 --box 20x20",
    "p8 C4": "oscillator 8 --box 26x26 --symmetry C4",
    "c/4d": "ship c/4d --box 24x24",
    "2c/4": "ship 2c/4 --box 24x24",
    "c/3": "ship c/3 --box 32x20",
    "c/3 D2v": "ship c/3 --box 30x20 --symmetry D2v",
    "c/4 D2v": "ship c/4 --box 30x26 --symmetry D2v",
    "2c/5 D2v": "ship 2c/5 --box 30x26 --symmetry D2v",
    "agar p2": "agar 2 --box 24x24",
    "agar p3": "agar 3 --box 30x30",
    "agar p4": "agar 4 --box 24x24",
    "HighLife p3": "oscillator 3 --box 40x40 --rule HighLife",
    "HighLife p5": "oscillator 5 --box 24x24 --rule HighLife",
    "Day & Night p3": "oscillator 3 --box 30x30 --rule B3678/S34678",
    "2x2 p4": "oscillator 4 --box 30x30 --rule B36/S125",
    "2x2 ship": "ship c/8 --box 20x20 --rule B36/S125",
    "strict still life": "still-life --box 40x40 --population '>=40' --symmetry D8",
}


def run(words: str, timeout: float, *more: str) -> tuple[str, float]:
    """Run a task; return its answer and the seconds that it took."""
    command = [sys.executable, "-m", "satlife", *shlex.split(words), "--timeout", str(timeout)]
    begun = time.monotonic()
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begun
    answers = {0: "found", 1: "impossible", 3: "undecided"}
    words = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""
    shown = words.removeprefix("found: ").split(",")[0] if done.returncode == 0 else ""
    return f"{answers.get(done.returncode, 'error')} {shown}".strip(), seconds


def main() -> None:
    """Print a line for each task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="tasks; all if none is named")
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--without", action="store_true", help="also without restrictions")
    given = parser.parse_args()
    solved = 0
    for name, words in TASKS.items():
        if given.names and name not in given.names:
            continue
        answer, seconds = run(words, given.timeout)
        solved += answer.startswith("found")
        print(f"{name:18} {seconds:6.1f} s  {answer}", flush=True)  # noqa: T201
        if given.without:
            answer, seconds = run(words, given.timeout, "--no-restrictions", "--engine", "sat")
            print(f"{'  without':18} {seconds:6.1f} s  {answer}", flush=True)  # noqa: T201
    print(f"{solved} found")  # noqa: T201


if __name__ == "__main__":
    main()
