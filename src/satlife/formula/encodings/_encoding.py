"""The interface of encodings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from satlife.errors import UsageError
from satlife.formula.transitions import Transitions
from satlife.life.cells import Cells
from satlife.life.rule import LIFE, Rule
from satlife.sat.formula import FormulaBuilder


class Encoding(Struct, frozen=True):
    """A way to express in clauses that one generation follows another.

    When the nine cells of a transition have values, unit propagation alone must find the successor.
    """

    name: str
    summary: str
    """One line for ``satlife list encodings``."""
    supports: Callable[[Rule], bool]
    """Whether it can encode this rule."""
    encode: Callable[[Transitions, Rule, FormulaBuilder], None]
    """Add the clauses of all transitions, with origin "transition", and the variables they need."""


def is_outer_totalistic(rule: Rule) -> bool:
    """Whether an encoding that counts neighbours supports the rule."""
    return rule.is_outer_totalistic


SMALL: Final = 500
"""Transitions for which the fewest clauses are not worth their search, 8 to 600 ms for a rule."""


def is_small(transitions: Transitions, rule: Rule) -> bool:
    """Whether a greedy choice of clauses will do; Life, which most searches use, has its best."""
    return len(transitions) < SMALL and rule != LIFE


def fates(rule: Rule) -> Cells:
    """Return the successor by centre and number of live neighbours, shape (2, 9)."""
    if rule.count_table is None:
        raise UsageError(f"{rule} does not go by counts; use the encoding triples or direct")
    return rule.count_table.reshape(2, 9)
