"""Rows of up to six cells: every set of rows is one word."""

from __future__ import annotations

import numpy as np

from satlife.rows.kernels.compiled import ALL, NONE, ONE, compiled, lowest
from satlife.rows.kernels.steps import BAD, step_all


@compiled
def build_sets(find_next, given):
    """Fill the tables of narrow rows: every set of rows is one word."""
    kit, room = given
    numbers, masks, sets, images, follow = kit[0], kit[1], kit[2], kit[3], kit[4]
    w, results = numbers[0], room[7]
    n = 1 << w
    for q in range(n * n):
        step_all(q >> w, q & (n - 1), numbers, masks, room)
        for x in range(n):
            value = np.int64(results[x])
            if value < BAD:
                sets[(q << w) + value] |= ONE << np.uint64(x)
                images[q] |= ONE << np.uint64(value)
    for i in range(n * n * n):
        left, reached, u = sets[i], NONE, (i >> w) & (n - 1)
        while left:
            z = np.int64(lowest(left))
            left &= left - ONE
            reached |= images[(u << w) + z]
        follow[i] = reached


@compiled
def next_narrow(r, o, kit, out, room):
    """Write the possible rows m to ``out`` and return how many there are.

    Besides G(r[m-2p], r[m-p], d) = r[m-p+k], some rows after d must exist: x = r[m+p-k], with
    G(r[m-p-k], r[m-k], x) = d; y = r[m+k] and z = r[m+p], with G(r[m-p], d, z) = y; and the row
    below x and z.  Rows that are given by known rows alone are narrowed by their neighbours in
    time, a few steps far.
    """
    numbers, sets, images, follow = kit[0], kit[2], kit[3], kit[4]
    w, p, k = numbers[0], numbers[4], numbers[5]
    q = (r[o + p - k] << w) + r[o + 2 * p - k]
    left = sets[(((r[o] << w) + r[o + p]) << w) + r[o + p + k]] & images[q]
    if not left:
        return 0
    later = ALL  # the possible y
    if 2 * k < p:
        most = 1
        while (most + 1) * k < p - k and most < 2:
            most += 1
        for j in range(most, 0, -1):
            i = o + j * k
            found = sets[(((r[i] << w) + r[i + p]) << w) + r[i + p + k]]
            if j < most:
                each, found = found, NONE
                while each:
                    y = lowest(each)
                    each &= each - ONE
                    if images[(r[i + p] << w) + np.int64(y)] & later:
                        found |= ONE << y
            later = found
            if not later:
                return 0
    reached, before = ALL, NONE  # the possible x; the possible rows k earlier
    if p >= 2 * k:
        most = 1
        while most < 3 and p - (most + 2) * k >= 0:
            most += 1
        for j in range(most, 0, -1):
            i = o + p - (j + 1) * k
            each = sets[(((r[i] << w) + r[i + p]) << w) + r[i + p + k]] & reached
            if not each:
                return 0
            before, reached = each, NONE
            while each:
                y = np.int64(lowest(each))
                each &= each - ONE
                reached |= images[(r[i + p] << w) + y]
    count = 0
    a2, b1, b0 = r[o + p] << w, r[o + 2 * p - k] << w, r[o + 2 * p - 2 * k] << w
    while left:
        d = np.int64(lowest(left))
        left &= left - ONE
        each = images[a2 + d] & later
        xs = sets[(q << w) + d] & reached
        if not each or not xs:
            continue
        below = ALL  # the possible z
        if 2 * k < p:
            below = NONE
            while each:
                y = np.int64(lowest(each))
                each &= each - ONE
                below |= sets[((a2 + d) << w) + y]
        alive = False
        while xs and not alive:
            x = np.int64(lowest(xs))
            xs &= xs - ONE
            zs = images[b1 + x] & below
            if zs and not before:
                alive = True
            elif zs:
                under, each = NONE, before
                while each:
                    y = np.int64(lowest(each))
                    each &= each - ONE
                    under |= follow[((b0 + y) << w) + x]
                while zs:
                    z = np.int64(lowest(zs))
                    zs &= zs - ONE
                    if sets[((b1 + x) << w) + z] & under:
                        alive = True
                        break
        if alive:
            out[count] = d
            count += 1
    return count
