"""Plain rows of seven to ten cells: sets of rows by the halves of a row.

Columns 0 to 3 of G(a, b, x) follow from cells 0 to 4 of the three rows, the others from cells 3 on.
So the rows x with G(a, b, x) = c are those whose two halves fit: one table has the low halves
for five cells of a and b and four of c, another the high ones.  In a word of a set of rows, a byte
has the eight rows that differ in cells 0 to 2.  Its number is the rest of the row: the lowest two
bits of it belong to both halves.

The tables take 1 MB for nine cells.  The images, all G(a, b, x) of two rows, take 16 MB, and eight
times as much for each cell more.
"""

from __future__ import annotations

import numpy as np

from satlife.rows.kernels import EVEN, ODD
from satlife.rows.kernels.compiled import NONE, ONE, compiled, lowest, skip
from satlife.rows.kernels.steps import BAD, step_columns

_LOW = 1 << 14
"""Entries of the table of low halves; after them, sets of results, for :func:`_fill_images`."""
_SPREAD = np.array(
    [sum(255 << 8 * i for i in range(8) if each >> i & 1) for each in range(256)], np.uint64
)
"""For each byte, a word that has a byte in the place of each bit."""


@compiled
def _words(kit):
    """Return the words of a set of rows."""
    return max(1, (1 << kit.quotient.bits) >> 6)


@compiled
def fill_halves(find_next, given):
    """Fill the tables."""
    kit, room = given
    quotient, masks, part = kit.quotient, kit.masks, room.west
    w, fold, zero = quotient.bits, quotient.fold, 0 * quotient.bits
    words = _words(kit)
    first = zero if fold in (ODD, EVEN) else zero - 1
    for q in range(1 << 10):
        step_columns(q >> 5, q & 31, quotient, masks, zero, zero + 5, part, first, zero + 4)
        for x in range(32):
            c = np.int64(part[x])
            if c < BAD:
                kit.low[(q << 4) + c] |= (ONE | ONE << np.uint64(32)) << np.uint64(x)
                kit.low[_LOW + 4 * q + (x >> 3)] |= np.uint64(0x1000100010001) << np.uint64(c)
    high = w - 3
    for q in range(1 << 2 * high):
        a, b = (q >> high) << 3, (q & ((1 << high) - 1)) << 3
        step_columns(a, b, quotient, masks, zero + 3, w, part, zero + 4, w + 1)
        for x in range(1 << high):
            c = np.int64(part[x])
            if c < BAD:
                kit.high[(((q << (high - 1)) + (c >> 4)) * words) + (x >> 3)] |= 1 << (x & 7)
        _fill_images(a, b, kit, room)


@compiled
def _fill_images(a, b, kit, room):
    """Fill the images of all pairs of rows with these high cells."""
    w, lanes = kit.quotient.bits, room.sets
    words = _words(kit)
    high = w - 3
    start = ((a >> 3) << high) + (b >> 3) << (high - 1)
    for i in range(4 * words):
        lanes[i] = NONE
    for c in range(1 << (high - 1)):  # 16 results that differ in columns 0 to 3 are a lane
        for i in range(words):
            each = kit.high[(start + c) * words + i]
            for v in range(4):
                if (each >> v) & 17:
                    lanes[v * words + (c >> 2)] |= np.uint64(0xFFFF) << np.uint64(16 * (c & 3))
    for low in range(64):
        above, middle = a + (low >> 3), b + (low & 7)
        own = skip(kit.low, _LOW + 4 * (((above & 31) << 5) + (middle & 31)))
        image = skip(kit.images, ((above << w) + middle) * words)
        for i in range(words):
            for v in range(4):
                image[i] |= own[v] & lanes[v * words + i]


@compiled
def _halves(a, b, c, kit):
    """Return what each byte of P(a, b, c) can have, and where its bytes are in the other table."""
    w = kit.quotient.bits
    high = w - 3
    low = kit.low[((((a & 31) << 5) + (b & 31)) << 4) + (c & 15)]
    number = ((((a >> 3) << high) + (b >> 3)) << (high - 1)) + (c >> 4)
    return low, skip(kit.high, number * _words(kit))


@compiled
def _size(kit):
    """Return the words of the memo of one row; see :func:`~satlife.rows.kernels.measure_memo`."""
    return 4 * _words(kit) + 1


@compiled
def forget_halves(o, since, kit, memo):
    """Forget what follows from the rows from number ``since`` on, the last of the state at o.

    The memo of row m has a bit for each of its sets that is known, and then the sets: the rows
    that G allows there, their images, the images of those that two steps allow, and which rows
    m-k row m leaves possible.
    """
    p, k, size = kit.quotient.period, kit.quotient.step, _size(kit)
    for m in range(since + p - k, o + 3 * p - k):
        memo[m * size] = NONE


@compiled
def _recall(m, number, kit, memo):
    """Return one of the sets of row m, and whether it is known already; now it is."""
    own, bit = skip(memo, m * _size(kit)), ONE << np.uint64(number)
    known = own[0] & bit
    own[0] |= bit
    return skip(own, 1 + number * _words(kit)), known != NONE


