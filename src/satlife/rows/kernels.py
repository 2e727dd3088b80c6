"""The compiled part: successors of rows, look-ahead, breadth-first levels and depth-first probes.

All of it stands in one file because numba's cache watches only the file of the function that it has
compiled: a change in another file would go unnoticed.

A *kit* is the tuple of tables of one search (see :mod:`satlife.rows.tables`); ``r`` is an array of
rows, of which ``r[o:o + 2 * p]`` are the last 2p, the state.  In comments, m is the number of the
next row, P(a, b, c) the set of rows x with G(a, b, x) = c, and I(a, b) the set of all G(a, b, x).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

Kit = Any
"""``(numbers, masks, sets, images, follow, starts, lists, filled, breaks)``; numbers are ``(bits,
fold, skew, twist, p, k, kind, width, lanes, turn, late)``.  ``breaks`` says of each row whether a
ship that has it cannot be one of a part of the period."""

BAD = 1 << 15
"""In a table of G: a cell outside the width would be born."""

_ONE = np.uint64(1)
_NONE = np.uint64(0)
_ALL = ~np.uint64(0)
_HASH = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


def _can_keep() -> bool:
    """Return whether numba finds a folder for what it compiles; it raises where it does not."""
    try:
        njit(cache=True)(_can_keep)
    except RuntimeError:
        return False
    return True


KEEPS = _can_keep()
"""Whether what is compiled is there in the next run too."""
compiled = njit(cache=KEEPS, nogil=True, boundscheck=False)


@intrinsic
def _lowest(context: Any, bits: Any) -> Any:
    """Return the number of the lowest bit that is set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


# ---------------------------------------------------------------- the rule on rows


@compiled
def _widen(row, fold):
    """Return the row with four columns more at its low end: bit i is column i - 4."""
    if fold == 1:  # odd: column -1 is column 1
        return (row << 4) | (((row >> 1) & 1) << 3)
    if fold == 2:  # even: column -1 is column 0
        return (row << 4) | ((row & 1) << 3)
    if fold == 3:  # gutter: column -1 is dead, column -2 is column 0
        return (row << 4) | ((row & 1) << 2)
    return row << 4


@compiled
def reverse(row, width):
    """Return the mirror image of a row."""
    image = 0
    for _ in range(width):
        image = (image << 1) | (row & 1)
        row >>= 1
    return image


@compiled
def _columns(a, b, numbers, masks, low, high, part, first, last):
    """Fill ``part[x - low…]`` with the columns ``first`` to ``last`` of F(a, b, x).

    x runs over the bits ``low`` to ``high`` only; the columns depend on no others.
    """
    width, fold, skew = numbers[7], numbers[1], numbers[2]
    above, middle = _widen(a, fold), _widen(b, fold)
    for i in range(1 << (high - low)):
        below = _widen(i << low, fold)
        value = 0
        for u in range(first, last):
            mask = masks[((above >> (u + 3 + skew)) & 7) * 8 + ((middle >> (u + 3)) & 7)]
            if (mask >> ((below >> (u + 3 - skew)) & 7)) & 1:
                value |= 1 << u if 0 <= u < width else BAD
        part[i] = value


@compiled
def _step_lane(a, b, numbers, masks, out):
    """Fill ``out[x]`` with G(a, b, x) for every row x of one lane."""
    fold, skew, twist, width = numbers[1], numbers[2], numbers[3], numbers[7]
    if twist == 2:
        a = reverse(a, width)
    first = 0 if fold == 1 or fold == 2 else -1 - skew
    last = width + 1 + skew
    half = width // 2
    high = min(width, half + 1)
    low = max(0, half - 2)
    left = np.empty(1 << high, np.uint16)
    right = np.empty(1 << (width - low), np.uint16)
    _columns(a, b, numbers, masks, 0, high, left, first, half)
    _columns(a, b, numbers, masks, low, width, right, half, last)
    for x in range(1 << width):
        value = left[x & ((1 << high) - 1)] | right[x >> low]
        if twist == 1 and value < BAD:
            value = reverse(value, width)
        out[reverse(x, width) if twist == 2 else x] = value


