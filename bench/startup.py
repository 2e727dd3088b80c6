"""What it costs to start: ``satlife ship c/4d --box 4x4`` beside bare Python with NumPy and PySAT.

``python -m bench.startup`` runs both in turn and prints the medians and their ratios, of wall time
and of CPU time, children included.  Bytecode is written to a folder of its own first, as an
installed package has it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

BARE = (sys.executable, "-c", "import numpy, pysat.solvers")
SHIP = (sys.executable, "-m", "satlife", "ship", "c/4d", "--box", "4x4", "--quiet")
HELP = (sys.executable, "-m", "satlife", "--help")
COMMANDS = {"bare": BARE, "ship": SHIP, "help": HELP}


def measure(command: tuple[str, ...], environment: dict[str, str]) -> tuple[float, float]:
    """Return the wall time and the CPU time of a command, its children included."""
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    wall, after = time.perf_counter() - begun, os.times()
    used = after.children_user + after.children_system
    return wall, used - before.children_user - before.children_system


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
        for command in COMMANDS.values():
            measure(command, environment)  # writes the bytecode
        for _ in range(rounds):
            for name, command in COMMANDS.items():
                times[name].append(measure(command, environment))
    medians = {
        name: tuple(statistics.median(column) for column in zip(*each, strict=True))
        for name, each in times.items()
    }
    for name, (wall, cpu) in medians.items():
        ratios = f"{wall / medians['bare'][0]:.2f} and {cpu / medians['bare'][1]:.2f} times bare"
        print(f"{name}: {wall:.3f} s wall, {cpu:.3f} s CPU; {ratios}")  # noqa: T201


if __name__ == "__main__":
    main()
