"""Maps: pictures that colour the cells of a pattern by what they do; a file each.

To add one: write its file, with a :class:`MapKind` value in it, and add that to the tuple.
"""

from __future__ import annotations

from typing import Final

from satlife.errors import UsageError
from satlife.show.maps._map import CellMap, MapKind, Mark
from satlife.show.maps.period import PERIOD
from satlife.show.maps.rotor import ROTOR

__all__ = ["MAPS", "CellMap", "MapKind", "Mark", "find_map"]

MAPS: Final[tuple[MapKind, ...]] = (PERIOD, ROTOR)


def find_map(name: str) -> MapKind:
    """Find a map by its name."""
    for kind in MAPS:
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in MAPS)
    raise UsageError(f"there is no map {name!r}; choose one of {known}")
