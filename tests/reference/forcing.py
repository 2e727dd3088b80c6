"""Patches that force themselves: must every ancestor of some cells have them, in place?

Cells are rows of text, as in ``ancestry.py``.  Of generation 0, one cell is asked to differ, each
in its turn.
"""

from __future__ import annotations

import numpy as np

from tests.reference.ancestry import Rows, Truth, becoming, has_ancestor, parents

OTHER = {"o": ".", ".": "o"}


def past(rule: str, patch: Rows, generations: int = 1) -> str:
    """Return ``forced``, ``other`` if an ancestor differs in some cell, or ``orphan``."""
    if not has_ancestor(rule, patch, generations):
        return "orphan"
    differs = (_has_such(rule, patch, flip, generations) for flip in _flips(patch, generations))
    return "other" if any(differs) else "forced"


def _flips(patch: Rows, margin: int) -> list[Rows]:
    """Return for each cell a generation 0 of which only that cell is said, to be the other one."""
    width = len(patch[0]) + 2 * margin
    empty = ["?" * width] * (len(patch) + 2 * margin)
    flips = []
    for y, row in enumerate(patch, margin):
        for x, state in enumerate(row, margin):
            if state != "?":
                line = "?" * x + OTHER[state] + "?" * (width - x - 1)
                flips.append((*empty[:y], line, *empty[y + 1 :]))
    return flips


def _has_such(rule: str, asked: Rows, first: Rows, generations: int) -> bool:
    """Whether something like this becomes the cells in so many generations."""
    if generations > 1:
        films = parents(rule, asked)
        return any(_has_such(rule, before, first, generations - 1) for before in films)
    fits = [_fits(row) for row in first]
    ends = fits[0][:, None] & fits[1]
    for row, below in zip(asked, fits[2:], strict=True):
        ends = (ends[:, :, None] & becoming(rule, row) & below).any(axis=0)
    return bool(ends.any())


def _fits(row: str) -> Truth:
    """Return whether a row, as a number, is as said."""
    bits = np.arange(2 ** len(row))[:, None] >> np.arange(len(row))[::-1] & 1
    said = [(state == "?") | (bits[:, x] == (state == "o")) for x, state in enumerate(row)]
    return np.all(said, axis=0)


def minimal(rule: str, patch: Rows, generations: int = 1) -> bool:
    """Whether a patch forces itself, has a live cell, and no patch with a cell less is the same.

    A patch without a live cell would be another matter.
    """
    less = []
    for y, row in enumerate(patch):
        for x in range(len(row)):
            smaller = (*patch[:y], f"{row[:x]}?{row[x + 1 :]}", *patch[y + 1 :])
            if row[x] != "?" and "o" in "".join(smaller):
                less.append(past(rule, smaller, generations))
    alive = "o" in "".join(patch)
    return alive and past(rule, patch, generations) == "forced" and "forced" not in less
