"""Draw problems of the kinds that people ask for, by the functions that make them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from satlife import Problem, kinds
from satlife.life import PartialPattern, Pattern
from tests.fuzz.drawing import STATIC, TIMED, draw_rule

BOXES = ("3x3", "3x3", "2x2", "4x2", "2x3", "3x4", "4x3", "1x4")
PROFILES = ("3x3,3x3", "3x3,2x2", "2x2,4x3", "3x3,3x3+0+1")
SPEEDS = ("c", "c/2", "c/3", "2c/4", "c/4d", "c/2d", "c/1d", "(2,1)c/3", "2c/2")


def draw_kind(chance: random.Random, name: str) -> Problem:
    """Draw a problem of a kind; what cannot be is a UsageError."""
    return _DRAWS[name](chance, draw_rule(chance))


def _common(chance: random.Random, rule: str, timed: bool = False) -> dict[str, Any]:
    symmetry = "C1"
    if chance.random() < 0.4:
        symmetry = chance.choice((*STATIC, *TIMED[:16]) if timed else STATIC)
    swaps = symmetry[-1] in ("\\", "/", "x", "8", "4") and chance.random() < 0.9
    common = {"rule": rule, "symmetry": symmetry, "box": "3x3" if swaps else chance.choice(BOXES)}
    if chance.random() < 0.3:
        name, most = chance.choice((("population", 6), ("rotor", 3), ("stator", 3)))
        common[name] = chance.choice((f"<={chance.randint(1, most)}", f">={chance.randint(1, 3)}"))
    for name in ("on", "off"):
        if chance.random() < 0.1:
            x, y, t = (chance.randint(0, 1) for _ in range(3))
            common[name] = chance.choice((f"{x},{y}", f"0..{x},{y}@every", f"{x},{y}@{t}"))
    if chance.random() < 0.1:
        common["without"] = chance.choice(("any", *STATIC))
    if symmetry[:2] in ("D2", "D4", "D8"):
        common["gutter"] = chance.random() < 0.3
    return common


def _still_life(chance: random.Random, rule: str) -> Problem:
    common = _common(chance, rule)
    if chance.random() < 0.3:
        common[chance.choice(("width", "height"))] = f"={chance.randint(2, 3)}"
    return kinds.still_life(**common)


def _oscillator(chance: random.Random, rule: str) -> Problem:
    common, period = _common(chance, rule, timed=True), chance.choice((2, 2, 2, 3, 4))
    if period == 2 and chance.random() < 0.2:
        common["box"] = chance.choice(PROFILES)
    return kinds.oscillator(period, composite=chance.random() < 0.5, **common)


def _ship(chance: random.Random, rule: str) -> Problem:
    common, speed = _common(chance, rule, timed=True), chance.choice(SPEEDS)
    if chance.random() < 0.1:
        common |= {"box": chance.choice(("4x3", "3x4", "4x4")), "rule": "B3/S23"}
        speed = "c/4d"
    flags = {name: chance.random() < 0.4 for name in ("include_last", "composite")}
    return kinds.ship(speed, **common, **flags)


def _agar(chance: random.Random, rule: str) -> Problem:
    wrap = chance.choice(((0, 0), (0, 0), (0, 0), (1, 0), (0, 1), (2, 0), (0, -1)))
    period = chance.choice((1, 1, 2, 2, 3, 4, "c/2", "c/2d", "2c/2"))
    composite = chance.random() < 0.5
    return kinds.agar(period, wrap=wrap, composite=composite, **_common(chance, rule, timed=True))


def _wick(chance: random.Random, rule: str) -> Problem:
    period = chance.choice((1, 1, 2, 2, 3, "c/2", "c"))
    common = _common(chance, rule, timed=True)
    if chance.random() < 0.2:
        common["slant"] = chance.choice((-1, 1, 2))
    return kinds.wick(period, composite=chance.random() < 0.5, **common)


def _evolved(chance: random.Random, rule: str, size: tuple[int, int], steps: int) -> Pattern:
    """Return what a random filling becomes, so that it has a parent."""
    rows = (np.array([[chance.random() for _ in range(size[0])] for _ in range(size[1])]) < 0.5) * 1
    return Pattern(rows.tolist(), rule=rule)[steps]


def _parent(chance: random.Random, rule: str) -> Problem:
    generations = chance.choice((1, 1, 2))
    child = _evolved(chance, rule, chance.choice(((2, 1), (1, 2), (2, 2), (3, 1))), generations)
    if chance.random() < 0.4 or child.box.is_empty or child.box.area > 9:
        child = Pattern([[chance.randint(0, 1) for _ in range(2)], [1, 0]], rule=rule)
    bounds = {"population": f"<={chance.randint(2, 8)}"} if chance.random() < 0.3 else {}
    return kinds.parent(child, generations=generations, margin=chance.choice((0, 1, 1)), **bounds)


def _partial(chance: random.Random, rule: str, width: int, height: int) -> PartialPattern:
    rows = [chance.choices((0, 1, 255), (1, 1, 2), k=width) for _ in range(height)]
    return PartialPattern(rows, rule=rule)


def _orphan(chance: random.Random, rule: str) -> Problem:
    return kinds.orphan(_partial(chance, rule, *chance.choice(((1, 1), (2, 1), (1, 2), (2, 2)))))


def _forced(chance: random.Random, rule: str) -> Problem:
    size, generations = chance.choice(
        (((1, 1), 1), ((2, 1), 1), ((1, 2), 1), ((2, 2), 1), ((1, 1), 2))
    )
    return kinds.forced(_partial(chance, rule, *size), generations=generations)


_OBJECTS = ("2o$2o!", "b2o$o2bo$b2o!", "bo$obo$bo!", "2o$obo$bo!", "3o!")


def _complete(chance: random.Random, rule: str) -> Problem:
    motion = chance.choice((None, None, "p2", "p3", "c/2", "c/2d"))
    if chance.random() < 0.5:
        box = Pattern.from_rle(chance.choice(_OBJECTS)).box.grow(chance.choice((0, 0, 1)))
        known = Pattern.from_rle(chance.choice(_OBJECTS)).in_box(box)
        rows = [[255 if chance.random() < 0.6 else int(cell) for cell in row] for row in known]
        partial = PartialPattern(rows[:4], rule="B3/S23")
        motion = chance.choice((None, "p2"))
    else:
        partial = _partial(chance, rule, 3, 3)
    symmetry = chance.choice(("C1", "C1", *STATIC))
    return kinds.complete(
        partial, motion=motion, symmetry=symmetry, full_period=chance.random() < 0.5
    )


def _dot(chance: random.Random, rule: str) -> Pattern:
    x = chance.choice((2, 3, 3))  # a block is not moved by a dot at (3, 3)
    return Pattern([[1]], rule=chance.choice((rule, "B3/S23"))).shift(x, x)


def _eater(chance: random.Random, rule: str) -> Problem:
    dot = _dot(chance, rule)
    within, approach = chance.choice(((1, 0), (2, 0), (2, 1)))
    return kinds.eater(
        dot, at=(dot.x, dot.y), region="0..1,0..1", field="0..3,0..3", within=within,
        approach=approach, period=chance.choice((1, 1, 2)),
    )  # fmt: skip


def _reaction(chance: random.Random, rule: str) -> Problem:
    dot = _dot(chance, rule)
    after = Pattern([chance.choices((0, 0, 1), k=2)], rule=dot.rule)
    region = chance.choice(("0..1,0..1", Pattern([[1, 1], [0, 1]])))
    return kinds.reaction(
        dot, after, within=chance.choice((1, 2)), region=region, field="0..3,0..3",
        period=chance.choice((1, 1, 2)),
    )  # fmt: skip


def _perturbation(chance: random.Random, rule: str) -> Problem:
    region = chance.choice(("0..1,0..1", "0..2,0..1", Pattern([[1, 1], [0, 1]])))
    return kinds.perturbation(
        _dot(chance, rule), region=region, contact=chance.choice((1, 1, (1, 2))),
        recover=chance.choice((1, 2)), hold=chance.choice((0, 1)),
    )  # fmt: skip


_DRAWS = {
    "still_life": _still_life,
    "oscillator": _oscillator,
    "ship": _ship,
    "agar": _agar,
    "wick": _wick,
    "parent": _parent,
    "orphan": _orphan,
    "forced": _forced,
    "complete": _complete,
    "eater": _eater,
    "reaction": _reaction,
    "perturbation": _perturbation,
}
NAMES = tuple(kind.function.__name__ for kind in kinds.KINDS)
