"""Long runs: the fate of a pattern that does not simply recur.

It dies, settles into a census of known objects, grows as guns and puffers do, or was followed to a
limit without an answer. ``watch`` runs it, and checks at intervals whether one of these can be
shown; each has a file of its own.

>>> from satlife.life.pattern import Pattern
>>> watch(Pattern.from_rle("b2o$2o$bo!")).generation
1103
"""

from satlife.life.identity.longrun.growth import LinearGrowth, ShipStream
from satlife.life.identity.longrun.prospects import (
    Death,
    Lost,
    Prospect,
    Return,
    describe_prospect,
    watch,
)
from satlife.life.identity.longrun.settled import Settlement
from satlife.life.identity.names import Tally

__all__ = [
    "Death",
    "LinearGrowth",
    "Lost",
    "Prospect",
    "Return",
    "Settlement",
    "ShipStream",
    "Tally",
    "describe_prospect",
    "watch",
]
