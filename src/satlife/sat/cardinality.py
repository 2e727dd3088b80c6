"""At least, at most: cardinality constraints as clauses, by PySAT's encodings.

A literal may be given several times and then counts as often: that is how cells that a symmetry
makes equal keep their weight.

>>> from satlife.sat import FormulaBuilder, solve
>>> builder = FormulaBuilder(variables=3)
>>> add_bound(builder, [1, 2, 3], least=2, most=2, origin="two of three")
>>> formula = builder.build()
>>> solve(formula).model.values([1, 2, 3]).sum().item()
2
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import as_literals


def add_bound(
    builder: FormulaBuilder,
    literals: Iterable[int],
    *,
    least: int = 0,
    most: int | None = None,
    origin: str = "cardinality",
) -> None:
    """Say that at least ``least`` and at most ``most`` of the literals are true."""
    counted = [int(literal) for literal in literals]
    if least > 0:
        # At least k are true: at most n - k are false.
        _at_most(builder, [-literal for literal in counted], len(counted) - least, origin)
    if most is not None and most < len(counted):
        _at_most(builder, counted, most, origin)


def _at_most(builder: FormulaBuilder, literals: list[int], bound: int, origin: str) -> None:
    if bound < 0:
        builder.add(origin, np.zeros(1, np.int32))  # the empty clause
        return
    if bound == 0:
        builder.add(origin, as_literals([[-literal] for literal in literals]))
        return
    from pysat.card import CardEnc, EncType  # noqa: PLC0415 - 40 ms, and only bounds need it

    encoded = CardEnc.atmost(literals, bound, top_id=builder.variables, encoding=EncType.totalizer)
    flat = [literal for clause in encoded.clauses for literal in (*clause, 0)]
    builder.new_variables(max(0, encoded.nv - builder.variables))
    builder.add(origin, as_literals(flat))
