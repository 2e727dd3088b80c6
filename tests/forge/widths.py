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
    pack_states,
    refit_width,
    unpack_states,
    write_folder,
)
from tests.forge.forging import cut_file
from tests.forge.pool import Forge, Pool
from tests.forge.truth import has_no_ship
from tests.fuzz.drawing import draw_rule
from tests.reference.narrow import Layer, Rows

SPEEDS = ("c/2", "c/2", "c/2", "c/3", "2c/3", "c/4", "2c/4", "c/2d", "c/3d", "c/4d", "2c/3d")
OBLIQUE = ("(2,1)c/2", "(2,1)c/3", "(3,1)c/3", "(4,2)c/5")
KNOWN_WIDTHS = (
    ("c/2", "4x*", "C1", "B01468/S23"),
    ("c/2", "3x*", "C1", "B3/S23"),
    ("c/2", "4x*", "D2|", "B36/S125"),
    ("c/3", "3x*", "D2|", "B3/S23"),
    ("c/4d", "3x*", "C1", "B3/S23"),
    ("c/5d", "5x*", "D2\\", "B3/S23"),
    ("(2,1)c/3", "4x*", "C1", "B3/S23"),
    ("(2,1)c/4", "4x*", "C1", "B3/S23"),
    ("(3,1)c/4", "3x*", "C1", "B3/S23"),
)
"""Widths that are always there; the first has a ship, and a background that strobes."""


@cache
def draw_widths(pool: Pool) -> list[Problem]:
    """Return questions for ships of a width, some of which there are."""
    return list(_draw_widths(random.Random(f"{pool.seed} widths"), 4 * pool.size))


def _draw_widths(chance: random.Random, number: int) -> Iterator[Problem]:
    drawn = list(KNOWN_WIDTHS)
    while len(drawn) < number:
        symmetry, speed = (
            chance.choice(("C1", "C1", "D2|", "C1:D2|")),
            chance.choice(SPEEDS + OBLIQUE),
        )
        if speed.endswith("d") and symmetry != "C1":
            symmetry = "D2\\"
        symmetry = "C1" if speed in OBLIQUE else symmetry
        box = f"{chance.choice((2, 3, 3, 4))}x*"
        drawn.append((speed, box, symmetry, draw_rule(chance)))
    for speed, box, symmetry, rule in drawn:
        with suppress(UsageError):
            yield kinds.ship(speed, box=box, symmetry=symmetry, rule=rule)


def make_widths(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    for problem in draw_widths(pool):
        text = problem.to_json().decode()
        if has_no_ship(text) and (states := close_states(text)):
            yield make_width(problem, states)


def close_states(problem: str) -> list[Layer] | None:
    """Return all states that rows lead to from nothing, sorted; None if a ship is among them."""
    rows = Rows(problem)
    if rows.glides or len(rows.tables) > 1:
        return None
    p, k, (table,) = rows.p, rows.k, rows.tables
    half = rows.width // 2 if len(rows.rows) < 1 << rows.width else 0
    start: Layer = (0,) * (2 * p)
    seen, order = {start}, [start]
    for state in order:
        for row, becomes in table.get((state[0], state[p]), {}).items():
            after = (*state[1:], row)
            if becomes == state[p + k] and after not in seen:
                seen.add(after)
                order.append(after)
            if len(order) > 3000:
                return None
    return sorted(tuple(row >> half for row in state) for state in order)


# Forgeries


def forge_width(chance: random.Random, pool: Pool, kind: str, place: Path) -> str:
    """Make a forgery of a width, and return what was done."""
    name = chance.choice(list(_WIDTHS))
    write_folder(_WIDTHS[name](chance, pool, chance.choice(pool.folders["width"])), place)
    if chance.random() < 0.9:
        refit_width(place)
    return name


def _one_state(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    problem = chance.choice(draw_widths(pool))
    empty = (0,) * (2 * problem.motion.period) if problem.motion else ()
    return make_width(problem, chance.choice(([empty], [empty, empty], [empty, (*empty[1:], 1)])))


def _no_state(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    files = (b"", bytes(8), pack_states([], 8), pack_states([], 16), base[STATES][:72])
    return change(base, {STATES: chance.choice(files)})


def _states_of_another(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {PROBLEM: chance.choice(draw_widths(pool)).to_json()})


def _changed_width(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {PROBLEM: changes.change_problem(chance, base[PROBLEM])})


def _other_states(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {STATES: chance.choice(pool.folders["width"])[STATES]})


def _changed_states(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    states, number = _read(base)
    here = chance.randrange(len(states))
    match chance.randrange(5):
        case 0 | 1:
            del states[here]
        case 2:
            state = list(states[here])
            state[chance.randrange(len(state))] ^= chance.choice((1, 2, 4))
            states[here] = tuple(state)
        case 3:
            states = chance.choice((states[:here], states[here:], [states[0], *states[here:]]))
        case _:
            chance.shuffle(states)
    if chance.random() < 0.7:
        states.sort()
    return change(base, {STATES: pack_states(states, number)})


def _cut_states(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Cut the file, or let runs begin elsewhere."""
    text = base[STATES]
    head = np.frombuffer(text[: int.from_bytes(text[:8], "little")], "<u8").copy()
    head[chance.randrange(len(head))] = chance.choice(head.tolist())
    moved = head.tobytes() + text[8 * len(head) :]
    return change(base, {STATES: chance.choice((changes.cut(chance, text), text * 2, moved))})


def _other_runs(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Put some runs of a set into the place of others: their states begin with other rows."""
    states, number = _read(base)
    turn = chance.randrange(1, number)
    turned = sorted(((state[0] + turn) % number, *state[1:]) for state in states)
    return change(base, {STATES: pack_states([states[0], *turned], number)})


def _read(base: Folder) -> tuple[list[Layer], int]:
    motion = Problem.from_json(base[PROBLEM]).motion
    return unpack_states(base[STATES], motion.period if motion else 1)


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
    "other runs": _other_runs,
    "a file cut": cut_file,
}
