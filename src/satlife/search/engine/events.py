"""What a running search tells: events, in the order in which they happen.

A :class:`~satlife.search.problem.outcome.Found` is an event too: each verified pattern is one.  The
last event is :class:`Finished`, with the same value that ``result()`` returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from satlife.search.engine.goals import Best
from satlife.search.problem.outcome import Found, Impossible, Listed, Undecided

Details = Mapping[str, Any]
"""Numbers and words by name; which ones there are depends on the engine."""

Result = Found | Impossible | Undecided | Listed | Best
"""What a search can come to."""


@dataclass(frozen=True)
class Started:
    """The search has begun."""

    engine: str


@dataclass(frozen=True)
class Built:
    """The engine is ready: a formula is built, tables are made."""

    engine: str
    seconds: float
    details: Details = field(default_factory=dict)
    """For SAT: ``solver``, ``encoding``, ``variables``, ``clauses``."""


@dataclass(frozen=True)
class Progress:
    """Progress of a running search; a newer one replaces one that nobody has read."""

    racer: str
    """Who speaks: one of several solvers that race, or the engine itself."""
    seconds: float
    """Since the search began."""
    details: Details = field(default_factory=dict)
    """For SAT: ``conflicts``, ``memory_bytes``."""


@dataclass(frozen=True)
class Improved:
    """A better solution than any before."""

    best: Best


@dataclass(frozen=True)
class Finished:
    """The search is over."""

    result: Result


Event = Started | Built | Progress | Improved | Found | Finished
