"""The constants TRUE and FALSE as literals, and their removal from clauses.

Known cells and symmetries enter a formula as constants and repeated literals.  Rows of such
literals become clauses here: a clause that is always true is dropped, and so are FALSE and every
repetition.

>>> fold_clauses([[1, FALSE, 1], [2, -2, 3], [TRUE, 4, 5], [7, 6, 7]]).tolist()
[1, 0, 6, 7, 0]
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.sat.formula import FormulaBuilder, IntArray

TRUE: Final = 2**30
"""The literal that is always true; it is larger than any variable."""
FALSE: Final = -TRUE
"""The literal that is always false."""


def fold_clauses(rows: npt.ArrayLike, *, keep_order: bool = False) -> IntArray:
    """Return the clauses of rows of literals as one flat array, with a 0 after each clause.

    The literals of a clause are sorted by variable, unless ``keep_order`` asks for their order in
    the row.

    >>> fold_clauses([[7, FALSE, 6, 7]], keep_order=True).tolist()
    [7, 6, 0]
    """
    literals: IntArray = np.asarray(rows, np.int32)
    order = np.argsort(np.abs(literals), axis=1, kind="stable")
    by_variable = np.take_along_axis(literals, order, axis=1)
    holds = (by_variable == TRUE).any(axis=1)
    holds |= (by_variable[:, 1:] == -by_variable[:, :-1]).any(axis=1)
    kept = by_variable != FALSE
    kept[:, 1:] &= by_variable[:, 1:] != by_variable[:, :-1]
    if keep_order:
        np.put_along_axis(kept, order, kept.copy(), axis=1)
    else:
        literals = by_variable
    count, width = literals.shape
    ended, stays = np.zeros((count, width + 1), np.int32), np.ones((count, width + 1), bool)
    ended[:, :-1], stays[:, :-1] = literals, kept
    stays[holds] = False
    return ended[stays]


def add_clauses(
    builder: FormulaBuilder, origin: str, *columns: IntArray, keep_order: bool = False
) -> None:
    """Add the clauses whose literals are the rows of the columns, folded.

    A column may be two-dimensional: several literals of each row.
    """
    clauses = fold_clauses(np.column_stack(columns), keep_order=keep_order)
    if len(clauses):
        builder.add(origin, clauses)
