"""Engines, and the searches that they run."""

from __future__ import annotations

from typing import Final

from satlife.errors import UsageError
from satlife.search.engine.brute import BRUTE
from satlife.search.engine.engine import Engine, GaveUp, Options, Run
from satlife.search.engine.sat import SAT
from satlife.search.engine.session import (
    Listing,
    Search,
    find,
    find_all,
    find_best,
    start,
)
from satlife.search.engine.wanting import Wanted

__all__ = [
    "ENGINES",
    "Engine",
    "GaveUp",
    "Listing",
    "Options",
    "Run",
    "Search",
    "Wanted",
    "find",
    "find_all",
    "find_best",
    "find_engine",
    "start",
]

ENGINES: Final[tuple[Engine, ...]] = (SAT, BRUTE)
"""Every engine; the first one is the default."""


def find_engine(engine: str | Engine | None) -> Engine:
    """Return the engine of that name; the default for None, and an engine as it is."""
    if engine is None:
        return ENGINES[0]
    if isinstance(engine, Engine):
        return engine
    for each in ENGINES:
        if each.name == engine:
            return each
    raise UsageError(f"no engine {engine!r}; there are {', '.join(e.name for e in ENGINES)}")
