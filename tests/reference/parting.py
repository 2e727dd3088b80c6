"""Objects and their parts, for ``--reject`` and ``--only-connected``: ``docs/how-to/all.md``.

A pattern is made of independent parts if each evolves as it would alone: its islands (live cells
that touch, sides or corners) fall into groups such that in every generation of a period the groups,
each followed by itself, have no cell in common, are together the whole, and divide no island.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tests.reference.asked import Place, TooLarge, neighbourhood, nine
from tests.reference.classing import images
from tests.reference.rules import Table
from tests.reference.symmetries import MAPS

Cells = frozenset[Place]
Division = tuple[Cells, ...]
Turn = Callable[[int, int], Place]
_SIXTHS: tuple[Turn, ...] = (
    *(lambda x, y: (x, y), lambda x, y: (x - y, x), lambda x, y: (-y, x - y)),
    *(lambda x, y: (-x, -y), lambda x, y: (y - x, -x), lambda x, y: (y, y - x)),
    *(lambda x, y: (y, x), lambda x, y: (x, x - y), lambda x, y: (x - y, -y)),
    *(lambda x, y: (-y, -x), lambda x, y: (-x, y - x), lambda x, y: (y - x, y)),
)
"""The twelve turns and mirrors of hexagons, which are drawn as squares that lean."""
LONGEST, MOST_CELLS = 60, 100
"""Generations in which a small object is back, and live cells that it never exceeds."""
MOST_ISLANDS = 7


class Return(NamedTuple):
    """When a pattern is back for the first time, and where."""

    period: int
    dx: int
    dy: int


def step(table: Table, cells: Cells) -> Cells:
    """Return the next generation, by a rule without births from nothing."""
    places = {near for place in cells for near in neighbourhood(place)}
    number = {v: int("".join(str(int(w in cells)) for w in nine(v)), 2) for v in places}
    return frozenset(v for v in places if table[number[v]])


def follow(table: Table, cells: Cells, generations: int) -> list[Cells]:
    """Return generations 0 to the given one."""
    film = [cells]
    for _ in range(generations):
        film.append(step(table, film[-1]))
    return film


def corner(cells: Cells) -> Place:
    """Return the least column and the least row."""
    return min(x for x, _ in cells), min(y for _, y in cells)


def move(cells: Iterable[Place], dx: int, dy: int) -> Cells:
    """Return the cells, moved."""
    return frozenset((x + dx, y + dy) for x, y in cells)


def shape(cells: Cells) -> Cells:
    """Return the cells with their corner at (0, 0)."""
    x, y = corner(cells)
    return move(cells, -x, -y)


def find_return(table: Table, cells: Cells) -> Return | None:
    """Return when a pattern is back; None if it dies, or is not back soon."""
    first, now = shape(cells), cells
    for period in range(1, LONGEST + 1):
        now = step(table, now)
        if not now or len(now) > MOST_CELLS:
            return None
        if len(now) == len(first) and shape(now) == first:
            (x, y), (x0, y0) = corner(now), corner(cells)
            return Return(period, x - x0, y - y0)
    return None


def islands(cells: Cells) -> list[Cells]:
    """Return the islands of a generation."""
    left, found = set(cells), []
    while left:
        island, waiting = set(), [min(left)]
        while waiting:
            place = waiting.pop()
            if place in left:
                left.remove(place)
                island.add(place)
                waiting += neighbourhood(place)
        found.append(frozenset(island))
    return found


def divisions(table: Table, cells: Cells) -> list[Division]:
    """Return all divisions of a pattern that comes back into as many parts as possible."""
    back = find_return(table, cells)
    assert back is not None, "it does not come back"
    film = follow(table, cells, back.period)
    pieces = islands(cells)
    right = [
        tuple(frozenset().union(*group) for group in groups)
        for groups in _partitions(pieces)
        if _is_right(table, film, back, [frozenset().union(*group) for group in groups])
    ]
    most = max(map(len, right))
    return [division for division in right if len(division) == most]


def is_object(table: Table, part: Cells, given: Cells) -> bool:
    """Whether a part is a given object, in any position, orientation and phase."""
    back = find_return(table, part)
    if back is None or find_return(table, given) is None:
        return False
    wanted = shape(given)
    turns = orientations(table)
    return any(
        shape(frozenset(turn(*v) for v in phase)) == wanted
        for phase in follow(table, part, back.period - 1)
        for turn in turns
    )


def orientations(table: Table) -> list[Turn]:
    """Return the turns and mirrors that a rule respects, of the square's or of the hexagon's.

    On hexagons a cell sees all but north-east and south-west, and north-west or south-east; it
    turns by a sixth.
    """
    numbers = np.arange(512)
    sees = [bool((table != table[numbers ^ 1 << 8 - i]).any()) for i in range(9)]
    if sees[2] or sees[6] or not (sees[0] or sees[8]):
        return [turn for g, turn in MAPS.items() if (table[images(g)] == table).all()]
    places = [v for v in nine((0, 0)) if v not in ((1, -1), (-1, 1))]
    bits = {v: 1 << 8 - i for i, v in enumerate(nine((0, 0)))}
    respected = []
    for turn in _SIXTHS:
        image = sum(np.where(numbers & bits[v], bits[turn(*v)], 0) for v in places)
        if (table[image] == table).all():
            respected.append(turn)
    return respected


def read_code(code: str) -> tuple[str, Cells]:
    """Read an apgcode: its prefix, and its cells, in strips of five rows (Wechsler's format).

    A letter is a column of a strip, its top cell the lowest bit; w, x and y stand for empty ones.
    """
    prefix, _, text = code.partition("_")
    columns = re.sub("y(.)", lambda many: "0" * (4 + int(many[1], 36)), text)
    columns = columns.replace("w", "00").replace("x", "000")
    return prefix, frozenset(
        (x, 5 * strip + bit)
        for strip, letters in enumerate(columns.split("z"))
        for x, letter in enumerate(letters)
        for bit in range(5)
        if int(letter, 36) >> bit & 1
    )


def name_prefix(table: Table, cells: Cells) -> str | None:
    """Return how the apgcode of an object begins: its sort, and its period, or its cells."""
    back = find_return(table, cells)
    if back is None:
        return None
    if (back.dx, back.dy) != (0, 0):
        return f"xq{back.period}"
    return f"xp{back.period}" if back.period > 1 else f"xs{len(cells)}"


def find_rejected(table: Table, codes: Iterable[str]) -> list[Cells]:
    """Return the objects of some apgcodes; what is not such an object in this rule is nothing."""
    read = map(read_code, codes)
    return [cells for prefix, cells in read if name_prefix(table, cells) == prefix]


def verdicts(
    table: Table, cells: Cells, rejected: Iterable[Cells], only_connected: bool
) -> set[bool]:
    """Return whether a pattern counts; both, if that depends on how it is divided."""
    given = list(rejected)
    if not cells:
        return {True}
    if any(is_object(table, cells, each) for each in given):
        return {False}
    return {
        not (only_connected and len(division) > 1)
        and not any(is_object(table, part, each) for part in division for each in given)
        for division in divisions(table, cells)
    }


def _is_right(table: Table, film: list[Cells], back: Return, parts: list[Cells]) -> bool:
    films = [follow(table, part, back.period) for part in parts]
    for t, whole in enumerate(film):
        now = [each[t] for each in films]
        if sum(map(len, now)) != len(whole) or frozenset().union(*now) != whole:
            return False
        if any(not any(island <= part for part in now) for island in islands(whole)):
            return False
    return all(each[-1] == move(each[0], back.dx, back.dy) for each in films)


def _partitions(pieces: list[Cells]) -> Iterator[list[list[Cells]]]:
    if len(pieces) > MOST_ISLANDS:
        raise TooLarge(f"{len(pieces)} islands, which can be divided in too many ways")
    if not pieces:
        yield []
        return
    for groups in _partitions(pieces[1:]):
        yield [[pieces[0]], *groups]
        for i, group in enumerate(groups):
            yield [*groups[:i], [pieces[0], *group], *groups[i + 1 :]]


def living(states: npt.NDArray[np.uint8]) -> Cells:
    """Return the live cells of one generation of a history."""
    return frozenset((int(x), int(y)) for y, x in zip(*np.nonzero(states == 1), strict=True))
