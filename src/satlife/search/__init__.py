"""The search engine: say what you want, get a verified pattern.

>>> from satlife.search import Found, search, ship
>>> outcome = search(ship("c/4d", box="4x4"))
>>> isinstance(outcome, Found), outcome.finding.identity.name
(True, 'glider')
"""

from __future__ import annotations

import sys
from types import ModuleType

from satlife.search.build import Built, build
from satlife.search.constraints import (
    Constraint,
    FullPeriod,
    NotEmpty,
    PatternPeriod,
    Population,
)
from satlife.search.describe import describe
from satlife.search.encodings import ENCODINGS, Encoding, find_encoding
from satlife.search.find import How, find_all, search
from satlife.search.grid import Grid
from satlife.search.kinds import (
    KINDS,
    agar,
    complete,
    orphan,
    oscillator,
    parent,
    ship,
    still_life,
)
from satlife.search.outcome import Finding, Found, Impossible, Outcome, Provenance, Undecided
from satlife.search.problem import Known, Link, Movement, Problem, problem_schema
from satlife.search.spacetime import SpaceTime
from satlife.search.verify import VerificationError, verify

__all__ = [
    "ENCODINGS",
    "KINDS",
    "Built",
    "Constraint",
    "Encoding",
    "Finding",
    "Found",
    "FullPeriod",
    "Grid",
    "How",
    "Impossible",
    "Known",
    "Link",
    "Movement",
    "NotEmpty",
    "Outcome",
    "PatternPeriod",
    "Population",
    "Problem",
    "Provenance",
    "SpaceTime",
    "Undecided",
    "VerificationError",
    "agar",
    "build",
    "complete",
    "describe",
    "find_all",
    "find_encoding",
    "orphan",
    "oscillator",
    "parent",
    "problem_schema",
    "search",
    "ship",
    "still_life",
    "verify",
]


class _CallableModule(ModuleType):
    """``satlife.search(problem)`` is the call people know; the room has the same name."""

    def __call__(self, problem: Problem, how: How | None = None) -> Outcome:
        """Search; see :func:`satlife.search.find.search`."""
        return search(problem, how)


sys.modules[__name__].__class__ = _CallableModule
