"""Patterns, rules and symmetries of cellular automata. Knows nothing of SAT.

>>> Pattern.from_rle("bob$2bo$3o!")[4].box
Box(x=1, y=1, width=3, height=3)
"""

from satlife.life.box import Box
from satlife.life.cells import ALIVE, DEAD, UNKNOWN
from satlife.life.draw import draw_svg, draw_text
from satlife.life.formats import FORMATS, Format, detect_format, find_format
from satlife.life.identity import Identity, apgcode, from_apgcode
from satlife.life.motion import Motion
from satlife.life.partial import PartialPattern, read_pattern
from satlife.life.pattern import Pattern
from satlife.life.raster import Raster
from satlife.life.reading import identify
from satlife.life.rule import Rule
from satlife.life.rules import RULE_FAMILIES, RuleDefinition, RuleFamily, find_rule_family
from satlife.life.simulate import advance
from satlife.life.symmetry import SYMMETRIES, Symmetry
from satlife.life.torus import Torus
from satlife.life.transforms import TRANSFORMS, Transform

__all__ = [
    "ALIVE",
    "DEAD",
    "FORMATS",
    "RULE_FAMILIES",
    "SYMMETRIES",
    "TRANSFORMS",
    "UNKNOWN",
    "Box",
    "Format",
    "Identity",
    "Motion",
    "PartialPattern",
    "Pattern",
    "Raster",
    "Rule",
    "RuleDefinition",
    "RuleFamily",
    "Symmetry",
    "Torus",
    "Transform",
    "advance",
    "apgcode",
    "detect_format",
    "draw_svg",
    "draw_text",
    "find_format",
    "find_rule_family",
    "from_apgcode",
    "identify",
    "read_pattern",
]
