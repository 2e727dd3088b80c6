"""The names of objects, by their apgcodes.

The codes of the objects in the table are computed, not written down: those of a period when the
first of them is looked up.

>>> find_object_name("xp2_7"), find_object_name("xs4_33", "HighLife"), find_object_name("xs9_0")
('blinker', 'block', None)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from satlife.life.identity.apgcode import encode_phases
from satlife.life.identity.objects import OBJECTS
from satlife.life.identity.recurrence import find_recurrence, trace_phases
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule
from satlife.life.transforms import TRANSFORMS

_CODE = re.compile(r"x(?:(s)[0-9]+|[pq]([0-9]+))_.*")


def find_object_name(code: str, rule: RuleLike = LIFE) -> str | None:
    """Find the name of the object with this apgcode; ``None`` if the table has none.

    The names are of objects of Conway's Life. One that lives just as well by another rule, all
    its generations the same, keeps its name there.
    """
    match = _CODE.fullmatch(code)
    if not match:
        return None
    return _name_codes(1 if match[1] else int(match[2]), as_rule(rule)).get(code)


@lru_cache(maxsize=256)
def _name_codes(period: int, rule: Rule) -> Mapping[str, str]:
    # A rule that is not symmetric may tell an object from its mirror image: both have the name.
    transforms = TRANSFORMS if len(rule.symmetries) < len(TRANSFORMS) else TRANSFORMS[:1]
    names = {}
    for known in OBJECTS:
        if known.period != period:
            continue
        for transform in transforms:
            pattern = Pattern.from_rle(known.rle).transformed(transform)
            recurrence = find_recurrence(pattern, generations=period)
            phases = trace_phases(pattern, period)
            if recurrence is not None and _live_alike(phases, rule):
                moved = [phase.with_rule(rule) for phase in phases]
                names[encode_phases(moved, recurrence)] = known.name
    return names


def _live_alike(phases: Sequence[Pattern], rule: Rule) -> bool:
    """Return whether the generations follow each other by another rule, too."""
    return rule == LIFE or all(
        now.with_rule(rule)[1] == later.with_rule(rule)
        for now, later in pairwise((*phases, phases[-1][1]))
    )
