"""Still pictures that need nothing but text: half blocks for a terminal, SVG for a page.

Pictures that move, or that consist of pixels, are in :mod:`satlife.show`.
"""

from satlife.life.draw.palette import DONT_CARE
from satlife.life.draw.svg import draw_svg
from satlife.life.draw.text import draw_text

__all__ = ["DONT_CARE", "draw_svg", "draw_text"]
