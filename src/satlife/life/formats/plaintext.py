r"""Plaintext (``.cells``): rows of ``.`` and ``O``; lines that begin with ``!`` are comments.

A ``*`` is read as alive too, and ``?`` is an unknown cell. The format has no place for a rule, so
a rule other than Conway's is kept in a comment, ``!Rule: B36/S23``.

>>> PLAINTEXT.read("!Name: Glider\n.O\n..O\nOOO").states.tolist()
[[0, 1, 0], [0, 0, 1], [1, 1, 1]]
"""

from __future__ import annotations

import re
from typing import Final

from satlife.life.cells import ALIVE, DEAD, UNKNOWN
from satlife.life.formats._format import (
    Format,
    Setting,
    fit_torus,
    number_lines,
    read_rows,
    read_setting,
    write_rows,
)
from satlife.life.raster import Raster
from satlife.life.rule import LIFE

_ALPHABET: Final = {".": DEAD, "*": ALIVE, "O": ALIVE, "?": UNKNOWN}
_CHARACTERS: Final = {DEAD: ".", ALIVE: "O", UNKNOWN: "?"}
_RULE: Final = re.compile(r"!\s*rule\s*[:=]\s*(\S.*?)\s*", re.IGNORECASE)


def detect(text: str) -> bool:
    """Return whether a text begins with a comment, or consists of cells only."""
    lines = [line for _, line in number_lines(text) if line.strip()]
    return bool(lines) and (
        lines[0].startswith("!")
        or all(line.startswith("!") or set(line.rstrip()) <= set(_ALPHABET) for line in lines)
    )


def parse(text: str) -> Raster:
    """Read rows of cells, and the rule if a comment names it."""
    setting, rows = Setting(), []
    for number, line in number_lines(text):
        if not line.startswith("!"):
            rows.append((number, line))
        elif match := _RULE.fullmatch(line):
            setting = read_setting(match[1], number, match.start(1) + 1)
    cells = read_rows(rows, _ALPHABET, "write O for alive, . for dead, ? for unknown")
    return Raster(fit_torus(cells, setting.torus), rule=setting.rule, torus=setting.torus)


def draw(raster: Raster) -> str:
    """Write the rows, each as wide as the box."""
    grid = f":{raster.torus}" if raster.torus else ""
    comment = "" if raster.rule == LIFE and not grid else f"!Rule: {raster.rule}{grid}\n"
    return comment + write_rows(raster.states, _CHARACTERS)


PLAINTEXT: Final = Format(
    name="plaintext",
    title="plaintext",
    suffixes=(".cells",),
    keeps_rule=True,
    keeps_unknown=True,
    detect=detect,
    parse=parse,
    draw=draw,
    is_pasted=True,
    keeps_torus=True,
)
