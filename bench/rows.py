"""The figures of the row search: ``python -m bench.rows``.

Every find and every exhausted width is measured, in seconds of the processor, after everything is
compiled.  ``--kills N`` kills the search for the copperhead N times at random moments.  The page of
widths without ships is made by ``atlas.widths``.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from satlife import Problem, ship
from satlife.engine.rows.quotients import make_quotient
from satlife.rows.hunt import Hunt


@dataclass(frozen=True)
class Width:
    """A speed, a width in cells and a symmetry."""

    speed: str
    width: int
    symmetry: str

    @property
    def problem(self) -> Problem:
        """What is asked."""
        return ship(self.speed, box=f"{self.width}x*", symmetry=self.symmetry)

    @property
    def command(self) -> str:
        """The command that asks it."""
        symmetry = "" if self.symmetry == "C1" else f" --symmetry {self.symmetry}"
        return f"satlife ship {self.speed} --box '{self.width}x*'{symmetry}"


FINDS = (
    Width("c/3", 12, "D2v"),
    Width("c/3", 15, "D2v"),
    Width("c/4", 13, "D2v"),
    Width("2c/5", 15, "D2v"),
    Width("c/10", 10, "D2v"),
)
EXHAUSTED = (
    Width("c/3", 9, "C1"),
    Width("c/4", 8, "C1"),
    Width("c/4", 11, "D2v"),
    Width("2c/5", 13, "D2v"),
    Width("c/5", 15, "D2v"),
    Width("c/6", 11, "D2v"),
    Width("c/6", 12, "D2v"),
    Width("c/7", 12, "D2v"),
    Width("c/10", 8, "D2v"),
)


def main() -> None:
    """Measure, and do what else is asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.rows", description=__doc__)
    parser.add_argument("--kills", type=int, default=0, metavar="N")
    words = parser.parse_args()
    if words.kills:
        kill(words.kills)
    else:
        for each in FINDS + EXHAUSTED:
            seconds, states, answer = measure(each)
            print(f"{each.command}: {seconds:.2f} s, {states:,} states, {answer}", flush=True)


def measure(each: Width) -> tuple[float, int, str]:
    """Return seconds of the processor, states visited, and what was found."""
    next(Hunt(make_quotient(FINDS[0].problem)).ships())  # compiles, or reads what is compiled
    begun = time.process_time()
    hunt = Hunt(make_quotient(each.problem))
    found = next(hunt.ships(), None)
    seconds = time.process_time() - begun
    return seconds, hunt.counts.states, "none" if found is None else f"{len(found)} rows"


def kill(times: int) -> None:
    """Kill the search for the copperhead again and again; it must end with the same ship."""
    copperhead = FINDS[-1]
    words = ["ship", copperhead.speed, "--box", f"{copperhead.width}x*", "--symmetry", "D2v"]
    plain = [sys.executable, "-m", "satlife", *words, "-q"]
    with tempfile.TemporaryDirectory() as place:
        saved, generator = Path(place) / "hunt", random.Random(1)
        command = [*plain, "--save", str(saved)]
        for number in range(times):
            with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
                time.sleep(generator.uniform(1, 60))
                child.send_signal(signal.SIGKILL)
            size = saved.stat().st_size if saved.exists() else 0
            print(f"kill {number + 1}: {size:,} bytes are saved", flush=True)
        killed, whole = (cells(each) for each in (command, plain))
    print("the same ship" if killed == whole else f"{killed}\nis not\n{whole}")


def cells(command: list[str]) -> str:
    """Return the pattern that a command prints, without its comments."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return "".join(line for line in done.stdout.splitlines(True) if not line.startswith("#"))


if __name__ == "__main__":
    main()
