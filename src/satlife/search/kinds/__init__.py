"""The kinds of searches: each is a function that returns a :class:`~satlife.search.Problem`.

To add one: write its file, with the function in it, and add that to the tuple.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from satlife.search.kinds.agar import agar
from satlife.search.kinds.complete import complete
from satlife.search.kinds.eater import eater
from satlife.search.kinds.orphan import orphan
from satlife.search.kinds.oscillator import oscillator, still_life
from satlife.search.kinds.parent import parent
from satlife.search.kinds.reaction import reaction
from satlife.search.kinds.ship import ship
from satlife.search.problem import Problem

__all__ = [
    "KINDS",
    "agar",
    "complete",
    "eater",
    "orphan",
    "oscillator",
    "parent",
    "reaction",
    "ship",
    "still_life",
]

KINDS: Final[tuple[Callable[..., Problem], ...]] = (
    still_life,
    oscillator,
    ship,
    parent,
    orphan,
    complete,
    agar,
    eater,
    reaction,
)
