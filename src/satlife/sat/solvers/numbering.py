"""A seed is another numbering of the variables.

Solvers' own seeds change little: with the same formula they mostly find the same model.  If the
variables are permuted it is another formula for them, so that is what a seed does here, for every
solver alike.  Literals are translated on the way to the solver and back.

>>> numbering = Numbering(variables=3, seed=5)
>>> literals = np.array([1, -2, 3, 0], np.int32)
>>> np.array_equal(numbering.back(numbering.there(literals)), literals)
True
"""

from __future__ import annotations

import numpy as np

from satlife.errors import UsageError
from satlife.sat.formula import IntArray


class Numbering:
    """A permutation of the variables 1 to n; larger ones keep their numbers."""

    def __init__(self, variables: int, seed: int | None) -> None:
        self._there = self._back = np.zeros(0, np.int32)
        if seed is not None and seed < 0:
            raise UsageError(f"the seed is {seed}; it cannot be negative")
        if seed is not None:
            shuffled = np.random.default_rng(seed).permutation(variables).astype(np.int32)
            self._there = np.concatenate([[0], shuffled + 1]).astype(np.int32)
            self._back = np.argsort(self._there).astype(np.int32)

    def there(self, literals: IntArray) -> IntArray:
        """Return literals translated for the solver."""
        return _translate(literals, self._there)

    def back(self, literals: IntArray) -> IntArray:
        """Return the solver's literals translated back."""
        return _translate(literals, self._back)


def _translate(literals: IntArray, table: IntArray) -> IntArray:
    if not table.size:
        return literals
    variables = np.abs(literals)
    known = np.minimum(variables, table.size - 1)
    images = np.where(variables < table.size, table[known], variables)
    return (images * np.sign(literals)).astype(np.int32)
