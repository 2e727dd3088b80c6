"""Checking that a width has no ship: a closed set of states, and a refutation of all it leaves out.

The rows of a ship that moves up k cells in p generations are one sequence: row y of generation t
is r[p·y + k·t], and r[m-p+k] = G(r[m-2p], r[m-p], r[m]), where G is the rule on three rows.  2p
successive rows are a state; a ship is a way from the empty state back to it.  So there is none if
a set holds the empty state and, for each of its states s and each row d that may follow by G,
either the state after s and d, which is not empty unless s is, or d is :meth:`_Width.refuted`.

This module shares nothing with the search: no tables, no compiled code.  It needs only NumPy, and
the rule on rows, :mod:`.width_rows`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.life import Rule
from satlife.search.certificates.width_rows import tabulate
from satlife.search.problem import Problem
from satlife.search.problem.constraints import Gutter, NotEmpty

Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Sets = npt.NDArray[np.uint64]
"""Sets of rows: bit x of the words, from the lowest, is row x."""

_PIECE, _WIDEST = 1 << 22, 9
"""Numbers that are held at once; free cells of a row."""
_MIRRORS, _GLIDES = ("D2|", "D2_+1", "D2_+2"), ("C1:D2|", "C1:D2_+1", "C1:D2_+2")


def width_complaints(
    problem: Problem, children: npt.NDArray[np.uint16], rows: npt.NDArray[np.uint16]
) -> Iterator[str]:
    """Yield what is wrong with a set of states: a tree, breadth-first, of nodes with rows."""
    width = _Width(problem)
    p, count = width.p, len(rows)
    parents = np.repeat(np.arange(count), children)
    late = len(parents) != count - 1 or (parents > np.arange(count - 1)).any()
    if late or rows[0] or int(rows.max()) >= width.n:
        yield "the states are not a tree of rows of this width"
        return
    states = np.zeros((count, 2 * p), np.uint16)
    low, high = 1, 1 + int(children[0])
    while low < high:
        states[low:high, :-1] = states[parents[low - 1 : high - 1], 1:]
        states[low:high, -1] = rows[low:high]
        low, high = high, high + int(children[low:high].sum())
    names = _name(states)
    names.sort()
    piece = max(1, _PIECE // width.n)
    for start in range(0, count, piece):
        some = states[start : start + piece].astype(np.int64)
        which, after = np.nonzero(width.direct(some, 0))
        following = np.column_stack([some[which, 1:], after])
        if (~following.any(axis=1) & some[which].any(axis=1)).any():
            yield "a ship ends in one of the states"
        wanted = _name(following.astype(np.uint16))
        places = np.minimum(np.searchsorted(names, wanted), count - 1)
        missing = np.flatnonzero(names[places] != wanted)
        for begin in range(0, len(missing), piece):
            part = missing[begin : begin + piece]
            alive = part[~width.refuted(some, which[part], after[part])]
            if len(alive):
                yield f"{len(alive)} states are left out without a reason"
                return


def _name(states: npt.NDArray[np.uint16]) -> npt.NDArray[np.bytes_]:
    """Return a text of bytes for each state, so that states can be sorted and found."""
    return states.astype(">u2", order="C").view(f"S{2 * states.shape[1]}").ravel()


class _Width:
    """The rule on the rows of a problem."""

    def __init__(self, problem: Problem) -> None:
        motion, rule = problem.motion, Rule(problem.rule)
        named = problem.known or problem.links or problem.exempt or problem.include_last
        filled = any(isinstance(each, NotEmpty) for each in problem.constraints)
        plain = problem.boundary == "dead" and len(problem.boxes) == 1 and rule.states == 2
        mirrored, glides = problem.symmetry in _MIRRORS, problem.symmetry in _GLIDES
        turned = rule.table.reshape([2] * 9).transpose(2, 1, 0, 5, 4, 3, 8, 7, 6).ravel()
        fits = (
            np.array_equal(turned, rule.table) if mirrored or glides else problem.symmetry == "C1"
        )
        straight = motion is not None and (motion.dx, motion.transform) == (0, "identity")
        self.p, self.k = (motion.period, -motion.dy) if motion else (1, 1)
        if glides:  # after half of the motion, the ship is its own mirror image
            self.p, self.k = self.p // 2, self.k // 2
        slow = 0 < self.k < self.p and gcd(self.k, self.p) == 1
        if not (plain and fits and filled and straight and slow) or named:
            raise UsageError("a set of states says nothing of such a problem")
        gutter = any(isinstance(each, Gutter) for each in problem.constraints)
        width = (problem.width + (not gutter)) // 2 if mirrored else problem.width
        if width > _WIDEST:
            raise UsageError(f"rows of {width} free cells are too wide to check")
        self.n, self.words = 1 << width, max(1, (1 << width) // 64)
        turn = (1 if self.p % 2 else 2) if glides else 0
        self.steps = tabulate(rule.table, problem.width, width if mirrored else 0, gutter, turn)
        self.images = np.zeros((self.n * self.n, self.words), np.uint64)  # all G(a, b, …)
        small = self.n * self.n if self.words == 1 else 0
        self.follow = np.zeros((small, self.n), np.uint64)  # all G(u, z, …) with G(a, u, z) = v
        for pair, results in enumerate(flat := self.steps.reshape(-1, self.n)):
            reached = np.unique(results[results >= 0])
            bits = np.uint64(1) << (reached % 64).astype(np.uint64)
            np.bitwise_or.at(self.images[pair], reached // 64, bits)
        for pair, results in enumerate(flat[:small]):
            z = np.flatnonzero(results >= 0)
            images = self.images[pair % self.n * self.n + z, 0]
            np.bitwise_or.at(self.follow[pair], results[z], images)

    def before(self, a: Rows, b: Rows, c: Rows) -> Flags:
        """Return, for each triple, which rows x have G(a, b, x) = c."""
        return np.equal(self.steps[a, b], c[:, None])

    def direct(self, r: Rows, j: int) -> Flags:
        """Return which rows m+j the rows before m allow, if j < p-k."""
        return self.before(r[:, j], r[:, self.p + j], r[:, self.p + self.k + j])

    def reach(self, a: Rows, rows: Flags) -> Flags:
        """Return all G(a, y, z), for y in a set of rows and any z."""
        found = np.zeros((len(a), self.words), np.uint64)
        for y in range(self.n):
            found |= np.where(rows[:, y, None], self.images[a * self.n + y], np.uint64(0))
        return self.open(found)

    def pack(self, rows: Flags) -> Sets:
        """Return arrays of yes and no as sets."""
        padded = np.pad(rows, ((0, 0), (0, 64 * self.words - self.n)))
        return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)

    def open(self, sets: Sets) -> Flags:
        """Return sets as arrays of yes and no."""
        places = np.arange(self.n)
        bits = sets[:, places // 64] >> (places % 64).astype(np.uint64)
        return (bits & np.uint64(1)).astype(bool)

    def refuted(self, states: Rows, which: Rows, d: Rows) -> Flags:
        """Return which rows d, each after one of the states, have no future.

        With m the number of the row d, a ship has rows x = r[m+p-k], y = r[m+k] and z = r[m+p] with
        G(r[m-p-k], r[m-k], x) = d, G(r[m-p], d, z) = y and z = G(r[m-k], x, …).  Row y and the rows
        k, 2k and 3k before x are given by :meth:`direct`, and r[n+k] = G(r[n-p], r[n], …).
        """
        p, k, n = self.p, self.k, self.n
        used, which = np.unique(which, return_inverse=True)
        r = states[used]
        ys = np.ones((len(r), n), bool)
        if 2 * k < p:
            ys = self.direct(r, k)
            if 3 * k < p:
                later = self.pack(self.direct(r, 2 * k))
                for y in range(n):
                    ys[:, y] &= (self.images[r[:, p + k] * n + y] & later).any(axis=1)
        earlier = [j for j in (p - 4 * k, p - 3 * k, p - 2 * k) if j >= 0]
        chain, last = np.ones((len(r), n), bool), np.zeros((len(r), n), bool)
        for j in earlier:
            last = self.direct(r, j) & chain
            chain = self.reach(r[:, p + j], last)
        xs = self.before(r[which, p - k], r[which, 2 * p - k], d) & chain[which]
        results = self.steps[r[which, p], d]
        zs = (results >= 0) & np.take_along_axis(ys[which], np.maximum(results, 0), axis=1)
        alive = np.zeros(len(d), bool)
        open_ = xs.any(axis=1) & zs.any(axis=1)
        for x in np.flatnonzero(xs[open_].any(axis=0)):
            these = np.flatnonzero(xs[:, x] & open_ & ~alive)
            here = r[which[these]]
            results = self.steps[here[:, 2 * p - k], x]
            good = (results >= 0) & np.take_along_axis(zs[these], np.maximum(results, 0), axis=1)
            if earlier and len(self.follow):  # the row below x, and the one k later
                under = np.zeros((len(these), 1), np.uint64)
                for v in range(n):
                    reached = self.follow[here[:, 2 * p - 2 * k] * n + v, x]
                    had = last[which[these], v, None]
                    under |= np.where(had, reached[:, None], np.uint64(0))
                good &= self.open(under)
            alive[these] |= good.any(axis=1)
        return ~alive
