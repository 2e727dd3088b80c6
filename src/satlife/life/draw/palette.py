"""Colours of cells, for light and dark pages, and the cells of a box of a drawing.

Living cells differ from dead ones by lightness, dying ones by hue and size; blue-black and orange
remain distinct with every common kind of colour blindness. Unknown and don't-care cells have
marks of their own, so that no state is shown by colour alone.

>>> LIGHT.alive, mix("#000000", "#ffffff", 0.5), DARK.dying(2, 6)
('#1f2a44', '#808080', '#ff9a3d')

:func:`see` returns the cells of a box of anything that can be drawn.  This module knows arrays and
boxes; patterns, which draw themselves, are above it.

>>> see(np.array([[1, 1, 1]], np.uint8), Box(-1, 0, 5, 1)).tolist()
[[0, 1, 1, 1, 0]]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.box import Box, look_through
from satlife.life.cells import Cells
from satlife.life.rule import Rule

DONT_CARE: Final = 254
"""A cell that may be anything; beside ``UNKNOWN``, whose value is sought."""

LAST_DYING: Final = 253
"""States from 2 to this one are the dying states of rules with more than two."""


@dataclass(frozen=True)
class Theme:
    """The colours of a picture."""

    name: str
    panel: str
    """Dead cells, and the space around them."""
    grid: str
    alive: str
    fresh: str
    """A cell that has just begun to die."""
    old: str
    """A cell that is almost dead."""
    unknown: str
    hatch: str
    """The strokes on unknown cells, and the rings of don't-care cells."""
    ink: str
    """Captions."""
    soft: str
    """Labels and details."""

    def dying(self, state: int, states: int) -> str:
        """Return the colour of a dying cell, of all states of the rule."""
        ages = max(1, states - 3)
        return mix(self.fresh, self.old, min(1.0, (state - 2) / ages))


LIGHT: Final = Theme(
    name="light",
    panel="#fcfcfb",
    grid="#e2e2dd",
    alive="#1f2a44",
    fresh="#d2600a",
    old="#f3c795",
    unknown="#e4e4e1",
    hatch="#84847b",
    ink="#1f2328",
    soft="#66665f",
)
DARK: Final = Theme(
    name="dark",
    panel="#1b1d22",
    grid="#30333b",
    alive="#e9e4d4",
    fresh="#ff9a3d",
    old="#6b4420",
    unknown="#383a41",
    hatch="#8b8e98",
    ink="#eceae4",
    soft="#a3a6af",
)
THEMES: Final = (LIGHT, DARK)

_DARK_PAGES: Final = (
    '[data-theme="dark"],[theme="dark"],[data-jp-theme-light="false"],'
    ".vscode-dark,.vscode-high-contrast"
)
_LIGHT_PAGES: Final = (
    '[data-theme="light"],[theme="light"],[data-jp-theme-light="true"],'
    ".vscode-light,.vscode-high-contrast-light"
)
"""How documentation, Colab, JupyterLab (also in exported pages) and VS Code mark their theme."""


def follow_theme(element: str, light: str, dark: str) -> str:
    """Write an element's declarations by the theme of its page, or else of the reader's system."""
    return (
        f"{element}{{{light}}}@media(prefers-color-scheme:dark){{{element}{{{dark}}}}}"
        f":is({_DARK_PAGES}) {element}{{{dark}}}:is({_LIGHT_PAGES}) {element}{{{light}}}"
    )


def find_theme(name: str) -> Theme:
    """Find a theme by its name."""
    for theme in THEMES:
        if theme.name == name:
            return theme
    known = " or ".join(theme.name for theme in THEMES)
    raise UsageError(f"there is no theme {name!r}; choose {known}")


def mix(one: str, other: str, share: float) -> str:
    """Return the colour at this share of the way from one to the other."""
    pairs = zip(to_rgb(one), to_rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def to_rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``#rrggbb``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


class HasCells(Protocol):
    """A pattern, or a partial one; its generation 0 is drawn."""

    @property
    def rule(self) -> Rule:
        """The rule."""

    @property
    def box(self) -> Box:
        """The box of its cells."""

    def in_box(self, box: Box) -> Cells:
        """Return the states of a box's cells; unspecified cells are dead."""


Drawable: TypeAlias = HasCells | Cells
"""A pattern, a partial one, or an array [y, x] of states at (0, 0)."""


def find_box(what: Drawable) -> Box:
    """Return the box that a drawing must hold."""
    if isinstance(what, np.ndarray):
        states = as_picture(what)
        return Box(0, 0, states.shape[1], states.shape[0])
    return what.box


def see(what: Drawable, box: Box) -> Cells:
    """Return the states of a box's cells; unspecified cells look dead."""
    if isinstance(what, np.ndarray):
        return look_through(box, as_picture(what), find_box(what))
    return what.in_box(box)


def as_picture(states: NDArray[np.generic]) -> Cells:
    """Check an array of states."""
    if states.ndim != 2:
        raise UsageError(f"a picture is an array [y, x] of states, not of {states.ndim} dimensions")
    cells = states.astype(np.uint8, copy=False)
    if states.dtype.kind not in "biu" or not np.array_equal(cells, states):
        raise UsageError("the states of cells are whole numbers from 0 to 255")
    return cells


def count_states(cells: Cells) -> int:
    """Return the least number of states of a rule that allows these cells."""
    ordinary = cells[cells <= LAST_DYING]
    return max(2, int(ordinary.max()) + 1) if ordinary.size else 2
