"""The encoding of open rules: every free entry of the rule is a variable.

Where rules only count, a tree of unary sums (see :mod:`~satlife.search.formula.encodings.knuth`)
gives the number of neighbours, and for each free entry two clauses of five literals say that a cell
with that state and that number has the entry as its successor.  For ``B?/S?``, that is 34 clauses
for each transition besides the sums.

For isotropic rules, the clauses are over the nine cells: two for each neighbourhood of a free
entry, and a least cover of the fixed entries as in the encoding ``direct``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from satlife.life.cells import Cells
from satlife.life.rulespaces import RuleSpace
from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import Circuit, Template, forbid
from satlife.search.formula.encodings.knuth import pair_up, sum_of
from satlife.search.formula.transitions import CENTRE, ORIGIN, Transitions

_CELLS: Final[tuple[int, ...]] = (2,) * 9
_COUNTS: Final[tuple[int, ...]] = (2, 9)


def encode_open(transitions: Transitions, space: RuleSpace, builder: FormulaBuilder) -> IntArray:
    """Add the clauses of all transitions; return the variables of the free entries."""
    entries = builder.new_variables(len(space.places), space.free)
    circuit = Circuit(builder, ORIGIN)
    if space.is_outer_totalistic:
        pairs = circuit.apply(sum_of(2, (1, 2)), pair_up(transitions))
        fours = circuit.apply(sum_of(3, (1, 2, 3, 4)), pairs.reshape(-1, 2, 4))
        total = circuit.apply(sum_of(5, tuple(range(1, 9))), fours.reshape(-1, 1, 8))
        seen = np.concatenate([transitions.cells[:, [CENTRE]], total[:, 0]], axis=1)
        shape, fates = _COUNTS, space.entries
    else:
        seen, shape, fates = transitions.cells, _CELLS, space.table
    rows = np.concatenate([seen, transitions.successors[:, None]], axis=1)
    circuit.require(_fixed_template(fates.tobytes(), shape), rows)
    numbers = np.arange(len(fates)) if space.is_outer_totalistic else space.classes.kinds
    for entry, place in zip(entries.tolist(), space.places.tolist(), strict=True):
        mine = np.ascontiguousarray(numbers == place)
        variable = np.full((len(rows), 1), entry, np.int32)
        circuit.require(
            _free_template(mine.tobytes(), shape), np.concatenate([rows, variable], axis=1)
        )
    circuit.write()
    return entries


@lru_cache(maxsize=64)
def _fixed_template(fates: bytes, shape: tuple[int, ...]) -> Template:
    """Build the template of the fixed entries: what is seen, then the successor."""
    table: Cells = np.frombuffer(fates, np.uint8).reshape(shape)
    return Template.over((*shape, 2), forbid(np.stack([table == 1, table == 0], axis=-1)))


@lru_cache(maxsize=256)
def _free_template(mine: bytes, shape: tuple[int, ...]) -> Template:
    """Build the template of a free entry: what is seen, the successor, and the entry."""
    here = np.frombuffer(mine, bool).reshape(shape)
    differ = np.array([[False, True], [True, False]])
    return Template.over((*shape, 2, 2), forbid(here[..., None, None] & differ))
