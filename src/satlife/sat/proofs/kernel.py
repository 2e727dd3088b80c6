"""The steps of LRAT proofs that are implied (RUP), compiled by numba, which must be installed.

A clause is in ``arena``, from ``starts[id]`` on, with a 0 after its last literal; a negative start
means that there is no such clause.  Whatever comes from a file is compared with the limits of these
arrays before it is used.  A line that is not taken, for whatever reason, leaves them as they were,
and is for the plain checker to judge.
"""

from __future__ import annotations

from numba import njit

from satlife.sat.proofs.lines import DELETES

LAST, USED, ADDED, DELETED, DELETIONS, DONE = range(6)
"""The counts: the last id, the numbers in the arena, and those of the plain checker."""

# All is in one file, for numba's cache watches only the file of the function that is called.
compiled = njit(cache=True, nogil=True)


@compiled
def take_steps(numbers, ends, arena, starts, false, counts):
    """Take lines up to the empty clause, while they are right; return how many."""
    start = 0
    for line in range(ends.size):
        stop = ends[line] - 1
        if stop <= start or numbers[stop] != 0:
            return line
        if numbers[start + 1] == DELETES:
            if not _delete(numbers, start + 2, stop, starts):
                return line
            counts[DELETED] += stop - start - 2
            counts[DELETIONS] += 1
        elif not _add(numbers, start, stop, arena, starts, false, counts):
            return line
        elif numbers[start + 1] == 0:
            counts[DONE] = 1
            return line + 1
        start = stop + 1
    return ends.size


@compiled
def _delete(numbers, start, stop, starts):
    """Delete all clauses with these ids, or none of them."""
    for k in range(start, stop):
        if not _is_clause(numbers[k], starts):
            for done in range(start, k):
                starts[numbers[done]] = ~starts[numbers[done]]
            return False
        starts[numbers[k]] = ~starts[numbers[k]]
    return True


@compiled
def _is_clause(name, starts):
    return 0 < name < starts.size and starts[name] >= 0


@compiled
def _add(numbers, start, stop, arena, starts, false, counts):
    """Add a clause if its hints, taken in turn, lead to a conflict."""
    name, used, stamp = numbers[start], counts[USED], counts[ADDED] + 1
    variables = false.size // 2
    if not counts[LAST] < name < starts.size or stop - start > arena.size - used:
        return False
    middle = start + 1
    while numbers[middle] != 0:  # numbers[stop] is 0
        literal = numbers[middle]
        if abs(literal) > variables:
            return False
        false[variables + literal] = stamp
        arena[used] = literal
        used += 1
        middle += 1
    conflict = False
    for k in range(middle + 1, stop):
        if conflict and numbers[k] != 0:
            continue
        if not _is_clause(numbers[k], starts):
            return False
        place, unit = starts[numbers[k]], 0
        while arena[place] != 0:
            literal = arena[place]
            if false[variables + literal] != stamp and literal != unit:
                if unit != 0:
                    return False
                unit = literal
            place += 1
        false[variables - unit] = stamp  # without a unit, that of no literal
        conflict = unit == 0
    if not conflict:
        return False
    arena[used] = 0
    starts[name] = counts[USED]
    counts[USED], counts[LAST], counts[ADDED] = used + 1, name, stamp
    return True
