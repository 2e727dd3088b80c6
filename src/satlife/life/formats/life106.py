r"""Life 1.06: a header, then the coordinates ``x y`` of one living cell in each line.

>>> raster = LIFE106.read("#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1")
>>> raster.states.tolist(), raster.x, raster.y
([[0, 1, 0], [0, 0, 1], [1, 1, 1]], -1, -1)
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from satlife.errors import FormatError
from satlife.life.cells import COORDINATE_LIMIT, place_points
from satlife.life.formats._format import Format, number_lines
from satlife.life.raster import Raster

_HEADER: Final = "#Life 1.06"
# Nine digits: int() raises ValueError on thousands of them.
_CELL: Final = re.compile(r"\s*([+-]?[0-9]{1,9})\s+([+-]?[0-9]{1,9})\s*", re.ASCII)


def detect(text: str) -> bool:
    """Return whether a text begins with ``#Life``; the parser checks the version."""
    return text.removeprefix("\ufeff").lstrip().lower().startswith("#life")


def parse(text: str) -> Raster:
    """Read the cells; lines that begin with ``#`` are comments."""
    cells = []
    for number, line in number_lines(text):
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            if fields and fields[0].lower() == "#life" and fields[1:2] != ["1.06"]:
                message = f"{line.strip()[:30]!r} is not supported; only {_HEADER} and #Life 1.05"
                raise FormatError(message, line=number, column=1)
            continue
        match = _CELL.fullmatch(line)
        if not match:
            message = f"{line.strip()[:30]!r} is not a cell; write two numbers, such as '3 -1'"
            raise FormatError(message, line=number, column=len(line) - len(line.lstrip()) + 1)
        x, y = map(int, match.groups())
        if max(abs(x), abs(y)) > COORDINATE_LIMIT:
            message = f"the cell ({x}, {y}) is too far away; coordinates to {COORDINATE_LIMIT}"
            raise FormatError(message, line=number, column=match.start(1) + 1)
        cells.append((x, y))
    return Raster(*place_points(cells))


def draw(raster: Raster) -> str:
    """Write the header and the cells, row by row."""
    rows, columns = np.nonzero(raster.states)
    places = zip((columns + raster.x).tolist(), (rows + raster.y).tolist(), strict=True)
    return "\n".join([_HEADER, *(f"{x} {y}" for x, y in places)])


LIFE106: Final = Format(
    name="life106",
    title="Life 1.06",
    suffixes=(".lif", ".life"),
    keeps_position=True,
    detect=detect,
    parse=parse,
    draw=draw,
    is_pasted=True,
)
