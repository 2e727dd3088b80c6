"""Long runs: what becomes of a pattern that does not simply recur.

It dies, settles into a census of known objects, grows as guns and puffers do, or was followed to a
limit without an answer. ``watch`` runs it, and from time to time looks whether one of these can be
shown; each has a file of its own.

>>> from satlife.life.pattern import Pattern
>>> watch(Pattern.from_rle("b2o$2o$bo!")).generation
1103
"""

from satlife.life.identity.longrun.growing import Growth
from satlife.life.identity.longrun.settling import Settlement
from satlife.life.identity.longrun.streams import Stream
from satlife.life.identity.longrun.tally import Tally
from satlife.life.identity.longrun.watching import (
    Death,
    Lost,
    Prospect,
    Return,
    watch,
)
from satlife.life.identity.longrun.words import describe_prospect

__all__ = [
    "Death",
    "Growth",
    "Lost",
    "Prospect",
    "Return",
    "Settlement",
    "Stream",
    "Tally",
    "describe_prospect",
    "watch",
]
