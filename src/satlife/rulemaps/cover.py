"""Whether regions cover all rules, exactly: by counting a disjoint refinement.

A region is a tuple with a fate, 0, 1 or None (any), for each free entry.  To count the rules in at
least one of several regions, choose an entry that one of them fixes, and count the two halves.  The
halves are disjoint, and a region without fixed entries is the whole.

>>> count_covered([(0, None), (None, 1)], 2)
3
>>> find_common([(0, None)], [(None, 1)]), find_common([(0, None)], [(1, None)])
(((0, None), (None, 1)), None)
"""

from __future__ import annotations

from collections.abc import Sequence

Fates = tuple[int | None, ...]


def count_covered(regions: Sequence[Fates], entries: int) -> int:
    """Return how many of the ``2 ** entries`` rules are in at least one of the regions."""
    if not regions:
        return 0
    if any(all(fate is None for fate in region) for region in regions):
        return 1 << entries
    place = next(k for k, fate in enumerate(regions[0]) if fate is not None)
    return sum(count_covered(_halve(regions, place, fate), entries - 1) for fate in (0, 1))


def _halve(regions: Sequence[Fates], place: int, fate: int) -> list[Fates]:
    """Return what the regions are in the half where one entry has this fate, without the entry."""
    return [
        region[:place] + region[place + 1 :] for region in regions if region[place] in (fate, None)
    ]


def find_common(some: Sequence[Fates], others: Sequence[Fates]) -> tuple[Fates, Fates] | None:
    """Return two regions, one of each kind, that have a rule in common; None if there are none."""
    for one in some:
        for other in others:
            if all(a is None or b is None or a == b for a, b in zip(one, other, strict=True)):
                return one, other
    return None
