"""Draw small problems at random.  Most are planted: a solution first, then what it solves.

A draw is the JSON of a problem as a dictionary; whether satlife takes it is not known here.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.reference import Asked, History, TooLarge, is_solution, measure, refused, solutions
from tests.reference.asked import NoCell
from tests.reference.measuring import live_cells
from tests.reference.restoring import is_disturbed
from tests.reference.rules import LETTERS, read_rules
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
LETTERED = ".oBCDEFG"
"""How states are drawn."""
MOST = 2**12
"""Fillings of most draws; a few have more."""


def draw_raw(chance: random.Random, sort: str) -> Fields:
    """Draw a problem of any fields: a planted one, which has a solution, or a wild one."""
    boundary = chance.choices(("dead", "torus", "free", "agar"), (6, 3, 1, 1))[0]
    rule = draw_rule(chance)
    read = read_rules(rule)
    if len(read.tables) > 1 or read.states > 2 or read.tables[0][0]:
        boundary = "dead" if boundary == "agar" else boundary  # only such rules have backgrounds
    while True:
        fields = _SPACES[boundary](chance)
        fields["rule"] = rule
        if not _suit_rule(chance, fields):
            boundary = chance.choice(("dead", "torus"))
            continue
        if sort == "planted":
            history = _plant(chance, fields)
            if history is None:
                continue
            _decorate(chance, fields, history)
        else:
            _decorate(chance, fields, None)
        return fields


def _suit_rule(chance: random.Random, fields: Fields) -> bool:
    """Change what does not go with the rule; return whether the rest does."""
    rules = read_rules(fields["rule"])
    motion: Fields = fields.get("motion", {})
    if rules.strobes:
        motion["period"] = chance.choice((2, 2, 4))
        fields["boxes"] = fields["boxes"][:1]
    if rules.strobes or rules.states > 2:
        motion.pop("transform", None)
        return "motion" in fields or not rules.strobes
    if chance.random() < 0.35:
        _add_exempt(chance, fields)
    return True


def write(fields: Fields) -> str:
    """Return the JSON of a draw."""
    return json.dumps({"schema": 1, **fields}, sort_keys=True)


def draw_rule(chance: random.Random) -> str:
    """Draw a rule that is known, one of any family, or a set of rules, in its usual notation."""
    return chance.choices(list(_FAMILIES), list(_FAMILIES.values()))[0](chance)


def name_family(rule: str) -> str:
    """Return what sort of rule this is, for counting."""
    read = read_rules(rule)
    for name, fits in (
        ("open", len(read.tables) > 1),
        ("dying", read.states > 2),
        ("strobing", read.strobes),
        ("Life", rule == "B3/S23"),
        ("any table", rule.startswith("MAP")),
        ("lettered", bool(set(rule) & set("aceijknqrtwyz"))),
        ("other neighbours", rule[-1] in "HV"),
    ):
        if fits:
            return name
    return "counting"


def _known_rule(chance: random.Random) -> str:
    return chance.choice(RULES)


def _counting(chance: random.Random) -> str:
    births = "".join(str(n) for n in range(1, 9) if chance.random() < 0.3)
    survivals = "".join(str(n) for n in range(9) if chance.random() < 0.4)
    return f"B{births}/S{survivals}"


def _one_of_few(draw: Callable[[random.Random], str]) -> Callable[[random.Random], str]:
    """Draw one of the same four mostly: the clauses of a table take a second to be found."""

    def often(chance: random.Random) -> str:
        few = chance.random() < 0.95
        return draw(random.Random(chance.randrange(4)) if few else chance)

    return often


@_one_of_few
def _lettered(chance: random.Random) -> str:
    """Draw an isotropic rule; letters in no special order are as good."""
    return f"B{_arrangements(chance, 1)}/S{_arrangements(chance, 0)}"


def _arrangements(chance: random.Random, least: int) -> str:
    half = ""
    for count in range(least, 9):
        letters = [each for each in LETTERS[min(count, 8 - count)] if chance.random() < 0.35]
        half += f"{count}{''.join(letters)}" if letters else ""
    return half


def _other_neighbours(chance: random.Random) -> str:
    suffix, most = chance.choice((("H", 6), ("V", 4)))
    births = "".join(str(n) for n in range(1, most + 1) if chance.random() < 0.4)
    survivals = "".join(str(n) for n in range(most + 1) if chance.random() < 0.4)
    return f"B{births}/S{survivals}{suffix}"


@_one_of_few
def _table(chance: random.Random) -> str:
    """Draw any table, which has no symmetry."""
    share = chance.choice((0.2, 0.4))
    table = [chance.random() < share for _ in range(512)]
    table[0] = False
    packed = np.packbits(np.array(table)).tobytes()
    return "MAP" + base64.b64encode(packed).decode().rstrip("=")


def _dying(chance: random.Random) -> str:
    states = chance.choice((3, 3, 4, 5))
    draw = chance.choice((_known_rule, _counting, _counting, _lettered, _table, _other_neighbours))
    text = draw(chance)
    if text.startswith("MAP"):
        return f"{text}/{states}"
    suffix = text[-1] if text[-1] in "HV" else ""
    births, survivals = text.removesuffix(suffix)[1:].split("/S")
    return f"{survivals}/{births}/{states}{suffix}"


@_one_of_few
def _strobing(chance: random.Random) -> str:
    """Draw a rule with B0, and without S8."""
    text = chance.choice((_counting, _counting, _lettered))(chance)
    births, survivals = text[1:].split("/S")
    return f"B0{births}/S{survivals.split('8')[0]}"


def _open(chance: random.Random) -> str:
    """Draw a set of rules: one with a few entries in brackets."""
    births, survivals = chance.choice((_known_rule, _counting))(chance)[1:].split("/S")
    free = chance.sample([f"B{n}" for n in range(1, 7)] + [f"S{n}" for n in range(6)], 3)
    halves = []
    for name, half in (("B", births), ("S", survivals)):
        chosen = [each[1] for each in free[: chance.choice((1, 2, 3))] if each[0] == name]
        digits = sorted({*half, *chosen})
        halves.append("".join(f"[{n}]" if n in chosen else n for n in digits))
    text = f"B{halves[0]}/S{halves[1]}"
    return text if "[" in text else f"B3[4]/S2[{chance.choice('0135')}]"


_FAMILIES: dict[Callable[[random.Random], str], float] = {
    _known_rule: 0.3,
    _counting: 0.1,
    _lettered: 0.1,
    _other_neighbours: 0.05,
    _table: 0.1,
    _dying: 0.15,
    _strobing: 0.1,
    _open: 0.1,
}


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


def _agar(chance: random.Random) -> Fields:
    """Return a box in a small agar; whether that comes back is not known here."""
    width, height = chance.choice(((1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (2, 3), (3, 3), (4, 4)))
    tile = ["".join(chance.choices("o.", k=width)) for _ in range(height)]
    if (width, height) == (4, 4):  # blocks, which many rules keep
        tile = ["oo..", "oo..", "....", "...."]
    fields: Fields = {"boundary": "agar", "background": tile}
    if chance.random() < 0.8:
        fields["motion"] = {"period": chance.choice((1, 1, 2, 2, 3, 4))}
    else:
        fields["steps"] = chance.choice((0, 1, 2))
    if chance.random() < 0.3:
        fields["symmetry"] = _symmetry(chance, False)
    corner = (chance.randint(-2, 2), chance.randint(-2, 2)) if chance.random() < 0.4 else (0, 0)
    fields["boxes"] = [_named(*_box(chance, chance.random() < 0.3), *corner)]
    return fields


_SPACES: dict[str, Callable[[random.Random], Fields]] = {
    "dead": _dead,
    "torus": _torus,
    "free": _free,
    "agar": _agar,
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
    plain = not read_rules(fields["rule"]).strobes and read_rules(fields["rule"]).states == 2
    if chance.random() < 0.35:
        fields["known"] = _known(chance, fields, history)
    if plain and chance.random() < 0.3:
        fields["links"] = _links(chance, fields, history)
    constraints = [_constraint(chance, fields) for _ in range(chance.choice((0, 1, 1, 1, 2, 3)))]
    kept: list[Fields] = []
    for each in constraints:
        bounded = each if "least" not in each else _bound(chance, fields, each, history)
        if each["type"] == "arrival" and history is not None:
            bounded = _let_arrive(chance, fields, each, history)
        if each["type"] == "restored" and history is not None:
            bounded = _let_restore(chance, fields, each, history)
        text = write(fields | {"constraints": [*kept, bounded]})
        if history is None or is_solution(text, history):
            kept.append(bounded)
    fields["constraints"] = kept


def _state(asked: Asked, history: History, x: int, y: int, t: int) -> int:
    """Return the state of a cell: when it lived last."""
    for age in range(asked.rules.states - 1):
        before = asked.shows_dying and t < age
        cell = asked.cell((x, y), 0 if before else t - age)
        if not isinstance(cell, str):
            (i, j), k = cell
            state = int(history[k][j - asked.boxes[k].y, i - asked.boxes[k].x])
            if state == (age - t + 1 if before else 1):
                return age + 1
    return 0


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
                    row += chance.choice(LETTERED[: asked.rules.states])
                else:
                    row += LETTERED[_state(asked, history, x, y, t)]
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


def _constraint(chance: random.Random, fields: Fields) -> Fields:  # noqa: PLR0911 - a list
    asked = Asked(write(fields))
    t = chance.randrange(asked.generations)
    names = ["not-empty", "full-period", "pattern-period", "population", "population"]
    names += ["rotor", "stator", "difference", "growth", "decay"]
    names += ["changes"] * 2 if asked.boundary in ("dead", "torus") else []
    names += ["width", "height", "area"] if asked.boundary in ("dead", "free") else []
    names += ["arrival"] * 3 if asked.boundary == "dead" else []
    names += ["restored"] * 3 if _can_restore(asked) else []
    names += ["lacks"] if asked.boundary in ("dead", "torus") else []
    names += ["gutter"] * 4 if asked.boundary != "agar" and _has_axis(asked) else []
    match chance.choice(names):
        case "not-empty":
            return {"type": "not-empty", "t": t}
        case "full-period" | "pattern-period" | "gutter" as name:
            return {"type": name}
        case "arrival":
            return _arrival(chance, asked)
        case "restored":
            return _restored(chance, asked)
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


def _arrival(chance: random.Random, asked: Asked) -> Fields:
    """Return an input of a few cells."""
    first = [0, *([1] if asked.generations > 1 and chance.random() < 0.3 else [])]
    lanes, times = ([n := chance.randint(-1, 1), n + chance.choice((0, 1, 2))] for _ in range(2))
    box = asked.boxes[0]
    flight = [
        {
            "x": chance.randint(box.x - 1, box.x + box.width),
            "y": chance.randint(box.y - 1, box.y + box.height),
            "rows": chance.choice((["o"], ["o"], ["o"], ["oo"], ["o", "."], ["o.", ".o"], [])),
        }
        for _ in range(times[1] - times[0] + len(first))
    ]
    return {
        "type": "arrival", "flight": flight, "across": chance.choice(("right", "down")),
        "lanes": lanes, "times": times,
        "alone": [chance.randrange(asked.generations) for _ in first],
    }  # fmt: skip


def _let_arrive(chance: random.Random, fields: Fields, arrival: Fields, history: History) -> Fields:
    """Draw the flight so that what generation 0 has more than a later one is what comes."""
    asked = Asked(write(fields))
    living = [live_cells(asked, history, t) for t in range(asked.generations)]
    fitting = [t for t, cells in enumerate(living) if cells < living[0]]
    if not fitting or chance.random() < 0.2:
        return arrival
    alone = chance.choice(fitting)
    (low, high), (early, late) = arrival["lanes"], arrival["times"]
    lane, time = chance.randint(low, high), chance.randint(early, late)
    dx, dy = (lane, 0) if arrival["across"] == "right" else (0, lane)
    came = {(x - dx, y - dy) for x, y in living[0] - living[alone]}
    x, y = (min(place[axis] for place in came) for axis in (0, 1))
    right, bottom = (max(place[axis] for place in came) for axis in (0, 1))
    rows = [
        "".join(".o"[(i, j) in came] for i in range(x, right + 1)) for j in range(y, bottom + 1)
    ]
    flight = arrival["flight"][: late - early + 1]
    flight[late - time] = {"x": x, "y": y, "rows": rows}
    return arrival | {"flight": flight, "alone": [alone]}


def draw_restored(chance: random.Random) -> Fields:
    """Draw a problem in which a catalyst is restored."""
    rule = chance.choice((*RULES, _counting(chance), _lettered(chance), _open(chance)))
    while True:
        fields = _SPACES[chance.choice(("dead", "dead", "free"))](chance) | {"rule": rule}
        fields.pop("motion", None)
        fields.pop("include_last", None)
        steps = fields["steps"] = chance.choice((1, 2, 2, 3, 4))
        fields["symmetry"] = _symmetry(chance, False) if chance.random() < 0.2 else "C1"
        boxes = fields["boxes"][:1] if chance.random() < 0.7 else fields["boxes"]
        fields["boxes"] = boxes if len(boxes) == 1 else (boxes * (steps + 1))[: steps + 1]
        if chance.random() < 0.35:
            _add_exempt(chance, fields)
        history = _plant(chance, fields)
        if history is not None:
            break
    planted = history if chance.random() < 0.85 else None
    restored = _restored(chance, Asked(write(fields)))
    if planted is not None:
        restored = _let_restore(chance, fields, restored, planted)
        if not is_solution(write(fields | {"constraints": [restored]}), planted):
            planted = None  # other solutions may have it
    _decorate(chance, fields, planted)
    others = [each for each in fields["constraints"] if each["type"] != "restored"]
    return fields | {"constraints": [restored, *others]}


def _can_restore(asked: Asked) -> bool:
    settled = not asked.motion and asked.boundary in ("dead", "free")
    return settled and asked.generations > 1 and asked.rules.states == 2


def _restored(chance: random.Random, asked: Asked) -> Fields:
    """Return what is asked of a catalyst, in any generations."""
    last = asked.steps
    early = chance.randrange(last)
    first, hold = chance.randint(0, last), chance.choice((0, 0, 1))
    final = max(early + 1, last - hold)
    late = chance.choice((early, early, chance.randint(early, final - 1)))
    free = [_dots(chance, asked) for _ in range(early, late + 1)] if chance.random() < 0.4 else []
    return {
        "type": "restored", "alone": chance.choice((last, last, chance.randint(0, last))),
        "contact": [early, late], **({"free": free} if free else {}),
        "times": [min(first, final), final], "hold": min(hold, last - final),
        **({"active": chance.choice((1, 1, 2, 3))} if chance.random() < 0.3 else {}),
        **({"ever_active": chance.choice((1, 2, 3, 5))} if chance.random() < 0.3 else {}),
    }  # fmt: skip


def _dots(chance: random.Random, asked: Asked) -> Fields:
    """Draw a few cells in and around the first box."""
    box = asked.boxes[0]
    rows = ["".join(chance.choice("..o") for _ in range(3)) for _ in range(2)]
    return {
        "x": box.x + chance.randint(-2, box.width), "y": box.y + chance.randint(-2, box.height),
        "rows": rows,
    }  # fmt: skip


def _let_restore(
    chance: random.Random, fields: Fields, restored: Fields, history: History
) -> Fields:
    """Ask for what happens in the history, if something is disturbed and restored there."""
    fitting = []
    asked = Asked(write(fields))
    times = range(asked.generations)
    for alone in times:
        disturbed = [is_disturbed(asked, history, alone, t) for t in times]
        fitting += [
            {"type": "restored", "alone": alone, "contact": [t, t], "times": [r, r], "hold": hold}
            for t in times
            for r in times[t + 1 :]
            for hold in range(asked.generations - r)
            if disturbed[t] and not any(disturbed[r : r + hold + 1])
        ]
    if not fitting or chance.random() < 0.1:
        return restored
    fit = chance.choice(fitting)
    (early, late), (first, last) = fit["contact"], fit["times"]
    bounds = {name: restored[name] for name in ("active", "ever_active") if name in restored}
    return (
        fit
        | bounds
        | {
            "contact": [chance.randint(0, early), chance.randint(late, asked.steps)],
            "times": [chance.randint(0, first), chance.randint(last, asked.steps - fit["hold"])],
        }
    )


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
