"""The compiled twin of the check of widths: what :meth:`~.widths.RowRule.judge` says, by numba.

It has the same tables, and computes the same sets of rows, for one state after the other.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from satlife.certificates.audit.widths import RowRule, States

# All is in one file, for numba's cache watches only the file of the function that is called.
compiled = njit(cache=True, nogil=True)


def judge(rule: RowRule, left: States, entered: States) -> tuple[int, int]:
    """Return how many steps lead to the empty state, and how many of the others to no state."""
    known = rule.p, rule.k, rule.steps, rule.images, rule.follow
    return _judge(*known, left, entered)  # type: ignore[no-any-return]


@compiled
def _judge(p, k, steps, images, follow, left, entered):
    n = steps.shape[0]
    known, sets = np.zeros(n, np.bool_), np.empty((6, n), np.bool_)
    ends = missing = 0
    for r in left:
        low = _find(entered, r)
        high = low
        while high < len(entered) and _compare(entered[high], r) == 0:
            known[entered[high, 2 * p - 1]] = True
            high += 1
        rest = r[0] != 0
        empty = True
        for row in r[1:]:
            empty = empty and row == 0
        looked = False
        for d in range(n):
            if steps[r[0], r[p], d] != r[p + k]:
                continue
            if empty and rest and d == 0:
                ends += 1
            if not known[d]:
                if not looked:
                    _look_ahead(p, k, steps, images, r, sets)
                    looked = True
                missing += _is_alive(p, k, steps, images, follow, r, d, sets)
        for i in range(low, high):
            known[entered[i, 2 * p - 1]] = False
    return ends, missing


@compiled
def _compare(state, r):
    """Compare the first rows of a state with the last rows of r."""
    for i in range(len(r) - 1):
        if state[i] != r[i + 1]:
            return -1 if state[i] < r[i + 1] else 1
    return 0


@compiled
def _find(entered, r):
    """Return the place of the first state that begins with the last rows of r."""
    low, high = 0, len(entered)
    while low < high:
        middle = (low + high) // 2
        if _compare(entered[middle], r) < 0:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _direct(p, k, steps, r, j, found):
    """Fill a set with the rows m+j that the rows before m allow."""
    these, result = steps[r[j], r[p + j]], np.int16(r[p + k + j])
    for x in range(len(found)):
        found[x] = these[x] == result


@compiled
def _unite(images, rows, found):
    """Fill a set with the union of the images of some rows."""
    found[:] = False
    for y in range(len(rows)):
        if rows[y]:
            image = images[y]
            for x in range(len(found)):
                found[x] |= image[x]


@compiled
def _look_ahead(p, k, steps, images, r, sets):
    """Fill the sets of all y, of the rows k before x, and of all x, as far as r determines them."""
    ys, last, chain, new = sets[0], sets[1], sets[2], sets[3]
    ys[:] = True
    if 2 * k < p:
        _direct(p, k, steps, r, k, ys)
    if 3 * k < p:
        _direct(p, k, steps, r, 2 * k, new)
        for y in range(len(ys)):
            ys[y] = ys[y] and _meet(images[r[p + k], y], new)
    chain[:] = True
    last[:] = False
    for step in (4, 3, 2):
        j = p - step * k
        if j >= 0:
            _direct(p, k, steps, r, j, last)
            for x in range(len(last)):
                last[x] &= chain[x]
            _unite(images[r[p + j]], last, chain)


@compiled
def _meet(a, b):
    """Whether two sets have a row in common."""
    found = False
    for x in range(len(a)):
        found |= a[x] & b[x]
    return found


@compiled
def _is_alive(p, k, steps, images, follow, r, d, sets):
    """Whether the row d has a future: see :meth:`~.widths.RowRule.refuted`."""
    ys, last, chain, zs, under = sets[0], sets[1], sets[2], sets[4], sets[5]
    n, some = len(ys), False
    for z in range(n):
        y = steps[r[p], d, z]
        zs[z] = y >= 0 and ys[y]
        some |= zs[z]
    if not some:
        return False
    before, b = steps[r[p - k], r[2 * p - k]], r[2 * p - k]
    for x in range(n):
        if before[x] != d or not chain[x] or not _meet(images[b, x], zs):
            continue
        if p < 2 * k or not len(follow):
            return True
        _unite(follow[r[2 * p - 2 * k], :, x], last, under)
        for w in range(n):
            z = steps[b, x, w]
            if z >= 0 and zs[z] and under[w]:
                return True
    return False
