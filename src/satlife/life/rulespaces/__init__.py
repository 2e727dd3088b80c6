"""Sets of rules: some entries of the table are fixed, the others free.

>>> space = RuleSpace("B3[4]/S2[3]")
>>> space.size, str(space.least), str(space.greatest)
(4, 'B3/S2', 'B34/S23')
"""

from satlife.life.rulespaces.ranges import narrow, rules_of
from satlife.life.rulespaces.space import (
    CLASSES,
    OPEN,
    Classes,
    RuleSpace,
    find_classes,
    read_rules,
)

__all__ = [
    "CLASSES",
    "OPEN",
    "Classes",
    "RuleSpace",
    "find_classes",
    "narrow",
    "read_rules",
    "rules_of",
]
