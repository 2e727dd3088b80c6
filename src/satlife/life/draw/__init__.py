"""Pictures of patterns: text for a terminal, SVG for a page."""

from satlife.life.draw.svg import draw_svg
from satlife.life.draw.text import draw_text

__all__ = ["draw_svg", "draw_text"]
