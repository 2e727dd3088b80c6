"""Colours of cells, for light and for dark pages.

Living cells differ from dead ones by lightness, dying ones by hue and size; blue-black and orange
can be told apart with every common kind of colour blindness. Unknown and don't-care cells have
marks of their own, so that no state is told by its colour alone.

>>> LIGHT.alive, mix("#000000", "#ffffff", 0.5), DARK.dying(2, 6)
('#1f2a44', '#808080', '#ff9a3d')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from satlife.errors import UsageError

DONT_CARE: Final = 254
"""A cell that may be anything; beside ``UNKNOWN``, whose value is sought."""

LAST_DYING: Final = 253
"""States from 2 to this one are the dying states of rules with more than two."""


@dataclass(frozen=True)
class Theme:
    """The colours of a picture."""

    name: str
    panel: str
    """Dead cells, and what lies around them."""
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
        """Return the colour of a dying cell by a rule of so many states."""
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