@compiled
def _allow(r, m, kit, memo):
    """Return P(r[m-2p], r[m-p], r[m-p+k]): the rows m that known rows allow, if k < p."""
    found, known = _recall(m, 0 * m, kit, memo)
    if not known:
        p, k = kit.quotient.period, kit.quotient.step
        low, high = _halves(r[m - 2 * p], r[m - p], r[m - p + k], kit)
        for i in range(_words(kit)):
            found[i] = low & _SPREAD[high[i]]
    return found


@compiled
def _unite(rows, above, kit, found):
    """Write the union of I(a, y) for a set of rows y."""
    w = kit.quotient.bits
    words = _words(kit)
    for i in range(words):
        found[i] = NONE
    for t in range(words):
        each = rows[t]
        while each:
            image = skip(kit.images, ((above << w) + 64 * t + np.int64(lowest(each))) * words)
            each &= each - ONE
            for i in range(words):
                found[i] |= image[i]


@compiled
def _reach(r, m, steps, kit, room, memo):
    """Return the rows m+k that the rows m allow, and the rows k earlier if there are two steps."""
    found, known = _recall(m, steps, kit, memo)
    if not known:
        p, k = kit.quotient.period, kit.quotient.step
        rows = _allow(r, m, kit, memo)
        if steps == 2:
            before, known = _recall(m - k, steps - 1, kit, memo)
            if not known:
                _unite(_allow(r, m - k, kit, memo), r[m - k - p], kit, before)
            both = skip(room.sets, 3 * _words(kit))
            for i in range(_words(kit)):
                both[i] = rows[i] & before[i]
            _unite(both, r[m - p], kit, found)
        else:
            _unite(rows, r[m - p], kit, found)
    return found


@compiled
def _meet(one, other, words):
    """Whether two sets have a row in common."""
    both = NONE
    for i in range(words):
        both |= one[i] & other[i]
    return both != NONE


@compiled
def _precede(r, m, kit, memo):
    """Return the rows m-k that known rows allow, and after which a row m is possible."""
    found, known = _recall(m, 0 * m + 3, kit, memo)
    if not known:
        w, p, k = kit.quotient.bits, kit.quotient.period, kit.quotient.step
        words, above = _words(kit), r[m - k - p] << w
        later, rows = _allow(r, m, kit, memo), _allow(r, m - k, kit, memo)
        for t in range(words):
            found[t], each = NONE, rows[t]
            while each:
                y = lowest(each)
                each &= each - ONE
                if _meet(skip(kit.images, (above + 64 * t + np.int64(y)) * words), later, words):
                    found[t] |= ONE << y
    return found


@compiled
def _add(a, b, rows, words, kit, found):
    """Write the union of P(a, b, y) for a set of rows y."""
    for i in range(words):
        found[i] = NONE
    for t in range(words):
        each = rows[t]
        while each:
            low, high = _halves(a, b, 64 * t + np.int64(lowest(each)), kit)
            each &= each - ONE
            for i in range(words):
                found[i] |= low & _SPREAD[high[i]]


@compiled
def next_halves(r, o, kit, out, room, memo):
    """Do what ``next_narrow`` does; it does not look at the row below x and z."""
    w, p, k, images = kit.quotient.bits, kit.quotient.period, kit.quotient.step, kit.images
    words, m = _words(kit), o + 2 * p
    reached, each, below = room.sets, skip(room.sets, words), skip(room.sets, 2 * words)
    own = _allow(r, m, kit, memo)
    found = skip(images, ((r[o + p - k] << w) + r[m - k]) * words)
    if not _meet(own, found, words):
        return 0
    later = own  # the possible y
    if 3 * k < p:
        later = _precede(r, m + 2 * k, kit, memo)
    elif 2 * k < p:
        later = _allow(r, m + k, kit, memo)
    if not _meet(later, later, words):
        return 0
    if p >= 2 * k:  # the possible x
        before = _allow(r, m + p - 2 * k, kit, memo)
        if p >= 3 * k:
            seen = _reach(r, m + p - 3 * k, 2 if p >= 4 * k else 1, kit, room, memo)
            for i in range(words):
                each[i] = before[i] & seen[i]
            before = each
        _unite(before, r[m - 2 * k], kit, reached)
        if not _meet(reached, reached, words):
            return 0
    count = 0
    for t in range(words):
        left = own[t] & found[t]
        while left:
            d = 64 * t + np.int64(lowest(left))
            left &= left - ONE
            if 2 * k < p:
                image = skip(images, ((r[o + p] << w) + d) * words)
                some = NONE
                for i in range(words):
                    each[i] = image[i] & later[i]
                    some |= each[i]
                if not some:
                    continue
            low, high = _halves(r[o + p - k], r[m - k], d, kit)
            alive = known = False
            for s in range(words):
                xs = low & _SPREAD[high[s]]
                if p >= 2 * k:
                    xs &= reached[s]
                while xs and not alive:
                    if not known and 2 * k < p:
                        _add(r[o + p], d, each, words, kit, below)  # the possible z
                        known = True
                    x = 64 * s + np.int64(lowest(xs))
                    xs &= xs - ONE
                    under = skip(images, ((r[m - k] << w) + x) * words)
                    alive = _meet(under, below if 2 * k < p else under, words)
                if alive:
                    break
            if alive:
                out[count] = d
                count += 1
    return count