@compiled
def step_all(a, b, numbers, masks, out):
    """Fill ``out[x]`` with G(a, b, x) for every row x; :data:`BAD` is set where there is none.

    Lane j of b, with lane j - turn of a and j + turn of x, gives lane j + late of the result.
    """
    width, lanes, turn, late = numbers[7], numbers[8], numbers[9], numbers[10]
    if lanes == 1:
        _step_lane(a, b, numbers, masks, out)
        return
    mask = (1 << width) - 1
    parts = np.empty((lanes, mask + 1), np.uint16)
    for j in range(lanes):
        above, middle = a >> width * ((j - turn) % lanes), b >> width * j
        _step_lane(above & mask, middle & mask, numbers, masks, parts[j])
    for x in range(1 << width * lanes):
        value = 0
        for j in range(lanes):
            part = np.int64(parts[j, (x >> width * ((j + turn) % lanes)) & mask])
            value |= BAD if part >= BAD else part << width * ((j + late) % lanes)
        out[x] = value


# ---------------------------------------------------------------- rows of up to six cells


@compiled
def build_sets(numbers, masks, sets, images, follow):
    """Fill the tables of narrow rows: every set of rows is one word."""
    width = numbers[0]
    n = 1 << width
    results = np.empty(n, np.uint16)
    for a in range(n):
        for b in range(n):
            step_all(a, b, numbers, masks, results)
            q = a * n + b
            for x in range(n):
                value = results[x]
                if value < BAD:
                    sets[q, value] |= _ONE << np.uint64(x)
                    images[q, 0] |= _ONE << np.uint64(value)
    for q in range(n * n):
        u = q % n
        for v in range(n):
            left, reached = sets[q, v], _NONE
            while left:
                z = np.int64(_lowest(left))
                left &= left - _ONE
                reached |= images[u * n + z, 0]
            follow[q, v] = reached


@compiled
def _next_narrow(r, o, kit, out):
    """Write the possible rows m to ``out`` and return how many there are.

    Besides G(r[m-2p], r[m-p], d) = r[m-p+k], some rows after d must exist: x = r[m+p-k], with
    G(r[m-p-k], r[m-k], x) = d; y = r[m+k] and z = r[m+p], with G(r[m-p], d, z) = y; and the row
    below x and z.  Rows that are given by known rows alone are narrowed by their neighbours in
    time, a few steps far.
    """
    numbers, sets, images, follow = kit[0], kit[2], kit[3], kit[4]
    w, p, k = numbers[0], numbers[4], numbers[5]
    q = (r[o + p - k] << w) + r[o + 2 * p - k]
    left = sets[(r[o] << w) + r[o + p], r[o + p + k]] & images[q, 0]
    if not left:
        return 0
    later = _ALL  # the possible y
    if 2 * k < p:
        most = 1
        while (most + 1) * k < p - k and most < 2:
            most += 1
        for j in range(most, 0, -1):
            i = o + j * k
            found = sets[(r[i] << w) + r[i + p], r[i + p + k]]
            if j < most:
                each, found = found, _NONE
                while each:
                    y = _lowest(each)
                    each &= each - _ONE
                    if images[(r[i + p] << w) + np.int64(y), 0] & later:
                        found |= _ONE << y
            later = found
            if not later:
                return 0
    reached, before = _ALL, _NONE  # the possible x; the possible rows k earlier
    if p >= 2 * k:
        most = 1
        while most < 3 and p - (most + 2) * k >= 0:
            most += 1
        for j in range(most, 0, -1):
            i = o + p - (j + 1) * k
            each = sets[(r[i] << w) + r[i + p], r[i + p + k]] & reached
            if not each:
                return 0
            before, reached = each, _NONE
            while each:
                y = np.int64(_lowest(each))
                each &= each - _ONE
                reached |= images[(r[i + p] << w) + y, 0]
    count = 0
    a2, b1, b0 = r[o + p] << w, r[o + 2 * p - k] << w, r[o + 2 * p - 2 * k] << w
    while left:
        d = np.int64(_lowest(left))
        left &= left - _ONE
        each = images[a2 + d, 0] & later
        xs = sets[q, d] & reached
        if not each or not xs:
            continue
        below = _ALL  # the possible z
        if 2 * k < p:
            below = _NONE
            while each:
                y = np.int64(_lowest(each))
                each &= each - _ONE
                below |= sets[a2 + d, y]
        alive = False
        while xs and not alive:
            x = np.int64(_lowest(xs))
            xs &= xs - _ONE
            zs = images[b1 + x, 0] & below
            if zs and not before:
                alive = True
            elif zs:
                lowest, each = _NONE, before
                while each:
                    y = np.int64(_lowest(each))
                    each &= each - _ONE
                    lowest |= follow[b0 + y, x]
                while zs:
                    z = np.int64(_lowest(zs))
                    zs &= zs - _ONE
                    if sets[b1 + x, z] & lowest:
                        alive = True
                        break
        if alive:
            out[count] = d
            count += 1
    return count


