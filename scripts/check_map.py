"""Compare a map with ordinary searches: ``python scripts/check_map.py FOLDER --every 64``.

Of every so many rules, one is chosen by chance.  The search for that rule is run, with its own
encoding and its own solver, and its answer compared with the map's.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

import msgspec

import satlife
from satlife.engine.sat.engine import SatEngine
from satlife.rulemaps import read_map
from satlife.sat.solvers import find_solver
from satlife.sat.solvers.pysat import InlineSolver

ENGINE = SatEngine(wrap=lambda _: InlineSolver(find_solver("cadical")))
"""A search takes milliseconds, so none gets a process of its own."""


def main() -> None:
    """Compare, and say how many rules were compared."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=64)
    given = parser.parse_args()
    made, begun = read_map(given.folder), time.process_time()
    compared = found = 0
    chance = random.Random(1)
    for first in range(0, made.space.size, given.every):
        # One of so many rules; always the first would always have the last entries off.
        rule = made.space[first + chance.randrange(given.every)]
        problem = msgspec.structs.replace(made.problem, rule=str(rule))
        answer = satlife.find(problem, engine=ENGINE)
        region = made.look_up(rule)
        if region is None or isinstance(answer, satlife.Found) != (region.pattern is not None):
            sys.exit(f"{rule}: the map and the search disagree")
        compared += 1
        found += region.pattern is not None
    seconds = time.process_time() - begun
    sys.stdout.write(
        f"{given.folder}: {compared} rules agree, {found} of them with a pattern; {seconds:.0f} s\n"
    )


if __name__ == "__main__":
    main()
