"""Checking that a width has no ship: a closed set of states, and a refutation of all other rows.

**Theorem.**  Let a problem meet the hypotheses below, and let S be a set of states, each 2p rows of
the width.  Suppose that S has the empty state, and that for each state s of S and each row d that G
allows after it, either S has the state after s and d, which is not empty unless s is, or d is
:meth:`RowRule.refuted`.  Then the problem has no solution, whatever the height of its box.

*Proof.*  A solution moves up k cells in p generations, so with r[p·y + k·t] for row y of generation
t, its rows are one sequence: each number is p·y + k·t for some y and t, as k and p are coprime, and
all such y and t have the same row.  The rule gives r[m-p+k] = G(r[m-2p], r[m-p], r[m]), where G is
the rule on three rows; G is undefined where it would give birth beside the width.  The pattern is
finite and not empty, so the sequence begins and ends with dead rows, and some are alive.  Hence its
states (2p successive rows) lead from the empty state through others back to it.  The first is in S,
and each further one, because none of its rows is refuted: `refuted` asks only for what G demands of
rows that follow.  But the last step goes from a state that is not empty to the empty one.

*Diagonal ships.*  The width W is the number of diagonals x - y that a solution meets.  The cell
(x, y) is in column x - y of row y' = (x + y) / 2, rounded down; its upper cells are those with an
even x - y.  A motion by (-k, -k) keeps columns and moves k rows up, so rows are one sequence as
before, with y' for y.  A neighbour differs by at most 2 in x + y, so its row by at most 1, and by
at most 2 in x - y: G is again the rule on three rows, and nothing is born further than two columns
beside the width.  A shift by (1, 0) shifts columns by one: let column 0, or the axis of a mirror,
be even.  Transposing keeps x + y, so it mirrors each row.

*Oblique ships.*  They move s > 1 cells up for each one to the left, and W is the number of lines
y - s·x that a solution meets.  The cell (x, y) is in column y - s·x of row x.  A motion by
(-k, -s·k) keeps columns and moves k rows up, so rows are one sequence again.  A neighbour differs
by at most 1 in x, its row, and by at most s + 1 in y - s·x: G is the rule on three rows, and
nothing is born further than s + 1 columns beside the width.  A shift by (0, 1) shifts columns by
one, so it does not matter which line is column 0.

Hypotheses, each checked by :func:`hypotheses` alone:

- *rule*: one rule of two states on the 3x3 neighbourhood (of any family), without a birth from
  nothing: a cell two columns beside the width has dead neighbours only, and must stay dead.
- *boundary*: all outside is dead in every generation; one box for all generations.
- *motion*: by k rows up in p generations and nothing else, 0 < k < p, k and p coprime; or by k
  columns to the left and k, or a multiple of k, rows up, if the height is open.
- *symmetry*: none; a left-right mirror, whose right half determines a row; or a glide: half of the
  motion mirrors the pattern, and takes the place of the whole, so that k and p are the halves and
  every second generation or row is read from right to left.  For both, the rule has the mirror.
  A diagonal ship has none, or is its own transpose, and its width is odd; an oblique one has none.
- *gutter*: a dead middle column, so an odd width, and a mirror.
- *constraints*: one that an empty pattern fails; others only make solutions fewer, but each must be
  known here.  No cell is exempt from the rule; none is given or linked.

*A set of any size.*  What follows a state begins with its last 2p - 1 rows.  So the set is read
twice, side by side: in the order of its states, as those that are entered; and in the order of
their last 2p - 1 rows, as those that are left, of which the states with the same first row are a
run each that is sorted already.  Only what is between two names is in memory.

This module is the whole check, by NumPy; it shares nothing with the search.  The compiled twin,
:mod:`satlife.audit.fast_widths`, says the same of each part of a set, faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from math import gcd
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from satlife.errors import FormatError, UsageError
from satlife.problem import Problem
from satlife.problem.constraints import FullPeriod, NotEmpty, PatternPeriod
from satlife.quantities import write_count

_T = TypeVar("_T", bound=np.generic)
Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
"""Sets of rows: column x says whether row x is in the set."""
States = npt.NDArray[np.uint16]
"""A line for each state: its 2p rows."""
Runs = Callable[[int], Iterator[States]]
"""The states that begin with a row, sorted, some at a time."""
Judge = Callable[[States, States], tuple[int, int]]
"""See :meth:`RowRule.judge`."""

WIDEST, _PIECE = 9, 1 << 22
"""Maximum free cells of a row, for a table of G has 8 to this power entries, and 16 bits for each;
numbers held in memory at once."""
_NEAR = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
"""The neighbours of a cell, in the order of a rule's entries."""
_TRANSPOSED = ("D2\\", "D2_x")
_MIRRORS, _GLIDES = ("D2|", "D2_+1", "D2_+2"), ("C1:D2|", "C1:D2_+1", "C1:D2_+2")
_KNOWN = (NotEmpty, FullPeriod, PatternPeriod)
"""Constraints that, like a gutter, only exclude patterns; any other needs an argument first."""


