"""Search engines, and the running of searches."""

from __future__ import annotations

from satlife.engine.engine import Engine, GaveUp, Keywords, Options, Run
from satlife.engine.journal import Journal
from satlife.engine.session import (
    ENGINES,
    Listing,
    Search,
    find,
    find_all,
    find_best,
    find_engine,
    pick_engine,
    start,
)
from satlife.engine.wanted import Wanted

__all__ = [
    "ENGINES",
    "Engine",
    "GaveUp",
    "Journal",
    "Keywords",
    "Listing",
    "Options",
    "Run",
    "Search",
    "Wanted",
    "find",
    "find_all",
    "find_best",
    "find_engine",
    "pick_engine",
    "start",
]