# ---------------------------------------------------------------- rows of seven to ten cells


@compiled
def fill_pair(q, kit):
    """Fill the lists of the pair of rows number q: rows x sorted by G(a, b, x), and the images."""
    numbers, masks, images, starts, lists, filled = kit[0], kit[1], kit[3], kit[5], kit[6], kit[7]
    width = numbers[0]
    n = 1 << width
    results = np.empty(n, np.uint16)
    step_all(q >> width, q & (n - 1), numbers, masks, results)
    start = starts[q]
    for x in range(n):
        value = results[x]
        if value < BAD:
            start[value + 1] += 1
            images[q, value >> 6] |= _ONE << np.uint64(value & 63)
    for value in range(n):
        start[value + 1] += start[value]
    for x in range(n):
        value = results[x]
        if value < BAD:
            lists[q, start[value]] = x
            start[value] += 1
    for value in range(n, 0, -1):
        start[value] = start[value - 1]
    start[0] = 0
    filled[q] = 1


@compiled
def fill_all(kit):
    """Fill every list, so that threads may share them."""
    for q in range(len(kit[7])):
        if not kit[7][q]:
            fill_pair(q, kit)


@compiled
def _has(images, q, row):
    return (images[q, row >> 6] >> np.uint64(row & 63)) & _ONE


@compiled
def _fill_needed(r, o, kit):
    """Fill the lists of all pairs of neighbouring rows in a state."""
    w, p, k = kit[0][0], kit[0][4], kit[0][5]
    for i in range(o, o + p):
        q = (r[i] << w) + r[i + p]
        if not kit[7][q]:
            fill_pair(q, kit)
    q = (r[o + p - k] << w) + r[o + 2 * p - k]
    if not kit[7][q]:
        fill_pair(q, kit)


@compiled
def _next_listed(r, o, kit, out, room):
    """Do what :func:`_next_narrow` does, with lists; it looks less far."""
    numbers, images, starts, lists, filled = kit[0], kit[3], kit[5], kit[6], kit[7]
    w, p, k = numbers[0], numbers[4], numbers[5]
    words = images.shape[1]
    _fill_needed(r, o, kit)
    own, c = (r[o] << w) + r[o + p], r[o + p + k]
    if starts[own, c] == starts[own, c + 1]:
        return 0
    q = (r[o + p - k] << w) + r[o + 2 * p - k]
    later, n_later = room[0], 0  # the possible y
    if 2 * k < p:
        i = o + k
        near, c1 = (r[i] << w) + r[i + p], r[i + p + k]
        i = o + 2 * k
        far, c2 = (r[i] << w) + r[i + p], r[i + p + k] if 3 * k < p else 0
        for e in range(starts[near, c1], starts[near, c1 + 1]):
            y = np.int64(lists[near, e])
            alive = 3 * k >= p
            if not alive:
                after = (r[o + k + p] << w) + y
                if not filled[after]:
                    fill_pair(after, kit)
                for f in range(starts[far, c2], starts[far, c2 + 1]):
                    if _has(images, after, lists[far, f]):
                        alive = True
                        break
            if alive:
                later[n_later] = y
                n_later += 1
        if not n_later:
            return 0
    reached = room[1]  # two sets: the possible x, and a fresh one
    narrowed = p >= 2 * k
    if narrowed:
        most = 1
        while most < 3 and p - (most + 2) * k >= 0:
            most += 1
        for j in range(most, 0, -1):
            i = o + p - (j + 1) * k
            near, c1 = (r[i] << w) + r[i + p], r[i + p + k]
            for f in range(words):
                reached[1, f] = _NONE
            for e in range(starts[near, c1], starts[near, c1 + 1]):
                y = np.int64(lists[near, e])
                if j == most or _has(reached, 0, y):
                    after = (r[i + p] << w) + y
                    if not filled[after]:
                        fill_pair(after, kit)
                    for f in range(words):
                        reached[1, f] |= images[after, f]
            some = _NONE
            for f in range(words):
                reached[0, f] = reached[1, f]
                some |= reached[1, f]
            if not some:
                return 0
    count = 0
    for e in range(starts[own, c], starts[own, c + 1]):
        d = np.int64(lists[own, e])
        if not _has(images, q, d):
            continue
        after = (r[o + p] << w) + d
        if not filled[after]:
            fill_pair(after, kit)
        alive = False
        for f in range(n_later):
            if _has(images, after, later[f]):
                alive = True
                break
        if n_later and not alive:
            continue
        alive = False
        for f in range(starts[q, d], starts[q, d + 1]):
            x = np.int64(lists[q, f])
            if narrowed and not _has(reached, 0, x):
                continue
            below = (r[o + 2 * p - k] << w) + x
            if not filled[below]:
                fill_pair(below, kit)
            if not n_later:
                for i in range(words):
                    alive |= images[below, i] != _NONE
            for i in range(n_later):
                y = later[i]
                for g in range(starts[after, y], starts[after, y + 1]):
                    if _has(images, below, lists[after, g]):
                        alive = True
                        break
                if alive:
                    break
            if alive:
                break
        if alive:
            out[count] = d
            count += 1
    return count


