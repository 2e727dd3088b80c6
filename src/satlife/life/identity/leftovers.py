"""What a reaction leaves beside its catalyst, as objects."""

from __future__ import annotations

from collections import Counter

from satlife.life.identity.identify import identify
from satlife.life.identity.parts import parts
from satlife.life.pattern import Pattern


def count_leftovers(pattern: Pattern, catalyst: Pattern) -> Counter[str] | None:
    """Return how many of each object there are in the end, by apgcode, beside the catalyst.

    None if the pattern did not settle while it was watched, or not into objects, or without the
    catalyst in its place.

    >>> block = Pattern.from_rle("2o$2o!")
    >>> count_leftovers(Pattern.from_rle("2o3b3o$2o!"), block)
    Counter({'xp2_7': 1})
    """
    found = identify(pattern)
    settled = pattern if found.lifespan is None else pattern[found.lifespan]
    if not _is_there(catalyst, settled):
        return None
    if found.settlement is None and found.lifespan is not None:
        found = identify(settled)
    if found.settlement is None:
        return _count_parts(settled) - _count_parts(catalyst) if found.recurrence else None
    if found.settlement.unnamed:
        return None
    tallies = (*found.settlement.ash, *found.settlement.escaping)
    return Counter({each.code: each.count for each in tallies}) - _count_parts(catalyst)


def _is_there(catalyst: Pattern, settled: Pattern) -> bool:
    """Whether a still life is in its place, with nothing else next to it."""
    near = (-1, 0, 1)
    alive = catalyst.coordinates.tolist()
    zone = {(x + i, y + j) for x, y in alive for i in near for j in near}
    return all((cell in catalyst) == (cell in settled) for cell in zone)


def _count_parts(pattern: Pattern) -> Counter[str]:
    return Counter(identify(part).apgcode or "" for part in parts(pattern))
