"""Make the catalogue of objects, src/satlife/life/catalogue/objects.tsv, by searching.

    just atlas catalogue                    # all of it: half an hour
    just atlas catalogue --quick            # only counts that take seconds; writes nothing
    just atlas catalogue --add names.tsv    # objects: a code, a tab and a name a line

Three kinds of entries, in this order (the first that has an object keeps it):

- enumerated: all strict still lifes of a number of cells, all oscillators of period 2. One solver
  finds one after the other; each is blocked in all its places at once, and what consists of small
  parts far from each other is excluded from the start. The search ends with a refutation, so it is
  complete in its box; that the box is large enough is checked against the known counts.
- found: what a command of satlife finds, most of all ships.
- checked: the other objects with a name, simulated. Their codes and names stand in the file itself,
  and are added with --add; a second name of an object becomes its "also".
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from satlife import Problem, build, oscillator, still_life, verify
from satlife.engine.sat.attempt import decode
from satlife.formula.placements import blocking_clauses, placements, solution_placements
from satlife.formula.spacetime import SpaceTime
from satlife.life import Pattern
from satlife.life.catalogue import OWN_COLUMNS, Entry, catalogue, write_table
from satlife.life.catalogue.entries import describe as describe_object
from satlife.life.catalogue.entries import write_check
from satlife.life.identity import find_recurrence, from_apgcode, identify
from satlife.life.identity.names import read_objects
from satlife.life.identity.parts import is_strict, parts
from satlife.sat import FormulaBuilder, Refuted, Satisfied, find_solver

FILE = Path(__file__).parent.parent / "src/satlife/life/catalogue/objects.tsv"
SATLIFE = Path(sys.executable).with_name("satlife")

STILL_LIFES = {
    # cells: a square that holds all strict ones, how many there are (OEIS A019473)
    4: (4, 2),
    5: (4, 1),
    6: (5, 5),
    7: (6, 4),
    8: (6, 9),
    9: (7, 10),
    10: (8, 25),
    11: (9, 46),
    12: (10, 121),
}
OSCILLATORS = {
    # least population of a phase: a square, how many of period 2 (OEIS A056614)
    3: (3, 1),
    4: (4, 0),
    5: (5, 0),
    6: (5, 3),
    7: (6, 0),
    8: (7, 1),
    9: (8, 1),
    10: (8, 1),
}
QUICK = 8

FOUND = {
    "glider": "satlife ship c/4d --box 4x4",
    "LWSS": "satlife ship 2c/4 --box 5x6",
    "MWSS": "satlife ship 2c/4 --box 7x8 --population =11",
    "HWSS": "satlife ship 2c/4 --box 7x9 --population =13",
    "25P3H1V0.1": "satlife ship c/3 --box 16x6",
    "turtle": "satlife ship c/3 --box 12x13 --symmetry D2v",
    "copperhead": "satlife ship c/10 --box 10x13,8x13*9 --symmetry D2v --encoding direct "
    "--solver kissat-sat",
    "quad": "satlife oscillator 2 --box 6x6 --symmetry C4",
    "octagon 2": "satlife oscillator 5 --box 8x8 --symmetry C4",
    "A for all": "satlife oscillator 6 --box 10x10 --symmetry D4+:D8",
    "pulsar": "satlife oscillator 3 --box 15x15 --symmetry D8 --population =48 --population =56@1",
}

COLUMNS = ("code", "name", "also", *OWN_COLUMNS[2 : OWN_COLUMNS.index("rule")])


def every(
    problem: Problem, far: list[Pattern], is_wanted: Callable[[Pattern], bool]
) -> Iterator[Pattern]:
    """Yield all solutions of a problem with an exact population, each once and wherever it lies.

    Solutions of which one of the ``far`` objects is a part that touches nothing are left out.
    """
    spacetime = SpaceTime(problem)
    builder = FormulaBuilder()
    generations = range(len(spacetime.boxes))
    # One of the many places of each is enough: that in the top left corner.
    for edge in (np.s_[0, :], np.s_[:, 0]):
        cells = np.concatenate([spacetime.generation(t)[edge] for t in generations])
        builder.variables = max(builder.variables, int(cells.max()))
        builder.add("corner", np.append(cells, 0).astype(np.int32))
    built = build(spacetime)
    with find_solver("cadical").open(built.formula) as solver:
        solver.add(builder.build())
        for part in far:
            images = placements(part, spacetime.boxes, phases=identify(part).period or 1)
            solver.add(blocking_clauses(spacetime, images, ring=2, generations=generations))
        while isinstance(answer := solver.solve(), Satisfied):
            history = decode(spacetime, answer.model)
            verify(problem, history)
            pattern = Pattern(history[0]).normalized
            # With an exact population, whatever contains it is it.
            images = solution_placements(spacetime, pattern)
            solver.add(blocking_clauses(spacetime, images, ring=0))
            if is_wanted(pattern):
                yield pattern
    if not isinstance(answer, Refuted):
        raise RuntimeError(f"not all were found: {answer}")


def still_lifes(largest: int) -> Iterator[Entry]:
    """Yield all strict still lifes of up to a number of cells."""
    far: list[Pattern] = []
    for cells in range(4, largest + 1):
        side, count = STILL_LIFES[cells]
        box = f"{side}x{side}"
        problem = still_life(box=box, population=f"={cells}")
        # Of two parts or more, one has at most half of the cells.
        found = list(every(problem, [p for p in far if 2 * p.population <= cells], is_strict))
        check(f"strict still lifes of {cells} cells", len(found), count)
        far += found
        command = f"satlife still-life --box {box} --population ={cells} --all --only-connected"
        yield from (describe(pattern, "enumerated", command) for pattern in found)


def oscillators(largest: int, far: list[Pattern]) -> Iterator[Entry]:
    """Yield all oscillators of period 2, by the cells of their smaller phase."""
    blinker = Pattern.from_rle("3o!")
    for cells in range(3, largest + 1):
        side, count = OSCILLATORS[cells]
        box = f"{side}x{side}"
        bounds = [f"={cells}", f">={cells}@1"]
        problem = oscillator(2, box=box, population=bounds)
        small = [p for p in (blinker, *far) if 2 * p.population <= cells + 1]
        found = list(every(problem, small, lambda pattern: len(parts(pattern)) == 1))
        check(f"oscillators of period 2 of {cells} cells", len(found), count)
        command = (
            f"satlife oscillator 2 --box {box} --population ={cells} "
            f"--population '>={cells}@1' --all --only-connected"
        )
        yield from (describe(pattern, "enumerated", command) for pattern in found)


def found() -> Iterator[Entry]:
    """Yield what the commands find."""
    for name, command in FOUND.items():
        start = time.perf_counter()
        words = [str(SATLIFE), *shlex.split(command)[1:], "--json"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{command}: exit {done.returncode}: {done.stderr}{done.stdout}")
        entry = describe(Pattern.from_rle(json.loads(done.stdout)["rle"]), "found", command)
        say(f"{name}: {entry.code}, {time.perf_counter() - start:.1f} s")
        if entry.name != name:
            raise RuntimeError(f"{command} finds {entry.name or entry.code}, not {name}")
        yield entry


def checked() -> Iterator[Entry]:
    """Yield the other objects that have a name."""
    for entry in catalogue():
        if entry.how == "checked":
            again = describe(entry.pattern, "checked", "", entry.name)
            if again.code != entry.code:
                raise RuntimeError(f"{entry.code} is {again.code}")
            yield replace(again, also=entry.also)


def add(names: Path) -> Iterator[Entry]:
    """Yield the catalogue with the objects of a list: in a line a code, a tab and a name."""
    entries = {entry.code: entry for entry in catalogue()}
    for line in names.read_text(encoding="utf-8").splitlines():
        code, name = line.split("\t")
        known = entries.get(code) or describe(from_apgcode(code), "checked", "", name)
        if known.code != code:
            raise RuntimeError(f"{code} is {known.code}")
        other = {"name": name} if known.name in ("", name) else {"also": name}
        entries[code] = replace(known, **other)
    yield from entries.values()


def describe(pattern: Pattern, how: str, command: str, name: str = "") -> Entry:
    """Make an entry of a pattern."""
    found = find_recurrence(pattern)
    if found is None:
        raise RuntimeError(f"{pattern} does not recur")
    entry = describe_object(pattern, found, name)
    return replace(entry, how=how, command=command or write_check(entry.code))


def write(entries: Iterable[Entry]) -> None:
    """Write the file, sorted by code, below its comments."""
    comments = [f"{line}\n" for line in read_objects() if line.startswith("#")]
    short = [
        replace(each, command="" if each.command == write_check(each.code) else each.command)
        for each in sorted(entries, key=lambda each: each.code)
    ]
    FILE.write_text("".join(comments) + write_table(short, COLUMNS), encoding="utf-8")
    say(f"{len(short)} objects in {FILE.name}")


def check(what: str, got: int, expected: int) -> None:
    """Compare a count with the known one."""
    say(f"{what}: {got}")
    if got != expected:
        raise RuntimeError(f"there should be {expected} {what}")


def say(text: str) -> None:
    """Print how far it is."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(words: Sequence[str]) -> None:
    """Make the catalogue."""
    parser = argparse.ArgumentParser(prog="python -m atlas catalogue", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only small counts; writes nothing")
    parser.add_argument("--add", metavar="FILE", type=Path, help="add named objects; no searches")
    given = parser.parse_args(words)
    if given.add:
        write(add(given.add))
        return
    quick = given.quick
    hits = [] if quick else list(found())
    entries: dict[str, Entry] = {}
    for entry in still_lifes(QUICK if quick else max(STILL_LIFES)):
        entries.setdefault(entry.code, entry)
    far = [entry.pattern for entry in entries.values() if entry.population <= 6]
    for entry in oscillators(QUICK if quick else max(OSCILLATORS), far):
        entries.setdefault(entry.code, entry)
    if quick:
        return
    for entry in (*hits, *checked()):
        entries.setdefault(entry.code, entry)
    write(entries.values())
