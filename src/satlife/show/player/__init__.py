"""The player: a pattern that moves, in a browser; one script for pages, files and notebooks.

``player.js`` and ``player.css`` are the same everywhere; ``write_scene`` makes the value that the
script shows. It holds the first generation and the rule, and the script computes the others, so
that a file stays small; generations that do not follow from the rule are all included.

>>> from satlife.life.pattern import Pattern
>>> value = write_scene(Scene.of(Pattern.from_rle("bo$2bo$3o!")))
>>> value["frames"], value["length"], value["loop"]
([[0, 0, 'bo$2bo$3o!']], 4, [1, 1])
"""

from __future__ import annotations

import base64
import re
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

import numpy as np

from satlife.life.cells import UNKNOWN, Cells
from satlife.life.draw.palette import DONT_CARE
from satlife.show.scene import Scene
from satlife.show.style import Style

__all__ = ["read_script", "read_sheet", "write_scene"]

_LETTERS: Final = {0: "b", 1: "o", DONT_CARE: "*", UNKNOWN: "?"}


def read_script() -> str:
    """Return the module ``player.js``."""
    return files(__name__).joinpath("player.js").read_text(encoding="utf-8")


def read_sheet() -> str:
    """Return the style sheet ``player.css``."""
    return files(__name__).joinpath("player.css").read_text(encoding="utf-8")


def write_scene(scene: Scene, style: Style | None = None) -> dict[str, Any]:
    """Return the value that the script shows, as numbers, texts and lists."""
    style = style or Style()
    frames = scene.frames[:1] if scene.simulated else scene.frames
    phases = scene.rule.phases if scene.simulated else ()
    pattern = scene.pattern
    return {
        "caption": {
            "title": scene.caption.title,
            "facts": list(scene.caption.facts),
            "code": scene.caption.code,
        },
        "rule": str(scene.rule),
        "states": scene.states,
        "tables": [
            base64.b64encode(np.packbits(phase.table).tobytes()).decode() for phase in phases
        ],
        "phase": scene.phase,
        "frames": [[frame.box.x, frame.box.y, _write_cells(frame.cells)] for frame in frames],
        "length": len(scene.frames),
        "loop": list(scene.loop.displacement) if scene.loop else None,
        "rate": style.choose_rate(len(scene.frames)),
        "margin": scene.margin,
        "rle": pattern.to_rle() if pattern is not None else "",
        "view": style.map or "cells",
    }


def _write_cells(cells: Cells) -> str:
    """Write a generation as RLE, of any states; dead cells at the ends of rows are left out."""
    rows = []
    for row in cells.tolist():
        while row and not row[-1]:
            row.pop()
        runs = ((len(list(run)), state) for state, run in groupby(row))
        rows.append("".join(f"{n if n > 1 else ''}{_write_state(state)}" for n, state in runs))
    text = re.sub(r"\${2,}", lambda ends: f"{len(ends[0])}$", "$".join(rows).rstrip("$"))
    return f"{text}!"


def _write_state(state: int) -> str:
    if state in _LETTERS:
        return _LETTERS[state]
    high, low = divmod(state - 1, 24)
    return f"{chr(ord('p') + high - 1) if high else ''}{chr(ord('A') + low)}"
