"""Ancestors of some cells, whatever is around: every filling of the cells that matter, row by row.

Cells are rows of text: ``o`` alive, ``.`` dead, ``?`` not said.  A parent has a ring of cells more,
and nothing is said of what the cells outside are, or become.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tests.reference.rules import read_rules

Rows = tuple[str, ...]
Truth = npt.NDArray[np.bool_]


@lru_cache(maxsize=64)
def becoming(rule: str, asked: str) -> Truth:
    """Return whether three rows, a cell wider on each side, become what is asked: [a, b, c]."""
    (table,) = read_rules(rule).tables
    width = len(asked) + 2
    bits = np.arange(2**width)[:, None] >> np.arange(width)[::-1] & 1
    right = np.ones((2**width,) * 3, bool)
    for x, state in enumerate(asked):
        three = bits[:, x] * 4 + bits[:, x + 1] * 2 + bits[:, x + 2]
        nine = three[:, None, None] * 64 + three[None, :, None] * 8 + three[None, None, :]
        right &= (state == "?") | (table[nine] == (state == "o"))
    return right


def has_parent(rule: str, asked: Rows) -> bool:
    """Whether anything becomes the cells; of what is above, only the last two rows matter."""
    ends = np.ones((2 ** (len(asked[0]) + 2),) * 2, bool)
    for row in asked:
        ends = (ends[:, :, None] & becoming(rule, row)).any(axis=0)
    return bool(ends.any())


def parents(rule: str, asked: Rows) -> Iterator[Rows]:
    """Yield everything that becomes the cells."""
    width = len(asked[0]) + 2
    films = [(a, b) for a in range(2**width) for b in range(2**width)]
    for row in asked:
        right = becoming(rule, row)
        films = [(*film, int(c)) for film in films for c in right[film[-2:]].nonzero()[0]]
    for film in films:
        yield tuple(f"{row:0{width}b}".translate({48: ".", 49: "o"}) for row in film)


def has_ancestor(rule: str, asked: Rows, generations: int) -> bool:
    """Whether anything becomes the cells in so many generations."""
    if generations == 1:
        return has_parent(rule, asked)
    return any(has_ancestor(rule, before, generations - 1) for before in parents(rule, asked))


def past_cells(rule: str, asked: Rows) -> set[str]:
    """Return what parents can have in place of the cells that are asked for, in reading order."""
    known = [(x, y) for y, row in enumerate(asked) for x, cell in enumerate(row) if cell != "?"]
    return {"".join(film[y + 1][x + 1] for x, y in known) for film in parents(rule, asked)}


def has_finite_parent(rule: str, asked: Rows, margin: int = 1) -> bool:
    """Whether something becomes the cells and nothing else, at most the margin away from them."""
    side, width = "." * margin, len(asked[0]) + 2 * margin
    rows = [f"{side}{row}{side}" for row in asked]
    numbers = np.arange(2 ** (width + 2))
    inside = (numbers & 1 == 0) & (numbers >> (width + 1) == 0)
    ends = (numbers == 0)[:, None] & inside
    for row in (*["." * width] * margin, *rows, *["." * width] * margin):
        ends = (ends[:, :, None] & becoming(rule, row)).any(axis=0) & inside
    return bool(ends[:, 0].any())
