"""What an encoding is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from satlife.errors import UsageError
from satlife.life.cells import Cells
from satlife.life.rule import Rule
from satlife.sat.builder import FormulaBuilder
from satlife.search.formula.transitions import Transitions


@dataclass(frozen=True)
class Encoding:
    """A way to say in clauses that generations follow each other.

    When the nine cells of a transition have values, unit propagation alone must find the successor.
    """

    name: str
    summary: str
    """One line for those who choose."""
    supports: Callable[[Rule], bool]
    """Whether it can encode this rule."""
    encode: Callable[[Transitions, Rule, FormulaBuilder], None]
    """Add the clauses of all transitions, with origin "transition", and the variables they need."""


def is_outer_totalistic(rule: Rule) -> bool:
    """Tell whether counts decide, as encodings that count must ask."""
    return rule.is_outer_totalistic


def fates(rule: Rule) -> Cells:
    """Give the successor by centre and number of living neighbours, shape (2, 9)."""
    if rule.count_table is None:
        raise UsageError(f"{rule} does not go by counts; use the encoding direct")
    return rule.count_table.reshape(2, 9)
