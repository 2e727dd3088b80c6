"""Problems and answers: what is asked, in values and in words, and what is answered."""

from __future__ import annotations

from satlife.problem.problem import (
    LARGEST,
    LARGEST_COORDINATE,
    SCHEMA,
    Cells,
    Known,
    Link,
    Movement,
    Place,
    Problem,
    check_problem,
    problem_schema,
)

__all__ = [
    "LARGEST",
    "LARGEST_COORDINATE",
    "SCHEMA",
    "Cells",
    "Known",
    "Link",
    "Movement",
    "Place",
    "Problem",
    "check_problem",
    "problem_schema",
]
