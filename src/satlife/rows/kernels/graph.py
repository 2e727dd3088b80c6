"""The graph of states: breadth-first levels, depth-first probes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from satlife.rows.kernels.columns import fill_nothing, forget_nothing, next_columns
from satlife.rows.kernels.compiled import GIVEN, ONE, compiled, prefetch, skip, take
from satlife.rows.kernels.guided import reach
from satlife.rows.kernels.halves import fill_halves, forget_halves, next_halves
from satlife.rows.kernels.listed import fill_all, next_listed
from satlife.rows.kernels.narrow import build_sets, forget_narrow, next_narrow
from satlife.rows.kernels.slanted import fill_sights, next_slanted

_HASH = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_AHEAD = 16
"""How many states ahead places in the index are fetched."""
_FILL, _MARK_BROKEN, _REBUILD_INDEX, _COUNT_CELLS, *_OTHERS = GIVEN.values()
_READ_STATES, _FOLLOW, _ENTER, _PROBE, _COMPACT, _REACH = _OTHERS


@compiled
def read_states(find_next, forget, given):
    """Write the last 2p rows of some nodes; before the first row all rows are empty."""
    kit, _, parents, rows, states, first, last = given
    p = kit.quotient.period
    for each in range(first, last):
        node = each
        for i in range(2 * p - 1, -1, -1):
            states[2 * p * (each - first) + i] = rows[node]
            node = parents[node]


@compiled
def _is_empty(r, o, p):
    """Whether the 2p - 1 rows from o + 1 on are empty."""
    for i in range(o + 1, o + 2 * p):
        if r[i]:
            return False
    return True


@compiled
def _raise(p, factors):
    """Write the factors of the rows in the key of a state."""
    power = ONE
    for i in range(p):
        power *= _HASH
        factors[i] = np.int64(power)


@compiled
def _sum_up(rows, count, factors):
    """Return the key of a state, or of its first rows; a factor is for two of them."""
    total = 0
    for i in range(count >> 1):
        total += (np.int64(rows[2 * i]) | np.int64(rows[2 * i + 1]) << 16) * factors[i]
    if count & 1:
        total += np.int64(rows[count - 1]) * factors[count >> 1]
    return total


@compiled
def _mix(key):
    """Return a key: its low bits are the place of a state in the index, its high ones a mark."""
    key = np.uint64(key)
    key = (key ^ (key >> np.uint64(29))) * _MIX
    return key ^ (key >> np.uint64(32))


@compiled
def _mark(key, bits):
    """Return what stands beside the number of a node in the index: the highest bits of its key."""
    return np.int64(key >> np.uint64(32 + bits)) << bits


@compiled
def rebuild_index(find_next, forget, given):
    """Enter all nodes in an index of 2^bits places; a place has a node and a mark, or is 0.

    ``ring`` holds the states of the last ``size`` nodes, which include every parent.  Nodes before
    ``least`` are not entered: the rows after them are given.
    """
    kit, room, parents, rows, index, ring, size, bits, count, least = given
    p = kit.quotient.period
    keys, factors, mask = room.sets, room.factors, (1 << bits) - 1
    _raise(p, factors)
    for i in range(1 << bits):
        index[i] = 0
    for i in range(2 * p):
        ring[i] = 0
    most = min(_AHEAD, 1 << kit.quotient.bits)
    for start in range(1, count, most):
        end = min(start + most, count)
        for node in range(start, end):
            old = skip(ring, (parents[node] & (size - 1)) * 2 * p)
            state = skip(ring, (node & (size - 1)) * 2 * p)
            for i in range(2 * p - 1):
                state[i] = old[i + 1]
            state[2 * p - 1] = rows[node]
            key = _mix(_sum_up(state, 2 * p, factors))
            keys[node - start] = key
            prefetch(index, np.int64(key) & mask)
        for node in range(max(start, least), end):
            key = keys[node - start]
            slot = np.int64(key) & mask
            while index[slot]:
                slot = (slot + 1) & mask
            index[slot] = node | _mark(key, bits)


@compiled
def mark_broken(find_next, forget, given):
    """Compute for every node which parts of the period its rows break."""
    kit, _, parents, rows, broken, count = given
    broken[0] = 0
    for node in range(1, count):
        broken[node] = broken[parents[node]] | kit.broken[np.int64(rows[node])]


@compiled
def _add_cells(old, d, kit, limits, new):
    """Write the live cells of each generation after a row d; return whether they may be so many.

    The numbers are in the order of the rows that come next, one for each of their lanes; what
    exceeds every limit is one number.
    """
    quotient = kit.quotient
    p, g, width, turn = quotient.period, quotient.lanes, quotient.width, quotient.turn
    for i in range((p - 1) * g):
        new[i] = old[i + g]
    for j in range(g):
        cells = old[j] + kit.weights[(d >> width * j) & ((1 << width) - 1)]
        new[(p - 1) * g + (j + turn) % g] = min(limits[0], np.int64(cells))
    least = most = total = np.int64(new[0])
    for i in range(1, p * g):
        least, most = min(least, np.int64(new[i])), max(most, np.int64(new[i]))
        total += new[i]
    return least <= limits[1] and most <= limits[2] and total <= limits[3]


@compiled
def count_cells(find_next, forget, given):
    """Compute for every node the live cells of each generation."""
    kit, _, parents, rows, cells, limits, count = given
    size = kit.quotient.period * kit.quotient.lanes
    for i in range(size):
        cells[i] = 0
    for node in range(1, count):
        old, new = skip(cells, size * parents[node]), skip(cells, size * node)
        _add_cells(old, np.int64(rows[node]), kit, limits, new)


@compiled
def _has_no_more(cells, others, size):
    """Whether no generation has more live cells than in another count."""
    for i in range(size):
        if cells[i] > others[i]:
            return False
    return True


@compiled
def _take_state(state, p, r, known):
    """Copy a state to ``r``; return how many of the ``known`` first rows there stay the same."""
    same = 0
    while same < known and r[same] == state[same]:
        same += 1
    for i in range(same, 2 * p):
        r[i] = state[i]
    return same


@compiled
def follow(find_next, forget, given):
    """Find the successors of some states, those of the nodes from ``head`` to ``end``.

    ``counts`` is how many each has; ``found`` their last rows and ``keys`` their keys.  Where the
    empty state follows, ``closes`` is 1, or 2 if it is the end of a ship; it is a successor only
    with ``fleets``.  Return where it stopped and the number of successors: it stops early when
    there is room for ``most`` and no more.
    """
    kit, room, states, counts, closes, found, keys, head, end, most, fleets = given
    p, n = kit.quotient.period, 1 << kit.quotient.bits
    r, out, memo, factors, zero = room.state, room.found, room.memo, room.factors, 0 * p
    _raise(p, factors)
    total = i = 0
    while head < end and total + n <= most:
        same = _take_state(skip(states, 2 * p * i), p, r, 2 * p if i else zero)
        forget(zero, same, kit, memo)
        number = find_next(r, zero, kit, out, room, memo)
        counts[i] = closes[i] = 0
        key = _sum_up(skip(r, zero + 1), 2 * p - 1, factors) if number else 0
        for e in range(number):
            d = out[e]
            if d == 0 and _is_empty(r, zero, p):
                closes[i] = 2 if r[0] else 1
                if not fleets or not head:
                    continue
            found[total] = d
            keys[total] = _mix(key + (d << 16) * factors[p - 1])
            total += 1
            counts[i] += 1
        i += 1
        head += 1
    room.answer[0], room.answer[1] = head, total


@compiled
def _is_same(node, head, parents, rows, p):
    """Whether the rows of two nodes are the same, 2p - 1 of them."""
    for _ in range(2 * p - 1):
        if node == head:
            return True
        if rows[node] != rows[head]:
            return False
        node, head = parents[node], parents[head]
    return True


@compiled
def enter(find_next, forget, given):
    """Append the successors that ``follow`` has found; equal states are merged.

    A state that breaks more parts of the period stays beside an equal one that breaks fewer.  With
    ``limits``, so does one that has fewer live cells in some generation, and what has too many is
    left out.
    ``states`` are those of the nodes from ``head`` on; those of the new nodes go to ``after``.
    Return the number of nodes, of closed nodes (from which the empty state follows: a ship) and of
    merged ones.
    """
    kit, room, parents, rows, broken, index, cells, limits, states, after = given[:10]
    counts, closes, found, keys, closed, bits, head, end, count, merge = given[10:]
    p, mask, answer = kit.quotient.period, (1 << bits) - 1, room.answer
    size, is_limited = p * kit.quotient.lanes, limits[0] > 0
    total = ships = merged = 0
    for i in range(end - head):
        total += counts[i]
    for i in range(min(_AHEAD, total)):
        prefetch(index, np.int64(keys[i]) & mask)
    at = i = 0
    while head < end:
        if closes[i] == 2 and broken[head] == kit.quotient.all_broken:
            closed[ships] = head
            ships += 1
        for _ in range(counts[i]):
            key, d = keys[at], np.int64(found[at])
            at += 1
            breaks = broken[head] | kit.broken[d]
            if is_limited:
                old, new = skip(cells, size * head), skip(cells, size * count)
                if not _add_cells(old, d, kit, limits, new):
                    continue
            if merge:
                if at + _AHEAD <= total:
                    prefetch(index, np.int64(keys[at + _AHEAD - 1]) & mask)
                slot, mark, known = np.int64(key) & mask, _mark(key, bits), False
                while index[slot] and not known:
                    other = np.int64(index[slot]) ^ mark
                    if other <= mask and rows[other] == d and not breaks & ~broken[other]:
                        known = _is_same(np.int64(parents[other]), head, parents, rows, p)
                        if known and is_limited:
                            new = skip(cells, size * count)
                            known = _has_no_more(skip(cells, size * other), new, size)
                    slot = (slot + 1) & mask
                if known:
                    merged += 1
                    continue
                index[slot] = count | mark
            parents[count] = head
            rows[count] = d
            broken[count] = breaks
            count += 1
            for j in range(2 * p - 1):
                after[j] = states[j + 1]
            after[2 * p - 1] = d
            after = skip(after, 2 * p)
        head += 1
        i += 1
        states = skip(states, 2 * p)
    answer[0], answer[1], answer[2] = count, ships, merged


@compiled
def probe(find_next, forget, given):
    """Look whether ``depth`` more rows can follow each of the states from number ``first`` on.

    ``fates`` becomes 0 where they cannot, 1 where they can, 2 where a ship follows, and 3 where
    that is open after ``patience`` states.  It stops after a ship and after an open state, and
    returns its number and how many rows after it are in ``r``, from 2p on.  Where it is open, what
    is left to do is ``lists[i, places[i]:counts[i]]`` after each number i of these rows.  The rows
    after the first state of fate 1 are in ``front``, and then its number, unless there was one.
    """
    kit, room, states, broken, fates, visited, r, lists, counts, places, front, memo = given[:12]
    number, first, depth, patience = given[12:]
    p = kit.quotient.period
    w, answer, zero = kit.quotient.bits, room.answer, 0 * p
    known = zero
    for node in range(first, number):
        if depth == 0:
            fates[node] = 1
            front[0] = 0 if front[0] < 0 else front[0]
            continue
        forget(zero, _take_state(skip(states, 2 * p * node), p, r, known), kit, memo)
        known = 2 * p
        level = used = 0
        counts[0] = find_next(r, zero, kit, lists, room, memo)
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
                    breaks |= kit.broken[r[2 * p + i]]
                if breaks == kit.quotient.all_broken:
                    fates[node], visited[node] = 2, used
                    answer[0], answer[1] = node, level + 1
                    return
                continue
            if used == patience:
                fates[node], visited[node] = 3, used
                answer[0], answer[1] = node, level
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
            forget(level, 2 * p + level - 1, kit, memo)
            counts[level] = find_next(r, level, kit, skip(lists, level << w), room, memo)
            places[level] = 0
        visited[node] = used
    answer[0], answer[1] = number, 0


@compiled
def compact(find_next, forget, given):
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
    room.answer[0], room.answer[1] = kept if start < 0 else start, kept


_SEARCHES = {
    "narrow": (next_narrow, forget_narrow, build_sets),
    "listed": (next_listed, forget_nothing, fill_all),
    "columns": (next_columns, forget_nothing, fill_nothing),
    "halves": (next_halves, forget_halves, fill_halves),
    "slanted": (next_slanted, forget_nothing, fill_sights),
}
"""How each kind finds successors, keeps its memo and fills its tables."""


def compile_kind(kind: str) -> Any:
    """Return the code of all tasks of a kind of search, as LLVM writes it."""
    find_next, forget, fill = _SEARCHES[kind]

    @compiled
    def do(task, words):  # the tasks are numbered in the order of TASKS
        if task == 0:
            fill(find_next, take(words, _FILL))
        elif task == 1:
            mark_broken(find_next, forget, take(words, _MARK_BROKEN))
        elif task == 2:
            rebuild_index(find_next, forget, take(words, _REBUILD_INDEX))
        elif task == 3:
            count_cells(find_next, forget, take(words, _COUNT_CELLS))
        elif task == 4:
            read_states(find_next, forget, take(words, _READ_STATES))
        elif task == 5:
            follow(find_next, forget, take(words, _FOLLOW))
        elif task == 6:
            enter(find_next, forget, take(words, _ENTER))
        elif task == 7:
            probe(find_next, forget, take(words, _PROBE))
        elif task == 8:
            compact(find_next, forget, take(words, _COMPACT))
        elif task == 9:
            reach(find_next, forget, take(words, _REACH))

    do.compile((types.int64, types.voidptr))
    return do.inspect_llvm(do.signatures[0])