def width_complaints(
    rule: RowRule,
    runs: Runs,
    judge: Judge | None = None,
    begin: bytes = b"",
    reached: Callable[[bytes], None] = lambda name: None,
) -> Iterator[str]:
    """Yield the first error in a set of states, given as its runs.

    A check that has reached a name begins there when it is done again.
    """
    first = next(runs(0), None)
    if first is None or first[0].any():
        yield "the empty state is missing"
        return
    for left, entered, name in _join(rule, runs, begin):
        ends, missing = (judge or rule.judge)(left, entered)
        if ends:
            yield "a ship ends in one of the states"
        if missing:
            yield f"{write_count(missing, 'state')} left out without a reason"
        if ends or missing:
            return
        if name:
            reached(name)


def _join(rule: RowRule, runs: Runs, begin: bytes) -> Iterator[tuple[States, States, bytes]]:
    """Yield states that are left, with all states that begin with their last rows, and a name.

    All that is left before this name has been yielded.
    """
    rows = range(rule.n)
    entered = _Side(rule, chain.from_iterable(map(runs, rows)), slice(None, -1), begin)
    left = [_Side(rule, runs(row), slice(1, None), begin) for row in rows]
    is_over = False
    while not is_over:
        for each in (*left, entered):
            each.fill()
        names = [each.names[-1] for each in (*left, entered) if not each.is_over]
        name, is_over = min(names, default=b""), not names
        parts = [each.take(name, everything=is_over) for each in left]
        yield np.concatenate(parts), entered.take(name, everything=is_over), name


class _Side:
    """States in the order of their names, which are their first or their last rows."""

    def __init__(self, rule: RowRule, blocks: Iterator[States], part: slice, begin: bytes) -> None:
        self.rule, self.blocks, self.part, self.begin = rule, blocks, part, begin
        self.states = np.zeros((0, 2 * rule.p), np.uint16)
        self.names, self.ahead = _name(self.states[:, part]), next(blocks, None)

    @property
    def is_over(self) -> bool:
        """Whether all is read."""
        return self.ahead is None

    def fill(self) -> None:
        """Read on until there are states with two names, or the end."""
        while self.ahead is not None and (not len(self.names) or self.names[0] == self.names[-1]):
            if not self.ahead.size or int(self.ahead.max()) >= self.rule.n:
                raise FormatError("the states are not rows of this width")
            states = np.concatenate([self.states, self.ahead])
            names, whole = _name(states[:, self.part]), _name(states)
            if (whole[1:] <= whole[:-1]).any():
                raise FormatError("the states are not sorted")
            start = np.searchsorted(names, self.begin) if self.begin else 0
            self.states, self.names = states[start:], names[start:]
            self.ahead = next(self.blocks, None)

    def take(self, name: bytes, *, everything: bool) -> States:
        """Return the states before a name, or all; they are not kept."""
        place = len(self.names) if everything else int(np.searchsorted(self.names, name))
        taken, self.states = self.states[:place], self.states[place:]
        self.names = self.names[place:]
        return taken


