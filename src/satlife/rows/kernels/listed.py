"""Diagonals, lanes and glides of seven to ten cells: lists, filled when they are needed."""

from __future__ import annotations

import numpy as np

from satlife.rows.kernels.compiled import NONE, ONE, compiled, skip
from satlife.rows.kernels.steps import BAD, step_all


@compiled
def fill_pair(q, kit, room):
    """Fill the lists of the pair of rows number q: rows x sorted by G(a, b, x), and the images."""
    w, filled, results = kit.quotient.bits, kit.filled, room.results
    n = 1 << w
    image, rows = skip(kit.images, q * max(1, n >> 6)), skip(kit.lists, q * n)
    start = skip(kit.starts, q * (n + 1))
    step_all(q >> w, q & (n - 1), kit.quotient, kit.masks, room)
    for x in range(n):
        value = np.int64(results[x])
        if value < BAD:
            start[value + 1] += 1
            image[value >> 6] |= ONE << np.uint64(value & 63)
    for value in range(n):
        start[value + 1] += start[value]
    for x in range(n):
        value = np.int64(results[x])
        if value < BAD:
            rows[np.int64(start[value])] = x
            start[value] += 1
    for value in range(n, 0, -1):
        start[value] = start[value - 1]
    start[0] = 0
    filled[q] = 1


@compiled
def fill_all(find_next, given):
    """Fill every list, so that threads may share them."""
    kit, room = given
    for q in range(1 << 2 * kit.quotient.bits):
        if not kit.filled[q]:
            fill_pair(q, kit, room)


@compiled
def _has(image, row):
    """Whether a row is in a set."""
    return (image[row >> 6] >> np.uint64(row & 63)) & ONE


@compiled
def _image(q, kit, room):
    """Return the set of all G(a, b, x) of a pair of rows; its lists are filled, too."""
    if not kit.filled[q]:
        fill_pair(q, kit, room)
    return skip(kit.images, q * max(1, (1 << kit.quotient.bits) >> 6))


@compiled
def next_listed(r, o, kit, out, room, memo):
    """Do what ``next_narrow`` does, with lists; it looks less far."""
    starts, lists = kit.starts, kit.lists
    w, p, k = kit.quotient.bits, kit.quotient.period, kit.quotient.step
    n = 1 << w
    words = max(1, n >> 6)
    for i in range(o, o + p):  # what is read below must be filled
        _image((r[i] << w) + r[i + p], kit, room)
    own, c = (r[o] << w) + r[o + p], r[o + p + k]
    if starts[own * (n + 1) + c] == starts[own * (n + 1) + c + 1]:
        return 0
    q = (r[o + p - k] << w) + r[o + 2 * p - k]
    found = _image(q, kit, room)
    later, n_later = room.values, 0  # the possible y
    if 2 * k < p:
        i = o + k
        near, c1 = (r[i] << w) + r[i + p], r[i + p + k]
        i = o + 2 * k
        far, c2 = (r[i] << w) + r[i + p], r[i + p + k] if 3 * k < p else 0
        for e in range(starts[near * (n + 1) + c1], starts[near * (n + 1) + c1 + 1]):
            y = np.int64(lists[near * n + e])
            alive = 3 * k >= p
            if not alive:
                after = (r[o + k + p] << w) + y
                image = _image(after, kit, room)
                for f in range(starts[far * (n + 1) + c2], starts[far * (n + 1) + c2 + 1]):
                    if _has(image, np.int64(lists[far * n + f])):
                        alive = True
                        break
            if alive:
                later[n_later] = y
                n_later += 1
        if not n_later:
            return 0
    reached, fresh = room.sets, skip(room.sets, words)  # sets: the possible x
    narrowed = p >= 2 * k
    if narrowed:
        most = 1
        while most < 3 and p - (most + 2) * k >= 0:
            most += 1
        for j in range(most, 0, -1):
            i = o + p - (j + 1) * k
            near, c1 = (r[i] << w) + r[i + p], r[i + p + k]
            for f in range(words):
                fresh[f] = NONE
            for e in range(starts[near * (n + 1) + c1], starts[near * (n + 1) + c1 + 1]):
                y = np.int64(lists[near * n + e])
                if j == most or _has(reached, y):
                    after = (r[i + p] << w) + y
                    image = _image(after, kit, room)
                    for f in range(words):
                        fresh[f] |= image[f]
            some = NONE
            for f in range(words):
                reached[f] = fresh[f]
                some |= fresh[f]
            if not some:
                return 0
    count = 0
    for e in range(starts[own * (n + 1) + c], starts[own * (n + 1) + c + 1]):
        d = np.int64(lists[own * n + e])
        if not _has(found, d):
            continue
        after = (r[o + p] << w) + d
        image = _image(after, kit, room)
        alive = False
        for f in range(n_later):
            if _has(image, later[f]):
                alive = True
                break
        if n_later and not alive:
            continue
        alive = False
        for f in range(starts[q * (n + 1) + d], starts[q * (n + 1) + d + 1]):
            x = np.int64(lists[q * n + f])
            if narrowed and not _has(reached, x):
                continue
            below = (r[o + 2 * p - k] << w) + x
            under = _image(below, kit, room)
            if not n_later:
                for i in range(words):
                    alive |= under[i] != NONE
            for i in range(n_later):
                y = later[i]
                for g in range(starts[after * (n + 1) + y], starts[after * (n + 1) + y + 1]):
                    if _has(under, np.int64(lists[after * n + g])):
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
