"""The states that a range of rules leads to, those first that one rule of the range leads to.

A step of a path costs as many cells as that rule, the guide, would make otherwise; states wait in
a queue for each cost.  So a path back to nothing that comes out has few cells against the guide.
"""

from __future__ import annotations

import numpy as np

from satlife.rows.kernels.compiled import NONE, ONE, compiled

_HASH = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


@compiled
def reach(find_next, forget, given):
    """Collect the states after the empty one, until one is empty again or there are no more.

    Return the number of nodes, the one before the empty state (0 if there is none), and whether
    there was too little room.  A node's state is the last 2p rows that lead to it.
    """
    kit, room, parents, rows, keys, later, index, queues, steps, wrong = given[:10]
    size, most, costs = given[10:]
    w, p, k = kit.quotient.bits, kit.quotient.period, kit.quotient.step
    n, mask, top = 1 << w, np.uint64(size - 1), ONE
    for _ in range(2 * p):
        top *= _HASH
    r, out, memo, answer, zero = room.state, room.found, room.memo, room.answer, 0 * p
    count, cost = 1, 0
    index[0] = 0  # where the empty state belongs
    parents[0], rows[0], keys[0], later[0] = 0, 0, NONE, -1
    for i in range(2 * costs):
        queues[i] = -1
    queues[0] = queues[1] = 0
    while cost < costs and count + n <= most:
        head = queues[2 * cost]
        if head < 0:
            cost += 1
            continue
        queues[2 * cost] = later[head]
        node = head
        for i in range(2 * p - 1, -1, -1):
            r[i] = rows[node]
            node = parents[node]
        empty = True
        for i in range(1, 2 * p):
            empty &= r[i] == 0
        forget(zero, zero, kit, memo)
        for e in range(find_next(r, zero, kit, out, room, memo)):
            d = out[e]
            if empty and d == 0:
                if r[0]:
                    answer[0], answer[1], answer[2] = count, head, 0
                    return
                continue
            key = (keys[head] - np.uint64(r[0]) * top + np.uint64(d)) * _HASH
            slot = (key ^ (key >> np.uint64(29))) * _MIX
            slot = (slot ^ (slot >> np.uint64(32))) & mask
            known = False
            while index[slot] >= 0 and not known:
                other, here = index[slot], head
                if keys[other] == key and rows[other] == d:
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
                continue
            index[slot] = count
            parents[count], rows[count], keys[count], later[count] = head, d, key, -1
            found = np.int64(steps[(((r[0] << w) + r[p]) << w) + d])
            more = min(cost + np.int64(wrong[found ^ (r[p + k] << 1)]), costs - 1)
            if queues[2 * more] < 0:
                queues[2 * more] = count
            else:
                later[queues[2 * more + 1]] = count
            queues[2 * more + 1] = count
            count += 1
    answer[0], answer[1], answer[2] = count, 0, cost < costs
