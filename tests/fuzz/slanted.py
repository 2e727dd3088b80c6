"""Diagonal and oblique ships of any length: rules that are known to have one, and any rules."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from math import gcd

import numpy as np

from satlife import ship
from satlife.life import Rule
from satlife.life.rulespaces import RuleSpace
from satlife.problem import Problem
from tests.fuzz.checks import Differs
from tests.fuzz.killed import DIAGONALS, Hunted, check_killed
from tests.fuzz.proved_widths import check_widths
from tests.reference import TooLarge
from tests.reference.narrow import Rows
from tests.reference.unbounded import has_ship

PLANTED = (
    (
        *("(2,1)c/6", 8),
        "B2ce[2in]3aiq[3ceky]4j[4-aj]5?6?7?[8]/S012cek[2in]3jq[3-aijq][4-jr]5i[5-i][6-a]7?[8]",
    ),
    (
        *("(2,1)c/7", 8),
        "B2ce[2ikn]3aj[3-aijn]4ar[4-air][5-cir][6-a]7?[8]"
        "/S[0]12ac[2in]3jr[3ckqy]4jnw[4cekqtyz][5-i]6k[6-k]7?[8]",
    ),
    (
        *("(2,1)c/5", 9),
        "B2ce[2ikn]3ain[3-aijn]4jr[4-ajr]5r[5-cr][6-k][7e][8]"
        "/S[0]2-cn[2cn]3nr[3eikq]4ikqr[4cejntyz][5-jq]6k[6-k]7?[8]",
    ),
)
"""Speed, width, and a set of rules that all have the same ship there, found by SAT in a box."""
NARROW = (
    *(("(2,1)c/2", 5), ("(2,1)c/3", 5), ("(2,1)c/4", 4), ("(3,1)c/3", 5), ("(3,1)c/4", 4)),
    *(("(2,1)c/5", 3), ("(4,1)c/5", 3), ("(4,2)c/5", 3)),
)
"""Speed and the greatest width for the references."""
NARROW_DIAGONAL = (
    *(("c/2d", "C1", 5), ("c/3d", "C1", 5), ("c/4d", "C1", 4), ("c/5d", "C1", 4)),
    *(("2c/3d", "C1", 4), ("2c/5d", "C1", 4), ("2c/4d", "C1", 3), ("c/2d", "D2\\", 5)),
    *(("c/3d", "D2\\", 5), ("c/4d", "D2\\", 5), ("2c/3d", "D2\\", 5), ("c/5d", "D2\\", 5)),
)
"""The same of diagonal ships, with a symmetry."""
WITH_SHIPS = [each for each in DIAGONALS if each[2] * int(each[0][2]) <= 16]
"""Those for which the references take less than a second."""


def draw_oblique(chance: random.Random) -> str:
    """Draw a rule with a ship of the width, or any rule."""
    if chance.random() < 0.5:
        speed, width, rules = chance.choice(PLANTED)
        rule = _draw_member(RuleSpace(rules), chance)
        return ship(speed, box=f"{width}x*", rule=rule).to_json().decode()
    speed, most = chance.choice(NARROW)
    rule = _draw_any(chance, isotropic=chance.random() < 0.5)
    return ship(speed, box=f"{chance.randint(2, most)}x*", rule=rule).to_json().decode()


def draw_diagonal(chance: random.Random) -> str:
    """Draw a rule like one with a ship of the width, or any rule; with a mirror, too."""
    if chance.random() < 0.4:
        speed, symmetry, width, rules = chance.choice(WITH_SHIPS)
        rule = Rule(chance.choice(rules.split()))
        table = np.array(rule.table)
        for orbit in chance.sample(_list_orbits()[1:], chance.choice((0, 1, 3))):
            table[list(orbit)] ^= 1
        rule = Rule.from_table(table)
    else:
        speed, symmetry, most = chance.choice(NARROW_DIAGONAL)
        mirrored = symmetry != "C1"
        rule = _draw_any(chance, isotropic=mirrored or chance.random() < 0.5)
        width = chance.randrange(3, most + 1, 2) if mirrored else chance.randint(2, most)
    return ship(speed, box=f"{width}x*", symmetry=symmetry, rule=rule).to_json().decode()


def _draw_any(chance: random.Random, *, isotropic: bool) -> Rule:
    """Draw a rule without births from nothing."""
    share = chance.choice((0.2, 0.35, 0.5, 0.7))
    table = np.zeros(512, np.uint8)
    for orbit in _list_orbits():
        table[list(orbit)] = chance.random() < share
    if not isotropic:  # it depends on the direction
        table[chance.sample(range(1, 512), 60)] ^= 1
    table[0] = 0
    return Rule.from_table(table)


def _draw_member(space: RuleSpace, chance: random.Random) -> Rule:
    """Return one of a set of isotropic rules."""
    least, greatest = space.least.table, space.greatest.table
    table = np.array(least)
    for orbit in _list_orbits():
        some = list(orbit)
        if least[some[0]] != greatest[some[0]]:
            table[some] = chance.randrange(2)
    return Rule.from_table(table)


@cache
def _list_orbits() -> list[frozenset[int]]:
    """Return the neighbourhoods that turns and mirrors take to each other."""

    def turn(entry: int) -> frozenset[int]:
        cells = np.array([entry >> 8 - i & 1 for i in range(9)]).reshape(3, 3)
        turned = (np.rot90(each, k).ravel() for each in (cells, cells.T) for k in range(4))
        return frozenset(int("".join(map(str, each)), 2) for each in turned)

    return sorted({turn(entry) for entry in range(512)}, key=min)


def read_slanted(text: str, seed: str) -> Hunted:
    """Return the problem and whether it has a ship."""
    problem = Problem.from_json(text)
    for speed, width, rules in PLANTED:
        if (str(problem.motion), problem.width) == (speed, width):
            space = RuleSpace(rules)
            if problem.parsed.rule in space:
                return Hunted(text, seed, problem, is_satisfiable=True)
    fields = json.loads(text)
    known = Rows(text).find() is not None
    motion = fields["motion"]
    if motion["dx"] == -1 and motion["period"] > 1 and problem.symmetry == "C1":
        try:
            other = has_ship(text)
        except TooLarge:
            other = known
        if other != known:
            raise Differs("the references do not agree")
    return Hunted(text, seed, problem, known)


def check_slanted(hunted: Hunted, chance: random.Random) -> Counter[str]:
    """Rows agree with the references when they are killed, and when they prove."""
    motion = hunted.problem.motion
    can_prove = motion is not None and gcd(motion.period, motion.dx) == 1
    return (check_killed if not can_prove or chance.random() < 0.5 else check_widths)(
        hunted, chance
    )
