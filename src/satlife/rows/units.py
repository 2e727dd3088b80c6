"""Units of work: states, for each the question whether a number of rows can follow it.

A unit is a value, and :func:`answer` a pure function of it, so it can be answered anywhere and in
any order.  An answer may hold further units in place of what would take too long; :func:`settle`
makes one answer of them, the same as if there had been none.

>>> life = bytes(
...     (n & 16 and (n & ~16).bit_count() == 2) or (n & ~16).bit_count() == 3 for n in range(512)
... )
>>> unit = Unit(Quotient(4, 4, 1, life, "odd"), states=bytes(16), broken=bytes(1), depth=40)
>>> answer(unit).fates == bytes([DEAD]), answer(unit).visited
(True, (238,))
>>> short = answer(unit, patience=100)
>>> short.visited, len(short.further)
((100,), 5)
>>> settle(short, lambda unit: answer(unit, patience=100)) == answer(unit)
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.rows.compilation import Kit, call
from satlife.rows.kernels import measure_memo
from satlife.rows.quotient import Quotient
from satlife.rows.tables import build_kit

_Rows = npt.NDArray[np.int64]

Ship = tuple[int, ...]
"""The rows from the first to the last that is not empty."""

DEAD: Final = 0
"""That number of rows cannot follow."""
ALIVE: Final = 1
"""They can."""
SHIP: Final = 2
"""A ship ends on the way there."""
OPEN: Final = 3
"""Further units decide it."""

PATIENCE: Final = 1 << 22
"""States after which one of a unit is left open."""


@dataclass(frozen=True)
class Unit:
    """Some states, and how many rows must follow each."""

    quotient: Quotient
    states: bytes
    """2p rows for each state, as 16-bit numbers, the lowest byte first."""
    broken: bytes
    """For each state, which parts of the period the rows up to it break."""
    depth: int


@dataclass(frozen=True)
class Further:
    """A part of what decides an open state: it lives if any state of the unit does."""

    state: int
    """The number of the open state."""
    path: Ship
    """The rows between it and the last row of each state of the unit."""
    unit: Unit


@dataclass(frozen=True)
class Answer:
    """What is known of the states of a unit."""

    fates: bytes
    visited: tuple[int, ...]
    """States visited until the fate of each was known, or it was left open."""
    paths: tuple[tuple[int, Ship], ...]
    """Numbers of states, with rows that follow: of every ship, and of the first that is alive."""
    further: tuple[Further, ...] = ()
    """In the order in which they would have been searched."""


def answer(unit: Unit, *, patience: int = PATIENCE, kit: Kit | None = None) -> Answer:
    """Answer a unit by search in depth, with tables that are built once if none are given."""
    kit = _build(unit.quotient) if kit is None else kit
    p, count = unit.quotient.period, len(unit.broken)
    states = np.frombuffer(unit.states, "<u2").reshape(count, 2 * p).astype(np.int64)
    broken = np.frombuffer(unit.broken, np.uint8)
    fates, visited = np.zeros(count, np.uint8), np.zeros(count, np.int64)
    lists = np.empty((unit.depth + 1, 1 << unit.quotient.bits), np.int64)
    r, counts, places = (np.empty(2 * p + unit.depth + 1, np.int64) for _ in range(3))
    front = np.full(unit.depth + 1, -1, np.int64)
    paths: dict[int, Ship] = {}
    further: list[Further] = []
    memo = np.empty(measure_memo(kit.quotient, unit.depth), np.uint64)
    given = (states, broken, fates, visited, r, lists, counts, places, front, memo, count)
    node, level, *_ = call("probe", kit, *given, 0, unit.depth, patience)
    while node < count:
        if fates[node] == SHIP:
            paths[node] = tuple(r[2 * p : 2 * p + level].tolist())
        else:
            left = [lists[i, places[i] : counts[i]] for i in range(level + 1)]
            further += _hand_on(unit, node, r[: 2 * p + level], left)
        node, level, *_ = call("probe", kit, *given, node + 1, unit.depth, patience)
    if front[-1] >= 0:
        paths[int(front[-1])] = tuple(front[:-1].tolist())
    return Answer(
        fates.tobytes(), tuple(visited.tolist()), tuple(sorted(paths.items())), tuple(further)
    )


_build = lru_cache(maxsize=2)(build_kit)


def _hand_on(unit: Unit, node: int, r: _Rows, left: list[_Rows]) -> list[Further]:
    """Return units for all rows that are left after each of the last rows, the deepest first."""
    p, breaks, broken = unit.quotient.period, unit.quotient.find_broken, unit.broken[node]
    found = []
    for i, rows in enumerate(left):
        if len(rows):
            states = np.empty((len(rows), 2 * p), "<u2")
            states[:, :-1], states[:, -1] = r[i + 1 : i + 2 * p], rows
            flags = bytes(broken | breaks(row) for row in rows.tolist())
            path = tuple(r[2 * p : 2 * p + i].tolist())
            below = Unit(unit.quotient, states.tobytes(), flags, unit.depth - i - 1)
            found.append(Further(node, path, below))
        if i < len(left) - 1:
            broken |= breaks(int(r[2 * p + i]))
    return found[::-1]


def settle(given: Answer, run: Callable[[Unit], Answer], most: int = PATIENCE) -> Answer:
    """Return an answer in which the answers of its further units replace them.

    A state that takes more than ``most`` states stays open.
    """
    fates, visited, paths = bytearray(given.fates), list(given.visited), dict(given.paths)
    tiring: set[int] = set()
    for each in given.further:
        node = each.state
        if visited[node] >= most:
            tiring.add(node)
        if fates[node] != OPEN or node in tiring:
            continue
        part = settle(run(each.unit), run, most - visited[node])
        ends = np.frombuffer(each.unit.states, "<u2").reshape(len(part.fates), -1)[:, -1]
        for i, fate in enumerate(part.fates):
            visited[node] += 1 + part.visited[i]
            if visited[node] > most:
                visited[node] = most
                tiring.add(node)
                break
            if fate != DEAD:  # the paths of a part hold its first state that is not dead
                fates[node] = fate
                paths[node] = (*each.path, int(ends[i]), *dict(part.paths)[i])
                break
    for each in given.further:
        if fates[each.state] == OPEN and each.state not in tiring:
            fates[each.state] = DEAD
    first = min((i for i in paths if fates[i] == ALIVE), default=-1)
    kept = tuple((i, paths[i]) for i in sorted(paths) if fates[i] == SHIP or i == first)
    return Answer(bytes(fates), tuple(visited), kept)
