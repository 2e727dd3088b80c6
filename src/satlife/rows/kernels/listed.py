"""Rows of seven to nine cells, and of ten with a glide: lists, filled when they are needed."""

from __future__ import annotations

import numpy as np

from satlife.rows.kernels.compiled import NONE, ONE, compiled
from satlife.rows.kernels.steps import BAD, step_all


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
            images[q, value >> 6] |= ONE << np.uint64(value & 63)
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
    return (images[q, row >> 6] >> np.uint64(row & 63)) & ONE


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
def next_listed(r, o, kit, out, room):
    """Do what ``next_narrow`` does, with lists; it looks less far."""
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
                reached[1, f] = NONE
            for e in range(starts[near, c1], starts[near, c1 + 1]):
                y = np.int64(lists[near, e])
                if j == most or _has(reached, 0, y):
                    after = (r[i + p] << w) + y
                    if not filled[after]:
                        fill_pair(after, kit)
                    for f in range(words):
                        reached[1, f] |= images[after, f]
            some = NONE
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
                    alive |= images[below, i] != NONE
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
