"""Widths without ships: valid ones, and forgeries of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from satlife import Problem, kinds
from satlife.certificates.check.states import STATES
from satlife.errors import UsageError
from satlife.rulemaps.folder import PROBLEM
from tests.forge import changes
from tests.forge.folders import (
    Folder,
    change,
    make_width,
    pack,
    refit_width,
    unpack,
    write_folder,
)
from tests.forge.forging import cut_file
from tests.forge.pool import Forge, Pool
from tests.forge.truth import has_no_ship
from tests.fuzz.drawing import draw_rule
from tests.reference.narrow import Layer, Rows

SPEEDS = ("c/2", "c/2", "c/2", "c/3", "2c/3", "c/4", "2c/4")
KNOWN_WIDTHS = (
    ("c/2", "4x*", "C1", "B01468/S23"),
    ("c/2", "3x*", "C1", "B3/S23"),
    ("c/2", "4x*", "D2|", "B36/S125"),
    ("c/3", "3x*", "D2|", "B3/S23"),
)
"""Widths that are always there; the first has a ship, and a background that strobes."""


@cache
def draw_widths(pool: Pool) -> list[Problem]:
    """Return questions for ships of a width, some of which there are."""
    return list(_draw_widths(random.Random(f"{pool.seed} widths"), 4 * pool.size))


def _draw_widths(chance: random.Random, number: int) -> Iterator[Problem]:
    drawn = list(KNOWN_WIDTHS)
    while len(drawn) < number:
        symmetry = chance.choice(("C1", "C1", "D2|", "C1:D2|"))
        box = f"{chance.choice((2, 3, 3, 4))}x*"
        drawn.append((chance.choice(SPEEDS), box, symmetry, draw_rule(chance)))
    for speed, box, symmetry, rule in drawn:
        with suppress(UsageError):
            yield kinds.ship(speed, box=box, symmetry=symmetry, rule=rule)


def make_widths(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    for problem in draw_widths(pool):
        text = problem.to_json().decode()
        if has_no_ship(text) and (states := close_states(text)):
            yield make_width(problem, *states)


def close_states(problem: str) -> tuple[list[int], list[int]] | None:
    """Return all states that rows lead to from nothing, as a tree; None if a ship is among them."""
    rows = Rows(problem)
    if rows.glides or len(rows.tables) > 1:
        return None
    p, k, (table,) = rows.p, rows.k, rows.tables
    half = rows.width // 2 if len(rows.rows) < 1 << rows.width else 0
    start: Layer = (0,) * (2 * p)
    children, seen, order = {start: 0}, {start}, [start]
    for state in order:
        for row, becomes in table.get((state[0], state[p]), {}).items():
            after = (*state[1:], row)
            if becomes == state[p + k] and after not in seen:
                seen.add(after)
                order.append(after)
                children[after] = 0
                children[state] += 1
            if len(order) > 3000:
                return None
    return [children[state] for state in order], [state[-1] >> half for state in order]


# Forgeries


def forge_width(chance: random.Random, pool: Pool, kind: str, place: Path) -> str:
    """Make a forgery of a width, and return what was done."""
    name = chance.choice(list(_WIDTHS))
    write_folder(_WIDTHS[name](chance, pool, chance.choice(pool.folders["width"])), place)
    if chance.random() < 0.9:
        refit_width(place)
    return name


def _one_state(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return make_width(
        chance.choice(draw_widths(pool)), *chance.choice((([0], [0]), ([1, 0], [0, 0])))
    )


def _no_state(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {STATES: chance.choice((b"", pack(b""), pack(b"\0"), pack(b"\0" * 4)))})


def _states_of_another(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {PROBLEM: chance.choice(draw_widths(pool)).to_json()})


def _changed_width(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {PROBLEM: changes.change_problem(chance, base[PROBLEM])})


def _other_states(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {STATES: chance.choice(pool.folders["width"])[STATES]})


def _changed_states(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    children, rows = np.frombuffer(unpack(base[STATES]), "<u2").reshape(2, -1).tolist()
    parents = [i for i, number in enumerate(children) for _ in range(number)]
    leaves = [i for i, number in enumerate(children) if not number and i]
    here = chance.randrange(len(rows))
    match chance.randrange(5):
        case 0 | 1 if leaves:
            gone = chance.choice(leaves)
            children[parents[gone - 1]] -= 1
            del children[gone], rows[gone]
        case 2:
            rows[here] ^= chance.choice((1, 2, 4))
        case 3:
            children[here] = max(0, children[here] + chance.choice((1, -1)))
        case _:
            children, rows = children[: here + 1], rows[: here + 1]
            parents = parents[:here]
            children = [parents.count(i) for i in range(len(rows))]
    numbers = np.array([*children, *rows], "<u2")
    return change(base, {STATES: pack(numbers.tobytes())})


def _cut_states(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    text = unpack(base[STATES])
    return change(base, {STATES: pack(chance.choice((changes.cut(chance, text), text * 2)))})


_WIDTHS: dict[str, Forge] = {
    "one state": _one_state,
    "one state again": _one_state,
    "no state": _no_state,
    "states of another problem": _states_of_another,
    "a changed problem": _changed_width,
    "a changed problem again": _changed_width,
    "other states": _other_states,
    "changed states": _changed_states,
    "cut states": _cut_states,
    "a file cut": cut_file,
}
