"""What a reaction leaves beside its catalyst, as objects."""

from __future__ import annotations

from collections import Counter

from satlife.life.identity.identify import identify
from satlife.life.identity.parts import parts
from satlife.life.pattern import Pattern


def count_leftovers(pattern: Pattern, catalyst: Pattern) -> Counter[str] | None:
    """Return how many of each object there are in the end, by apgcode, without the catalyst's.

    None if the pattern did not settle while it was watched, or not into objects.

    >>> block = Pattern.from_rle("2o$2o!")
    >>> count_leftovers(Pattern.from_rle("2o3b3o$2o!"), block)
    Counter({'xp2_7': 1})
    """
    objects = _count_objects(pattern)
    return None if objects is None else objects - _count_parts(catalyst)


def _count_objects(pattern: Pattern) -> Counter[str] | None:
    found = identify(pattern)
    if found.kind == "dies":
        return Counter()
    if found.settlement is not None:
        if found.settlement.unnamed:
            return None
        tallies = (*found.settlement.ash, *found.settlement.escaping)
        return Counter({each.code: each.count for each in tallies})
    if found.lifespan is not None:
        return _count_objects(pattern[found.lifespan])
    return _count_parts(pattern) if found.recurrence else None


def _count_parts(pattern: Pattern) -> Counter[str]:
    return Counter(identify(part).apgcode or "" for part in parts(pattern))
