"""The graph of states: breadth-first levels, depth-first probes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from satlife.rows.kernels.columns import fill_nothing, next_columns
from satlife.rows.kernels.compiled import GIVEN, NONE, ONE, compiled, skip, take
from satlife.rows.kernels.listed import fill_all, next_listed
from satlife.rows.kernels.narrow import build_sets, next_narrow

_HASH = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_FILL, _MARK_BROKEN, _REBUILD_INDEX, _EXPAND, _PROBE, _COMPACT = GIVEN.values()


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
def rebuild_index(find_next, given):
    """Compute the keys of all nodes and enter them; a key sums the last 2p rows by powers."""
    kit, _, parents, rows, keys, index, size, count = given
    top, p = ONE, kit[0][4]
    for _ in range(2 * p):
        top *= _HASH
    mask = np.uint64(size - 1)
    for i in range(size):
        index[i] = -1
    keys[0] = NONE
    for node in range(1, count):
        old = node
        for _ in range(2 * p):
            old = parents[old]
        key = (keys[parents[node]] - np.uint64(rows[old]) * top + np.uint64(rows[node])) * _HASH
        keys[node] = key
        slot = _slot(key, mask)
        while index[slot] >= 0:
            slot = (slot + ONE) & mask
        index[slot] = node


@compiled
def mark_broken(find_next, given):
    """Compute for every node which parts of the period its rows break."""
    kit, _, parents, rows, broken, count = given
    broken[0] = 0
    for node in range(1, count):
        broken[node] = broken[parents[node]] | kit[8][np.int64(rows[node])]


@compiled
def expand(find_next, given):
    """Append the successors of the nodes from ``head`` to ``end``; equal states are merged.

    A state that breaks more parts of the period stays beside an equal one that breaks fewer.  With
    ``fleets``, rows may follow the end of a ship.  Return where it stopped, the number of nodes,
    of closed nodes (from which the empty state follows: a ship) and of merged ones.  It stops early
    when one of the arrays is full.
    """
    kit, room, parents, rows, keys, broken, index, closed = given[:8]
    size, most, closing, head, end, count, merge, fleets = given[8:]
    p = kit[0][4]
    n = 1 << kit[0][0]
    top = ONE
    for _ in range(2 * p):
        top *= _HASH
    mask = np.uint64(size - 1)
    r, out, told, zero = room[5], room[6], room[11], 0 * p
    ships = merged = 0
    while head < end and count + n <= most and ships < closing:
        read_state(head, parents, rows, p, r)
        for e in range(find_next(r, zero, kit, out, room)):
            d = out[e]
            if d == 0 and _is_empty(r, zero, p):
                if broken[head] == kit[0][11] and r[0]:
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
                if keys[other] == key and rows[other] == d and not breaks & ~broken[other]:
                    known = True
                    other = parents[other]
                    for _ in range(2 * p - 1):
                        if other == here:
                            break
                        if rows[other] != rows[here]:
                            known = False
                            break
                        other, here = parents[other], parents[here]
                slot = (slot + ONE) & mask
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
    told[0], told[1], told[2], told[3] = head, count, ships, merged


@compiled
def probe(find_next, given):
    """Look whether ``depth`` more rows can follow each of the states from number ``first`` on.

    ``fates`` becomes 0 where they cannot, 1 where they can, 2 where a ship follows, and 3 where
    that is open after ``patience`` states.  It stops after a ship and after an open state, and
    returns its number and how many rows after it are in ``r``, from 2p on.  Where it is open, what
    is left to do is ``lists[i, places[i]:counts[i]]`` after each number i of these rows.  The rows
    after the first state of fate 1 are in ``front``, and then its number, unless there was one.
    """
    kit, room, states, broken, fates, visited, r, lists, counts, places, front = given[:11]
    number, first, depth, patience = given[11:]
    p = kit[0][4]
    w, told, zero = kit[0][0], room[11], 0 * p
    for node in range(first, number):
        if depth == 0:
            fates[node] = 1
            front[0] = 0 if front[0] < 0 else front[0]
            continue
        for i in range(2 * p):
            r[i] = states[2 * p * node + i]
        level = used = 0
        counts[0] = find_next(r, zero, kit, lists, room)
        places[0] = 0
        while level >= 0:
            if places[level] == counts[level]:
                level -= 1
                continue
            d = lists[(level << w) + places[level]]
            r[2 * p + level] = d
            if d == 0 and _is_empty(r, level, p):
                places[level] += 1
                breaks = broken[node]
                for i in range(level + 1):
                    breaks |= kit[8][r[2 * p + i]]
                if breaks == kit[0][11]:
                    fates[node], visited[node] = 2, used
                    told[0], told[1] = node, level + 1
                    return
                continue
            if used == patience:
                fates[node], visited[node] = 3, used
                told[0], told[1] = node, level
                return
            places[level] += 1
            used += 1
            level += 1
            if level == depth:
                fates[node] = 1
                if front[depth] < 0:
                    front[depth] = node
                    for i in range(depth):
                        front[i] = r[2 * p + i]
                break
            counts[level] = find_next(r, level, kit, skip(lists, level << w), room)
            places[level] = 0
        visited[node] = used
    told[0], told[1] = number, 0


@compiled
def compact(find_next, given):
    """Drop every node that is neither wanted nor leads to a wanted one; return what is left.

    ``wanted`` belongs to the nodes from ``first`` on.  Return the new number of the first of them
    and the new count; the order stays.
    """
    _, room, parents, rows, wanted, keep, numbers, first, count = given
    keep[0] = 1
    for node in range(count - 1, 0, -1):
        if node >= first and wanted[node - first]:
            keep[node] = 1
        if keep[node]:
            keep[parents[node]] = 1
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
    room[11][0], room[11][1] = kept if start < 0 else start, kept


_SEARCHES = {
    "narrow": (next_narrow, build_sets),
    "listed": (next_listed, fill_all),
    "columns": (next_columns, fill_nothing),
}
"""How each kind finds successors and fills its tables."""


def compile_kind(kind: str) -> Any:
    """Return the code of all tasks of a kind of search, as LLVM writes it."""
    find_next, fill = _SEARCHES[kind]

    @compiled
    def do(task, words):  # the tasks are numbered in the order of TASKS
        if task == 0:
            fill(find_next, take(words, _FILL))
        elif task == 1:
            mark_broken(find_next, take(words, _MARK_BROKEN))
        elif task == 2:
            rebuild_index(find_next, take(words, _REBUILD_INDEX))
        elif task == 3:
            expand(find_next, take(words, _EXPAND))
        elif task == 4:
            probe(find_next, take(words, _PROBE))
        elif task == 5:
            compact(find_next, take(words, _COMPACT))

    do.compile((types.int64, types.voidptr))
    return do.inspect_llvm(do.signatures[0])
