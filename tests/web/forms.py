"""Random forms, as people fill them in; not all of them make sense."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from satlife.kinds import find_kind
from satlife.life.symmetry import CLASSES, OLDER_NAMES, SPELLINGS
from satlife.web.questions import FilledForm
from scripts.build_try import FIELDS, RULES

SPEEDS = ("c/2", "c/3", "c/4d", "c", "2c/4", "c/5 d", "(2,1)c/5", "(1,2)c/6", "2c/3", "c/3o")
SYMMETRIES = ("C1", *OLDER_NAMES, *SPELLINGS, *(each.name for each in CLASSES))
NAMES = ("Life", "highlife", "Day & Night", "day&night", "2x2", "JustFriends", "Life without death")


def _write_box(chance: random.Random) -> str:
    width, height = chance.randint(1, 9), chance.randint(1, 9)
    height = width if chance.random() < 0.5 else height
    size = f"{width}x{height}"
    profile = f"{size},{max(1, width - 2)}x{height}*{chance.randint(1, 3)}"
    return chance.choice([size, f" {width} × {height} ", size.upper(), f"{size}+1-2", profile])


def _write_rule(chance: random.Random) -> str:
    born, stays = (list(half[1:]) for half in chance.choice(list(RULES)[:-1]).split("/"))
    chance.shuffle(born)
    chance.shuffle(stays)
    b, s = "".join(born), "".join(stays)
    forms = [f"B{b}/S{s}", f"b{b}s{s}", f"S{s}/B{b}", f"{s}/{b}", f" B{b} / S{s}", f"B{b}_S{s}"]
    return chance.choice([*forms, *NAMES, "B2-a/S12", "b2-a/s21", "B3-cny/S2ae", "B12/S03V"])


def _draw(chance: random.Random, letters: str) -> list[str]:
    width, height = chance.randint(1, 6), chance.randint(1, 6)
    weights = [chance.random() for _ in letters]
    return ["".join(chance.choices(letters, weights, k=width)) for _ in range(height)]


def _write_rle(chance: random.Random) -> str:
    rows = _draw(chance, chance.choice(["ob?", "ob"]))
    text = "$".join(row.rstrip("b") if chance.random() < 0.5 else row for row in rows) + "!"
    size = f"x = {len(rows[0]) + chance.randint(0, 2)}, y = {len(rows) + chance.randint(0, 1)}"
    rule = f", rule = {_write_rule(chance)}" if chance.random() < 0.4 else ""
    head = f"{size}{rule}\n" if chance.random() < 0.6 else ""
    place = chance.choice(["", "", "#CXRLE Pos=-2,3\n", "#P 1 4\n", "#C a comment\n"])
    return f"{place}{head}{text}"


def _write_plain(chance: random.Random) -> str:
    rows = _draw(chance, chance.choice(["O.?", "O.", "*."]))
    return chance.choice(["", "!Name: x\n", "!Rule: B36/S23\n"]) + "\n".join(rows)


def _write_grid(chance: random.Random) -> str:
    width, height, comma = chance.randint(2, 5), chance.randint(1, 5), chance.choice([",", " "])
    cells = ["0", "1", "*", "*", "*", "*'", "0'", "-0"]
    grids = [
        "\n".join(comma.join(chance.choices(cells, k=width)) for _ in range(height))
        for _ in range(chance.choice([1, 1, 2, 3]))
    ]
    return chance.choice(["", "# a comment\n"]) + "\n\n".join(grids) + "\n"


def _write_partial(chance: random.Random) -> str:
    return chance.choice([_write_rle, _write_plain, _write_grid])(chance)


def _write_pattern(chance: random.Random) -> str:
    return chance.choice([_write_rle, _write_plain])(chance)


def _write_bounds(chance: random.Random) -> list[str]:
    bounds = ("<=5", ">=3", "=4", "4", "2..9", "..7", "3..", "<6", "> 2", "9..2", "<0", "fast")
    which = ("", "", "", "@0", "@1", "@2", "@every", "@least", "@most", "@sum", "@never")
    return [chance.choice(bounds) + chance.choice(which) for _ in range(chance.randint(0, 3))]


def _one_of(*values: Any) -> Callable[[random.Random], Any]:
    return lambda chance: chance.choice(values)


WRITERS: dict[str, Callable[[random.Random], Any]] = {
    "box": _write_box,
    "period": _one_of("1", "2", "p3", "4"),
    "speed": _one_of(*SPEEDS),
    "motion": _one_of("p1", "p2", "p3", "c/2", "c/4d"),
    "symmetry": _one_of(*SYMMETRIES),
    "rule": _write_rule,
    "composite": _one_of(True, False),
    "full_period": _one_of(True, False),
    "partial": _write_partial,
    "pattern": _write_pattern,
    "generations": _one_of("1", "2", 2, "3"),
    "margin": _one_of("0", "1", " 2", 1, 0),
    "population": _write_bounds,
}


def fill_in(chance: random.Random) -> FilledForm:
    """Return a form with all fields that must be filled in, and some others."""
    kind = find_kind(chance.choice(list(FIELDS)))
    values = {
        each.name: WRITERS[each.name](chance)
        for each in kind.parameters
        if each.name in FIELDS[kind.name] and (each.required or chance.random() < 0.5)
    }
    return FilledForm(kind.name, values)


REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"kind": "__proto__", "values": {}}, "", "no kind of search", ""),
    ({"kind": "constructor", "values": {}}, "", "no kind of search", ""),
    ({"kind": 5, "values": {}}, "", "not a question", ""),
    ({"kind": "ship", "values": []}, "", "not a question", ""),
    ({"kind": "ship", "values": {"constructor": "1"}}, "", "has no constructor", ""),
    ({"kind": "still-life", "values": {"box": "3x3", "rule": "constructor"}}, "rule", "knows", "*"),
    ({"kind": "still-life", "values": {"box": "3x3", "rule": "__proto__"}}, "rule", "knows", "*"),
    ({"kind": "still-life", "values": {"box": "3x3", "rule": "B33/S23"}}, "rule", "twice", ""),
    (
        {"kind": "still-life", "values": {"box": "3x3", "rule": "B0/S23"}},
        "rule",
        "does not know",
        "*",
    ),
    (
        {"kind": "still-life", "values": {"box": "3x3", "symmetry": "constructor"}},
        "symmetry",
        "no symmetry",
        "",
    ),
    ({"kind": "still-life", "values": {"box": "3x4", "symmetry": "D8"}}, "symmetry", "square", ""),
    (
        {"kind": "ship", "values": {"box": "3x3", "speed": "c/3", "symmetry": "C2"}},
        "symmetry",
        "cannot move",
        "",
    ),
    ({"kind": "still-life", "values": {}}, "box", "no box", "satlife still-life"),
    ({"kind": "still-life", "values": {"box": "0x5"}}, "box", "no cells", ""),
    ({"kind": "still-life", "values": {"box": "5"}}, "box", "5x5", ""),
    ({"kind": "still-life", "values": {"box": "5x5+1"}}, "box", "not a box", ""),
    ({"kind": "still-life", "values": {"box": 5}}, "box", "a text", ""),
    ({"kind": "still-life", "values": {"box": {"x": 1}}}, "box", "a text", ""),
    ({"kind": "still-life", "values": {"box": None}}, "box", "a text", ""),
    ({"kind": "still-life", "values": {"box": "9999999999x1"}}, "box", "too large", ""),
    ({"kind": "still-life", "values": {"box": "99999x99999"}}, "box", "too many", ""),
    (
        {"kind": "still-life", "values": {"box": "51x50"}},
        "box",
        "2,550 cells",
        "satlife still-life --box 51x50",
    ),
    ({"kind": "oscillator", "values": {"period": "9", "box": "5x5*999999999"}}, "box", "boxes", ""),
    ({"kind": "oscillator", "values": {"period": "c/2", "box": "5x5"}}, "period", "a ship", ""),
    ({"kind": "ship", "values": {"speed": "p3", "box": "5x5"}}, "speed", "an oscillator", ""),
    ({"kind": "ship", "values": {"speed": "c3", "box": "5x5"}}, "speed", "did you mean", ""),
    ({"kind": "ship", "values": {"speed": "3c/2", "box": "5x5"}}, "speed", "speed of light", ""),
    (
        {"kind": "ship", "values": {"speed": "c/3", "box": "15x*"}},
        "box",
        "any height",
        "satlife ship c/3 --box '15x*'",
    ),
    (
        {"kind": "ship", "values": {"speed": "c/3", "box": "9x9", "width": ["<=7"]}},
        "width",
        "width",
        "satlife ship c/3 --box 9x9 --width '<=7'",
    ),
    (
        {"kind": "still-life", "values": {"box": "9x9", "population": ["many"]}},
        "population",
        "not a bound",
        "",
    ),
    (
        {"kind": "still-life", "values": {"box": "9x9", "population": "<=7"}},
        "population",
        "list of texts",
        "",
    ),
    (
        {"kind": "still-life", "values": {"box": "48x48", "population": [">=900"]}},
        "population",
        "larger formula",
        "satlife still-life --box 48x48 --population '>=900'",
    ),
    (
        {"kind": "oscillator", "values": {"period": "4", "box": "9x9", "symmetry": "C1:C2"}},
        "symmetry",
        "in time",
        "satlife oscillator 4 --box 9x9 --symmetry C1:C2",
    ),
    ({"kind": "agar", "values": {"box": "4x4"}}, "", "an agar", "satlife agar --box 4x4"),
    ({"kind": "find", "values": {"spec": "x"}}, "spec", "file", "*"),
    ({"kind": "complete", "values": {"partial": " "}}, "partial", "paste", ""),
    ({"kind": "complete", "values": {"partial": "!"}}, "partial", "no cells", ""),
    ({"kind": "complete", "values": {"partial": "pulsar"}}, "partial", "names", "*"),
    ({"kind": "complete", "values": {"partial": "a 1\n0 a"}}, "partial", "equal", "*"),
    (
        {"kind": "complete", "values": {"partial": "x = 999999, y = 999999\no!"}},
        "partial",
        "large",
        "",
    ),
    ({"kind": "complete", "values": {"partial": "999999o!"}}, "partial", "large", ""),
    ({"kind": "complete", "values": {"partial": "3o"}}, "partial", "codes", "*"),
    (
        {"kind": "complete", "values": {"partial": "3o!", "margin": "x"}},
        "margin",
        "whole number",
        "",
    ),
    ({"kind": "parent", "values": {"pattern": "3b!"}}, "pattern", "empty", ""),
    (
        {"kind": "parent", "values": {"pattern": "3o!", "generations": "9999999"}},
        "generations",
        "many",
        "*",
    ),
    ({"kind": "parent", "values": {"pattern": "3o!", "margin": -1}}, "margin", "at least 0", ""),
    (
        {"kind": "orphan", "values": {"pattern": "x = 3, y = 3, rule = B3/S23:T9,9\no!"}},
        "pattern",
        "bounded",
        "*",
    ),
]
"""Questions with their field, some words of the refusal, and the command, if there is one."""
