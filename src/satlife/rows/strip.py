"""Oscillators of any length, row by row: ships that go nowhere.

With k = 0 the quotient (:mod:`satlife.rows.quotient`) is space itself: k and p have the common
divisor p, so row y of generation t is lane t of row y, and a row has all p phases of a row of
cells.  The rule says, for every row y and every phase t, where phase p is the first again,

    b[t+1] = G(a[t], b[t], c[t]),   with a, b and c for the rows y-1, y and y+1.

So a state is two rows, a and b.  Each phase of the next row c follows from a and b alone, by a
table.  A row below c exists if and only if c[t+1] = G(b[t], c[t], d) has some d for each t: a
condition on two successive phases of c.  So the rows that lead on are the ways around a circle of p
phases, and are listed phase by phase.

An oscillator is a path from the empty state back to it, with a cell that has the whole period (or
rows that have it together).  A state notes what the rows that led to it have of that, so a still
life above does not count, and one that never ends is a circle of states and no such path.

*Images.*  A pattern that begins some phases later is the same oscillator, and so is its mirror
image if the rule has that symmetry.  Of all images of a state, one is kept: the least.

*Halves.*  If the rule does not distinguish up from down, an oscillator read upwards is another path
from the empty state.  So the state (a, b) ends the upper half of an oscillator if (b, a) has been
reached, too, and it is enough to search half as many rows.

Levels are searched one after the other, so the first oscillator has the least height.  If a level
is empty, all states have been reached, and there is none.

With a glide, a row has half of the phases; the others are their mirror images.

>>> life = bytes(
...     (n & 16 and (n & ~16).bit_count() == 2) or (n & ~16).bit_count() == 3 for n in range(512)
... )
>>> strip = Strip(Quotient(width=3, period=1, step=0, lanes=2, table=life))
>>> blinker = next(rows for rows in strip.work() if rows)
>>> [cells.tolist() for cells in strip.quotient.unfold(blinker)[1]]
[[[0, 0, 0], [1, 1, 1], [0, 0, 0]], [[0, 1, 0], [0, 1, 0], [0, 1, 0]]]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.errors import InternalError, UsageError
from satlife.rows.quotient import Quotient, list_greatest_parts

WIDEST: Final = 8
"""Cells of a phase of a row at most: there are tables for three of them."""
MOST_CELLS: Final = 30
"""Cells of all phases of a row at most: a state, and what it notes, is a number of 64 bits."""
_PIECE: Final = 1 << 14
"""States that are followed together."""
_MOST: Final = 1 << 18
"""Rows that are listed together, unless one state has more."""
_SORTING: Final = 50
"""Bytes that sorting takes for each state."""
_MIRROR: Final = [0, 4, 2, 6, 1, 5, 3, 7]
"""Three cells, read from the other end."""

Keys = npt.NDArray[np.uint64]
"""States as numbers: two rows, and above them what is noted."""
Phases = npt.NDArray[np.uint16]
"""The phases of some rows: a line for each row."""
Numbers = npt.NDArray[np.int64]


class Strip:
    """The search of a width."""

    def __init__(self, quotient: Quotient, *, one_cell: bool = False) -> None:
        """``one_cell`` asks for a cell with the whole period, not only for a pattern."""
        if quotient.step or quotient.width > WIDEST or quotient.bits > MOST_CELLS:
            raise UsageError(f"oscillators are not searched by rows of {quotient.bits} cells")
        self.quotient, self._one_cell = quotient, one_cell
        self._table = _Table(quotient)
        self._size = np.uint64(2 * quotient.bits)
        rule = np.frombuffer(quotient.table, np.uint8).reshape(8, 8, 8)
        self._is_even = np.array_equal(rule, rule.transpose(2, 1, 0))
        """Whether the rule does not distinguish up from down."""
        self._has_mirror = (
            quotient.fold == "none"
            and not quotient.glide
            and np.array_equal(rule, rule[np.ix_(_MIRROR, _MIRROR, _MIRROR)])
        )
        w, period = quotient.width, quotient.generations
        self._mirrored = np.array(
            [int(f"{row:0{w}b}"[::-1], 2) for row in range(1 << w)], np.uint16
        )
        self._parts = list_greatest_parts(period)
        self._all_noted = np.uint64(
            1 if one_cell or quotient.any_period else (1 << max(1, len(self._parts))) - 1
        )
        self.levels: list[tuple[Keys, npt.NDArray[np.uint32]]] = []
        """The states of each level, and the places of those before them in the level before."""
        self._reached: list[Keys] = []
        """All states, in a few sorted arrays."""
        self._waiting = 0

    @property
    def count(self) -> int:
        """The number of states so far."""
        return sum(len(keys) for keys, _ in self.levels)

    @property
    def memory(self) -> int:
        """Bytes of the tables and the states, and of what sorting the next level takes."""
        sizes = [self._table.starts.nbytes, self._table.lists.nbytes]
        sizes += [keys.nbytes for keys in self._reached]
        sizes += [keys.nbytes + before.nbytes for keys, before in self.levels]
        return sum(sizes) + _SORTING * self._waiting

    def work(self) -> Iterator[tuple[int, ...]]:
        """Search piece by piece; after each, yield the rows of an oscillator, or none."""
        self._reached = [np.zeros(1, np.uint64)]
        self.levels = [(self._reached[0], np.zeros(1, np.uint32))]
        while len(level := self.levels[-1][0]):
            self._waiting = 0
            found, before = [], []
            for first in range(0, len(level), _PIECE):
                for keys, places in self._follow(level[first : first + _PIECE]):
                    found.append(keys)
                    before.append((places + first).astype(np.uint32))
                    self._waiting += len(keys)
                    yield ()
            keys, places = np.unique(np.concatenate(found), return_index=True)
            is_new = ~self._has(keys)
            self.levels.append((keys[is_new], np.concatenate(before)[places[is_new]]))
            rows = self._find()  # with halves of different length
            self._enter(keys[is_new])
            yield rows or self._find()

    def _enter(self, keys: Keys) -> None:
        """Note states as reached; each array is at least twice as long as the next."""
        self._reached.append(keys)
        while len(self._reached) > 1 and len(self._reached[-2]) < 2 * len(self._reached[-1]):
            self._reached[-2:] = [np.sort(np.concatenate(self._reached[-2:]), kind="stable")]

    def _has(self, keys: Keys) -> npt.NDArray[np.bool_]:
        """Return which states have been reached."""
        has = np.zeros(len(keys), bool)
        for some in self._reached:
            has |= some[np.minimum(np.searchsorted(some, keys), len(some) - 1)] == keys
        return has

    # States as numbers.

    def _pack(self, *rows: Phases) -> Keys:
        """Return the least numbers of all images of states."""
        least = np.full(len(rows[0]), ~np.uint64(0))
        for image in self._list_images(*rows):
            key = np.zeros(len(least), np.uint64)
            for phase in np.concatenate(image, axis=1).T:
                key = key << np.uint64(self.quotient.width) | phase
            least = np.minimum(least, key)
        return least

    def _unpack(self, keys: Keys) -> tuple[Phases, Phases]:
        w, g = self.quotient.width, self.quotient.lanes
        shifts = np.arange(2 * g - 1, -1, -1, dtype=np.uint64) * np.uint64(w)
        phases = (keys[:, None] >> shifts & np.uint64((1 << w) - 1)).astype(np.uint16)
        return phases[:, :g], phases[:, g:]

    def _list_images(self, *rows: Phases) -> Iterator[list[Phases]]:
        """Yield the images of some rows: each phase may be the first, and they may be mirrored."""
        period, lanes = self.quotient.generations, np.arange(self.quotient.lanes)
        for is_mirrored in range(1 + self._has_mirror):
            whole = [self._complete(self._mirrored[row] if is_mirrored else row) for row in rows]
            for first in range(period):
                yield [row[:, (first + lanes) % period] for row in whole]

    def _complete(self, row: Phases) -> Phases:
        """Return all phases of the period."""
        return np.concatenate([row, self._mirrored[row]], axis=1) if self.quotient.glide else row

    def _advance(self, row: Phases) -> Phases:
        """Return what each phase becomes."""
        later = np.arange(1, self.quotient.lanes + 1) % self.quotient.generations
        return self._complete(row)[:, later]

    def _note(self, row: Phases) -> Keys:
        """Return what rows have of the period: a bit for each of its parts that they do not have.

        With ``one_cell`` one bit: whether a cell has no part of the period.
        """
        whole = self._complete(row)
        if self.quotient.any_period or not self._parts:
            return np.asarray(whole.any(axis=1), np.uint64)
        changes = [whole ^ np.roll(whole, -part, axis=1) for part in self._parts]
        changing = [np.bitwise_or.reduce(each, axis=1) for each in changes]
        if self._one_cell:
            changing = [np.bitwise_and.reduce(changing)]
        noted: Keys = np.zeros(len(row), np.uint64)
        for i, each in enumerate(changing):
            noted |= (each != 0).astype(np.uint64) << np.uint64(i)
        return noted

    # What may follow states.

    def _follow(self, keys: Keys) -> Iterator[tuple[Keys, Numbers]]:
        """Yield the states that follow some others, and the numbers of those."""
        a, b = self._unpack(keys)
        noted, everything = keys >> self._size, np.arange(len(keys))
        for which, c in self._extend(a, b, everything, np.zeros((len(keys), 0), np.uint16)):
            after = self._pack(b[which], c) | (noted[which] | self._note(c)) << self._size
            after, places = np.unique(after, return_index=True)
            yield after, which[places]

    def _extend(
        self, a: Phases, b: Phases, which: Numbers, c: Phases
    ) -> Iterator[tuple[Numbers, Phases]]:
        """Yield rows that lead on, some of whose phases are chosen, and the numbers of states."""
        t = c.shape[1]
        if t == self.quotient.lanes:
            last = b[which, -1], c[:, -1], self._advance(c)[:, -1]
            closes = self._table.count(*last) > 0
            yield which[closes], c[closes]
            return
        after = self._advance(b)[:, t]
        for some in _divide(self._table.count(a[which, t], b[which, t], after[which])):
            states = which[some]
            numbers, rows = self._table.list(a[states, t], b[states, t], after[states])
            longer, states = np.column_stack([c[some[numbers]], rows]), states[numbers]
            if t:
                fits = self._table.count(b[states, t - 1], longer[:, t - 1], rows) > 0
                longer, states = longer[fits], states[fits]
            yield from self._extend(a, b, states, longer)

    # Oscillators.

    def _find(self) -> tuple[int, ...]:
        """Return the rows of an oscillator that ends, or has its middle, on the last level."""
        keys = self.levels[-1][0]
        noted, last = keys >> self._size, len(self.levels) - 1
        if not self._is_even:
            ends = np.flatnonzero(keys == self._all_noted << self._size)
            return _number(self.quotient, self._trace(last, int(ends[0]))) if len(ends) else ()
        a, b = self._unpack(keys)
        upwards = self._pack(b, a)
        for other in range(int(self._all_noted) + 1):
            lower = upwards | np.uint64(other) << self._size
            whole = (noted | np.uint64(other)) == self._all_noted
            for place in np.flatnonzero(whole & self._has(lower))[:1]:
                return _number(self.quotient, self._join(int(place), lower[place]))
        return ()

    def _join(self, place: int, lower: np.uint64) -> list[Phases]:
        """Return the rows of an upper half and of a lower one, which is read upwards."""
        rows = self._trace(len(self.levels) - 1, place)
        for level, (keys, _) in enumerate(self.levels):
            for there in np.flatnonzero(keys == lower)[:1]:
                for image in self._list_images(*self._trace(level, int(there))):
                    if np.array_equal(image[-2:], rows[:-3:-1]):
                        return rows + image[-3::-1]
        raise InternalError("two halves of an oscillator do not fit each other")

    def _trace(self, level: int, place: int) -> list[Phases]:
        """Return rows that lead to an image of a state."""
        states: list[Keys] = []
        for keys, before in self.levels[level:0:-1]:
            states.append(keys[[place]])
            place = int(before[place])
        rows = [np.zeros((1, self.quotient.lanes), np.uint16)] * 2
        for key in reversed(states):
            rows.append(
                next(
                    c
                    for b, c in self._list_images(*self._unpack(key))
                    if np.array_equal(b, rows[-1]) and self._may_follow(rows[-2], b, c)
                )
            )
        return rows

    def _may_follow(self, a: Phases, b: Phases, c: Phases) -> bool:
        numbers, rows = self._table.list(a[0], b[0], self._advance(b)[0])
        return all(c[0, t] in rows[numbers == t] for t in range(self.quotient.lanes))


class _Table:
    """Which rows c have G(a, b, c) = x, for single phases of rows."""

    def __init__(self, quotient: Quotient) -> None:
        w, full = quotient.width, quotient.full_width
        self.n = n = 1 << w
        self.starts = np.zeros((n * n, n + 1), np.uint16)
        """For a pair of rows a and b, where the rows c with each x begin."""
        self.lists = np.zeros((n * n, n), np.uint8)
        """For a pair of rows a and b, the rows c in the order of x; births beside come last."""
        cells = np.pad([quotient.draw_row(row) for row in range(n)], ((0, 0), (2, 2))).astype(int)
        threes = 4 * cells[:, :-2] + 2 * cells[:, 1:-1] + cells[:, 2:]  # about columns -1 to full
        rule = np.frombuffer(quotient.table, np.uint8).reshape(8, 8, 8)
        outside = [0, full + 1] + [full // 2 + 1] * (quotient.fold == "gutter")
        for a in range(n):
            becomes = rule[threes[a], threes[:, None], threes]  # of b, c and a column
            x = becomes[..., full + 1 - w : full + 1] @ (1 << np.arange(w))
            x[becomes[..., outside].any(axis=-1)] = n
            pairs = slice(a * n, (a + 1) * n)
            self.lists[pairs] = np.argsort(x, axis=1, kind="stable")
            numbers = np.bincount(
                (x + (n + 1) * np.arange(n)[:, None]).ravel(), minlength=n * n + n
            )
            self.starts[pairs, 1:] = numbers.reshape(n, n + 1)[:, :-1].cumsum(axis=1)

    def count(self, a: Phases, b: Phases, x: Phases) -> Numbers:
        """Return how many rows c there are."""
        first = (a.astype(np.int64) * self.n + b) * (self.n + 1) + x
        starts = self.starts.reshape(-1)
        counts: Numbers = starts[first + 1].astype(np.int64) - starts[first]
        return counts

    def list(self, a: Phases, b: Phases, x: Phases) -> tuple[Numbers, Phases]:
        """Return all rows c, and for each the number of its a, b and x."""
        pairs, counts = a.astype(np.int64) * self.n + b, self.count(a, b, x)
        numbers = np.repeat(np.arange(len(pairs)), counts)
        first = pairs * self.n + self.starts[pairs, x] - (np.cumsum(counts) - counts)
        places = first[numbers] + np.arange(len(numbers))
        return numbers, self.lists.reshape(-1)[places].astype(np.uint16)


def _divide(counts: Numbers) -> Iterator[Numbers]:
    """Yield successive places, so that their counts together are few."""
    ends = np.cumsum(counts) // _MOST
    edges = [0, *(np.flatnonzero(np.diff(ends)) + 1).tolist(), len(counts)]
    for first, last in pairwise(edges):
        yield np.arange(first, last)


def _number(quotient: Quotient, rows: list[Phases]) -> tuple[int, ...]:
    """Return the numbers of rows from the first to the last that is not empty."""
    shifts = quotient.width * np.arange(quotient.lanes)
    numbers = [int((row[0].astype(np.int64) << shifts).sum()) for row in rows]
    filled = np.flatnonzero(numbers)
    return tuple(numbers[filled[0] : filled[-1] + 1])
