"""Building a formula: a builder allocates variables and collects blocks of clauses.

>>> builder = FormulaBuilder()
>>> a, b, c = builder.new_variables(3, names=["a", "b", "c"])
>>> builder.add("edges", [[a, b], [b, c]])
>>> builder.add("edges", [[-a, -c]])
>>> builder.build()
<Formula: 3 variables, 3 clauses, 6 literals>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.sat.formula import (
    LARGEST_VARIABLE,
    Block,
    Formula,
    IntArray,
    NameArray,
    as_literals,
    as_names,
)


class FormulaBuilder:
    """Collects variables, clauses and comments for a :class:`Formula`."""

    def __init__(self, variables: int = 0, comments: Iterable[str] = ()) -> None:
        self.variables = variables
        self.comments = list(comments)
        self._blocks: list[Block] = []
        self._names: list[tuple[int, NameArray]] = []

    def new_variables(self, count: int, names: NameArray | Sequence[str] | None = None) -> IntArray:
        """Return the next variables, as an int32 array.

        >>> FormulaBuilder(variables=4).new_variables(3).tolist()
        [5, 6, 7]
        """
        first = self.variables + 1
        if count < 0 or first + count - 1 > LARGEST_VARIABLE:
            raise UsageError(
                f"cannot add {count} variables to {self.variables}; "
                f"there can be 0 to {LARGEST_VARIABLE}"
            )
        if names is not None:
            self._names.append((first, as_names(names, count)))
        self.variables += count
        return np.arange(first, first + count, dtype=np.int32)

    def add(self, origin: str, clauses: npt.ArrayLike | Block) -> None:
        """Add clauses: rows of one length (two axes), a flat array with zeros, or a block."""
        if isinstance(clauses, Block):
            block = clauses if clauses.origin == origin else Block(origin, clauses.literals)
        else:
            array = as_literals(clauses)
            block = Block.from_rows(origin, array) if array.ndim == 2 else Block(origin, array)
        if block.largest > self.variables:
            raise UsageError(
                f"there is no variable {block.largest} yet, only {self.variables}; "
                "call new_variables first"
            )
        self._blocks.append(block)

    def build(self) -> Formula:
        """Build the formula; neighbouring blocks of one origin become one."""
        blocks = []
        for origin, group in groupby(self._blocks, key=lambda block: block.origin):
            arrays = [block.literals for block in group]
            blocks.append(Block(origin, arrays[0] if len(arrays) == 1 else np.concatenate(arrays)))
        return Formula(tuple(blocks), self.variables, self._all_names(), tuple(self.comments))

    def _all_names(self) -> NameArray | None:
        if not self._names:
            return None
        width = max(names.dtype.itemsize for _, names in self._names)
        result: NameArray = np.zeros(self.variables, f"S{width}")
        for first, names in self._names:
            result[first - 1 : first - 1 + names.size] = names
        return result
