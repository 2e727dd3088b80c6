"""The row search: its figures, and the page of widths without ships: ``python -m bench.rows``.

Without words, every find and every exhausted width is measured, in seconds of the processor, after
everything is compiled.  ``--page`` also makes and checks the certificates and writes
docs/widths.md.  ``--kills N`` kills the search for the copperhead N times at random moments.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import hashlib
import lzma
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from satlife import Impossible, Problem, ship
from satlife.certificates import check_certificate
from satlife.certificates.make.width_folder import STATES, certify_width
from satlife.engine.rows.quotients import make_quotient
from satlife.rows.hunt import Hunt

PAGE = Path(__file__).resolve().parent.parent / "docs" / "widths.md"
MOST_STATES = 2_000_000
"""Sets of more states are not certified."""


@dataclass(frozen=True)
class Width:
    """A speed, a width in cells and a symmetry."""

    speed: str
    width: int
    symmetry: str
    ship: str = ""
    """The ship that is found, if one is."""

    @property
    def problem(self) -> Problem:
        """What is asked."""
        return ship(self.speed, box=f"{self.width}x*", symmetry=self.symmetry)

    @property
    def command(self) -> str:
        """The command that asks it."""
        symmetry = "" if self.symmetry == "C1" else f" --symmetry {self.symmetry}"
        return f"satlife ship {self.speed} --box '{self.width}x*'{symmetry}"

    @property
    def player(self) -> str:
        """The ship that is found, for the page."""
        return f"```{{player}} {self.ship}\n:command: {self.command}\n```\n"

    @property
    def words(self) -> str:
        """The symmetry in a word."""
        return "none" if self.symmetry == "C1" else "odd" if self.width % 2 else "even"


FINDS = (
    Width("c/3", 12, "D2v", "turtle"),
    Width("c/3", 15, "D2v", "dart"),
    Width("c/4", 13, "D2v"),
    Width("2c/5", 15, "D2v", "44P5H2V0"),
    Width("c/10", 10, "D2v", "copperhead"),
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
    parser.add_argument("--page", action="store_true", help="write docs/widths.md")
    parser.add_argument("--kills", type=int, default=0, metavar="N")
    words = parser.parse_args()
    if words.kills:
        kill(words.kills)
    elif words.page:
        PAGE.write_text(write_page(), encoding="utf-8")
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


def write_page() -> str:
    """Make and check the certificates, and return the page."""
    lines = [_HEAD.format(players="\n".join(each.player for each in FINDS if each.ship))]
    for each in EXHAUSTED:
        seconds, states, answer = measure(each)
        if answer != "none":
            raise AssertionError(f"{each.command} found a ship")
        row = f"| {each.speed} | {each.words} | {each.width} | {states:,} | {seconds:.2f} |"
        if states > MOST_STATES:
            lines.append(f"{row} – | – | exhausted, not certified |")
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "certificate"
            outcome = certify_width(each.problem, folder)
            if not isinstance(outcome, Impossible) or not check_certificate(folder).valid:
                raise AssertionError(f"{each.command} is not certified")
            packed = (folder / STATES).read_bytes()
            lines.append(f"{row} {check_seconds(folder):.1f} | {len(packed):,} | {name(packed)} |")
        print(lines[-1], flush=True)
    commands = "\n".join(f"{each.command} --prove FOLDER" for each in EXHAUSTED)
    return "\n".join(lines) + _TAIL.format(commands=commands)


def name(packed: bytes) -> str:
    """Return the start of the hash of the states, unpacked: packing differs between versions."""
    return f"`{hashlib.sha256(lzma.decompress(packed)).hexdigest()[:16]}`"


def check_seconds(folder: Path) -> float:
    """Return the seconds of the processor that the check takes."""
    from satlife.certificates import folder as files  # noqa: PLC0415
    from satlife.certificates.make.width_folder import judge_states  # noqa: PLC0415

    begun = time.process_time()
    if judge_states(folder, files.read_problem(folder), 1 << 30):
        raise AssertionError(f"{folder} is not valid")
    return time.process_time() - begun


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


_HEAD = """\
# Which widths have no ships

A ship of a given width, however long it is, is a path of rows. Where the search by rows runs dry,
Conway's Game of Life has no such ship: not of that width, and not of a narrower one with the same
symmetry. *Odd* and *even* ships are their own mirror images, with the axis through cells or between
cells; *none* stands for all ships. Widths are in cells, and hold every phase.

A few columns more, and there they are:

::::{{container}} players
{players}
::::

Each certificate is a closed set of states. `satlife check` recomputes every successor of every
state and refutes each one that is not in the set, in one file of under 200 lines of NumPy that
shares nothing with the search. Seconds are those of one processor. Bytes are those of `states.xz`;
the hash is the start of the SHA-256 of the states, unpacked. `just widths` makes this page.

| speed | symmetry | no ship up to | states | search, s | check, s | bytes | SHA-256 |
|---|---|---|---|---|---|---|---|"""
_TAIL = """

*Exhausted, not certified*: the search has run dry, but sets of more than 2 million states have not
been checked.

The table agrees with the ships that are known. At the next width of the same symmetry the search
finds a ship at c/4 (13, odd), at 2c/5 (15, odd: 44P5H2V0) and at c/10 (10, even: the copperhead).
At c/3 it finds the turtle (12, even) and the dart (15, odd). The loafer, at c/7, has no symmetry,
so a row about even widths says nothing of it.

To make a certificate yourself, and to check it:

```sh
{commands}
satlife check FOLDER
```

[](how-to/hunt.md) shows how to search on.
"""

if __name__ == "__main__":
    main()
