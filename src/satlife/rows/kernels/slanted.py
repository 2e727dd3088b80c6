"""Wide rows of diagonal ships: column by column, without tables of rows.

A row d may follow a state if G(r[m-2p], r[m-p], d) = r[m-p+k] in every column.  Beside d there must
be rows x = r[m+p-k], y = r[m+k] and z = r[m+p] with

    d = G(r[m-p-k], r[m-k], x),   y = G(r[m-p], d, z),   z = G(r[m-k], x, ...)

where y follows from known rows as d does.  A column of G depends on five columns of its middle row.
The cells of d are set from west to east; the other rows are sets of *windows*, their last two
cells: a bit for each of x, and one for each of y together with each of z.  The windows of y and z
are one column behind.  A whole d is looked at again with x, y and z together, whose windows have
four, two and two cells; the row below x is not followed from column to column.  With lanes, each
lane of d has its own x, y and z, which are single lanes.
"""

from __future__ import annotations

import numpy as np

from satlife.rows.kernels import GUTTER, ODD
from satlife.rows.kernels.columns import START1, begins_equal, finish, join_lanes
from satlife.rows.kernels.compiled import NONE, ONE, compiled, lowest, skip
from satlife.rows.kernels.steps import is_upper, step_slanted, widen_slanted

_START2 = np.array(
    [sum((s >> y & s >> z & 1) << y + 4 * z for y in range(4) for z in range(4)) for s in START1]
)


@compiled
def fill_sights(find_next, given):
    """Fill ``links``: for what is known around a cell, a bit for each three cells below.

    An entry is for upper or other cells, three cells above and five of the same row.
    """
    kit, _ = given
    for i in range(512):
        kit.links[i] = 0
        for below in range(8):
            if step_slanted(i >> 8, i >> 5 & 7, i & 31, below, kit.masks):
                kit.links[i] |= ONE << np.uint64(below)


@compiled
def _see(above, own, column, kit):
    """Return the three cells below with which a column of a row is alive then, a bit for each."""
    upper = 256 if is_upper(column, kit.quotient.fold) else 0
    cells = (above >> (column + 3) & 7) << 5 | (own >> (column + 2)) & 31
    return np.int64(kit.links[upper + cells])


@compiled
def _place(row, lane, quotient):
    """Return a lane of a row: bit i is column i - 4."""
    width, lanes = quotient.width, quotient.lanes
    return widen_slanted((row >> (width * (lane % lanes))) & ((1 << width) - 1), quotient.fold)


@compiled
def _allow(above, own, result, first, columns, kit, allowed):
    """Write, for each column, the three cells below that give a result, a bit for each."""
    for i in range(columns):
        column = first + i
        lives = (result >> (column + 4)) & 1
        allowed[i] = _see(above, own, column, kit) ^ (0 if lives else 255)


@compiled
def _step_one(windows, allowed, is_free, equal):
    """Return the windows of one row, one column further."""
    found = 0
    for window in range(4):
        if (windows >> window) & 1:
            for e in range(2 if is_free else 1):
                if (allowed >> (window + 4 * e)) & 1 and (not equal or e == window & 1):
                    found |= 1 << (window >> 1) + 2 * e
    return found


@compiled
def _step_two(windows, for_y, for_z, is_free, equal):
    """Return the windows of y and z, one column further; z makes the newer cell of those of y."""
    found = 0
    for y in range(4):
        z = (windows >> y & 1) | (windows >> y + 3 & 2) | (windows >> y + 6 & 4)
        z |= windows >> y + 9 & 8
        for e in range(2 if z and is_free else 1):
            if z and (for_y >> (y + 4 * e)) & 1 and (not equal or e == y & 1):
                after = _step_one(z, for_z ^ (0 if y >> 1 else 255), is_free, equal)
                spread = (after & 1) | (after & 2) << 3 | (after & 4) << 6 | (after & 8) << 9
                found |= spread << (y >> 1) + 2 * e
    return found


