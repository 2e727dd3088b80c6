"""The search engine: say what you want, get a verified pattern.

>>> from satlife.search import Found, find, ship
>>> outcome = find(ship("c/4d", box="4x4"))
>>> isinstance(outcome, Found), outcome.finding.identity.name
(True, 'glider')
"""

from __future__ import annotations

from satlife.search.checking.evaluate import evaluate
from satlife.search.checking.verify import VerificationError, verify
from satlife.search.engine import (
    ENGINES,
    Engine,
    GaveUp,
    Listing,
    Options,
    Run,
    Search,
    Wanted,
    find,
    find_all,
    find_best,
    find_engine,
    start,
)
from satlife.search.engine.events import (
    Built,
    Event,
    Finished,
    Improved,
    Progress,
    Started,
)
from satlife.search.engine.goals import Best, Goal
from satlife.search.engine.grow import GrowthStep, grow
from satlife.search.formula.build import BuiltFormula, build
from satlife.search.formula.encodings import ENCODINGS, Encoding, find_encoding
from satlife.search.formula.measures import MEASURES, Count, Measure, find_measure
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.kinds import (
    KINDS,
    agar,
    complete,
    eater,
    orphan,
    oscillator,
    parent,
    reaction,
    ship,
    still_life,
)
from satlife.search.problem import Known, Link, Movement, Problem, problem_schema
from satlife.search.problem.constraints import (
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
from satlife.search.problem.describe import describe
from satlife.search.problem.lls_grid import Grid
from satlife.search.problem.outcome import (
    Finding,
    Found,
    Impossible,
    Listed,
    Outcome,
    Provenance,
    Undecided,
)

__all__ = [
    "ENCODINGS",
    "ENGINES",
    "KINDS",
    "MEASURES",
    "Area",
    "Best",
    "Built",
    "BuiltFormula",
    "Constraint",
    "Count",
    "Difference",
    "Encoding",
    "Engine",
    "Event",
    "Finding",
    "Finished",
    "Found",
    "FullPeriod",
    "GaveUp",
    "Goal",
    "Grid",
    "GrowthStep",
    "Height",
    "Impossible",
    "Improved",
    "Known",
    "Link",
    "Listed",
    "Listing",
    "Measure",
    "Movement",
    "NotEmpty",
    "Options",
    "Outcome",
    "PatternPeriod",
    "Population",
    "Problem",
    "Progress",
    "Provenance",
    "Rotor",
    "Run",
    "Search",
    "SpaceTime",
    "Started",
    "Stator",
    "Undecided",
    "VerificationError",
    "Wanted",
    "Width",
    "agar",
    "build",
    "complete",
    "describe",
    "eater",
    "evaluate",
    "find",
    "find_all",
    "find_best",
    "find_encoding",
    "find_engine",
    "find_measure",
    "grow",
    "orphan",
    "oscillator",
    "parent",
    "problem_schema",
    "reaction",
    "ship",
    "start",
    "still_life",
    "verify",
]