# ---------------------------------------------------------------- the graph of states


@compiled
def make_room(kit):
    """Return the working memory of one thread."""
    n = 1 << kit[0][0]
    return np.empty(n, np.int64), np.empty((2, kit[3].shape[1]), np.uint64)


@compiled
def find_next(r, o, kit, out, room):
    """Write the possible rows after a state to ``out`` and return how many there are."""
    if kit[0][6] == 0:
        return _next_narrow(r, o, kit, out)
    return _next_listed(r, o, kit, out, room)


@compiled
def read_state(node, parents, rows, p, r):
    """Write the last 2p rows of a node to ``r``; before the first row all rows are empty."""
    for i in range(2 * p - 1, -1, -1):
        r[i] = rows[node]
        node = parents[node]


@compiled
def _is_empty(r, o, p):
    """Whether the 2p - 1 rows from o + 1 on are empty."""
    for i in range(o + 1, o + 2 * p):
        if r[i]:
            return False
    return True


@compiled
def _slot(key, mask):
    key = (key ^ (key >> np.uint64(29))) * _MIX
    return (key ^ (key >> np.uint64(32))) & mask


@compiled
def rebuild_index(parents, rows, keys, count, p, index):
    """Compute the keys of all nodes and enter them; a key sums the last 2p rows by powers."""
    top = _ONE
    for _ in range(2 * p):
        top *= _HASH
    mask = np.uint64(len(index) - 1)
    index[:] = -1
    keys[0] = _NONE
    for node in range(1, count):
        old = node
        for _ in range(2 * p):
            old = parents[old]
        key = (keys[parents[node]] - np.uint64(rows[old]) * top + np.uint64(rows[node])) * _HASH
        keys[node] = key
        slot = _slot(key, mask)
        while index[slot] >= 0:
            slot = (slot + _ONE) & mask
        index[slot] = node


@compiled
def mark_broken(kit, parents, rows, broken, count):
    """Compute for every node whether its rows break all parts of the period."""
    broken[0] = 0
    for node in range(1, count):
        broken[node] = broken[parents[node]] | kit[8][rows[node]]


