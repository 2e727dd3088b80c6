"""What is this pattern? Its period and speed, its symmetry, its apgcode, and its name.

>>> from satlife.life import Pattern
>>> print(identify(Pattern.from_rle("b3o$3o!")))
xp2_7e: toad, oscillator p2, 6 cells, 4x2 to 4x4, C2_4
"""

from satlife._lazy import lazy_names as _lazy_names
from satlife.life.identity.activity import Activity
from satlife.life.identity.apgcode import apgcode, from_apgcode
from satlife.life.identity.famous import FAMOUS, FamousPattern, find_famous_name
from satlife.life.identity.identify import identify
from satlife.life.identity.identity import KINDS, Identity
from satlife.life.identity.names import find_object_name
from satlife.life.identity.objects import OBJECTS, KnownObject
from satlife.life.identity.recurrence import Fate, Recurrence, find_recurrence, follow
from satlife.life.identity.spacetime import SpacetimeSymmetry, spacetime_symmetries
from satlife.life.identity.symmetries import find_symmetries, find_symmetry

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from satlife.life.identity.longrun import Growth, Settlement, Stream, Tally
    from satlife.life.identity.tiles import WRAPS, TileIdentity, identify_tile

__all__ = [
    "FAMOUS",
    "KINDS",
    "OBJECTS",
    "WRAPS",
    "Activity",
    "FamousPattern",
    "Fate",
    "Growth",
    "Identity",
    "KnownObject",
    "Recurrence",
    "Settlement",
    "SpacetimeSymmetry",
    "Stream",
    "Tally",
    "TileIdentity",
    "apgcode",
    "find_famous_name",
    "find_object_name",
    "find_recurrence",
    "find_symmetries",
    "find_symmetry",
    "follow",
    "from_apgcode",
    "identify",
    "identify_tile",
    "spacetime_symmetries",
]

_HOMES = {
    "satlife.life.identity.longrun": "Growth Settlement Stream Tally",
    "satlife.life.identity.tiles": "WRAPS TileIdentity identify_tile",
}
"""What few patterns need is imported when it is first used."""

if not TYPE_CHECKING:
    __getattr__, _ = _lazy_names(__name__, _HOMES)
