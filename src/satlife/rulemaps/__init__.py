"""Maps of rules: one question, answered for every rule of a set.

>>> import satlife
>>> found = make_map(satlife.ship("c", box="4x4", rule="B[2][3]/S"))
>>> found.counts, found.look_up("B2/S").pattern.population
({'found': 1, 'impossible': 3, 'undecided': 0}, 4)
"""

from __future__ import annotations

from satlife.rulemaps.folder import read_map
from satlife.rulemaps.maker import make_map
from satlife.rulemaps.map_check import check_map
from satlife.rulemaps.rulemap import Region, RuleMap

__all__ = ["Region", "RuleMap", "check_map", "make_map", "read_map"]