def _name(states: States) -> npt.NDArray[np.bytes_]:
    """Return a byte string for each state, so that states can be sorted and looked up."""
    return states.astype(">u2", order="C").view(f"S{2 * states.shape[1]}").ravel()


def _cut(items: npt.NDArray[_T], size: int) -> Iterator[npt.NDArray[_T]]:
    """Yield the items in parts of a size."""
    return (items[start : start + size] for start in range(0, len(items), size))


def _tabulate(
    table: npt.NDArray[np.uint8], width: int, half: int, gutter: bool, turn: int, shear: int
) -> npt.NDArray[np.int16]:
    """Return G(a, b, x) for all rows, -1 where a cell beside the width or in the gutter is born.

    Of a glide, every second generation (``turn`` 1) or row of space (2) is mirrored, so that rows
    of equal numbers are equal: then the result of G is mirrored, or the first and the last row are.
    """
    free, beside = half or width, [-(1 << WIDEST)] * (shear + 1)
    n = 1 << free
    cells = (np.arange(n)[:, None] >> np.arange(free)) & 1
    gap = beside[:1] if half and gutter else []
    if half:  # the free cells are the right half, the middle column among them unless it is dead
        dead = np.zeros((n, len(gap)), int)
        cells = np.column_stack([cells[:, ::-1][:, : width // 2], dead, cells])
    left = [0] * (width - free - len(gap))
    worth = np.array([*beside, *left, *gap, *(1 << np.arange(free)), *beside])
    worth = worth[::-1] if turn == 1 else worth
    if shear > 1:
        above, own, below = _see_sheared(cells, shear)
    elif shear:
        above, own, below = _see_slanted(cells, width // 2 if half else 0)
    else:
        own, outer = _see(cells), _see(cells[:, ::-1] if turn == 2 else cells)
        above, own, below = 64 * outer, 8 * own, outer
    steps, entries = np.empty((n, n, n), np.int16), np.arange(512)[:, None]
    fates = [  # of a column, for what is above and in its own row, and every row below
        (column, (worth[column] * table[entries | below[:, column]]).astype(np.int16))
        for column in np.flatnonzero(worth)
    ]
    for a in range(n):
        found = sum(fate[above[a, column] + own[:, column]] for column, fate in fates)
        steps[a] = np.where(found < 0, -1, found)
    return steps


def _see(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the three cells around each column of rows, and around one column beside them."""
    wide = np.pad(cells, ((0, 0), (2, 2)))
    return wide[:, :-2] * 4 + wide[:, 1:-1] * 2 + wide[:, 2:]


def _see_slanted(cells: npt.NDArray[np.int64], even: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield what rows add to the entry of each column in a rule, above it, as its own and below.

    Two columns beside the rows are included.  The rows are those of a diagonal ship; ``even`` is a
    column of upper cells.
    """
    wide = np.pad(cells, ((0, 0), (4, 4)))
    for row in (-1, 0, 1):
        share = np.zeros((len(cells), cells.shape[1] + 4), int)
        for column in range(share.shape[1]):
            odd = (column - 2 - even) % 2  # x + y is twice the row, and this
            for place, (dx, dy) in enumerate(_NEAR):
                if (odd + dx + dy) // 2 == row:
                    share[:, column] += wide[:, column + 2 + dx - dy] << 8 - place
        yield share


def _see_sheared(cells: npt.NDArray[np.int64], shear: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the same for the rows of an oblique ship, with more columns beside them."""
    beside = shear + 1
    wide = np.pad(cells, ((0, 0), (2 * beside, 2 * beside)))
    for row in (-1, 0, 1):
        share = np.zeros((len(cells), cells.shape[1] + 2 * beside), int)
        for column in range(share.shape[1]):
            for place, (dx, dy) in enumerate(_NEAR):
                if dx == row:
                    share[:, column] += wide[:, column + beside + dy - shear * dx] << 8 - place
        yield share


def _unite(table: Flags, keys: Rows, rows: Flags) -> Flags:
    """Return, for each set of rows y, the union of the sets ``table[key, y]``."""
    found = np.zeros((len(keys), table.shape[2]), bool)
    for key in np.unique(keys):
        these = np.flatnonzero(keys == key)  # a product counts, and a count is exact
        found[these] = rows[these].astype(np.float32) @ table[key].astype(np.float32) > 0
    return found


def hypotheses(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield each hypothesis of the theorem and whether it holds; stop at the first that fails.

    Nothing here relies on the checks of the search, nor on those of a problem's constructor.
    """
    motion, symmetry = problem.motion, problem.symmetry
    named = problem.known or problem.links or problem.exempt or problem.include_last
    p, k = _speed(problem)
    yield not problem.has_open_rule, f"{problem.rule} is a set of rules"
    rule = problem.parsed.rule
    yield rule.states == 2, f"{rule} has more than two states"
    yield not rule.table[0], f"by {rule}, cells are born from nothing"
    yield problem.boundary == "dead", "not all outside is dead"
    yield len(problem.boxes) == 1, "generations have boxes of their own"
    straight = motion is not None and (motion.dx, motion.transform) == (0, "identity")
    shear = _count_shear(problem)
    slanted = shear == 1
    yield straight or shear > 0, "it does not move straight up, or along the lines of a width"
    mirrored = symmetry in (_TRANSPOSED if slanted else _MIRRORS) and shear < 2
    glides = symmetry in _GLIDES and not shear
    yield mirrored or glides or symmetry == "C1", f"rows do not have the symmetry {symmetry}"
    yield not (slanted and mirrored) or problem.width % 2 == 1, "its width is even"
    order = (0, 3, 6, 1, 4, 7, 2, 5, 8) if slanted else (2, 1, 0, 5, 4, 3, 8, 7, 6)
    turned = rule.table.reshape([2] * 9).transpose(order).ravel()
    same = np.array_equal(turned, rule.table)
    yield (
        same or symmetry == "C1",
        f"{rule} has no {'diagonal' if slanted else 'left-right'} mirror",
    )
    halved = motion is not None and (motion.period, -motion.dy) == (2 * p, 2 * k)
    yield halved or not glides, "a glide needs an even period and an even displacement"
    yield 0 < k < p and gcd(k, p) == 1, f"{k} rows in {p} generations are not one sequence of rows"
    odd = mirrored and problem.width % 2 == 1
    yield odd or not problem.has_gutter, "a gutter is the middle of an odd mirrored width"
    filled = any(isinstance(each, NotEmpty) for each in problem.constraints)
    yield filled, "it may be empty"
    asked = (each for each in problem.constraints if not each.clears_axes)
    others = [each for each in asked if not isinstance(each, _KNOWN)]
    yield not others, f"it has other constraints ({', '.join(map(str, others))})"
    yield not named, "cells are given, linked or exempt, or the last generation is in the box"


def _count_shear(problem: Problem) -> int:
    """Return by how many rows a ship in a width goes up for each column to the left; 0 if by none.

    The width counts diagonals then, if it is one, or else the lines of an oblique motion.
    """
    motion, is_open = problem.motion, problem.boxes[0].endswith("x*")
    if not is_open or motion is None or motion.transform != "identity":
        return 0
    return motion.dy // motion.dx if motion.dx < 0 > motion.dy and motion.dy % motion.dx == 0 else 0


def _speed(problem: Problem) -> tuple[int, int]:
    """Return the generations and rows after which the pattern, or its mirror image, recurs."""
    p, k = (problem.motion.period, -problem.motion.dy) if problem.motion else (1, 0)
    k = -problem.motion.dx if problem.motion and _count_shear(problem) else k
    return (p // 2, k // 2) if problem.symmetry in _GLIDES else (p, k)


class RowRule:
    """The rule on the rows of a problem."""

    def __init__(self, problem: Problem) -> None:
        for holds, words in hypotheses(problem):
            if not holds:
                raise UsageError(f"a set of states says nothing of such a problem: {words}")
        glides = problem.symmetry in _GLIDES
        mirrored = problem.symmetry != "C1" and not glides
        self.p, self.k = _speed(problem)
        table = problem.parsed.rule.table
        gutter = problem.has_gutter
        width = (problem.width + (not gutter)) // 2 if mirrored else problem.width
        if not 1 <= width <= WIDEST:
            raise UsageError(f"rows have 1 to {WIDEST} free cells to be checked, got {width}")
        self.n = n = 1 << width
        turn = (1 if self.p % 2 else 2) if glides else 0
        half = width if mirrored else 0
        shear = _count_shear(problem)
        self.steps = _tabulate(table, problem.width, half, gutter, turn, shear)
        images = np.zeros((n, n, n + 1), bool)  # all G(a, b, …); number -1 is the last, not a row
        for a in range(n):
            np.put_along_axis(images[a], self.steps[a].astype(int), True, axis=1)
        self.images = images[:, :, :n]
        small = n if n <= 64 else 0
        self.follow = np.zeros((small, n, n, n), bool)  # all G(u, z, …) with G(a, u, z) = v
        for a, u in np.ndindex(small, small):
            given = self.before(np.full(n, a), np.full(n, u), np.arange(n))
            self.follow[a, u] = _unite(self.images, np.full(n, u), given)

    def judge(self, left: States, entered: States) -> tuple[int, int]:
        """Return how many steps lead to the empty state, and how many of the others to no state.

        All states that begin with the last rows of a state that is left are among those entered.
        """
        known, ends, missing = _name(entered), 0, 0
        for states in _cut(left, _PIECE // self.n):
            some = states.astype(np.int64)
            which, after = np.nonzero(self.direct(some, 0))
            following = np.column_stack([some[which, 1:], after])
            ends += int((~following.any(axis=1) & some[which].any(axis=1)).sum())
            lost = np.flatnonzero(~np.isin(_name(following.astype(np.uint16)), known))
            for part in _cut(lost, _PIECE // self.n):
                missing += int((~self.refuted(some, which[part], after[part])).sum())
        return ends, missing

    def before(self, a: Rows, b: Rows, c: Rows) -> Flags:
        """Return, for each triple, which rows x have G(a, b, x) = c."""
        return np.equal(self.steps[a, b], c[:, None])

    def direct(self, r: Rows, j: int) -> Flags:
        """Return which rows m+j the rows before m allow, if j < p-k."""
        return self.before(r[:, j], r[:, self.p + j], r[:, self.p + self.k + j])

    def refuted(self, states: Rows, which: Rows, d: Rows) -> Flags:
        """Return which rows d, each after one of the states, have no future.

        With m the number of the row d, a ship has rows x = r[m+p-k], y = r[m+k] and z = r[m+p] with
        G(r[m-p-k], r[m-k], x) = d, G(r[m-p], d, z) = y and z = G(r[m-k], x, …).  Row y and the rows
        k, 2k and 3k before x are given by :meth:`direct`, and r[n+k] = G(r[n-p], r[n], …).
        """
        p, k = self.p, self.k
        used, which = np.unique(which, return_inverse=True)
        r = states[used]
        ys = self.direct(r, k) if 2 * k < p else np.ones((len(r), self.n), bool)
        if 3 * k < p:
            ys &= _unite(self.images.transpose(0, 2, 1), r[:, p + k], self.direct(r, 2 * k))
        earlier = [j for j in (p - 4 * k, p - 3 * k, p - 2 * k) if j >= 0]
        chain, last = np.ones((len(r), self.n), bool), np.zeros((len(r), self.n), bool)
        for j in earlier:
            last = self.direct(r, j) & chain
            chain = _unite(self.images, r[:, p + j], last)
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
                good &= _unite(self.follow[:, :, x], here[:, 2 * p - 2 * k], last[which[these]])
            alive[these] |= good.any(axis=1)
        return ~alive
