r"""Knuth's drawings: rows of ``*`` and ``.``, as his program sat-life reads them.

>>> KNUTH.read(".*.\n..*\n***").states.tolist()
[[0, 1, 0], [0, 0, 1], [1, 1, 1]]
"""

from __future__ import annotations

import re
from typing import Final

from satlife.life.cells import ALIVE, DEAD
from satlife.life.formats._format import Format, number_lines, read_rows, write_rows
from satlife.life.raster import Raster

_ALPHABET: Final = {".": DEAD, "*": ALIVE}
_CHARACTERS: Final = {state: character for character, state in _ALPHABET.items()}


def detect(text: str) -> bool:
    """Return whether a text has only stars and dots, and at least one star."""
    return "*" in text and re.fullmatch(r"\ufeff?[*.\s]*", text) is not None


def parse(text: str) -> Raster:
    """Read rows of stars and dots."""
    return Raster(read_rows(number_lines(text), _ALPHABET, "write * for alive and . for dead"))


def draw(raster: Raster) -> str:
    """Write rows of stars and dots, each as wide as the box."""
    return write_rows(raster.states, _CHARACTERS)


KNUTH: Final = Format(
    name="knuth",
    title="Knuth's format",
    suffixes=(".knuth",),
    detect=detect,
    parse=parse,
    draw=draw,
    is_pasted=True,
)
