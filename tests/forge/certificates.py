"""Valid certificates: none, the best, all, cores, trees and ranges, over all families of rules."""

from __future__ import annotations

import base64
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from satlife import Problem, kinds
from satlife.audit.ranges import list_parts
from satlife.certificates.claims import (
    BestClaim,
    Claim,
    Complete,
    Core,
    Forced,
    Needed,
    NoneExists,
    estimate_range,
)
from satlife.errors import UsageError
from satlife.life import PartialPattern
from satlife.problem.outcome import draw_states
from tests.forge.folders import (
    SENSELESS,
    Folder,
    Maps,
    assemble,
    read_folder,
)
from tests.forge.pool import Make, Pool, draw
from tests.forge.truth import blank, blank_both, read_goal, solve
from tests.fuzz.checks import Case
from tests.fuzz.drawing import draw_raw, write
from tests.reference import Asked, TooLarge, optimum
from tests.reference.asked import NoCell

MOST_FOUND = 12
GOALS = (
    *("minimize population@0", "maximize population@0", "minimize rotor", "maximize rotor"),
    *(
        "minimize stator",
        "maximize population@most",
        "minimize population@least",
        "maximize growth",
    ),
    *("minimize width", "maximize height", "minimize area", "maximize decay"),
)


def _certify(problem: Problem, claim: Claim, *how: Any) -> Folder | None:
    """Return the folder of a claim, if it can be proved and claimed."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "new")
        try:
            return read_folder(folder) if assemble(folder, problem, claim, *how) else None
        except SENSELESS:  # not everything can be claimed of everything
            return None


def _make_none(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    for case in pool.cases:
        if not case.found and (made := _certify(case.problem, NoneExists(), _some_maps(chance))):
            yield made


def _some_maps(chance: random.Random) -> Maps | None:
    """Use all symmetries, or none."""
    return {} if chance.random() < 0.3 else None


def _make_best(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    for case in pool.solved:
        if made := _certify(case.problem, draw_best(chance, case), _some_maps(chance)):
            yield made


def draw_best(chance: random.Random, case: Case) -> BestClaim:
    """Return the best by one goal or two."""
    words = tuple(chance.sample(GOALS, chance.choice((1, 1, 2))))
    goals = [read_goal(each) for each in words]
    values = optimum(case.text, goals, case.found)
    best = [each for each in case.found if optimum(case.text, goals, [each]) == values]
    return BestClaim(goals=words, values=values or (), found=draw(chance.choice(best)))


def _make_all(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    for case in pool.cases:
        claim = draw_all(chance, case)
        if claim and (made := _certify(case.problem, claim, _some_maps(chance))):
            yield made


def draw_all(chance: random.Random, case: Case) -> Complete | None:
    """Return all solutions, or one of each class; None if there are too many."""
    if not 1 <= len(case.found) <= 60:
        return None
    images = chance.random() < 0.7
    shown = [part[0] for part in case.classes] if images else case.found
    if len(shown) > MOST_FOUND:
        return None
    return Complete(images=images, found=tuple(map(draw, shown)))


BARREN = (
    *("B8/S", "B7/S8", "B/S8", "B/S78", "B78/S", "B8/S7", "B4/SV", "B/S34V", "B6/SH", "B5/S6H"),
    *("B4c/S", "B4e/S4c", "B6i/S8", "B1c8/S"),
)
"""Rules by which little lives on, so that a few cells are an orphan."""


def _barren_table(chance: random.Random) -> str:
    table = np.zeros(512, np.uint8)
    table[chance.sample(range(1, 512), 12)] = 1
    return "MAP" + base64.b64encode(np.packbits(table).tobytes()).decode().rstrip("=")


def _make_core(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    while True:
        width, height = chance.choice(((1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (1, 3)))
        rows = [chance.choices((0, 1, 255), (1, 3, 1), k=width) for _ in range(height)]
        try:
            orphan = PartialPattern(rows, rule=chance.choice((*BARREN, _barren_table(chance))))
            claim = _find_core(kinds.orphan(orphan))
        except (UsageError, TooLarge):
            continue
        if claim and (made := _certify(*claim, _some_maps(chance))):
            yield made


def _find_core(problem: Problem) -> tuple[Problem, Core] | None:
    """Leave cells out of an orphan while it is one."""
    text = problem.to_json().decode()
    if solve(text):
        return None
    for place, t in sorted(Asked(text).known):
        if t == 1 and not solve(blank(text, place)):
            text = blank(text, place)
    smaller = Problem.from_json(text)
    text = smaller.to_json().decode()
    needed = tuple(
        Needed(x=x, y=y, parent=draw_states(solve(blank(text, (x, y)))[0][0]))
        for (x, y), t in sorted(Asked(text).known)
        if t == 1
    )
    return (smaller, Core(needed=needed)) if needed else None


def _claims(chance: random.Random, pool: Pool) -> Iterator[tuple[Problem, Claim]]:
    """Yield what is refuted at once, and so can be divided."""
    for case in chance.sample(pool.cases, len(pool.cases)):
        claim = draw_all(chance, case) if case.found else NoneExists()
        if claim is not None:
            yield case.problem, claim


def _make_trees(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    for problem, claim in _claims(chance, pool):
        tree = grow_tree(chance, problem, chance.choice((1, 2, 3, 4)))
        if made := _certify(problem, claim, _some_maps(chance), tree):
            yield made


def grow_tree(chance: random.Random, problem: Problem, leaves: int) -> str:
    """Return a tree that splits on cells of generation 0."""
    box = problem.all_boxes[0]
    names = [f"x{x}y{y}t0" for y in range(box.y, box.bottom) for x in range(box.x, box.right)]

    def grow(leaves: int, left: list[str]) -> list[str]:
        if leaves < 2 or not left:
            return ["leaf"]
        cell, *rest = chance.sample(left, len(left))
        some = chance.randint(1, leaves - 1)
        return [cell, *grow(some, rest), *grow(leaves - some, rest)]

    return "\n".join(grow(leaves, names)) + "\n"


MOST_IN_RANGE = 20_000
"""Clauses of all boxes of a range."""


def _make_ranges(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    while True:
        try:
            drawn = draw_raw(chance, "wild")  # a planted problem has a solution
            problem = Problem.from_json(write(drawn))
            lowest = draw_lowest(chance, problem)
            boxes = [part.name for part in list_parts(problem, lowest)]  # few can be a range
            if estimate_range(problem, lowest, MOST_IN_RANGE) > MOST_IN_RANGE:
                continue
            if solve(problem.to_json().decode()):
                continue
        except (UsageError, TooLarge, NoCell):
            continue
        few = len(boxes) == 1 and chance.random() < 0.8
        trees = grow_trees(chance, problem, lowest) if chance.random() < 0.4 else {}
        if not few and (made := _certify(problem, NoneExists(), None, None, lowest, trees)):
            yield made


def draw_lowest(chance: random.Random, problem: Problem) -> str:
    """Return a size in the box of a problem; it may not fit."""
    box = problem.all_boxes[0]
    wide, high = (side - chance.choice((0, 1, 1, 2, 2, 3)) for side in (box.width, box.height))
    return f"{wide}x{high}"


def grow_trees(chance: random.Random, problem: Problem, lowest: str) -> dict[str, str]:
    """Return trees for some of the boxes of a range."""
    return {
        part.name: grow_tree(chance, part.problem, chance.choice((1, 2, 3)))
        for part in list_parts(problem, lowest)
        if chance.random() < 0.5
    }


SURE = ("B/S23", "B/S0123", "B8/S012", "B8/S0123", "B78/S01", "B/S2V", "B5/S012345678")
"""Rules in which a live or a dead cell says much about its past."""


def _make_forced(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    while True:
        width, height = chance.choice(((1, 1), (2, 1), (1, 2), (2, 1)))
        rows = [chance.choices((0, 1, 255), (1, 6, 2), k=width) for _ in range(height)]
        try:
            problem = kinds.forced(PartialPattern(rows, rule=chance.choice(SURE)))
            claim = _find_forced(problem, shrinks=chance.random() < 0.7)
        except (UsageError, TooLarge):
            continue
        if claim and (made := _certify(*claim, _some_maps(chance))):
            yield made


def _find_forced(problem: Problem, *, shrinks: bool) -> tuple[Problem, Forced] | None:
    """Leave cells out of a patch while it forces itself, if it does, and a cell of it is alive."""
    text = problem.to_json().decode()
    parents = solve(json.dumps(json.loads(text) | {"constraints": []}))
    if solve(text) or not parents:
        return None
    parent = draw_states(parents[0][0])
    places = sorted(place for place, _ in Asked(text).known)
    for place in places if shrinks else ():
        smaller = blank_both(text, place)
        if 1 in Asked(smaller).known.values() and not solve(smaller):
            text = Problem.from_json(smaller).to_json().decode()
    others = {place: solve(blank_both(text, place)) for place, _ in sorted(Asked(text).known)}
    needed = tuple(
        Needed(x=x, y=y, parent=draw_states(found[0][0]))
        for (x, y), found in others.items()
        if found and shrinks
    )
    return Problem.from_json(text), Forced(parent=parent, needed=needed)


MAKERS: dict[str, Make] = {
    "none": _make_none,
    "best": _make_best,
    "all": _make_all,
    "core": _make_core,
    "forced": _make_forced,
    "tree": _make_trees,
    "range": _make_ranges,
}
