"""Boolean functions as clauses: gates, counters, circuits and minimal covers.

Everything here works on arrays of literals, many rows at a time, and does not depend on what the
literals stand for.
"""

from __future__ import annotations

from satlife.sat.logic.cardinality import (
    add_bound,
    add_bounded,
    add_counter,
    count_true,
    merge_literals,
)
from satlife.sat.logic.circuit import Circuit, CircuitPart, all_of, any_of, differ
from satlife.sat.logic.constants import FALSE, TRUE, add_clauses, fold_clauses
from satlife.sat.logic.cover import define, define_through, forbid
from satlife.sat.logic.template import RowNumbers, Template, number_rows

__all__ = [
    "FALSE",
    "TRUE",
    "Circuit",
    "CircuitPart",
    "RowNumbers",
    "Template",
    "add_bound",
    "add_bounded",
    "add_clauses",
    "add_counter",
    "all_of",
    "any_of",
    "count_true",
    "define",
    "define_through",
    "differ",
    "fold_clauses",
    "forbid",
    "merge_literals",
    "number_rows",
]
