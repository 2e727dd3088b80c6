"""Directions of ships: eight points of the compass, and eight between them for oblique ships.

A search has one direction for each speed; the ship that is found may be turned or mirrored into
the others, by the symmetries of its rule.

>>> name_direction(Motion.parse("c/4d")), name_direction(Motion.parse("(2,1)c/6"))
('NW', 'NNW')
>>> find_turn(Motion.parse("c/4"), "E", Rule("Life"))
Transform('quarter-turn-clockwise')
"""

from __future__ import annotations

from typing import Final

from satlife.errors import UsageError
from satlife.given import shorten
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.transforms import IDENTITY, TRANSFORMS, Transform

COMPASS: Final = (
    *("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE"),
    *("S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"),
)


def name_direction(motion: Motion, turn: Transform = IDENTITY) -> str:
    """Return a ship's direction after a turn: N, NE; NNE if it goes further north than east."""
    dx, dy = turn.apply_to_point(*motion.displacement)
    down = "N" if dy < 0 else "S" if dy > 0 else ""
    across = "W" if dx < 0 else "E" if dx > 0 else ""
    if not (down and across) or abs(dx) == abs(dy):
        return down + across
    return (down if abs(dy) > abs(dx) else across) + down + across


def list_directions(motion: Motion, rule: Rule) -> dict[str, Transform]:
    """Return the directions into which ships can be turned, with turns preferred to mirrors.

    >>> list(list_directions(Motion.parse("c/3"), Rule("Life")))
    ['N', 'E', 'S', 'W']
    """
    ways: dict[str, Transform] = {}
    for each in TRANSFORMS:  # the turns come first
        if each in rule.symmetries:
            ways.setdefault(name_direction(motion, each), each)
    return {name: ways[name] for name in COMPASS if name in ways}


def find_turn(motion: Motion, direction: str, rule: Rule) -> Transform:
    """Return the turn after which a ship goes in the direction; raise if there is none."""
    name, usual = direction.strip().upper(), name_direction(motion)
    every = {name_direction(motion, each) for each in TRANSFORMS}
    if name not in every:
        known = [each for each in COMPASS if each in every]
        raise UsageError(
            f"{shorten(direction)!r} is not a direction of {motion} ships; "
            f"it is one of {', '.join(known)}"
        )
    ways = list_directions(motion, rule)
    if name not in ways:
        others = ", ".join(each for each in ways if each != usual)
        raise UsageError(
            f"ships of {rule} that go {usual} cannot be turned to {name}: the rule does not have "
            f"that symmetry{f' (only to {others})' if others else ''}"
        )
    return ways[name]
