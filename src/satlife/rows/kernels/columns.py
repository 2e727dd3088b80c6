"""Rows of more than ten cells: column by column, without tables of rows.

A row d may follow a state if G(r[m-2p], r[m-p], d) = r[m-p+k] in every column.  Beside d there must
be rows x = r[m+p-k], y = r[m+k], z = r[m+p] and w = r[m+2p-k] with

    d = G(r[m-p-k], r[m-k], x),   y = G(r[m-p], d, z),   z = G(r[m-k], x, w)

where y follows from known rows as d does, and rows v = r[m+p-2k] and s = r[m+2p-2k] with x =
G(r[m-2k], v, s).  The cells of d are set from west to east.  What the other rows can be so far is a
set of *windows*, their last two cells: bit o·2^t + n stands for the cells o, then n, of t rows, and
a set is one word for (x, v, s) and four words for (x, y, z, w).  An empty set ends the way.

With lanes, each lane of d has its own x, y, z, w, v and s, which are single lanes too.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from satlife.rows.kernels import EVEN, GUTTER, ODD, list_windows, pack
from satlife.rows.kernels.compiled import NONE, compiled, skip
from satlife.rows.kernels.steps import widen

_Words = npt.NDArray[np.uint64]


def _match(rows: int, row: int) -> _Words:
    """Return, for each set of windows of one row, the windows of all rows that agree with it."""
    old, new = list_windows(rows)
    own = (old >> row & 1) + 2 * (new >> row & 1)
    return pack(np.arange(16)[:, None] >> own & 1 == 1)


def _start(rows: int) -> _Words:
    """Return the windows in which rows can begin, for each fold; see :func:`begins_equal`."""
    old, new = list_windows(rows)
    return pack(np.array([(old == 0) & (new == 0), old >= 0, old == new, new == 0]))


def _same(rows: int) -> _Words:
    """Return, for each new column, the windows whose older cells are equal to it."""
    return pack(list_windows(rows)[0] == np.arange(1 << rows)[:, None])


def _spread(bits: int) -> _Words:
    """Return the numbers of ``bits`` bits, with their bits spread 64 / bits places apart."""
    steps = np.arange(bits, dtype=np.uint64)
    each = np.arange(1 << bits, dtype=np.uint64)[:, None] >> steps & np.uint64(1)
    return np.asarray((each << steps * np.uint64(64 // bits)).sum(axis=1), np.uint64)


_X4, _Y4, _Z4 = _match(4, 0), _match(4, 1), _match(4, 2)
_X3, _V3 = _match(3, 0)[:, 0], _match(3, 1)[:, 0]
_LIVE = pack((list_windows(4)[1] >> 1 & 1 == 1)[None])[0]  # the newer cell of y lives
START1 = np.array([0b0001, 0b1111, 0b1001, 0b0011])
_START3, _START4 = _start(3)[:, 0], _start(4)
_SAME3, _SAME4 = _same(3)[:, 0], _same(4)
_SPREAD4, _SPREAD8 = _spread(4), _spread(8)


@compiled
def place(row, lane, quotient):
    """Return a lane of a row: bit i is column i - 4."""
    width, fold, lanes = quotient.width, quotient.fold, quotient.lanes
    return widen((row >> (width * (lane % lanes))) & ((1 << width) - 1), fold)


@compiled
def begins_equal(fold):
    """Whether the first window has the next column as its older cell: odd rows and gutters."""
    return fold in (ODD, GUTTER)


@compiled
def finish(allowed, columns, first, quotient, back):
    """Fill ``back[i]`` with the windows of one row that can go on from column ``first + i``.

    ``allowed[i]`` has a bit for each three cells around that column.  Return the windows with which
    the row can begin.
    """
    width, fold = quotient.width, quotient.fold
    back[columns] = 15
    for i in range(columns - 1, -1, -1):
        back[i] = 0
        column = first + i + 1
        for window in range(4):
            for e in range(2 if 0 <= column < width else 1):
                if i == 0 and begins_equal(fold) and e != window & 1:
                    continue
                if (allowed[i] >> (window + 4 * e)) & (back[i + 1] >> ((window >> 1) + 2 * e)) & 1:
                    back[i] |= 1 << window
    return back[0] & START1[fold]


@compiled
def _step_chain(windows, link, x, v, free, equal):
    """Return the windows of (x, v, s) one column further."""
    found = NONE
    for e in range(8):
        if e & ~free:
            continue
        kept = windows & link[e] & _X3[(x >> (4 * (e & 1))) & 15] & _V3[(v >> (2 * (e & 2))) & 15]
        if equal:
            kept &= _SAME3[e]
        kept |= kept >> np.uint64(32)
        kept |= kept >> np.uint64(16)
        kept |= kept >> np.uint64(8)
        found |= _SPREAD8[np.int64(kept) & 255] << np.uint64(e)
    return found


@compiled
def _step_rows(windows, link, x, y, z, free, equal, found):
    """Write the windows of (x, y, z, w) one column further to ``found``; return if there are."""
    for q in range(4):
        found[q] = NONE
    some = False
    for e in range(16):
        if e & ~free:
            continue
        in_x, in_y = (x >> (4 * (e & 1))) & 15, (y >> (2 * (e & 2))) & 15
        in_z = (z >> (e & 4)) & 15
        kept = NONE
        for q in range(4):
            result = (_Z4[in_z, q] & _LIVE[q]) | (_Z4[15 - in_z, q] & ~_LIVE[q])
            each = windows[q] & link[4 * e + q] & _X4[in_x, q] & _Y4[in_y, q] & result
            kept |= each & _SAME4[e, q] if equal else each
        kept |= kept >> np.uint64(32)
        kept |= kept >> np.uint64(16)
        newer = np.int64(kept) & 0xFFFF
        if newer:
            some = True
            for q in range(4):
                found[q] |= _SPREAD4[(newer >> (4 * q)) & 15] << np.uint64(e)
    return some


@compiled
def _next_lane(r, o, kit, lane, out, room):
    """Write the possible values of a lane of row m to ``out`` and return how many there are."""
    quotient, masks, links, chains = kit.quotient, kit.masks, kit.links, kit.chains
    p, k, width = quotient.period, quotient.step, quotient.width
    fold = quotient.fold
    turn, late = quotient.turn, quotient.late
    for_d, back, sets = room.cells, room.ways, room.windows
    a_d = place(r[o], lane - 2 * turn, quotient)
    b_d = place(r[o + p], lane - turn, quotient)
    c_d = place(r[o + p + k], lane - turn + late, quotient)
    a_x = place(r[o + p - k], lane - late - turn, quotient)
    b_x = place(r[o + 2 * p - k], lane - late, quotient)
    a_y = b_y = c_y = a_v = b_v = 0
    if 2 * k < p:
        a_y = place(r[o + k], lane + late - 2 * turn, quotient)
        b_y = place(r[o + p + k], lane + late - turn, quotient)
        c_y = place(r[o + p + 2 * k], lane + 2 * late - turn, quotient)
    chained = p >= 2 * k
    if chained:
        a_v = place(r[o + p - 2 * k], lane - 2 * late - turn, quotient)
        b_v = place(r[o + 2 * p - 2 * k], lane - 2 * late, quotient)
    first = 0 if fold in (ODD, EVEN) else -1
    columns = width - first + 1
    size = columns + 1
    for_x, for_y, for_v = skip(for_d, size), skip(for_d, 2 * size), skip(for_d, 3 * size)
    free = skip(for_d, 4 * size)
    tried, window, value = skip(back, size), skip(back, 2 * size), skip(back, 3 * size)
    for i in range(columns):
        at = first + i + 3  # the lowest bit of three cells; the middle one is the next
        above, middle = (a_d >> at) & 7, (b_d >> at) & 7
        for_d[i] = masks[above * 8 + middle] ^ (0 if (c_d >> (at + 1)) & 1 else 255)
        for_x[i] = masks[((a_x >> at) & 7) * 8 + ((b_x >> at) & 7)]
        for_y[i], for_v[i] = 255, 255
        if 2 * k < p:
            above, middle = (a_y >> at) & 7, (b_y >> at) & 7
            for_y[i] = masks[above * 8 + middle] ^ (0 if (c_y >> (at + 1)) & 1 else 255)
        if chained:
            above, middle = (a_v >> at) & 7, (b_v >> at) & 7
            for_v[i] = masks[above * 8 + middle] ^ (0 if (b_x >> (at + 1)) & 1 else 255)
        column = first + i + 1  # which the windows enter
        free[i] = 15 * (0 <= column < width)
    if not finish(for_y, columns, first, quotient, tried):
        return 0
    if not finish(for_v, columns, first, quotient, tried):
        return 0
    roots = finish(for_d, columns, first, quotient, back)
    count = 0
    for root in range(4):
        if not (roots >> root) & 1:
            continue
        sets[4] = _START3[fold]
        for q in range(4):
            sets[q] = _START4[fold, q]
        i = 0
        # Where column 0 is not still to come, it is the newer cell of the first window.
        tried[0], window[0], value[0] = 0, root, root >> 1 if first == 0 else 0
        while i >= 0:
            if i == columns:
                out[count] = value[i]
                count += 1
                i -= 1
                continue
            e = tried[i]
            tried[i] += 1
            column, three = first + i + 1, window[i] + 4 * e
            if e == 2 or (e and not 0 <= column < width):
                i -= 1
                continue
            equal = i == 0 and begins_equal(fold)
            if (equal and e != root & 1) or not (for_d[i] >> three) & (
                back[i + 1] >> (three >> 1)
            ) & 1:
                continue
            x = for_x[i] if (three >> 1) & 1 else for_x[i] ^ 255
            at = column + 2
            if chained:
                link = skip(chains, 8 * ((b_v >> at) & 7))
                windows = _step_chain(sets[5 * i + 4], link, x, for_v[i], free[i], equal)
                sets[5 * i + 9] = windows
                if not windows:
                    continue
            z = np.int64(masks[((b_d >> at) & 7) * 8 + three])
            link4 = skip(links, 64 * ((b_x >> at) & 7))
            now, then = skip(sets, 5 * i), skip(sets, 5 * i + 5)
            if not _step_rows(now, link4, x, for_y[i], z, free[i], equal, then):
                continue
            i += 1
            tried[i], window[i] = 0, three >> 1
            value[i] = value[i - 1] | (e << column) if e else value[i - 1]
    return count


@compiled
def sort(out, count):
    """Sort by Shell's method; numba's own needs memory, and a second to compile."""
    gap = count >> 1
    while gap:
        for i in range(gap, count):
            row, j = out[i], i
            while j >= gap and out[j - gap] > row:
                out[j] = out[j - gap]
                j -= gap
            out[j] = row
        gap >>= 1


@compiled
def join_lanes(find_lane, r, o, kit, out, room):
    """Write the possible rows m to ``out``, by the function for one lane; return their number."""
    lanes, width = kit.quotient.lanes, kit.quotient.width
    count = 1
    out[0] = 0
    for lane in range(lanes):
        found = find_lane(r, o, kit, lane, room.values, room)
        for i in range(count * found - 1, -1, -1):  # row i // found stays until it is read
            out[i] = out[i // found] | (room.values[i % found] << (width * lane))
        count *= found
        if not count:
            return 0
    sort(out, count)
    return count


@compiled
def next_columns(r, o, kit, out, room, memo):
    """Write the possible rows m to ``out`` and return how many there are."""
    return join_lanes(_next_lane, r, o, kit, out, room)


@compiled
def fill_nothing(find_next, given):
    """Fill no tables: there are none."""


@compiled
def forget_nothing(o, since, kit, memo):
    """Forget nothing: nothing is remembered."""
