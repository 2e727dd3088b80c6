"""Compare a map with ordinary searches: ``python -m atlas check-map FOLDER --every 64``.

Of every so many rules, one is chosen by chance.  The search for that rule is run, with its own
encoding and its own solver, and its answer compared with the map's.  The map of a width is compared
in a box: ``--height 12`` for rules without a ship, the height of the ship for the others.

With ``--golly``, bgolly also runs every pattern by the least and by the greatest of its rules.  It
does not tell where a pattern is, so a copy turned by half lies below, and moves the other way.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import satlife
from satlife.engine.sat.engine import SatEngine
from satlife.life import Pattern
from satlife.rulemaps import RuleMap, read_map
from satlife.rulemaps.map_check import measure_height
from satlife.rulemaps.rulemap import FOUND, IMPOSSIBLE
from satlife.sat.solvers import find_solver
from satlife.sat.solvers.pysat import InlineSolver

ENGINE = SatEngine(wrap=lambda _: InlineSolver(find_solver("cadical")))
"""A search takes milliseconds, so none gets a process of its own."""
GAP = 40
"""Rows between two patterns that shall not meet."""


def main(words: Sequence[str]) -> None:
    """Compare, and say how many rules were compared."""
    parser = argparse.ArgumentParser(prog="python -m atlas check-map", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=64)
    parser.add_argument("--height", type=int, default=12)
    parser.add_argument("--golly", action="store_true")
    given = parser.parse_args(words)
    made, begun = read_map(given.folder), time.process_time()
    if given.golly:
        sys.stdout.write(f"{given.folder}: bgolly agrees with {replay(made)} patterns\n")
    compared = found = 0
    chance = random.Random(1)
    for first in range(0, made.space.size, given.every):
        # One of so many rules; always the first would always have the last entries off.
        number = first + chance.randrange(given.every)
        rule, answer = made.space[number], int(made.answers[number])
        if search(made, str(rule), answer, given.height) != answer:
            sys.exit(f"{rule}: the map and the search disagree")
        compared += 1
        found += answer == FOUND
    seconds = time.process_time() - begun
    sys.stdout.write(
        f"{given.folder}: {compared} rules agree, {found} of them with a pattern; {seconds:.0f} s\n"
    )


def search(made: RuleMap, rule: str, answer: int, height: int) -> int:
    """Return what SAT answers for one rule, of which the map has an answer."""
    problem = made.problem.with_rule(rule)
    if problem.has_open_height and answer == FOUND:
        region = made.look_up(rule)
        if region is not None and region.pattern is not None:
            height = measure_height(problem, region.pattern)
    found = satlife.find(problem.with_height(height), engine=ENGINE)
    return FOUND if isinstance(found, satlife.Found) else IMPOSSIBLE


def replay(made: RuleMap) -> int:
    """Run all patterns by bgolly; return how many there are, or end at one that is wrong."""
    motion, count = made.problem.motion, 0
    if motion is None:
        sys.exit("bgolly is asked about patterns that move or recur")
    moved = ((0, 0), (motion.dx, motion.dy))
    for region in made.regions:
        if region.pattern is None:
            continue
        count += 1
        for rule in (region.rules.least, region.rules.greatest):
            cells = region.pattern.cells
            start, end = (Pattern(draw_two(cells, dx, dy), rule=rule) for dx, dy in moved)
            if not np.array_equal(run_golly(start, motion.period).cells, end.cells):
                sys.exit(f"{rule}: bgolly disagrees about {region.pattern.to_rle()}")
    return count


def draw_two(cells: NDArray[np.uint8], dx: int, dy: int) -> NDArray[np.uint8]:
    """Return a pattern that has moved, and a copy below, turned by half, that has moved back."""
    (height, width), margin = cells.shape, max(abs(dx), abs(dy))
    drawn = np.zeros((2 * height + GAP + 2 * margin, width + 2 * margin), np.uint8)
    for number, (each, sign) in enumerate(((cells, 1), (cells[::-1, ::-1], -1))):
        x, y = margin + sign * dx, margin + sign * dy + number * (height + GAP)
        drawn[y : y + height, x : x + width] = each
    return drawn


def run_golly(pattern: Pattern, generations: int) -> Pattern:
    """Return what bgolly makes of a pattern after so many generations."""
    with tempfile.TemporaryDirectory() as place:
        start, end = Path(place, "start.rle"), Path(place, "end.rle")
        start.write_text(f"{pattern.to_rle()}\n", encoding="utf-8")
        options = ["-a", "QuickLife", "-m", str(generations), "-i", "1", "-q", "-q"]
        subprocess.run(
            ["bgolly", *options, "-o", str(end), str(start)], check=True, capture_output=True
        )
        return Pattern.from_rle(end.read_text(encoding="utf-8"))
