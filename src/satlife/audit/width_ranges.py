"""Checking that a width has no ship by any rule of a range: one closed set of states for all.

A range fixes some entries of the table, and leaves others open.  Rows a, b and x *may give* a row c
if, in every column of the width and in the one on each side of it, the entry of the nine cells
around is open or is what c has there; beside the width, that is dead.  :mod:`.widths` is the
special case of one rule, in which a, b and x may give one row at most.

**Theorem.**  Let a problem meet the hypotheses below, and let S be a set of states, each 2p rows of
the width.  Suppose that S has the empty state, and that for each state s = (r[m-2p], …, r[m-1]) of
S and each row d such that r[m-2p], r[m-p] and d may give r[m-p+k], either S has the state after s
and d, which is not empty unless s is, or d is :meth:`_Range.refuted` after s.  Then by no rule of
the range does the problem have a solution, whatever the height of its box.

*Proof.*  Take a rule of the range and a solution by it.  It moves up k cells in p generations, so
with r[p·y + k·t] for row y of generation t, its rows are one sequence: each number is p·y + k·t for
some y and t, as k and p are coprime, and all such y and t have the same row.  By the rule, the rows
r[n-2p], r[n-p] and r[n] give r[n-p+k], for every n, and nothing beside the width.  Each entry that
they use has the fate that the rule says; where the range fixes that entry, the rule agrees with it.
So they *may give* r[n-p+k]: of the rule, this proof needs nothing else.  The pattern is finite and
not empty, so the sequence begins and ends with dead rows, and some are alive.  Hence its states (2p
successive rows) lead from the empty state through others back to it.  The first is in S, and each
further one, because none of its rows is refuted: `refuted` asks only whether there are rows that
may give each other as those that follow in the sequence do.  But the last step goes from a state
that is not empty to the empty one.

Hypotheses: those of :func:`.widths.hypotheses` for the least and the greatest rule of the range (of
two states, nothing is born from nothing, all outside is dead, it moves by k rows up in p
generations, 0 < k < p, k and p coprime, it is not empty, no cell is given), and no glide.  With a
left-right mirror, the right half determines a row.  What the least and the greatest rule do not say
of the others is that they have the mirror, too: all entries that differ by a turn or a mirror only
must have the same fate, which :func:`is_isotropic` tests.

This module is the whole check, by NumPy; it shares nothing with the search.  A set of rows is one
word of 64 bits, so a row has at most six free cells.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from satlife.audit.widths import hypotheses
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.quantities import write_count

Rows = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
"""Sets of rows: bit x says whether row x is in the set."""

NARROW = 6
"""Maximum free cells of a row."""
_PIECE = 1 << 16
"""States, or pairs of a state and a row, that are looked at together."""
_OPEN = 2
_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), ~np.uint64(0)


def range_complaints(problem: Problem, children: Bytes, rows: Bytes) -> Iterator[str]:
    """Yield the errors in a set of states, given as a breadth-first tree of nodes with rows.

    The rule of the problem is the range; one rule is a range, too.
    """
    width = _Range(problem)
    count, p = len(rows), width.p
    parents = np.repeat(np.arange(count), children)
    late = len(parents) != count - 1 or (parents > np.arange(count - 1)).any()
    if late or rows[0] or int(rows.max()) >= width.n:
        yield "the states are not a tree of rows of this width"
        return
    states = np.zeros((count, 2 * p), np.uint8)
    low, high = 1, 1 + int(children[0])
    while low < high:
        states[low:high, :-1] = states[parents[low - 1 : high - 1], 1:]
        states[low:high, -1] = rows[low:high]
        low, high = high, high + int(children[low:high].sum(dtype=np.int64))
    names = np.sort(_name(states))
    for start in range(0, count, _PIECE):
        some = states[start : start + _PIECE].astype(np.intp)
        which, after = _list_members(width.direct(some, 0), width.n)
        following = np.column_stack([some[which, 1:], after])
        if (~following.any(axis=1) & some[which].any(axis=1)).any():
            yield "a ship ends in one of the states"
        wanted = _name(following.astype(np.uint8))
        places = np.minimum(np.searchsorted(names, wanted), count - 1)
        missing = np.flatnonzero(names[places] != wanted)
        for begin in range(0, len(missing), _PIECE):
            part = missing[begin : begin + _PIECE]
            alive = int((~width.refuted(some[which[part]], after[part])).sum())
            if alive:
                yield f"{write_count(alive, 'state')} left out without a reason"
                return


def _name(states: Bytes) -> npt.NDArray[np.bytes_]:
    """Return a byte string for each state, so that states can be sorted and looked up."""
    return np.ascontiguousarray(states).view(f"S{states.shape[1]}").ravel()


def _list_members(words: Words, n: int) -> tuple[Rows, Rows]:
    """Return the members of sets: the number of the set, and the row."""
    which, row = np.nonzero(words[:, None] >> np.arange(n, dtype=np.uint64) & _ONE)
    return which, row


def is_isotropic(table: npt.NDArray[np.uint8]) -> bool:
    """Whether a table of the 512 neighbourhoods, north-west first, is equal in all directions.

    A flip and a transposition generate all eight turns and mirrors.
    """
    powers = 1 << np.arange(8, -1, -1)
    cells = (np.arange(512)[:, None] & powers != 0).reshape(512, 3, 3)
    turned = cells[:, :, ::-1], cells.transpose(0, 2, 1)
    return all((table[each.reshape(512, 9) @ powers] == table).all() for each in turned)


class _Range:
    """What rows of a problem may give, by some rule of its range."""

    def __init__(self, problem: Problem) -> None:
        space = problem.parsed.space
        if space is not None and not is_isotropic(space.table):
            words = "its set of rules depends on directions"
            raise UsageError(f"a set of states says nothing of such a problem: {words}")
        ends = [space.least, space.greatest] if space is not None else [problem.parsed.rule]
        for rule in ends:
            for holds, words in hypotheses(problem.with_rule(str(rule))):
                if not holds:
                    raise UsageError(f"a set of states says nothing of such a problem: {words}")
        motion = problem.motion
        if motion is None or motion.dx or ":" in problem.symmetry:
            raise UsageError("a set of states says nothing of such ships: they turn or slant")
        self.p, self.k = motion.period, -motion.dy
        mirrored, gutter = problem.symmetry != "C1", problem.has_gutter
        free = (problem.width + (not gutter)) // 2 if mirrored else problem.width
        if not 1 <= free <= NARROW:
            raise UsageError(f"rows have 1 to {NARROW} free cells to be checked, got {free}")
        self.n = n = 1 << free
        right = (np.arange(n)[:, None] >> np.arange(free)) & 1
        left = right[:, ::-1][:, : problem.width // 2] if mirrored else right[:, :0]
        middle = np.zeros((n, problem.width - free - left.shape[1]), int)
        cells = np.pad(np.column_stack([left, middle, right]), ((0, 0), (1, 1)))
        around = np.pad(cells, ((0, 0), (1, 1)))
        seen = around[:, :-2] * 4 + around[:, 1:-1] * 2 + around[:, 2:]
        fates = space.table if space is not None else problem.parsed.rule.table
        may = np.array([(fates == fate) | (fates == _OPEN) for fate in (0, 1)])
        bits = _ONE << np.arange(n, dtype=np.uint64)
        self.before = np.full((n, n, n), bits.sum(), np.uint64)
        """For rows a, b and c, the rows x with which a and b may give c."""
        for column in range(problem.width + 2):
            one = seen[:, column]
            number = (one[:, None, None] << 6) | (one[:, None] << 3) | one
            for fate in (0, 1):
                fits = (may[fate, number] * bits).sum(axis=2, dtype=np.uint64)
                self.before[:, :, cells[:, column] == fate] &= fits[:, :, None]
        self.images = ((self.before != 0) * bits).sum(axis=2, dtype=np.uint64)
        """For rows a and b, the rows c that they may give with some x."""
        self.follow = np.zeros((n, n, n), np.uint64)
        for z in range(n):
            has = self.before >> np.uint64(z) & _ONE != 0
            self.follow |= np.where(has, self.images[:, z, None], _NONE)
        """For rows a, u and v: what u may give with a row z with which a and u may give v."""

    def unite(self, tables: Words, rows: Words) -> Words:
        """Return, for each set of rows y, the union of the sets ``tables[…, y]``."""
        found = np.zeros(len(rows), np.uint64)
        for y in range(self.n):
            found |= np.where(rows >> np.uint64(y) & _ONE, tables[:, y], _NONE)
        return found

    def direct(self, r: Rows, j: int) -> Words:
        """Return which rows m+j the rows before m allow, if j < p-k."""
        return self.before[r[:, j], r[:, self.p + j], r[:, self.p + self.k + j]]

    def refuted(self, r: Rows, d: Rows) -> npt.NDArray[np.bool_]:
        """Return which rows d, each after a state, have no future.

        With m the number of the row d, a ship has rows x = r[m+p-k], y = r[m+k], z = r[m+p] and
        s = r[m+2p-k] such that r[m-p-k], r[m-k] and x may give d; r[m-p], d and z may give y; and
        r[m-k], x and s may give z.  Row y and the rows k, 2k and 3k before x are among those that
        :meth:`direct` says, and r[n-p] and r[n] may give r[n+k], for every n.
        """
        p, k = self.p, self.k
        ys = self.direct(r, k) if 2 * k < p else np.full(len(r), _ALL)
        if 3 * k < p:
            later = self.direct(r, 2 * k)
            meets = self.images[r[:, p + k]] & later[:, None] != 0
            ys &= (meets * (_ONE << np.arange(self.n, dtype=np.uint64))).sum(1, dtype=np.uint64)
        chain, last = np.full(len(r), _ALL), None
        for j in (p - 4 * k, p - 3 * k, p - 2 * k):
            if j >= 0:
                last = self.direct(r, j) & chain
                chain = self.unite(self.images[r[:, p + j]], last)
        xs = self.before[r[:, p - k], r[:, 2 * p - k], d] & chain
        zs = self.unite(self.before[r[:, p], d], ys)
        alive = np.zeros(len(d), bool)
        for x in range(self.n):
            these = np.flatnonzero(xs >> np.uint64(x) & _ONE & (zs != 0) & ~alive)
            under = np.full(len(these), _ALL)
            if last is not None:
                under = self.unite(self.follow[r[these, 2 * p - 2 * k], :, x], last[these])
            given = self.before[r[these, 2 * p - k], x] & under[:, None] != 0
            wanted = zs[these, None] >> np.arange(self.n, dtype=np.uint64) & _ONE
            alive[these] = (given & (wanted != 0)).any(axis=1)
        return ~alive