@compiled
def _has_future(row, own, own_x, for_x, for_y, first, columns, kit, sets):
    """Whether there are rows x, y and z after the row d; rows but those of ``for_`` are widened.

    A set has a bit for each window: at column u, the cells u-3 to u of x, u-2 and u-1 of y and z.
    """
    width, is_folded = kit.quotient.width, begins_equal(kit.quotient.fold)
    for q in range(4):
        sets[q] = np.uint64(not is_folded and q == 0)
    for begin in range(32 if is_folded else 0):  # x(u-2), x(u-1), x(u), y(u-1) and z(u-1)
        if first == 0 or not begin & 4:
            window = (begin & 7) << 1 | (begin >> 3 & 1) << 5 | (begin >> 4) << 7
            sets[window >> 6] |= ONE << np.uint64(window & 63)
    for i in range(columns + 1):
        column, now, then = first + i, skip(sets, 4 * i), skip(sets, 4 * i + 4)
        lives, some = (row >> (column + 4)) & 1, False
        for_z = _see(own, row, column - 1, kit)
        for q in range(4):
            then[q] = NONE
        for q in range(4):
            left = now[q]
            while left:
                window = 64 * q + np.int64(lowest(left))
                left &= left - ONE
                z = window >> 7
                for x in range(2 if 0 <= column + 1 < width else 1):
                    five = window & 15 | x << 4
                    if i < columns and (for_x[i] >> (five >> 2)) & 1 != lives:
                        continue
                    if is_folded and (
                        (i == 0 and x != five >> 2 & 1) or (i == 1 and x != five & 1)
                    ):
                        continue
                    if i:
                        upper = 256 if is_upper(column - 1, kit.quotient.fold) else 0
                        seen = kit.links[upper + ((own_x >> (column + 2) & 7) << 5) + five]
                        if seen == (NONE if z else np.uint64(255)):
                            continue
                    for e in range(4 if 0 <= column < width else 1):
                        for_both = window >> 4 & 3 | (e & 1) << 2, window >> 6 & 3 | (e >> 1) << 2
                        if i:
                            if not (for_y[i - 1] >> for_both[0]) & 1:
                                continue
                            if (for_z >> for_both[1]) & 1 != for_both[0] >> 1 & 1:
                                continue
                        if is_folded and i == 1 and (window >> 4 & 1) + (window >> 6 & 1) * 2 != e:
                            continue
                        new = five >> 1 | (for_both[0] >> 1) << 4 | (for_both[1] >> 1) << 6
                        then[new >> 6] |= ONE << np.uint64(new & 63)
                        some = True
        if not some:
            return False
    return True


@compiled
def _next_lane(r, o, kit, lane, out, room):
    """Write the possible values of a lane of row m to ``out`` and return how many there are."""
    quotient = kit.quotient
    p, k, width, fold = quotient.period, quotient.step, quotient.width, quotient.fold
    turn, late = quotient.turn, quotient.late
    above, own = _place(r[o], lane - 2 * turn, quotient), _place(r[o + p], lane - turn, quotient)
    result = _place(r[o + p + k], lane - turn + late, quotient)
    above_x = _place(r[o + p - k], lane - late - turn, quotient)
    own_x = _place(r[o + 2 * p - k], lane - late, quotient)
    first = 0 if fold == ODD else -1 if fold == GUTTER else -2
    columns = width + 2 - first
    size = columns + 1
    for_d, for_x, for_y = room.cells, skip(room.cells, size), skip(room.cells, 2 * size)
    x, yz = skip(room.cells, 3 * size), skip(room.cells, 4 * size)
    back, tried = room.ways, skip(room.ways, size)
    window, value = skip(room.ways, 2 * size), skip(room.ways, 3 * size)
    for i in range(columns):
        for_x[i], for_y[i] = _see(above_x, own_x, first + i, kit), 255
    if 2 * k < p:
        above_y = _place(r[o + k], lane + late - 2 * turn, quotient)
        own_y = _place(r[o + p + k], lane + late - turn, quotient)
        result_y = _place(r[o + p + 2 * k], lane + 2 * late - turn, quotient)
        _allow(above_y, own_y, result_y, first, columns, kit, for_y)
        if not finish(for_y, columns, first, quotient, back):
            return 0
    _allow(above, own, result, first, columns, kit, for_d)
    roots, count = finish(for_d, columns, first, quotient, back), 0
    for root in range(4):
        if not (roots >> root) & 1:
            continue
        # Where column 0 is not still to come, it is the newer cell of the first window.
        tried[0], window[0], value[0] = 0, root, root >> 1 if first == 0 else 0
        x[0], yz[0], i = START1[fold], _START2[fold], 0
        while i >= 0:
            column, e = first + i + 1, tried[i]
            tried[i] += 1
            if i == columns:
                column -= 2
                row = widen_slanted(value[i], fold)
                fits = _step_two(yz[i], for_y[i - 1], _see(own, row, column, kit), False, False)
                given = row, own, own_x, for_x, for_y, first, columns
                if fits and _has_future(*given, kit, room.windows):
                    out[count] = value[i]
                    count += 1
            if i == columns or e == 2 or (e and not 0 <= column < width):
                i -= 1
                continue
            equal, three = i == 0 and begins_equal(fold), window[i] + 4 * e
            fits = (for_d[i] >> three) & (back[i + 1] >> (three >> 1)) & 1
            if not fits or (equal and e != root & 1):
                continue
            for_this = for_x[i] if (three >> 1) & 1 else for_x[i] ^ 255
            x[i + 1] = _step_one(x[i], for_this, 0 <= column < width, equal)
            if not x[i + 1]:
                continue
            value[i + 1] = value[i] | (e << column) if e else value[i]
            yz[i + 1] = yz[i]
            if i:
                row, is_free = widen_slanted(value[i + 1], fold), 0 <= column - 1 < width
                for_z, equal = _see(own, row, column - 2, kit), i == 1 and begins_equal(fold)
                yz[i + 1] = _step_two(yz[i], for_y[i - 1], for_z, is_free, equal)
                if not yz[i + 1]:
                    continue
            i += 1
            tried[i], window[i] = 0, three >> 1
    return count


@compiled
def next_slanted(r, o, kit, out, room, memo):
    """Write the possible rows m to ``out`` and return how many there are."""
    return join_lanes(_next_lane, r, o, kit, out, room)
