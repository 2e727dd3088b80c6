"""Catalysts, by trying every set of cells of the region: ``docs/how-to/reaction.md``.

A catalyst takes part in a reaction and is unchanged afterwards: generation 0 is the catalyst and
what is there before, generation T the catalyst and what is there after, without a cell in common.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from tests.reference.asked import Place
from tests.reference.parting import Cells, follow
from tests.reference.rules import Table


def catalysts(
    table: Table,
    before: Cells,
    after: Cells,
    *,
    within: int,
    region: Iterable[Place],
    field: Iterable[Place],
    period: int = 1,
    least: int = 1,
    most: int | None = None,
) -> list[Cells]:
    """Return all catalysts, as they are in generation 0."""
    places, arena, found = sorted(region), frozenset(field), []
    for size in range(max(1, least), min(len(places), most or len(places)) + 1):
        for chosen in combinations(places, size):
            alone = follow(table, frozenset(chosen), period)
            if alone[-1] != alone[0] or not all(phase <= set(places) for phase in alone):
                continue  # it is not itself again, or leaves the region
            last = alone[within % period]
            if alone[0] & before or last & after:
                continue
            film = follow(table, alone[0] | before, within)
            if film[-1] == last | after and all(now <= arena for now in film):
                found.append(alone[0])
    return found
