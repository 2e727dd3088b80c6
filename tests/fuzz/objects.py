"""Draw problems around objects that everybody knows, with most cells of their boxes given."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from tests.fuzz.drawing import DIGITS, STATIC, TIMED, Fields, write
from tests.reference import is_solution, refused
from tests.reference.asked import Asked, History, Place
from tests.reference.symmetries import MAPS

# Rows, period, and how far it has moved when the period is over.
OBJECTS = {
    "block": ("oo|oo", 1, (0, 0)),
    "beehive": (".oo.|o..o|.oo.", 1, (0, 0)),
    "boat": ("oo.|o.o|.o.", 1, (0, 0)),
    "loaf": (".oo.|o..o|.o.o|..o.", 1, (0, 0)),
    "blinker": ("ooo", 2, (0, 0)),
    "toad": (".ooo|ooo.", 2, (0, 0)),
    "beacon": ("oo..|oo..|..oo|..oo", 2, (0, 0)),
    "clock": ("..o.|o.o.|.o.o|.o..", 2, (0, 0)),
    "glider": (".o.|..o|ooo", 4, (1, 1)),
    "lightweight spaceship": ("o..o.|....o|o...o|.oooo", 4, (2, 0)),
}
MOVING = ("glider", "lightweight spaceship")
FREE = 9
"""Cells of generation 0 that are not given."""


def draw_object(chance: random.Random) -> Fields:
    """Draw a problem that an object solves, turned somehow, somewhere in its boxes."""
    while True:
        name = chance.choice((*OBJECTS, *MOVING, *MOVING, *MOVING))
        rows, period, way = OBJECTS[name]
        g = chance.choice(tuple(MAPS))
        cells = {
            MAPS[g](x, y)
            for y, row in enumerate(rows.split("|"))
            for x, state in enumerate(row)
            if state == "o"
        }
        for _ in range(chance.randrange(period)):
            cells = step(cells)
        times = chance.choice((1, 1, 1, 2) if period < 4 else (1,))
        dx, dy = (times * n for n in MAPS[g](*way))
        generations = [cells]
        for _ in range(period * times - 1):
            generations.append(step(generations[-1]))
        fields: Fields = {"boxes": _boxes(chance, generations)}
        fields["motion"] = {"period": period * times, "dx": dx, "dy": dy}
        history = _history(fields, generations)
        symmetries = (*STATIC, *DIGITS, *TIMED)
        for name in chance.sample(symmetries, len(symmetries)) if chance.random() < 0.85 else ():
            text = write(fields | {"symmetry": name})
            if not refused(text) and is_solution(text, history):
                fields["symmetry"] = name
                break
        fields["known"] = _known(chance, fields, generations[0])
        fields["constraints"] = [
            each
            for each in ({"type": "full-period"}, {"type": "not-empty"})
            if chance.random() < 0.6
            and is_solution(write(fields | {"constraints": [each]}), history)
        ]
        if is_solution(write(fields), history):
            return fields


def step(cells: set[Place]) -> set[Place]:
    """Return the next generation, by B3/S23."""
    near = Counter(
        (x + i, y + j) for x, y in cells for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j
    )
    return {place for place, n in near.items() if n == 3 or (n == 2 and place in cells)}


def _boxes(chance: random.Random, generations: list[set[Place]]) -> list[str]:
    """Return one box that holds all generations, sometimes a square, or one for each."""
    if chance.random() < 0.25:
        return [_box(cells, 0, 0) for cells in generations]
    more = (0, 1) if chance.random() < 0.4 else (0, 0)
    if chance.random() < 0.5:
        more = more[::-1]
    whole = set().union(*generations)
    if chance.random() < 0.6:
        width, height = (max(v[i] for v in whole) - min(v[i] for v in whole) for i in (0, 1))
        more = (max(0, height - width), max(0, width - height))
    return [_box(whole, *more)]


def _box(cells: set[Place], wider: int, higher: int) -> str:
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    right, bottom = max(x for x, _ in cells), max(y for _, y in cells)
    return f"{right - left + 1 + wider}x{bottom - top + 1 + higher}{left:+d}{top:+d}"


def _history(fields: Fields, generations: list[set[Place]]) -> History:
    boxes = Asked(write(fields)).boxes
    return tuple(
        np.array(
            [
                [(x, y) in cells for x in range(box.x, box.x + box.width)]
                for y in range(box.y, box.y + box.height)
            ],
            np.uint8,
        )
        for box, cells in zip(boxes, generations, strict=True)
    )


def _known(chance: random.Random, fields: Fields, cells: set[Place]) -> list[Fields]:
    """Return generation 0 but for a few cells; nothing if there are few cells anyway."""
    box = Asked(write(fields)).boxes[0]
    places = list(box)
    if len(places) <= FREE:
        return []
    unknown = set(chance.sample(places, chance.randint(3, FREE)))
    rows = [
        "".join(
            "?" if (x, y) in unknown else ".o"[(x, y) in cells]
            for x in range(box.x, box.x + box.width)
        )
        for y in range(box.y, box.y + box.height)
    ]
    return [{"t": 0, "x": box.x, "y": box.y, "rows": rows}]