@compiled
def expand(kit, parents, rows, keys, broken, index, head, end, count, closed, merge, fleets):
    """Append the successors of the nodes from ``head`` to ``end``; equal states are merged.

    A state that breaks the period stays beside an equal one that does not.  With ``fleets``, rows
    may follow the end of a ship.  Return where it stopped, the number of nodes, of closed nodes
    (from which the empty state follows: a ship) and of merged ones.  It stops early when one of
    the arrays is full.
    """
    p = kit[0][4]
    n = 1 << kit[0][0]
    top = _ONE
    for _ in range(2 * p):
        top *= _HASH
    mask = np.uint64(len(index) - 1)
    r, out, room = np.empty(2 * p, np.int64), np.empty(n, np.int64), make_room(kit)
    ships = merged = 0
    while head < end and count + n <= len(rows) and ships < len(closed):
        read_state(head, parents, rows, p, r)
        for e in range(find_next(r, 0, kit, out, room)):
            d = out[e]
            if d == 0 and _is_empty(r, 0, p):
                if broken[head] and r[0]:
                    closed[ships] = head
                    ships += 1
                if not fleets or not head:
                    continue
            breaks = broken[head] | kit[8][d]
            key = (keys[head] - np.uint64(r[0]) * top + np.uint64(d)) * _HASH
            slot = _slot(key, mask)
            known = False
            while merge and index[slot] >= 0 and not known:
                other, here = index[slot], head
                if keys[other] == key and rows[other] == d and broken[other] >= breaks:
                    known = True
                    other = parents[other]
                    for _ in range(2 * p - 1):
                        if other == here:
                            break
                        if rows[other] != rows[here]:
                            known = False
                            break
                        other, here = parents[other], parents[here]
                slot = (slot + _ONE) & mask
            if known:
                merged += 1
                continue
            if merge:
                index[slot] = count
            parents[count] = head
            rows[count] = d
            keys[count] = key
            broken[count] = breaks
            count += 1
        head += 1
    return head, count, ships, merged


@compiled
def probe(kit, parents, rows, broken, first, last, depth, budget, alive, path):
    """Look whether ``depth`` more rows can follow each node from ``first`` to ``last``.

    ``alive`` is set to 1 for those with such rows, and for those that take more than ``budget``
    states to decide.  Return the node from which a ship was found (or -1), how many rows of
    ``path`` lead to its end, the number of states visited, and the first node with ``depth`` more
    rows (or -1): without a ship, they are in ``path``.
    """
    p = kit[0][4]
    n = 1 << kit[0][0]
    r = np.empty(2 * p + depth + 1, np.int64)
    lists = np.empty((depth + 1, n), np.int64)
    counts, places = np.empty(depth + 1, np.int64), np.empty(depth + 1, np.int64)
    room = make_room(kit)
    states = 0
    reached = -1
    for node in range(first, last):
        read_state(node, parents, rows, p, r)
        level = used = 0
        counts[0] = find_next(r, 0, kit, lists[0], room)
        places[0] = 0
        while level >= 0:
            if places[level] == counts[level]:
                level -= 1
                continue
            d = lists[level, places[level]]
            places[level] += 1
            r[2 * p + level] = d
            if d == 0 and _is_empty(r, level, p):
                breaks = broken[node]
                for i in range(level + 1):
                    path[i] = r[2 * p + i]
                    breaks |= kit[8][path[i]]
                if breaks:
                    return node, level + 1, states, -1
                continue
            used += 1
            level += 1
            if level == depth or used > budget:
                alive[node - first] = 1
                if reached < 0 and level == depth:
                    reached = node
                    for i in range(level):
                        path[i] = r[2 * p + i]
                break
            counts[level] = find_next(r, level, kit, lists[level], room)
            places[level] = 0
        states += used
    return -1, 0, states, reached


@compiled
def compact(parents, rows, first, count, wanted):
    """Drop every node that is neither wanted nor leads to a wanted one; return what is left.

    ``wanted`` belongs to the nodes from ``first`` on.  Return the new number of the first of them
    and the new count; the order stays.
    """
    keep = np.zeros(count, np.uint8)
    keep[0] = 1
    for node in range(count - 1, 0, -1):
        if node >= first and wanted[node - first]:
            keep[node] = 1
        if keep[node]:
            keep[parents[node]] = 1
    numbers = np.empty(count, np.int32)
    kept = 0
    start = -1
    for node in range(count):
        if node == first:
            start = kept
        if keep[node]:
            numbers[node] = kept
            parents[kept] = numbers[parents[node]]
            rows[kept] = rows[node]
            kept += 1
    return start, kept
