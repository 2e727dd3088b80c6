"""Common names of rules.

Sources: LifeWiki's list of Life-like rules, and the rule files and the help that come with Golly.
"""

from __future__ import annotations

import re
from typing import Final

RULE_NAMES: Final[dict[str, str]] = {
    "Life": "B3/S23",
    "HighLife": "B36/S23",
    "Seeds": "B2/S",
    "Day & Night": "B3678/S34678",
    "Replicator": "B1357/S1357",
    "34 Life": "B34/S34",
    "Life without Death": "B3/S012345678",
    "2x2": "B36/S125",
    "Amoeba": "B357/S1358",
    "Anneal": "B4678/S35678",
    "AntiLife": "B0123478/S01234678",
    "Assimilation": "B345/S4567",
    "Banners": "2367/3457/5",
    "Bloomerang": "234/34678/24",
    "Brian's Brain": "/2/3",
    "Caterpillars": "124567/378/4",
    "Cooties": "23/2/8",
    "Coral": "B3/S45678",
    "Diamoeba": "B35678/S5678",
    "DotLife": "B3/S023",
    "DryLife": "B37/S23",
    "EightLife": "B3/S238",
    "Fireworks": "2/13/21",
    "Flock": "B3/S12",
    "Frogs": "12/34/3",
    "Gnarl": "B1/S1",
    "HoneyLife": "B38/S238",
    "Lava": "12345/45678/8",
    "Lines": "012345/458/3",
    "Live Free or Die": "B2/S0",
    "Just Friends": "B2-a/S12",
    "LongLife": "B345/S5",
    "LowDeath": "B368/S238",
    "Maze": "B3/S12345",
    "Mazectric": "B3/S1234",
    "Move": "B368/S245",
    "Pedestrian Life": "B38/S23",
    "Pseudo Life": "B357/S238",
    "Serviettes": "B234/S",
    "Stains": "B3678/S235678",
    "Star Wars": "345/2/4",
    "Sticks": "3456/2/6",
    "tlife": "B3/S2-i34q",
    "Transers": "345/26/5",
    "Walled Cities": "B45678/S2345",
    "Xtasy": "1456/2356/16",
}

_ALIASES: Final[dict[str, str]] = {
    "Conway": "Life",
    "Conway's Life": "Life",
    "Conway's Game of Life": "Life",
    "Game of Life": "Life",
    "Day and Night": "Day & Night",
    "Morley": "Move",
    "Persian Rug": "Serviettes",
}


def _key(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


_BY_KEY: Final = {
    **{_key(name): notation for name, notation in RULE_NAMES.items()},
    **{_key(alias): RULE_NAMES[name] for alias, name in _ALIASES.items()},
}
_BY_NOTATION: Final = {notation: name for name, notation in RULE_NAMES.items()}


def find_notation(name: str) -> str | None:
    """Find the notation for a name, regardless of capitals, blanks and punctuation."""
    # A name has a letter that no notation uses, so that 23/3 never looks like one.
    return _BY_KEY.get(_key(name)) if re.search("[a-zA-Z]", name) else None


def find_name(notation: str) -> str | None:
    """Find the name for a canonical notation."""
    return _BY_NOTATION.get(notation)
