"""Which solutions count as one: those that a map of space (and of phase) carries to each other.

A map (g, a, b, s) makes of a history h the history h' with h'(t) = g(h(t + s)) + (a, b).  Two
solutions are one if such a map carries one to the other; both must be solutions, nothing else.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

import numpy as np

from tests.reference.arriving import inputs
from tests.reference.asked import Asked, History, Place, drawn, nine
from tests.reference.restoring import drawn_cells
from tests.reference.symmetries import MAPS

Space = tuple[str, int, int]
"""A map of the plane: g about the cell (0, 0), then a move by (a, b)."""
Living = frozenset[tuple[Place, int]]
"""The live cells ((x, y), t) of generations 0 to G - 1."""


def classes(problem: bytes | str, found: Iterable[History]) -> list[list[History]]:
    """Divide solutions into classes."""
    asked, histories = Asked(problem), list(found)
    # A history is told from others by its live cells.
    number = {_living(asked, history, 0): i for i, history in enumerate(histories)}
    groups = list(range(len(histories)))  # groups[i] is a smaller member of i's class, or i

    def first(i: int) -> int:
        while groups[i] != i:
            i = groups[i]
        return i

    if asked.boundary == "dead" and is_plain(asked):
        joined = _join_on_plane(asked, histories)
    else:
        joined = _join_by_maps(asked, histories, number)
    for i, j in joined:
        low, high = sorted((first(i), first(j)))
        groups[high] = low
    parts: dict[int, list[History]] = defaultdict(list)
    for i, history in enumerate(histories):
        parts[first(i)].append(history)
    return list(parts.values())


def rotors(problem: bytes | str, found: Iterable[History]) -> list[list[History]]:
    """Divide oscillators into those with the same rotor: the cells that change, and how."""
    asked = Asked(problem)
    groups: dict[frozenset[Living], list[History]] = defaultdict(list)
    for history in found:
        living = [_living(asked, history, s) for s in range(asked.steps)]
        cells = {place for place, _ in living[0]}
        still = {v for v in cells if all((v, t) in living[0] for t in range(asked.steps))}
        groups[
            frozenset(
                _shape(frozenset((MAPS[g](*v), t) for v, t in each if v not in still))[0]
                for each in living
                for g in MAPS
            )
        ].append(history)
    return list(groups.values())


def is_plain(asked: Asked) -> bool:
    """Return whether nothing in the problem names cells, and the outside is not free."""
    named = asked.known or asked.links or asked.exempt
    drawings = any(
        each["type"] in ("difference", "arrival") or each.get("free") for each in asked.constraints
    )
    return not named and not drawings and asked.boundary not in ("free", "agar")


def apply(space: Space, place: Place) -> Place:
    """Return where the map takes a place."""
    g, a, b = space
    x, y = MAPS[g](*place)
    return x + a, y + b


def _join_on_plane(asked: Asked, histories: list[History]) -> Iterator[tuple[int, int]]:
    """Yield pairs that are one, for a plain problem on the plane: any translation will do.

    After g and the shift of phase, the move can only be the one that takes the top left corner of
    all live cells to that of the other history.
    """
    phases = range(0, asked.steps if asked.motion else 1, asked.beat)
    shapes: dict[Living, list[int]] = defaultdict(list)
    living = [_living(asked, history, 0) for history in histories]
    for i, cells in enumerate(living):
        shapes[_shape(cells)[0]].append(i)
    for i, history in enumerate(histories):
        if not living[i]:
            continue  # the empty history is a class by itself
        for s in phases:
            cells = _living(asked, history, s)
            for g in _turns(asked):
                shape, _ = _shape(frozenset((MAPS[g](*v), t) for v, t in cells))
                for j in shapes.get(shape, ()):
                    yield i, j


def _join_by_maps(
    asked: Asked, histories: list[History], number: dict[Living, int]
) -> Iterator[tuple[int, int]]:
    """Yield pairs that are one, where only finitely many maps count: try them all."""
    last = asked.steps if asked.motion and is_plain(asked) else 1
    phases = range(0, last, asked.beat)
    maps = list(_maps(asked))
    for i, history in enumerate(histories):
        for s in phases:
            cells = _living(asked, history, s)
            for space in maps:
                image = frozenset((asked.in_tile(apply(space, v)), t) for v, t in cells)
                if image in number:
                    yield i, number[image]


def _maps(asked: Asked) -> Iterator[Space]:
    """Yield the maps that keep the lattice, or all boxes, and everything that names cells."""
    box = asked.boxes[0]
    for g in _turns(asked):
        if asked.boundary == "torus":
            sides = (box.width, asked.down), (asked.right, box.height)
            if all(asked.in_lattice(MAPS[g](*side)) for side in sides):
                spaces = [(g, a, b) for a in range(box.width) for b in range(box.height)]
                # in_tile takes moves to all copies, and these moves to different cells
                yield from (space for space in spaces if _keeps_names(asked, space))
        else:
            _, (x, y) = _shape(frozenset((MAPS[g](*v), 0) for v in box))
            space = (g, box.x - x, box.y - y)
            kept = all({apply(space, v) for v in each} == set(each) for each in asked.boxes)
            if kept and _keeps_names(asked, space):
                yield space


def _turns(asked: Asked) -> list[str]:
    """Return the maps that carry a neighbourhood to one with the same fate."""
    tables = asked.rules.tables
    return [g for g in MAPS if all((table[images(g)] == table).all() for table in tables)]


@cache
def images(g: str) -> list[int]:
    """Return where a map takes each neighbourhood; bit 8 - i is cell i in reading order."""
    places = [3 * (y + 1) + x + 1 for x, y in (MAPS[g](*v) for v in nine((0, 0)))]
    return [
        sum((n >> (8 - i) & 1) << (8 - place) for i, place in enumerate(places)) for n in range(512)
    ]


def _keeps_names(asked: Asked, space: Space) -> bool:
    """Return whether the map takes known, linked, exempt and drawn cells to such cells again."""

    def image(cell: tuple[Place, int]) -> tuple[Place, int]:
        return asked.in_tile(apply(space, cell[0])), cell[1]

    known = set(asked.known.items())
    links = {(frozenset([first, second]), opposite) for first, second, opposite in asked.links}
    kept = known == {(image(cell), state) for cell, state in known}
    kept &= asked.exempt == set(map(image, asked.exempt))
    kept &= links == {(frozenset(map(image, pair)), opposite) for pair, opposite in links}
    if asked.boundary == "agar":
        apart = range(math.lcm(len(asked.backdrops[0]), len(asked.backdrops[0][0])))
        kept &= all(
            asked.backdrop(v, 0) == asked.backdrop(apply(space, v), 0)
            for v in product(apart, repeat=2)
        )
    for drawing in asked.constraints:
        if drawing["type"] == "difference":
            # What is not drawn is as drawn dead.
            cells = {(place, state) for place, state in drawn(drawing) if state != "."}
            kept &= cells == {(image((place, 0))[0], state) for place, state in cells}
        if drawing.get("free"):  # of a catalyst
            times = range(drawing["contact"][0], drawing["contact"][1] + 1)
            born = {(place, t) for t in times for place in drawn_cells(drawing, t)}
            kept &= born == set(map(image, born))
        if drawing["type"] == "arrival":
            coming = {
                frozenset((place, t) for t, cells in enumerate(film) for place in cells)
                for film in inputs(drawing)
            }
            kept &= coming == {frozenset(map(image, cells)) for cells in coming}
    return kept


def _living(asked: Asked, history: History, s: int) -> Living:
    """Return the live cells of the history when its generation s is called generation 0."""
    cells = set()
    for t in range(asked.generations):
        for place in asked.places(t + s):
            cell = asked.cell(place, t + s)
            if not isinstance(cell, str):
                (x, y), at = cell
                box = asked.boxes[at]
                state = int(history[at][y - box.y, x - box.x])
                if state == 1:
                    cells.add((place, t))
                elif state and t == 0:  # it lived before
                    cells.add((place, 1 - state))
    return frozenset(cells)


def _shape(cells: Living) -> tuple[Living, Place]:
    """Return the cells moved to the corner (0, 0), and where their corner was."""
    if not cells:
        return cells, (0, 0)
    x, y = (int(np.min([place[axis] for place, _ in cells])) for axis in (0, 1))
    return frozenset(((px - x, py - y), t) for (px, py), t in cells), (x, y)
