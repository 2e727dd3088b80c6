"""The compiled twin of the check of widths: what :meth:`~.widths.RowRule.judge` says, by numba.

It computes the same sets of rows, for one state after the other; a set is a bit for each row, in
words.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt
from numba import njit

from satlife.audit.widths import Flags, Judge, RowRule

# All is in one file, for numba's cache watches only the file of the function that is called.
compiled = njit(cache=True, nogil=True)

_NONE, _ONE, _ALL = np.uint64(0), np.uint64(1), ~np.uint64(0)


def prepare(rule: RowRule) -> Judge:
    """Return the compiled judge of states."""
    tables = rule.steps, _pack(rule.images), _pack(rule.follow)
    return partial(_judge, rule.p, rule.k, *tables)


def _pack(sets: Flags) -> npt.NDArray[np.uint64]:
    """Return sets as words."""
    more = -sets.shape[-1] % 64
    padded = np.pad(sets, [(0, 0)] * (sets.ndim - 1) + [(0, more)]) if more else sets
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)


@compiled
def _judge(p, k, steps, images, follow, left, entered):
    n = steps.shape[0]
    known, sets = np.zeros(n, np.bool_), np.empty((6, images.shape[2]), np.uint64)
    ends = missing = 0
    for r in left:
        low = _find(entered, r)
        high = low
        while high < len(entered) and _compare(entered[high], r) == 0:
            known[entered[high, 2 * p - 1]] = True
            high += 1
        is_last = r[0] != 0
        for row in r[1:]:
            is_last = is_last and row == 0
        before, result = steps[r[0], r[p]], np.int16(r[p + k])
        looked = False
        for d in range(n):
            if before[d] != result:
                continue
            if is_last and d == 0:
                ends += 1
            if not known[d] and _has(images[r[p - k], r[2 * p - k]], d):
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
def _has(rows, x):
    return (rows[x >> 6] >> np.uint64(x & 63)) & _ONE != _NONE


@compiled
def _meet(a, b):
    """Whether two sets have a row in common."""
    found = _NONE
    for i in range(len(a)):
        found |= a[i] & b[i]
    return found != _NONE


@compiled
def _direct(p, k, steps, r, j, found):
    """Fill a set with the rows m+j that the rows before m allow."""
    these, result = steps[r[j], r[p + j]], np.int16(r[p + k + j])
    found[:] = _NONE
    for x in range(len(these)):
        found[x >> 6] |= np.uint64(these[x] == result) << np.uint64(x & 63)


@compiled
def _unite(images, rows, found):
    """Fill a set with the union of the images of some rows."""
    found[:] = _NONE
    for y in range(len(images)):
        if _has(rows, y):
            for i in range(len(found)):
                found[i] |= images[y, i]


@compiled
def _look_ahead(p, k, steps, images, r, sets):
    """Fill the sets of all y, of the rows k before x, and of all x, as far as r determines them."""
    ys, last, chain, new = sets[0], sets[1], sets[2], sets[3]
    ys[:] = _ALL
    if 2 * k < p:
        _direct(p, k, steps, r, k, ys)
    if 3 * k < p:
        _direct(p, k, steps, r, 2 * k, new)
        for y in range(len(steps)):
            if _has(ys, y) and not _meet(images[r[p + k], y], new):
                ys[y >> 6] ^= _ONE << np.uint64(y & 63)
    chain[:] = _ALL
    last[:] = _NONE
    for step in (4, 3, 2):
        j = p - step * k
        if j >= 0:
            _direct(p, k, steps, r, j, last)
            last &= chain
            _unite(images[r[p + j]], last, chain)


@compiled
def _is_alive(p, k, steps, images, follow, r, d, sets):
    """Whether the row d has a future: see :meth:`~.widths.RowRule.refuted`."""
    ys, last, chain, zs, under = sets[0], sets[1], sets[2], sets[4], sets[5]
    if not _meet(images[r[p], d], ys):
        return False
    after, b = steps[r[p], d], r[2 * p - k]
    zs[:] = _NONE
    for z in range(len(after)):
        if after[z] >= 0 and _has(ys, after[z]):
            zs[z >> 6] |= _ONE << np.uint64(z & 63)
    before, result = steps[r[p - k], b], np.int16(d)
    for x in range(len(before)):
        if before[x] != result or not _has(chain, x) or not _meet(images[b, x], zs):
            continue
        if p < 2 * k or not len(follow):
            return True
        _unite(follow[r[2 * p - 2 * k], :, x], last, under)
        for w in range(len(before)):
            z = steps[b, x, w]
            if z >= 0 and _has(zs, z) and _has(under, w):
                return True
    return False
