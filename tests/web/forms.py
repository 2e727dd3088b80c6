"""Random forms, as people fill them in: what the page without a server makes of them is compared."""

from __future__ import annotations

import random
from typing import Any

from satlife.life.symmetry import CLASSES, OLDER_NAMES, SPELLINGS
from satlife.web.questions import FilledForm
from scripts.build_try import RULES

SPEEDS = ("c/2", "c/3", "c/4d", "c", "2c/4", "c/5 d", "(2,1)c/5", "(1,2)c/6", "2c/3", "c/3o")
SYMMETRIES = ("C1", *OLDER_NAMES, *SPELLINGS, *(each.name for each in CLASSES))
NAMES = ("Life", "highlife", "Day & Night", "day&night", "2x2", "JustFriends", "Life without death")


def fill_in(chance: random.Random) -> FilledForm:
    """Return a form that may or may not make sense."""
    kind = chance.choice(["still-life", "oscillator", "ship", "complete", "parent", "orphan"])
    values: dict[str, Any] = {}
    if kind in ("still-life", "oscillator", "ship"):
        values["box"] = _write_box(chance)
    if kind == "oscillator":
        values["period"] = chance.choice(["1", "2", "p3", "4"])
    if kind == "ship":
        values["speed"] = chance.choice(SPEEDS)
    if kind in ("oscillator", "ship") and chance.random() < 0.3:
        values["composite"] = True
    if kind == "complete":
        values["partial"] = chance.choice([_write_rle, _write_plain, _write_grid])(chance)
        if chance.random() < 0.7:
            values["motion"] = chance.choice(["p1", "p2", "p3", "c/2", "c/4d"])
        if chance.random() < 0.3:
            values["full_period"] = True
    if kind in ("parent", "orphan"):
        values["pattern"] = chance.choice([_write_rle, _write_plain])(chance)
    if kind == "parent" and chance.random() < 0.5:
        values["generations"] = chance.choice(["1", "2", 2, "3"])
    if kind in ("complete", "parent") and chance.random() < 0.5:
        values["margin"] = chance.choice(["0", "1", " 2", 1])
    if kind not in ("parent", "orphan"):
        if chance.random() < 0.5:
            values["symmetry"] = chance.choice(SYMMETRIES)
        if chance.random() < 0.5:
            values["rule"] = _write_rule(chance)
    return FilledForm(kind, values)


def _write_box(chance: random.Random) -> str:
    width, height = chance.randint(1, 9), chance.randint(1, 9)
    height = width if chance.random() < 0.5 else height
    forms = (f"{width}x{height}", f" {width} × {height} ", f"{width}X{height}", f"{width}x{height}+1-2")
    profile = f"{width}x{height},{max(1, width - 2)}x{height}*{chance.randint(1, 3)}"
    return chance.choice([*forms, profile])


def _write_rule(chance: random.Random) -> str:
    born, stays = (list(half[1:]) for half in chance.choice(list(RULES)[:-1]).split("/"))
    chance.shuffle(born)
    chance.shuffle(stays)
    b, s = "".join(born), "".join(stays)
    forms = [f"B{b}/S{s}", f"b{b}s{s}", f"S{s}/B{b}", f"{s}/{b}", f" B{b} / S{s}", f"B{b}_S{s}"]
    return chance.choice([*forms, *NAMES, "B2-a/S12", "b2-a/s21"])


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
