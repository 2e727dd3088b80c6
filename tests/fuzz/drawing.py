"""Draw small problems at random.  Most are planted: a solution first, then what it solves.

A draw is the JSON of a problem as a dictionary; whether satlife takes it is not known here.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from tests.reference import Asked, History, TooLarge, is_solution, measure, refused, solutions
from tests.reference.asked import NoCell
from tests.reference.symmetries import axis_cells

Fields = dict[str, Any]

RULES = (
    *["B3/S23"] * 6,
    *("B36/S23", "B2/S", "B2/S0", "B34/S34", "B1357/S1357", "B3678/S34678", "B1/S1", "B25/S4"),
    *("B3/S012345678", "B2/S2", "B1/S012", "B/S012345678"),
)
STATIC = ("C2", "C4", "D2|", "D2-", "D2\\", "D2/", "D4+", "D4x", "D8")
DIGITS = (
    *("C2_1", "C2_2", "C2_4", "C4_1", "C4_4", "D2_+1", "D2_+2", "D2_x", "D4_+1", "D4_+2"),
    *("D4_+4", "D4_x1", "D4_x4", "D8_1", "D8_4"),
)
TIMED = (
    *("C1:C2", "C1:C4", "C1:D2|", "C1:D2-", "C1:D2\\", "C1:D2/", "C2:C4", "C2:D4+", "C2:D4x"),
    *("C4:D8", "D2|:D4+", "D2-:D4+", "D2\\:D4x", "D2/:D4x", "D4+:D8", "D4x:D8"),
    *("C1:C2_1", "C1:C2_2", "C1:C2_4", "C1:C4_1", "C1:C4_4", "C1:D2_+1", "C1:D2_+2", "C1:D2_x"),
    *("C2_1:C4_1", "C2_1:D4_+1", "C2_1:D4_x1", "C2_2:D4_+2", "C2_4:C4_4", "C2_4:D4_+4"),
    *("C2_4:D4_x4", "C4_1:D8_1", "C4_4:D8_4", "D2_+1:D4_+1", "D2_+1:D4_+2", "D2_+2:D4_+2"),
    *("D2_+2:D4_+4", "D2_x:D4_x1", "D2_x:D4_x4", "D4_+1:D8_1", "D4_+4:D8_4", "D4_x1:D8_1"),
    "D4_x4:D8_4",
)
TRANSFORMS = (
    *("quarter-turn-clockwise", "half-turn", "quarter-turn-anticlockwise"),
    *("flip-left-right", "flip-top-bottom", "flip-diagonal", "flip-antidiagonal"),
)
SIZES = ((1, 1), (2, 1), (1, 3), (2, 2), (2, 2), (3, 2), (2, 3), (3, 3), (3, 3), (3, 3), (4, 2))
LARGER = ((4, 3), (5, 2), (3, 4), (4, 4), (6, 2))
MOST = 2**12
"""Fillings of most draws; a few have more."""


def draw_raw(chance: random.Random, sort: str) -> Fields:
    """Draw a problem of any fields: a planted one, which has a solution, or a wild one."""
    boundary = chance.choices(("dead", "torus", "free"), (6, 3, 1))[0]
    while True:
        fields = _SPACES[boundary](chance)
        fields["rule"] = _rule(chance)
        if chance.random() < 0.35:
            _add_exempt(chance, fields)
        if sort == "planted":
            history = _plant(chance, fields)
            if history is None:
                continue
            _decorate(chance, fields, history)
        else:
            _decorate(chance, fields, None)
        return fields


def write(fields: Fields) -> str:
    """Return the JSON of a draw."""
    return json.dumps({"schema": 1, **fields}, sort_keys=True)


def _rule(chance: random.Random) -> str:
    if chance.random() < 0.8:
        return chance.choice(RULES)
    births = "".join(str(n) for n in range(1, 9) if chance.random() < 0.3)
    survivals = "".join(str(n) for n in range(9) if chance.random() < 0.4)
    return f"B{births}/S{survivals}"


def _box(chance: random.Random, square: bool = False) -> tuple[int, int]:
    sizes = LARGER if chance.random() < 0.08 else SIZES
    return chance.choice([size for size in sizes if size[0] == size[1] or not square])


def _named(width: int, height: int, x: int = 0, y: int = 0) -> str:
    return f"{width}x{height}" if (x, y) == (0, 0) else f"{width}x{height}{x:+d}{y:+d}"


def _symmetry(chance: random.Random, moving: bool) -> str:
    names = chance.choice((STATIC, DIGITS, TIMED) if moving else (STATIC, DIGITS))
    return chance.choice(names)


def _motion(chance: random.Random) -> Fields:
    period = chance.choice((1, 1, 2, 2, 2, 3, 4, 4, 6))
    motion: Fields = {"period": period}
    if chance.random() < 0.5:
        reach = min(period, 2)
        way = chance.choice(((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2)))
        times = chance.choice((-2, -1, 1, 2))
        dx, dy = way[0] * times, way[1] * times
        if max(abs(dx), abs(dy)) <= max(reach, 1) and max(abs(dx), abs(dy)) <= period:
            motion |= {"dx": dx, "dy": dy}
    if chance.random() < 0.25:
        motion["transform"] = chance.choice(TRANSFORMS)
    return motion


def _dead(chance: random.Random) -> Fields:
    fields: Fields = {}
    moving = chance.random() < 0.75
    if moving:
        fields["motion"] = motion = _motion(chance)
        fields["include_last"] = chance.random() < 0.15
        count = motion["period"]
    else:
        fields["steps"] = steps = chance.choice((0, 1, 1, 2, 3))
        count = steps + 1
    if chance.random() < 0.45:
        fields["symmetry"] = _symmetry(chance, moving)
    square = fields.get("symmetry", "")[-1:] in ("\\", "/", "x", "8") and chance.random() < 0.9
    width, height = _box(chance, square)
    corner = (chance.randint(-2, 2), chance.randint(-2, 2)) if chance.random() < 0.3 else (0, 0)
    boxes = [(width, height, *corner)]
    if chance.random() < 0.25:
        boxes += [
            (
                max(1, width + chance.randint(-1, 1)),
                max(1, height + chance.randint(-1, 1)),
                corner[0] + chance.randint(-1, 1),
                corner[1] + chance.randint(-1, 1),
            )
            for _ in range(count - 1)
        ]
    fields["boxes"] = [_named(*box) for box in boxes]
    return fields


def _torus(chance: random.Random) -> Fields:
    fields: Fields = {"boundary": "torus"}
    moving = chance.random() < 0.8
    if moving:
        fields["motion"] = _motion(chance)
    else:
        fields["steps"] = chance.choice((0, 1, 2))
    if chance.random() < 0.4:
        fields["symmetry"] = _symmetry(chance, moving)
    width, height = _box(chance, chance.random() < 0.4)
    corner = (chance.randint(-2, 2), chance.randint(-2, 2)) if chance.random() < 0.3 else (0, 0)
    fields["boxes"] = [_named(width, height, *corner)]
    if chance.random() < 0.35:
        twist = chance.randint(-3, 3)
        fields["wrap"] = chance.choice(([twist, 0], [0, twist]))
    return fields


def _free(chance: random.Random) -> Fields:
    steps = chance.choice((0, 1, 1, 1, 2))
    fields: Fields = {"boundary": "free", "steps": steps}
    width, height = chance.choice(((3, 3), (3, 3), (4, 3), (3, 4), (2, 2), (4, 2)))
    corner = (chance.randint(-2, 2), chance.randint(-2, 2)) if chance.random() < 0.3 else (0, 0)
    boxes = [(width, height, *corner)]
    for t in range(1, steps + 1):
        wide, high = max(1, width - 2 * t), max(1, height - 2 * t)
        more = chance.choice((0, 0, 1))
        boxes.append((wide + more, high, corner[0] + t - chance.randint(0, more), corner[1] + t))
    if chance.random() < 0.4:
        fields["symmetry"] = _symmetry(chance, False)
    fields["boxes"] = [_named(*box) for box in boxes]
    return fields


_SPACES: dict[str, Callable[[random.Random], Fields]] = {
    "dead": _dead,
    "torus": _torus,
    "free": _free,
}


def _add_exempt(chance: random.Random, fields: Fields) -> None:
    asked = Asked(write(fields))
    places = [
        (*chance.choice(list(asked.boxes[min(t, asked.generations - 1)])), t)
        for t in (chance.randint(0, asked.steps) for _ in range(chance.randint(1, 3)))
    ]
    if asked.boundary == "dead" and chance.random() < 0.3:
        x, y, t = places[0]
        places[0] = (x + chance.randint(-2, 2), y + chance.randint(-2, 2), t)
    fields["exempt"] = [list(place) for place in places]


def _plant(chance: random.Random, fields: Fields) -> History | None:
    """Return a solution of what has been drawn so far, one that is not empty if there is one."""
    text = write(fields)
    try:
        if refused(text):
            return None
        found = solutions(text, MOST * (16 if chance.random() < 0.05 else 1))
    except (TooLarge, NoCell):
        return None
    lively = [history for history in found if any(states.any() for states in history)]
    if not lively and chance.random() < 0.85:
        return None
    return chance.choice(lively or found) if found else None


def _decorate(chance: random.Random, fields: Fields, history: History | None) -> None:
    """Add known cells, links and constraints: such as the history has, or any."""
    if chance.random() < 0.35:
        fields["known"] = _known(chance, fields, history)
    if chance.random() < 0.3:
        fields["links"] = _links(chance, fields, history)
    constraints = [_constraint(chance, fields) for _ in range(chance.choice((0, 1, 1, 1, 2, 3)))]
    kept: list[Fields] = []
    for each in constraints:
        bounded = each if "least" not in each else _bound(chance, fields, each, history)
        text = write(fields | {"constraints": [*kept, bounded]})
        if history is None or is_solution(text, history):
            kept.append(bounded)
    fields["constraints"] = kept


def _state(asked: Asked, history: History, x: int, y: int, t: int) -> int:
    cell = asked.cell((x, y), t)
    if isinstance(cell, str):
        return 0
    (x, y), t = cell
    return int(history[t][y - asked.boxes[t].y, x - asked.boxes[t].x])


def _some_cell(chance: random.Random, asked: Asked) -> tuple[int, int, int]:
    """Return a cell that can be named; where the outside is dead it may lie there."""
    t = chance.randint(0, asked.steps)
    x, y = chance.choice(list(asked.boxes[t % asked.generations]))
    if asked.boundary == "dead" and chance.random() < 0.2:
        x, y = x + chance.randint(-2, 2), y + chance.randint(-2, 2)
    return x, y, t


def _known(chance: random.Random, fields: Fields, history: History | None) -> list[Fields]:
    asked = Asked(write(fields))
    drawings = []
    for _ in range(chance.choice((1, 1, 2))):
        x0, y0, t = _some_cell(chance, asked)
        width, height = chance.choice(((1, 1), (2, 1), (1, 2), (2, 2)))
        box = asked.boxes[t % asked.generations]
        rows = []
        for y in range(y0, y0 + height):
            row = ""
            for x in range(x0, x0 + width):
                sayable = asked.boundary == "dead" or (x, y) in box
                if not sayable or chance.random() < 0.4:
                    row += "?"
                elif history is None:
                    row += chance.choice(".o")
                else:
                    row += ".o"[_state(asked, history, x, y, t)]
            rows.append(row)
        drawings.append({"t": t, "x": x0, "y": y0, "rows": rows})
    return drawings


def _links(chance: random.Random, fields: Fields, history: History | None) -> list[Fields]:
    asked = Asked(write(fields))
    links = []
    for _ in range(chance.choice((1, 1, 2))):
        first, second = _some_cell(chance, asked), _some_cell(chance, asked)
        if history is None:
            opposite = chance.random() < 0.5
        else:
            opposite = _state(asked, history, *first) != _state(asked, history, *second)
        links.append({"first": list(first), "second": list(second), "opposite": opposite})
    return links


def _has_axis(asked: Asked) -> bool:
    try:
        return any(True for _ in axis_cells(asked))
    except NoCell:  # the box does not fit the symmetry, and is refused for that
        return False


def _constraint(chance: random.Random, fields: Fields) -> Fields:
    asked = Asked(write(fields))
    t = chance.randrange(asked.generations)
    names = ["not-empty", "full-period", "pattern-period", "population", "population"]
    names += ["rotor", "stator", "difference", "growth", "decay"]
    names += ["width", "height", "area"] if asked.boundary != "torus" else []
    names += ["lacks"] if asked.boundary != "free" else []
    names += ["gutter"] * 4 if _has_axis(asked) else []
    match chance.choice(names):
        case "not-empty":
            return {"type": "not-empty", "t": t}
        case "full-period" | "pattern-period" | "gutter" as name:
            return {"type": name}
        case "lacks":
            return {"type": "lacks", "symmetry": chance.choice(STATIC)}
        case "population":
            which = chance.choice((t, t, "every", "least", "most", "sum"))
            return {"type": "population", "generation": which, "least": 0}
        case "difference":
            x, y = chance.choice(list(asked.boxes[t]))
            if asked.boundary != "torus":
                x, y = x + chance.randint(-2, 1), y + chance.randint(-2, 1)
            rows = ["".join(chance.choices("o.?", (3, 2, 1), k=chance.randint(1, 2)))]
            return {
                "type": "difference", "generation": t, "x": x, "y": y, "rows": rows, "least": 0,
            }  # fmt: skip
        case name:
            return {"type": name, "least": 0}


def _bound(
    chance: random.Random, fields: Fields, constraint: Fields, history: History | None
) -> Fields:
    if history is None:
        number = chance.randint(0, 6)
    else:
        every = {"generation": "most"} if constraint.get("generation") == "every" else {}
        number = measure(write(fields), history, constraint | every)
    match chance.randrange(3):
        case 0:
            return constraint | {"least": max(0, number - chance.randint(0, 2))}
        case 1:
            return constraint | {"most": number + chance.randint(0, 2)}
    return constraint | {"least": number, "most": number}
