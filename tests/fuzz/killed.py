"""Searches by rows that are saved, killed, and continued: they find what an unbroken one finds.

Most are killed in this process: what a kill leaves is the file as it was at the last save, however
far the search has come since.  Some are killed as processes, by a signal.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from satlife import Found, Impossible, Outcome, Problem, Undecided, find, find_all, ship
from satlife.engine.rows.engine import RowEngine
from tests.fuzz.checks import Differs, draw
from tests.fuzz.northward import name_ship
from tests.reference import is_solution
from tests.reference.narrow import find_slope, with_height
from tests.reference.unbounded import has_ship

STRIPS = (
    ("c/2", "C1", 4, "B35/S02357"),
    ("c/2", "C1", 5, "B36/S135 B378/S015 B38/S35 B358/S1248 B3578/S23578"),
    ("c/2", "D2|", 6, "B34/S0357 B3457/S245 B346/S03578 B38/S03457"),
    ("c/2", "D2|", 7, "B245/S4578 B34578/S125 B3468/S135 B357/S0236 B36/S35 B368/S0235"),
    ("c/3", "C1", 3, "B246/S0247"),
    ("c/3", "C1", 4, "B346/S03458"),
    ("c/3", "D2|", 5, "B2468/S0246 B3468/S13478 B357/S24567"),
    ("c/3", "D2|", 6, "B347/S14 B348/S0346 B3678/S2458"),
    ("c/4", "D2|", 5, "B3/S135 B3/S1378"),
)
"""Speed, symmetry, width, and rules with a ship of some length; few rules have one this narrow."""
DIAGONALS = (
    ("c/3d", "C1", 5, "B34/S34 B34/S0346"),
    ("c/4d", "C1", 4, "B3/S23 B367/S0238"),
    ("c/4d", "C1", 5, "B3678/S023 B3/S23"),
)
"""The same for diagonal ships, whose widths no plan of a campaign takes."""
MOST_KILLS = 6
SIGNALS = 0.06
"""The share of the searches that are killed by a signal."""
PIECES = (3, 10, 40)
"""States that are expanded before the search can be saved."""
SECONDS = 20.0
"""Of a search; one that takes longer is not compared."""
LONGEST, LISTED = 1.0, 30
"""Seconds and ships of a list; one that takes longer is not compared."""
LIMITS = (10**9, 30, 200)
"""Nodes of a level, beyond which they are probed; the probes of a list would have no end."""


class Killed(Exception):  # noqa: N818 - not an error
    """The search is dead."""


@dataclass(frozen=True, eq=False)
class Hunted:
    """A problem of any height, and whether it has a ship."""

    text: str
    seed: str
    problem: Problem
    is_satisfiable: bool

    @classmethod
    def of(cls, text: str, seed: str) -> Hunted:
        return cls(text, seed, Problem.from_json(text), has_ship(text))

    @property
    def families(self) -> list[str]:
        return ["counting"]

    @property
    def detail(self) -> str:
        return ""


def draw_strip(chance: random.Random) -> str:
    """Draw a strip with a ship, or one where there may be none."""
    speed, symmetry, width, rules = chance.choice(STRIPS + DIAGONALS)
    rule = chance.choice(rules.split())
    if chance.random() < 0.35:  # one count more or less
        births, survivals = (set(half[1:]) for half in rule.split("/"))
        births ^= {chance.choice("45678")}
        survivals ^= {chance.choice("012345678")}
        rule = f"B{''.join(sorted(births))}/S{''.join(sorted(survivals))}"
    return ship(speed, box=f"{width}x*", symmetry=symmetry, rule=rule).to_json().decode()


def check_killed(hunted: Hunted, chance: random.Random) -> Counter[str]:
    """However often it is killed, a search by rows finds a ship if there is one."""
    notes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folder, limit = Path(place), chance.choice(LIMITS)
        if chance.random() < SIGNALS:
            kill_child(hunted.problem, folder / "file", limit, chance, notes)
        with mock.patch("satlife.rows.hunt._PIECE", chance.choice(PIECES)):
            outcome = find_killed(hunted.problem, folder, limit, chance, notes)
            if isinstance(outcome, Undecided):
                notes["undecided"] += 1
                return notes
            compare_found(hunted, outcome)
            if chance.random() < 0.5 and find_slope(hunted.text) < 2:  # those have no boxes
                compare_lists(hunted.problem, folder, chance, notes)
    return notes


def find_killed(
    problem: Problem, folder: Path, limit: int, chance: random.Random, notes: Counter[str]
) -> Outcome:
    """Search, be killed, and continue from what is on the disk, until there is an answer."""
    file, disk = folder / "file", folder / "disk"
    for kills in range(MOST_KILLS + 1):
        engine = mortal_engine(disk, limit, chance, will_die=kills < MOST_KILLS)
        try:
            return find(problem, engine=engine, save=file, timeout=SECONDS)
        except Killed:
            notes["kills"] += 1
            if disk.exists():
                shutil.copy(disk, file)
    raise AssertionError("the last one is not killed")


def mortal_engine(disk: Path, limit: int, chance: random.Random, *, will_die: bool) -> RowEngine:
    """Return an engine that saves after some piece of work, and dies after another one."""
    from satlife.rows.hunt import save

    saved = chance.randrange(12)
    dead = saved + chance.randrange(12)

    def arm(hunt: Any) -> None:
        work = hunt.work

        def mortal_work() -> Iterator[Any]:
            for n, ships in enumerate(work()):
                if n == saved:
                    save(hunt, disk)
                if n == dead and will_die:
                    raise Killed
                yield ships

        hunt.work = mortal_work

    return RowEngine(limit=limit, on_begin=arm)


def compare_found(hunted: Hunted, outcome: Outcome) -> None:
    match outcome:
        case Found(finding):
            closed = with_height(hunted.text, len(finding.history[0]))
            if not is_solution(closed, finding.history):
                raise Differs(f"what was found is no solution:\n{draw(finding.history)}")
            if not hunted.is_satisfiable:
                raise Differs(
                    f"the reference has no ship, and this is one:\n{draw(finding.history)}"
                )
        case Impossible(reason=reason):
            if hunted.is_satisfiable:
                raise Differs(f"there is a ship, and it says: {reason}")
        case _:
            raise Differs(f"it did not decide: {outcome}")


def compare_lists(
    problem: Problem, folder: Path, chance: random.Random, notes: Counter[str]
) -> None:
    """In a box with a height, a list that was killed has every ship once, as an unbroken one."""
    height = chance.randint(3, 6)
    square = problem.has_slanted_width and problem.symmetry != "C1"  # as its mirror demands
    box = f"{height if square else problem.width}x{height}"
    fields = json.loads(problem.to_json()) | {"boxes": [box]}
    closed = Problem.from_json(json.dumps(fields))
    unbroken = find_all(closed, engine="rows", timeout=LONGEST, limit=LISTED)
    whole = Counter(map(name_ship, unbroken))
    if not unbroken.complete:
        return
    file, disk = folder / "list", folder / "list-disk"
    for kills in range(MOST_KILLS + 1):
        engine = mortal_engine(disk, LIMITS[0], chance, will_die=kills < MOST_KILLS)
        try:
            listed = Counter(map(name_ship, find_all(closed, engine=engine, save=file)))
        except Killed:
            notes["kills of lists"] += 1
            if disk.exists():
                shutil.copy(disk, file)
            continue
        if listed != whole:
            raise Differs(f"{listed.total()} ships are listed, and unbroken {whole.total()}")
        return


_CHILD = """
    import sys
    from pathlib import Path
    from satlife.rows import hunt
    from satlife import Problem, find
    from satlife.engine.rows import engine
    from satlife.engine.rows.engine import RowEngine

    hunt._PIECE, engine.SAVE_EVERY = 2, 0.0
    begin = lambda hunt: print("begun", flush=True)
    engine = RowEngine(limit=int(sys.argv[2]), on_begin=begin)
    find(Problem.from_json(sys.stdin.read()), engine=engine, save=Path(sys.argv[1]))
"""


def kill_child(
    problem: Problem, file: Path, limit: int, chance: random.Random, notes: Counter[str]
) -> None:
    """Let a process search and save, and kill it at some moment."""
    command = [sys.executable, "-c", textwrap.dedent(_CHILD), str(file), str(limit)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(problem.to_json().decode())
        child.stdin.close()
        child.stdout.readline()
        try:
            child.wait(chance.uniform(0, 0.05))
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
    notes["kills by a signal"] += child.returncode == -signal.SIGKILL
