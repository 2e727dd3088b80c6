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
    Area,
    Constraint,
    Difference,
    FullPeriod,
    Height,
    NotEmpty,
    PatternPeriod,
    Population,
    Rotor,
    Stator,
    Width,
)
from satlife.search.describe import describe
from satlife.search.encodings import ENCODINGS, Encoding, find_encoding
from satlife.search.enumerate import Enumeration, Wanted
from satlife.search.find import find_all, search
from satlife.search.grid import Grid
from satlife.search.grow import GrowthStep, grow
from satlife.search.how import How
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
from satlife.search.measures import MEASURES, Count, Measure, find_measure
from satlife.search.optimum import Best, Goal, optimise
from satlife.search.outcome import Finding, Found, Impossible, Outcome, Provenance, Undecided
from satlife.search.problem import Known, Link, Movement, Problem, problem_schema
from satlife.search.spacetime import SpaceTime
from satlife.search.verify import VerificationError, verify

__all__ = [
    "ENCODINGS",
    "KINDS",
    "MEASURES",
    "Area",
    "Best",
    "Built",
    "Constraint",
    "Count",
    "Difference",
    "Encoding",
    "Enumeration",
    "Finding",
    "Found",
    "FullPeriod",
    "Goal",
    "Grid",
    "GrowthStep",
    "Height",
    "How",
    "Impossible",
    "Known",
    "Link",
    "Measure",
    "Movement",
    "NotEmpty",
    "Outcome",
    "PatternPeriod",
    "Population",
    "Problem",
    "Provenance",
    "Rotor",
    "SpaceTime",
    "Stator",
    "Undecided",
    "VerificationError",
    "Wanted",
    "Width",
    "agar",
    "build",
    "complete",
    "describe",
    "find_all",
    "find_encoding",
    "find_measure",
    "grow",
    "optimise",
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
