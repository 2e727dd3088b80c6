"""Rows of up to six cells: every set of rows is one word."""

from __future__ import annotations

import numpy as np

from satlife.rows.kernels import MEMO
from satlife.rows.kernels.compiled import ALL, NONE, ONE, compiled, lowest
from satlife.rows.kernels.steps import BAD, step_all


@compiled
def build_sets(find_next, given):
    """Fill the tables of narrow rows: every set of rows is one word."""
    kit, room = given
    sets, images, follow = kit.sets, kit.images, kit.follow
    w, results = kit.quotient.bits, room.results
    n = 1 << w
    for q in range(n * n):
        step_all(q >> w, q & (n - 1), kit.quotient, kit.masks, room)
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
def forget_narrow(o, since, kit, memo):
    """Forget what follows from the rows from number ``since`` on, the last of the state at o.

    The first words of the memo of row m are the rows that G allows there (see ``_allow``), their
    images, the images of those that two steps allow, and which rows m-k row m leaves possible.
    """
    p, k = kit.quotient.period, kit.quotient.step
    for i in range(MEMO * (since + p - k), MEMO * (o + 3 * p - k), MEMO):
        memo[i] = memo[i + 1] = memo[i + 2] = memo[i + 3] = ALL


@compiled
def _allow(r, m, kit, memo):
    """Return P(r[m-2p], r[m-p], r[m-p+k]): the rows m that known rows allow, if k < p."""
    if memo[MEMO * m] == ALL:
        w, p, k = kit.quotient.bits, kit.quotient.period, kit.quotient.step
        memo[MEMO * m] = kit.sets[(((r[m - 2 * p] << w) + r[m - p]) << w) + r[m - p + k]]
    return memo[MEMO * m]


@compiled
def _unite(rows, above, images):
    """Return the union of I(a, y) for a set of rows y."""
    found = NONE
    while rows:
        found |= images[above + np.int64(lowest(rows))]
        rows &= rows - ONE
    return found


@compiled
def _reach(r, m, steps, kit, memo):
    """Return the rows m+k that the rows m allow, and the rows k earlier if there are two steps."""
    if memo[MEMO * m + steps] == ALL:
        w, p, k = kit.quotient.bits, kit.quotient.period, kit.quotient.step
        rows = _allow(r, m, kit, memo)
        if steps == 2:
            if memo[MEMO * (m - k) + 1] == ALL:
                before = _allow(r, m - k, kit, memo)
                memo[MEMO * (m - k) + 1] = _unite(before, r[m - k - p] << w, kit.images)
            rows &= memo[MEMO * (m - k) + 1]
        memo[MEMO * m + steps] = _unite(rows, r[m - p] << w, kit.images)
    return memo[MEMO * m + steps]


@compiled
def _precede(r, m, kit, memo):
    """Return the rows m-k that known rows allow, and after which a row m is possible."""
    if memo[MEMO * m + 3] == ALL:
        w, p, k = kit.quotient.bits, kit.quotient.period, kit.quotient.step
        later, found = _allow(r, m, kit, memo), NONE
        each = _allow(r, m - k, kit, memo) if later else NONE
        above = r[m - k - p] << w
        while each:
            y = lowest(each)
            each &= each - ONE
            if kit.images[above + np.int64(y)] & later:
                found |= ONE << y
        memo[MEMO * m + 3] = found
    return memo[MEMO * m + 3]


@compiled
def next_narrow(r, o, kit, out, room, memo):
    """Write the possible rows m to ``out`` and return how many there are.

    Besides G(r[m-2p], r[m-p], d) = r[m-p+k], some rows after d must exist: x = r[m+p-k], with
    G(r[m-p-k], r[m-k], x) = d; y = r[m+k] and z = r[m+p], with G(r[m-p], d, z) = y; and the row
    below x and z.  Rows that are given by known rows alone are narrowed by their neighbours in
    time, a few steps far.
    """
    sets, images, follow = kit.sets, kit.images, kit.follow
    w, p, k = kit.quotient.bits, kit.quotient.period, kit.quotient.step
    m = o + 2 * p
    q = (r[o + p - k] << w) + r[m - k]
    left = _allow(r, m, kit, memo) & images[q]
    if not left:
        return 0
    later = ALL  # the possible y
    if 3 * k < p:
        later = _precede(r, m + 2 * k, kit, memo)
    elif 2 * k < p:
        later = _allow(r, m + k, kit, memo)
    if not later:
        return 0
    reached, before = ALL, NONE  # the possible x; the possible rows k earlier
    if p >= 2 * k:
        before = _allow(r, m + p - 2 * k, kit, memo)
        if before and p >= 3 * k:
            before &= _reach(r, m + p - 3 * k, 2 if p >= 4 * k else 1, kit, memo)
        if not before:
            return 0
        reached = _unite(before, r[m - 2 * k] << w, images)
    count = 0
    a2, b1, b0 = r[o + p] << w, r[m - k] << w, r[m - 2 * k] << w
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
                under, each = NONE, before  # the possible rows below x
                while zs:
                    under |= sets[((b1 + x) << w) + np.int64(lowest(zs))]
                    zs &= zs - ONE
                while each:
                    y = np.int64(lowest(each))
                    each &= each - ONE
                    if follow[((b0 + y) << w) + x] & under:
                        alive = True
                        break
        if alive:
            out[count] = d
            count += 1
    return count
