"""LifeHistory: RLE with the cells of generation 0 (A), and those that live later in the period (B).

Cells that a scene marks, such as those of a catalyst, have state 3 (C).

LifeViewer and Golly open it.  A ship leaves its trail; a pattern that does not recur has its cells
of the generations that are shown.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from satlife.errors import UsageError
from satlife.life.cells import ALIVE, UNKNOWN
from satlife.life.formats.rle import draw_history
from satlife.life.raster import Raster
from satlife.show.formats._format import PictureFormat
from satlife.show.scene import Scene
from satlife.show.style import Style

_LATER, _OWN = 2, 3
_MARKED = 2
"""The state of a live cell that a scene marks."""


def draw_scenes(scenes: Sequence[Scene], style: Style) -> bytes:
    """Write the history of each scene, one after the other."""
    return "".join(f"{write_history(scene)}\n" for scene in scenes).encode()


def write_history(scene: Scene) -> str:
    """Write generation 0, and every cell that is alive in any of the generations shown."""
    if scene.rule.states > 2:
        raise UsageError(f"a history is of a rule with two states; {scene.rule} has more")
    box = scene.box
    ever = np.zeros((box.height, box.width), bool)
    for frame in scene.frames:
        seen = frame.see(box)
        if (seen == UNKNOWN).any():
            where = Raster(seen, box.x, box.y).describe_unknown()
            raise UsageError(f"LifeHistory holds known cells only: {where}")
        ever |= (seen == ALIVE) | (seen == _MARKED)
    first, states = scene.frames[0].see(box), ever * np.uint8(_LATER)
    states[first == ALIVE], states[first == _MARKED] = ALIVE, _OWN
    return draw_history(Raster(states, box.x, box.y, scene.rule, scene.phase))


LIFEHISTORY = PictureFormat(
    "lifehistory", "RLE with every cell that lives in the period", (".history.rle",), draw_scenes
)
