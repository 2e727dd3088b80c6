"""The rule on rows: G, for every third row at once."""

from __future__ import annotations

import numpy as np

from satlife.rows.kernels import EVEN, GUTTER, ODD
from satlife.rows.kernels.compiled import compiled, skip

BAD = 1 << 15
"""In a table of G: a cell outside the width would be born."""


@compiled
def widen(row, fold):
    """Return the row with four columns more at its low end: bit i is column i - 4."""
    if fold == ODD:  # column -1 is column 1
        return (row << 4) | (((row >> 1) & 1) << 3)
    if fold == EVEN:  # column -1 is column 0
        return (row << 4) | ((row & 1) << 3)
    if fold == GUTTER:  # column -1 is dead, column -2 is column 0
        return (row << 4) | ((row & 1) << 2)
    return row << 4


@compiled
def widen_slanted(row, fold):
    """Do what :func:`widen` does for a diagonal ship, whose rows are seen two columns further."""
    if fold == ODD:  # columns -1 and -2 are columns 1 and 2
        return (row << 4) | (((row >> 1) & 1) << 3) | (row & 4)
    if fold == GUTTER:  # column -1 is dead, columns -2 and -3 are columns 0 and 1
        return (row << 4) | ((row & 1) << 2) | (row & 2)
    return row << 4


@compiled
def step_slanted(is_upper, above, own, below, masks):
    """Return what a cell of a row of a diagonal ship becomes, as 0 or 1.

    Its neighbours are among three cells above, five of its own row and three below, each with the
    west one as the lowest bit: those to the north-west and south-east are in its column, to the
    north and east one column further, and to the north-east two (:mod:`satlife.rows.quotient`).
    """
    earlier, later = (above, own >> 1) if is_upper else (own >> 1, below)
    first = (above >> 1 & 1) | (earlier >> 2 & 1) << 1 | (own >> 4 & 1) << 2
    middle = (earlier & 1) | (own >> 2 & 1) << 1 | (later >> 2 & 1) << 2
    last = (own & 1) | (later & 1) << 1 | (below >> 1 & 1) << 2
    return (masks[first * 8 + middle] >> last) & 1


@compiled
def is_upper(column, fold):
    """Whether the cells of a column are upper ones of a slanted row; those of the mirror are."""
    return ((column + (fold == GUTTER)) & 1) == 0


@compiled
def reverse(row, width):
    """Return the mirror image of a row."""
    image = 0
    for _ in range(width):
        image = (image << 1) | (row & 1)
        row >>= 1
    return image


@compiled
def _step_sheared(a, b, quotient, masks, low, high, part, first, last):
    """Do what :func:`step_columns` does for an oblique ship.

    The row above lies some columns further east and the row below further west, so that a cell in
    the direction of the motion is in the same column.
    """
    width, shear = quotient.width, quotient.shear
    more = 2 * shear + 3  # columns at the low end: bit i is column i - more
    above, middle = a << more, b << more
    for i in range(1 << (high - low)):
        below, value = (i << low) << more, 0
        for u in range(first, last):
            middle_west = u - 1 + more
            mask = masks[((above >> (middle_west + shear)) & 7) * 8 + ((middle >> middle_west) & 7)]
            if (mask >> ((below >> (middle_west - shear)) & 7)) & 1:
                value |= 1 << u if 0 <= u < width else BAD
        part[i] = value


@compiled
def step_columns(a, b, quotient, masks, low, high, part, first, last):
    """Fill ``part[x - low…]`` with the columns ``first`` to ``last`` of F(a, b, x).

    x runs over the bits ``low`` to ``high`` only; the columns depend on no others.
    """
    width, fold = quotient.width, quotient.fold
    if quotient.slanted:
        above, middle = widen_slanted(a, fold), widen_slanted(b, fold)
        for i in range(1 << (high - low)):
            below = widen_slanted(i << low, fold)
            value = 0
            for u in range(first, last):
                nine = (above >> (u + 3)) & 7, (middle >> (u + 2)) & 31, (below >> (u + 3)) & 7
                if step_slanted(is_upper(u, fold), nine[0], nine[1], nine[2], masks):
                    value |= 1 << u if 0 <= u < width else BAD
            part[i] = value
        return
    if quotient.shear:
        _step_sheared(a, b, quotient, masks, low, high, part, first, last)
        return
    above, middle = widen(a, fold), widen(b, fold)
    for i in range(1 << (high - low)):
        below = widen(i << low, fold)
        value = 0
        for u in range(first, last):
            mask = masks[((above >> (u + 3)) & 7) * 8 + ((middle >> (u + 3)) & 7)]
            if (mask >> ((below >> (u + 3)) & 7)) & 1:
                value |= 1 << u if 0 <= u < width else BAD
        part[i] = value


@compiled
def _step_lane(a, b, quotient, masks, room, out):
    """Fill ``out[x]`` with G(a, b, x) for every row x of one lane."""
    fold, twist, width = quotient.fold, quotient.twist, quotient.width
    if twist == 2:
        a = reverse(a, width)
    # Columns beside the width where a cell of the rows may be a neighbour.
    beside = 2 if quotient.slanted else 1 + quotient.shear
    first = 0 if fold in (ODD, EVEN) else -1 if fold == GUTTER else -beside
    last = width + beside
    half = width // 2
    high = min(width, half + 1)
    low = max(0, half - max(2, beside))
    left, right = room.west, room.east
    step_columns(a, b, quotient, masks, 0 * width, high, left, first, half)
    step_columns(a, b, quotient, masks, low, width, right, half, last)
    for x in range(1 << width):
        value = np.int64(left[x & ((1 << high) - 1)] | right[x >> low])
        if twist == 1 and value < BAD:
            value = reverse(value, width)
        out[reverse(x, width) if twist == 2 else x] = value


@compiled
def step_all(a, b, quotient, masks, room):
    """Fill ``room.results`` with G(a, b, x) for every row x, or :data:`BAD` where there is none.

    Lane j of b, with lane j - turn of a and j + turn of x, gives lane j + late of the result.
    """
    width, lanes, turn, late = quotient.width, quotient.lanes, quotient.turn, quotient.late
    mask = (1 << width) - 1
    parts = room.results if lanes == 1 else room.lanes
    for j in range(lanes):
        above, middle = a >> width * ((j - turn) % lanes), b >> width * j
        part = skip(parts, j << width)
        _step_lane(above & mask, middle & mask, quotient, masks, room, part)
    if lanes == 1:
        return
    for x in range(1 << width * lanes):
        value = 0
        for j in range(lanes):
            below = (x >> width * ((j + turn) % lanes)) & mask
            found = np.int64(parts[(j << width) + below])
            value |= BAD if found >= BAD else found << width * ((j + late) % lanes)
        room.results[x] = value
