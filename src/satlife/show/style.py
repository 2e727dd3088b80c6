"""The style of pictures, which users choose, and the badges of answers, which they do not.

An answer has the same sign and colour on the local page, in notebooks, on maps of rules and on the
pages of campaigns.

>>> BADGES["impossible"].sign, BADGES["impossible"].tint
('∅', '#e3d7ed')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from satlife.errors import UsageError
from satlife.life.draw.palette import LIGHT, Theme, find_theme, mix

Mood: TypeAlias = Literal["found", "impossible", "exhausted", "undecided", "question"]


@dataclass(frozen=True)
class Badge:
    """The sign of an answer, and its colours; colour is never the only difference."""

    sign: str
    light: str
    """On light pages."""
    dark: str
    """On dark pages."""

    @property
    def tint(self) -> str:
        """The colour of an area on a light page."""
        return mix(self.light, "#ffffff", 0.81)

    @property
    def shade(self) -> str:
        """The colour of an area on a dark page."""
        return mix(self.light, "#14161a", 0.6)


BADGES: Final[dict[Mood, Badge]] = {
    "found": Badge("✔", "#16653a", "#7fd6a0"),
    "impossible": Badge("∅", "#6b2fa0", "#cfa6f5"),
    "exhausted": Badge("≈", "#8a5a00", "#f0bd5c"),
    "undecided": Badge("?", "#8a5a00", "#f0bd5c"),
    "question": Badge("⌕", "#0b5cad", "#7db8f5"),
}
"""``exhausted`` is a "none" by a search that has not been checked: as open as ``undecided``."""

FASTEST = 50
"""Generations in a second; browsers slow down a GIF that asks for more."""
LARGEST_CELL = 200

_RATES = ((20, 5.0), (200, 10.0))
"""Up to so many frames, so many in a second: a loop is neither a flicker nor a film."""
_LONG_RATE = 20.0


@dataclass(frozen=True)
class Style:
    """Choices for a picture; the defaults of some depend on the scenes."""

    theme: str = "auto"
    """``light``, ``dark``, or ``auto``: as the reader prefers, in formats that can know it."""
    cell: int | None = None
    """Pixels that a cell is wide; by default as large as fits."""
    grid: bool = True
    """Lines between the cells, where these are large enough."""
    caption: bool = True
    rate: float | None = None
    """Generations in a second."""
    animate: bool = False
    """For SVG, which can do both: one picture that moves, instead of the phases side by side."""
    map: str | None = None
    """Draw this map of the pattern instead of its generations."""

    def __post_init__(self) -> None:
        if self.theme != "auto":
            find_theme(self.theme)
        if self.cell is not None and not 1 <= self.cell <= LARGEST_CELL:
            raise UsageError(f"a cell is 1 to {LARGEST_CELL} pixels wide, got {self.cell}")
        if self.rate is not None and not 0.1 <= self.rate <= FASTEST:
            raise UsageError(
                f"a picture shows 0.1 to {FASTEST} generations in a second, got {self.rate:g}"
            )
        if self.map is not None:
            from satlife.show.maps import find_map  # noqa: PLC0415 - maps know styles

            find_map(self.map)

    @property
    def fixed_theme(self) -> Theme:
        """The theme of formats that cannot follow the reader's."""
        return LIGHT if self.theme == "auto" else find_theme(self.theme)

    def choose_rate(self, frames: int) -> float:
        """Return how many generations are shown in a second."""
        if self.rate is not None:
            return self.rate
        return next((rate for most, rate in _RATES if frames <= most), _LONG_RATE)
