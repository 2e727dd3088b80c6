"""Forged sets of states for diagonal and oblique widths: ``python -m tests.forge.closed --help``.

Where a width has a ship, every set is false.  Where it has none, a changed set may still be closed:
what is accepted must be a proof by the plain reference, too.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from satlife import Problem, kinds
from satlife.audit.fast_widths import prepare
from satlife.audit.widths import Judge, RowRule, States, width_complaints
from satlife.engine.rows.quotients import make_quotient
from satlife.errors import FormatError
from satlife.rows.hunt import Hunt
from tests.reference.closed import FURTHER, Following
from tests.reference.narrow import Layer, Rows

NONE = (
    ("(2,1)c/4", 5, "C1", "B2-i3ei4z5acq6k/S3inr4acjnw5ainy6k7c"),
    ("(2,1)c/4", 5, "C1", "B2ace3cjr4jn5k7c/S1c4ain"),
    ("c/4d", 4, "C1", "B2-a3ceiqr4cikntw5-acjq6cei8/S12ain3-ijny4ckwy5ceikr678"),
    ("c/4d", 4, "C1", "B2-ai4rt5i/S02ck3j4kq5kqr6cin"),
    ("c/4d", 5, "D2\\", "B3678/S34678"),
    ("c/4d", 5, "D2\\", "B36/S23"),
    ("c/4d", 5, "D2\\", "B2/S038"),
)
"""Widths without a ship; where rows go on for long, not every changed set is closed."""
SHIPS = (
    ("(2,1)c/6", 8, "C1", "B2ce3aiq4j/S012cek3jq5i"),
    ("c/4d", 4, "C1", "B3/S23"),
    ("c/4d", 4, "C1", "B367/S0238"),
    ("c/3d", 5, "C1", "B34/S34"),
    ("c/3d", 5, "C1", "B34/S0346"),
    ("c/4d", 11, "D2\\", "B3/S23"),
)
"""Widths that have a ship."""
SMALL, SELDOM = 64, 16
"""Rows of a width up to which the plain check is asked of every set; else of one in so many."""


class Base(NamedTuple):
    """A set of states, what checks it, and the plain reference where it has no ship."""

    name: str
    rule: RowRule
    twin: Judge
    states: list[Layer]
    needed: list[Layer]
    """The states of a ship; where there is none, those after which rows go on for long."""
    following: Following | None
    whole: dict[int, int]
    """The whole row of each half of one."""

    @property
    def kind(self) -> str:
        return "oblique" if self.name.startswith("(") else "diagonal"


@cache
def make_bases() -> tuple[list[Base], list[Base]]:
    """Return the widths with a ship, and those without."""
    return [_with_ship(*each) for each in SHIPS], [_without_ship(*each) for each in NONE]


def _without_ship(speed: str, width: int, symmetry: str, rule: str) -> Base:
    """Return all states that follow from nothing."""
    problem = kinds.ship(speed, box=f"{width}x*", symmetry=symmetry, rule=rule)
    rows = Rows(problem.to_json())
    following, states = Following(rows), set[Layer]()
    waiting = [(0,) * (2 * rows.p)]
    while waiting:
        state = waiting.pop()
        if state not in states:
            states.add(state)
            waiting += following.follow(state)
    half = width // 2 if symmetry != "C1" else 0

    def halve(some: Iterable[Layer]) -> list[Layer]:
        return sorted(tuple(row >> half for row in state) for state in some)

    needed = [s for s in states if any(s) and not following.is_dead(s, FURTHER * rows.p)]
    check, whole = RowRule(problem), {row >> half: row for row in rows.rows}
    name = f"{speed} {width}x* {symmetry} {rule}"
    return Base(name, check, prepare(check), halve(states), halve(needed), following, whole)


def _with_ship(speed: str, width: int, symmetry: str, rule: str) -> Base:
    """Return the states of a search that has gone on after its ships."""
    problem: Problem = kinds.ship(speed, box=f"{width}x*", symmetry=symmetry, rule=rule)
    hunt = Hunt(make_quotient(problem), limit=1 << 31)
    found = [ships for piece in hunt.work() for ships in piece]
    length = 2 * hunt.quotient.period
    nothing = (0,) * length
    rows = (*nothing, *found[0], *nothing)
    ship = [rows[i : i + length] for i in range(1, len(rows) - length)]
    paths = [(*nothing, *hunt.path(node)) for node in range(hunt.count)]
    states = sorted({path[-length:] for path in paths} | set(ship))
    check = RowRule(problem)
    name = f"{speed} {width}x* {symmetry} {rule}, with a ship"
    return Base(name, check, prepare(check), states, ship, None, {})


def forge(base: Base, chance: random.Random) -> list[Layer]:
    """Return another set of states."""
    states, few = set(base.states), chance.choice((1, 1, 2, 5))
    own = base.needed or base.states[1:]
    some = chance.sample(own, min(few, len(own)))
    match chance.randrange(5):
        case 0 | 1:
            states -= set(some)
        case 2:
            for state in some:
                other = list(state)
                other[chance.randrange(len(other))] ^= 1 << chance.randrange(
                    base.rule.n.bit_length() - 1
                )
                states = (states - {state}) | {tuple(other)}
        case 3:
            cut = sorted(states)
            here = chance.randrange(1, len(cut))
            states = {cut[0], *chance.choice((cut[:here], cut[here:]))}
        case _:
            states = {base.states[0], *chance.sample(base.states, len(base.states) // 2)}
            states -= {some[0]}
    return sorted(states)


def accepts(rule: RowRule, states: list[Layer], judge: Judge | None) -> bool:
    """Whether the check of widths accepts a set."""
    array = np.array(states, np.uint16).reshape(len(states), 2 * rule.p)

    def runs(row: int) -> Iterator[States]:
        some = array[array[:, 0] == row]
        return iter([some] if len(some) else [])

    try:
        return not list(width_complaints(rule, runs, judge))
    except FormatError:
        return False


def try_forgeries(seed: int, count: int) -> tuple[Counter[str], list[str]]:
    """Forge sets; return how they were judged, and what was judged wrongly."""
    chance, tally, wrong = random.Random(f"{seed} forged"), Counter[str](), list[str]()
    for number in range(count):
        kind = ("oblique", "diagonal")[number // 2 % 2]
        bases = [each for each in make_bases()[number % 2] if each.kind == kind]
        states = forge(base := chance.choice(bases), chance)
        said = accepts(base.rule, states, base.twin)
        is_slow = base.rule.n > SMALL and number % SELDOM
        if not is_slow and said != accepts(base.rule, states, None):
            wrong.append(f"{base.name}: the twin differs, set {number}")
        wholes = {tuple(base.whole.get(row, row) for row in state) for state in states}
        is_true = base.following is not None and base.following.is_proof(wholes)
        truth = "closed" if is_true else "not closed" if base.following else "a ship exists"
        tally[f"{kind}, {truth}: {'accepted' if said else 'refused'}"] += 1
        if said and not is_true:
            wrong.append(f"{base.name}: set {number} is accepted")
    return tally, wrong


def main() -> int:
    """Forge, and print the counts; 1 if a false set was accepted."""
    parser = argparse.ArgumentParser(prog="python -m tests.forge.closed", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="so many forgeries (1000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same sets")
    words = parser.parse_args()
    tally, wrong = try_forgeries(words.seed, words.count)
    print(*(f"{number:6} {name}" for name, number in sorted(tally.items())), sep="\n")
    print(*(wrong or ["none was judged wrongly"]), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
