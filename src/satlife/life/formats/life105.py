r"""Life 1.05: drawings of ``.`` and ``*``, each in a block with the place of its top left cell.

``#P X Y`` begins a block, ``#N`` is Conway's rule and ``#R 23/36`` another one, with survivals
first; other lines with ``#`` are comments.  Blocks may overlap.  A torus after the rule is read.

>>> raster = LIFE105.read("#Life 1.05\n#D Glider\n#N\n#P -1 -1\n.*\n..*\n***")
>>> raster.states.tolist(), raster.x, raster.y
([[0, 1, 0], [0, 0, 1], [1, 1, 1]], -1, -1)
"""

from __future__ import annotations

import re
from typing import Final

from satlife.errors import FormatError
from satlife.life.cells import ALIVE, COORDINATE_LIMIT, DEAD, place_points
from satlife.life.formats._format import (
    Format,
    Setting,
    fit_torus,
    number_lines,
    read_setting,
    write_rows,
)
from satlife.life.raster import Raster
from satlife.life.rule import LIFE

_HEADER: Final = "#Life 1.05"
# Nine digits: int() raises ValueError on thousands of them.
_PLACE: Final = re.compile(r"#P\s+([+-]?[0-9]{1,9})\s+([+-]?[0-9]{1,9})\s*", re.ASCII)
_COUNTS: Final = re.compile(r"B([0-8]*)/S([0-8]*)", re.ASCII)


def detect(text: str) -> bool:
    """Return whether a text begins with ``#Life 1.05``."""
    return text.removeprefix("\ufeff").lstrip().lower().split("\n")[0].split() == ["#life", "1.05"]


def parse(text: str) -> Raster:
    """Read the cells of all blocks."""
    setting, left, x, y = Setting(), 0, 0, 0
    cells: list[tuple[int, int]] = []
    for number, line in number_lines(text):
        if line.startswith("#P"):
            match = _PLACE.fullmatch(line)
            if not match or max(abs(int(each)) for each in match.groups()) > COORDINATE_LIMIT:
                message = f"write a place to {COORDINATE_LIMIT}, such as '#P -3 5'"
                raise FormatError(message, line=number, column=1)
            left, y = map(int, match.groups())
        elif line.startswith("#R"):
            setting = read_setting(line[2:].strip(), number, 3)
        elif not line.startswith("#"):
            for x, sign in enumerate(line.rstrip()):
                if sign not in ".*":
                    message = f"{sign!r} is not a cell; write . and *"
                    raise FormatError(message, line=number, column=x + 1)
                cells += [(left + x, y)] if sign == "*" else []
            y += 1
    states, x, y = place_points(cells)
    torus = setting.torus
    return Raster(fit_torus(states, torus), x, y, setting.rule, torus=torus)


def draw(raster: Raster) -> str:
    """Write the rule and one block."""
    cells = write_rows(raster.states, {DEAD: ".", ALIVE: "*"})
    match = _COUNTS.fullmatch(str(raster.rule))
    notation = f"{match[2]}/{match[1]}" if match else str(raster.rule)
    rule = "#N" if raster.rule == LIFE else f"#R {notation}"
    return f"{_HEADER}\n{rule}\n#P {raster.x} {raster.y}\n{cells}"


LIFE105: Final = Format(
    name="life105",
    title="Life 1.05",
    suffixes=(".life105",),
    keeps_position=True,
    keeps_rule=True,
    detect=detect,
    parse=parse,
    draw=draw,
    is_pasted=True,
)
