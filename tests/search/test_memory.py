"""A memory limit holds while a formula is built, too, and not only for the solver."""

from __future__ import annotations

import queue
import random
import subprocess
import sys
from pathlib import Path

import pytest

from satlife.campaign.plan.plan import Plan
from satlife.engine import find
from satlife.errors import UsageError
from satlife.kinds import still_life
from satlife.problem.outcome import Undecided
from satlife.sat.cubes import conquest
from satlife.sat.formula import (
    FormulaBuilder,
    FormulaTooLargeError,
    expect_memory,
    limit_building,
)
from satlife.sat.logic.cardinality import add_counter
from satlife.sat.solvers.memory import limit_growth

SEARCH = """
import resource, sys
import satlife
from satlife.cli.group import run
from satlife.kinds import still_life

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

satlife.find(still_life(box="4x4"))  # everything is loaded
before = peak()
sys.argv[1:] = "still-life --box 60x60 --maximize population --memory 100M".split()
try:
    run()
finally:
    print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="getrusage counts kilobytes on Linux")
def test_a_search_that_is_limited_stays_within_its_memory() -> None:
    """It took 953 MB, with a limit of 300."""
    words = [sys.executable, "-c", SEARCH]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "undecided (memory limit, while the formula was built)" in done.stderr
    assert int(done.stdout) <= 110  # MB


def test_a_small_search_is_not_limited() -> None:
    outcome = find(still_life(box="6x6", population=">=17"), memory="100M")
    assert not isinstance(outcome, Undecided)


def test_a_counter_that_is_too_large_is_not_begun() -> None:
    builder = FormulaBuilder()
    cells = builder.new_variables(20_000)
    with limit_building(limit_growth(50_000_000)), pytest.raises(FormulaTooLargeError):
        add_counter(builder, cells)
    with limit_building(limit_growth(50_000_000)):
        add_counter(builder, cells[:100])
    small = FormulaBuilder()
    add_counter(small, small.new_variables(100))  # no limit is left
    with limit_building(limit_growth(None)):
        expect_memory(1 << 60)


COMMANDS = [
    "still-life --box 300x300",
    "still-life --box 150x150 --population >=9000",
    "still-life --box 90x90 --minimize population",
    "still-life --box 150x150 --all",
    "still-life --box 150x150 --count",
    "still-life --box 150x150 --encoding knuth",
    "still-life --box 150x150 --break-symmetry",
    "still-life --box 90x90 --rule B3/S2[34] --population >=900",
    "oscillator 10 --box 80x80",
    "oscillator 4 --box 80x80 --minimize rotor,population",
    "ship c/4d --box 150x150",
    "agar 4 --box 80x80 --wrap 80,80",
    "wick 8 --box 100x100",
    "parent soup.rle --generations 2",
    "orphan soup.rle",
    "orphan soup.rle --shrink",
    "forced soup.rle",
    "forced soup.rle --shrink",
    "complete cells.txt --minimize population",
    "eater --input glider.rle --region 4..90,4..90 --within 30",
    "reaction --before glider.rle --after glider.rle --region 4..90,4..90 --within 30",
    "find --spec problem.toml",
    "map still-life --rules B3/S2[34] --box 200x200",
]
SEVERAL = """
import os, resource, sys
from satlife import find
from satlife.cli.group import run
from satlife.kinds import still_life

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

find(still_life(box="4x4"))
for line in sys.stdin.read().splitlines():
    sys.stdout.flush()
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = peak()
    sys.argv[1:] = [*line.split(), "--memory", "40M"]
    try:
        run()
    finally:
        sys.stdout.flush()
        os.write(2, f"{peak() - before} MB: {line}\\n".encode())
        os._exit(0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone forgets the largest size")
def test_every_kind_of_search_stays_within_its_memory(tmp_path: Path) -> None:
    """An eater took 5 GB, a bound 2.7 GB, and --shrink 600 MB."""
    chance = random.Random(1)
    rows = ["".join(chance.choices("bo", k=150)) for _ in range(150)]
    (tmp_path / "soup.rle").write_text(f"x = 150, y = 150\n{'$'.join(rows)}!\n")
    rows = ["".join(chance.choices(".???", k=150)) for _ in range(150)]
    (tmp_path / "cells.txt").write_text("\n".join(rows))
    (tmp_path / "glider.rle").write_text("bo$2bo$3o!\n")
    (tmp_path / "problem.toml").write_text('boxes = ["120x120", "120x120", "120x120"]\nsteps = 2\n')
    words, text = [sys.executable, "-c", SEVERAL], "\n".join(COMMANDS)
    done = subprocess.run(
        words, input=text, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    took = {
        line.split(": ", 1)[1]: int(line.split()[0])
        for line in done.stderr.splitlines()
        if " MB: " in line
    }
    assert list(took) == COMMANDS, done.stderr
    assert max(took.values()) <= 2 * 40 + 10, (
        took
    )  # the last arrays, and what such a problem takes itself
    assert done.stderr.count("memory limit") >= len(COMMANDS) - 1, done.stderr
    assert "Traceback" not in done.stderr


def test_cases_in_other_threads_have_the_same_limit() -> None:
    seen = []

    class Trier:
        def try_case(self, *_: object) -> None:
            try:
                expect_memory(1 << 40)
            except FormulaTooLargeError as error:
                seen.append(error)

    with limit_building(limit_growth(50_000_000)):
        worker = conquest._Worker(0, Trier(), queue.SimpleQueue())  # type: ignore[arg-type]
    worker.orders.put((None, 0.0, lambda: False))  # type: ignore[arg-type]
    worker.orders.put(None)
    worker.thread.join()
    assert len(seen) == 1


def test_no_memory_at_all_is_refused() -> None:
    with pytest.raises(UsageError, match="needs memory"):
        find(still_life(box="3x3"), memory=0)
    with pytest.raises(UsageError, match="limits: memory: a search needs memory"):
        Plan.from_toml(
            '[limits]\nmemory = 0\n[[search]]\nkind = "still-life"\nboxes = "2x2"'
        ).limits.budget()
    for command in ("still-life", "map still-life B3/S[2]", "solve x.cnf", "check x"):
        words = [sys.executable, "-m", "satlife", *command.split(), "--memory", "0"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "0 leaves no memory" in done.stderr
