"""The triples encoding, for any rule, by properties of three vertical triples of cells.

The nine cells are three vertical triples, and each of them serves the three cells in and beside it.
For each triple, five new variables show whether one of its two ends lives, whether both do, and
whether at least one, two or all three of its cells live.  These and the cells themselves are what
the clauses for the successor may use: counts where the rule counts, and cells where arrangements
matter.  Which clauses are needed is found for the table of the rule: the fewest literals that
decide all 512 neighbourhoods, or nearly the fewest (see :mod:`satlife.sat.logic.cover`).

For B3/S23 a transition in a large box has 5 new variables and 42 clauses with 148 literals: 16 that
define the variables, and 26 for the successor.  tlife has 53 clauses, Just Friends (B2-a/S12) 42;
tables without any order have about 150.  Variables that no clause uses are left out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from satlife.formula.encodings._encoding import Encoding, is_small
from satlife.formula.transitions import ORIGIN, Transitions
from satlife.life.rule import Rule
from satlife.sat.formula import FormulaBuilder
from satlife.sat.logic import Circuit, CircuitPart, Template, define_through

_COLUMNS: Final = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
_NORTH, _MIDDLE, _SOUTH, _AN_END, _ENDS, _ONE, _TWO, _THREE = range(8)
_CHAINS: Final = (
    (_ONE, _TWO, _THREE),
    (_ONE, _AN_END, _NORTH, _ENDS, _THREE),
    (_ONE, _AN_END, _SOUTH, _ENDS, _THREE),
    (_ONE, _MIDDLE, _THREE),
    (_AN_END, _TWO, _ENDS),
)
"""Chains of properties of a triple; each is implied by those after it."""


class _Structure(NamedTuple):
    """How a rule is encoded: the helpers that are used, and the clauses over all literals."""

    helpers: tuple[int, ...]
    template: Template


def _view() -> npt.NDArray[np.bool_]:
    """Return the properties of a triple in each of its eight states, shape (states, 8)."""
    north, middle, south = np.indices((2, 2, 2)).reshape(3, 8)
    ends, count = north + south, north + middle + south
    counts = (count >= k for k in (1, 2, 3))
    return np.stack([north, middle, south, ends >= 1, ends >= 2, *counts], axis=1).astype(bool)


@lru_cache(maxsize=1)
def count_ends() -> CircuitPart:
    """Build the part for the two ends of a triple: 2 variables, 6 clauses."""
    count = np.indices((2, 2)).sum(axis=0)
    return CircuitPart.compute((2, 2), [count >= 1, count >= 2])


@lru_cache(maxsize=8)
def count_all(thresholds: tuple[int, ...]) -> CircuitPart:
    """Build the part that adds the middle to the ends: up to 3 variables, 10 clauses."""
    count = np.indices((3, 2)).sum(axis=0)
    return CircuitPart.compute((3, 2), [count >= k for k in thresholds])


@lru_cache(maxsize=4096)
def find_structure(rule: Rule, quick: bool = False) -> _Structure:
    """Find the clauses for a rule."""
    places = np.array(_COLUMNS).reshape(-1)
    # The axes of the table are the nine cells; the axes here are the states of the triples.
    by_triple = rule.table.reshape((2,) * 9).transpose(places).reshape(8, 8, 8)
    clauses = define_through(by_triple, [_view()] * 3, quick=quick)
    used = np.count_nonzero(clauses[:, :-1].reshape(-1, 8), axis=0) > 0
    used[: _SOUTH + 1] = True
    if used[_ONE:].any():
        used[[_AN_END, _ENDS]] = True
    kept = np.flatnonzero(used)
    rank = {int(slot): k for k, slot in enumerate(kept)}
    chains = tuple(
        tuple(column * len(kept) + rank[slot] for slot in chain if slot in rank)
        for column in range(3)
        for chain in _CHAINS
    )
    slots = np.append(np.concatenate([8 * column + kept for column in range(3)]), 24)
    return _Structure(tuple(kept[_SOUTH + 1 :].tolist()), Template(clauses[:, slots], chains))


def _encode(transitions: Transitions, rule: Rule, builder: FormulaBuilder) -> None:
    helpers, template = find_structure(rule, is_small(transitions, rule))
    circuit = Circuit(builder, ORIGIN)
    triples = transitions.cells[:, _COLUMNS]
    parts = [triples]
    if helpers:
        ends = circuit.apply(count_ends(), triples[:, :, [0, 2]])
        parts.append(ends[:, :, [slot - _AN_END for slot in helpers if slot <= _ENDS]])
        if thresholds := tuple(slot - _ENDS for slot in helpers if slot > _ENDS):
            known = np.concatenate([ends, triples[:, :, [1]]], axis=2)
            parts.append(circuit.apply(count_all(thresholds), known))
    rows = np.concatenate(parts, axis=2).reshape(len(transitions), 3 * (3 + len(helpers)))
    circuit.require(template, np.column_stack([rows, transitions.successors]))
    circuit.write()


TRIPLES = Encoding(
    "triples", "cells, ends and counts of vertical triples; any rule", lambda _: True, _encode
)
