"""Problems and their outcomes, as values and in words."""

from __future__ import annotations

from satlife.problem.problem import (
    LARGEST,
    LARGEST_COORDINATE,
    Problem,
    check_problem,
    problem_schema,
)
from satlife.problem.statement import SCHEMA, Boundary, Cells, Known, Link, Place

__all__ = [
    "LARGEST",
    "LARGEST_COORDINATE",
    "SCHEMA",
    "Boundary",
    "Cells",
    "Known",
    "Link",
    "Place",
    "Problem",
    "check_problem",
    "problem_schema",
]
