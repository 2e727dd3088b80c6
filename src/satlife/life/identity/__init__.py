"""What is this pattern? Its period and speed, its symmetry, its apgcode, and its name.

>>> from satlife.life import Pattern
>>> print(identify(Pattern.from_rle("b3o$3o!")))
xp2_7e: toad, oscillator p2, 6 cells, 4x2 to 4x4, C2_4
"""

from satlife.life.identity.activity import Activity
from satlife.life.identity.apgcode import apgcode, from_apgcode
from satlife.life.identity.famous import FAMOUS, FamousPattern, find_famous_name
from satlife.life.identity.identify import identify
from satlife.life.identity.identity import KINDS, Identity
from satlife.life.identity.names import Tally, find_object_name, object_names
from satlife.life.identity.recurrence import Fate, Recurrence, find_recurrence, follow
from satlife.life.identity.symmetries import (
    SpacetimeSymmetry,
    find_symmetries,
    find_symmetry,
    spacetime_symmetries,
)

__all__ = [
    "FAMOUS",
    "KINDS",
    "Activity",
    "FamousPattern",
    "Fate",
    "Identity",
    "Recurrence",
    "SpacetimeSymmetry",
    "Tally",
    "apgcode",
    "find_famous_name",
    "find_object_name",
    "find_recurrence",
    "find_symmetries",
    "find_symmetry",
    "follow",
    "from_apgcode",
    "identify",
    "object_names",
    "spacetime_symmetries",
]
