"""Engines, and the searches that they run."""

from __future__ import annotations

from satlife.search.engine.engine import Engine, GaveUp, Keywords, Options, Run
from satlife.search.engine.engines import ENGINES, find_engine, pick_engine
from satlife.search.engine.journal import Journal
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
