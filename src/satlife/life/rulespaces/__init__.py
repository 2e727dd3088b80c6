"""Sets of rules: some entries of the table are fixed, the others free.

>>> space = RuleSpace("B3[4]/S2[3]")
>>> space.size, str(space.least), str(space.greatest)
(4, 'B3/S2', 'B34/S23')
"""

from satlife.life.rulespaces.classes import CLASSES, Classes, find_classes
from satlife.life.rulespaces.notation import OPEN
from satlife.life.rulespaces.ranges import find_range, rules_of
from satlife.life.rulespaces.space import RuleSpace, read_rules

__all__ = [
    "CLASSES",
    "OPEN",
    "Classes",
    "RuleSpace",
    "find_classes",
    "find_range",
    "read_rules",
    "rules_of",
]
