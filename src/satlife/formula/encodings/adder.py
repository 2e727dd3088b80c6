"""The adder encoding: the eight neighbours are counted in binary, by full and half adders.

Full adders add the columns west and east; each of them serves two cells.  A half adder adds north
and south, for one cell.  Then a full adder adds the ones, which gives the lowest bit, and a full
and a half adder the four twos, which give the next bit.  A last half adder turns the two fours into
the bits 4 and 8; if a rule treats eight neighbours like none, only its sum is needed.

For B3/S23, a transition in a large box has 11 new variables and 65 clauses: 14 for each of three
full adders (two of its own, and its share of the columns), 7 for each of two half adders, 4 for the
last sum, and 5 for the successor.  Binary counts propagate worse than unary ones, and solvers take
longer; this encoding is here for comparison.  Full adders as clauses: Eén and Sörensson,
"Translating pseudo-Boolean constraints into SAT" (JSAT 2, 2006).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from satlife.formula.encodings._encoding import Encoding, fates, is_outer_totalistic
from satlife.formula.transitions import CENTRE, ORIGIN, Transitions
from satlife.life.rule import Rule
from satlife.sat.formula import FormulaBuilder
from satlife.sat.logic import Circuit, CircuitPart, Template, define

_WEST_AND_EAST = ((0, 3, 6), (2, 5, 8))
_NORTH_AND_SOUTH = ((1, 7),)


@lru_cache(maxsize=3)
def add(bits: int, *, carries: bool = True) -> CircuitPart:
    """Build the adder of two or three bits: the sum and, if needed, the carry."""
    count = np.indices((2,) * bits).sum(axis=0)
    return CircuitPart.compute((2,) * bits, [count & 1, count >> 1][: 1 + carries])


def needs_eight(rule: Rule) -> bool:
    """Whether the rule treats eight neighbours and none differently."""
    return bool((fates(rule)[:, 0] != fates(rule)[:, 8]).any())


@lru_cache(maxsize=64)
def adder_template(rule: Rule) -> Template:
    """Build the template over the bits 1, 2, 4 and perhaps 8, the centre and the successor."""
    shape = (2,) * (5 if needs_eight(rule) else 4)
    *bits, centre = np.indices(shape)
    count = np.sum([bit << k for k, bit in enumerate(bits)], axis=0)
    successor = fates(rule)[centre, np.clip(count, 0, 8)]
    return Template.over((*shape, 2), define(successor, count > 8))


def _encode(transitions: Transitions, rule: Rule, builder: FormulaBuilder) -> None:
    circuit = Circuit(builder, ORIGIN)
    cells = transitions.cells
    sides = circuit.apply(add(3), cells[:, _WEST_AND_EAST])
    middle = circuit.apply(add(2), cells[:, _NORTH_AND_SOUTH])
    ones, twos = np.moveaxis(np.concatenate([sides, middle], axis=1), 2, 0)
    low = circuit.apply(add(3), ones[:, None])[:, 0]
    high = circuit.apply(add(3), twos[:, None])[:, 0]
    next_low = circuit.apply(add(2), np.stack([low[:, 1], high[:, 0]], axis=1)[:, None])[:, 0]
    fours = np.stack([high[:, 1], next_low[:, 1]], axis=1)
    top = circuit.apply(add(2, carries=needs_eight(rule)), fours[:, None])[:, 0]
    state = np.stack([cells[:, CENTRE], transitions.successors], axis=1)
    circuit.require(
        adder_template(rule), np.concatenate([low[:, :1], next_low[:, :1], top, state], axis=1)
    )
    circuit.write()


ADDER = Encoding(
    "adder", "binary counts by full adders, for comparison", is_outer_totalistic, _encode
)
