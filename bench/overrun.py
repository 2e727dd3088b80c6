"""By how much commands overrun ``--timeout``: ``python -m bench.overrun [--seconds N] [NAME …]``.

Each command would take much longer than its limit.  What is measured is the wall clock, from the
start of the process to its end, as a person sees it.  Nothing fails when a limit does not hold: the
table is to be read on a quiet machine.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Final

from bench.markdown import table

PATIENCE: Final = 10
"""A command that takes so many times its limit is killed."""
PROOF: Final = "oscillator 3 --box 12x12 --population <=11 --prove proof"

COMMANDS: Final[dict[str, str]] = {
    "one solver": "ship c/5 --box 14x14 --no-restrictions",
    "hunt": "ship c/5 --box 14x14",
    "race": "ship c/5 --box 14x14 --jobs 2",
    "cases": "oscillator 3 --box 12x12 --population <=11 --jobs 2",
    "saved cases": "oscillator 3 --box 12x12 --population <=11 --save cases.json",
    "large formula": "still-life --box 1500x1500",
    "best": "still-life --box 12x12 --maximize population",
    "all": "oscillator 2 --box 12x12 --all",
    "count": "still-life --box 9x9 --count",
    "grow": "ship c/5 --box 8x8 --grow both",
    "brute": "oscillator 3 --box 5x4 --engine brute --count",
    "rows": "ship c/6 --box 13x* --symmetry D2v --partials 2",
    "rows, wide": "ship c/5 --box 22x* --symmetry D2v --partials 2",
    "rows, saved": "ship c/6 --box 13x* --symmetry D2v --save rows.save",
    "rows, two jobs": "ship c/6 --box 13x* --symmetry D2v --jobs 2",
    "proof of a width": "ship c/4 --box 9x* --prove proof",
    "check of a width": "ship c/3 --box 8x* --prove proof",
    "proof": PROOF,
    "proof by kissat": f"{PROOF} --solver kissat-binary",
    "proof by cases": f"{PROOF} --jobs 2",
    "proof of the best": "still-life --box 7x7 --maximize population --prove proof",
    "proof of all": "still-life --box 6x6 --all --prove proof",
    "map": "map ship c/2 --box 7x7",
    "map with proofs": "map ship c/3 --box 4x4 -o map --prove",
}
"""By their names; the words of each are divided by spaces."""


def measure(words: str, seconds: float) -> tuple[float, int | None]:
    """Run a command with a limit; return its seconds by the clock, and its exit code."""
    command = [sys.executable, "-m", "satlife", *words.split(), "--timeout", f"{seconds:g}"]
    with tempfile.TemporaryDirectory(prefix="overrun-") as folder:
        begun = time.monotonic()
        try:
            code = subprocess.run(
                command,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
                timeout=PATIENCE * seconds,
            ).returncode
        except subprocess.TimeoutExpired:
            code = None
        return time.monotonic() - begun, code


def measure_all(names: list[str], seconds: float) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table for each command."""
    for name in names:
        took, code = measure(COMMANDS[name], seconds)
        over = max(0.0, took - seconds)
        how = "killed" if code is None else f"code {code}"
        row = (
            name,
            f"satlife {COMMANDS[name]}",
            how,
            f"{took:.1f}",
            f"{over:.1f}",
            f"{over / seconds:.0%}",
        )
        sys.stderr.write("  ".join(row) + "\n")
        sys.stderr.flush()
        yield row


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(COMMANDS))
    given = parser.parse_args()
    if unknown := set(given.names) - set(COMMANDS):
        parser.error(f"no command {sorted(unknown)[0]!r}; there are {', '.join(COMMANDS)}")
    rows = list(measure_all(given.names or list(COMMANDS), given.seconds))
    head = ("what", "command", "ended with", "seconds", "over", "part")
    sys.stdout.write(table(head, rows, numbers_from=3))


if __name__ == "__main__":
    main()
