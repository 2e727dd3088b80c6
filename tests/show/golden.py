"""The pictures that are kept, to be compared; ``python -m tests.show.golden`` draws them anew.

Look at what has changed before you keep it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from satlife.life import UNKNOWN, PartialPattern, Pattern
from satlife.life.draw import DONT_CARE
from satlife.show import draw

FOLDER = Path(__file__).resolve().parent.parent / "data" / "show"

GLIDER = Pattern.from_rle("bo$2bo$3o!")
BLINKER = Pattern.from_rle("3o!")
OCTAGON = Pattern.from_rle("3b2o$2bo2bo$bo4bo$o6bo$o6bo$bo4bo$2bo2bo$3b2o!")
COMPOSITE = OCTAGON | BLINKER.shift(10, 3)
"""Period 10, made of periods 5 and 2."""
PARTIAL = PartialPattern.from_rle("x = 4, y = 3, rule = B36/S23\n2o2?$o3?$?3o!")
STATES = np.array([[0, 1, 2, 3], [4, 5, DONT_CARE, UNKNOWN]], np.uint8)
"""Every kind of cell: dead, alive, four ages of dying, don't care, unknown."""

PICTURES = {
    "glider.svg": (GLIDER, {}),
    "glider-flying.svg": (GLIDER, {"animate": True, "caption": False}),
    "blinker-dark.svg": (BLINKER, {"animate": True, "theme": "dark"}),
    "composite-periods.svg": (COMPOSITE, {"map": "period"}),
    "octagon-rotor.svg": (OCTAGON, {"map": "rotor", "caption": False}),
    "partial.svg": (PARTIAL, {}),
    "states.svg": (STATES, {}),
    "sheet.svg": ([GLIDER, OCTAGON, BLINKER], {}),
    # Letters depend on the version of Pillow; the cells do not.
    "glider.png": (GLIDER, {"caption": False, "cell": 9, "generations": 1}),
    "states.png": (STATES, {"caption": False}),
    "states-dark.png": (STATES, {"caption": False, "theme": "dark"}),
    "glider.gif": (GLIDER, {"caption": False, "cell": 9}),
    "octagon-dark.gif": (OCTAGON, {"caption": False, "cell": 6, "theme": "dark", "rate": 4}),
}


def draw_golden(name: str) -> bytes:
    """Draw one of them."""
    what, style = PICTURES[name]
    return draw(what, name, **style)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        (FOLDER / name).write_bytes(draw_golden(name))
