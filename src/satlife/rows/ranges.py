"""The search by rows for all rules of a range at once: entries of the table are 0, 1 or open.

G becomes a relation: three rows may give a fourth if no fixed entry forbids it.  So a path of
states need not be a ship of any rule, as it may use an open entry both ways.  But where no path
leads back to nothing, no rule of the range has a ship: the states are a closed set.

>>> life = np.array(
...     [(n & 16 and (n & ~16).bit_count() == 2) or (n & ~16).bit_count() == 3 for n in range(512)]
... ).astype(np.uint8)
>>> search = RangeSearch(Quotient(width=3, period=2, step=1, table=life.tobytes()))
>>> search.reach(life, life, 1000).count
3
>>> anything = np.where(np.arange(512) > 0, OPEN, 0).astype(np.uint8)
>>> search.reach(anything, life, 20_000)
(1, 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.rows.compilation import call
from satlife.rows.quotient import Quotient
from satlife.rows.tables import NARROW, build_kit
from satlife.rows.units import Ship

Fates = npt.NDArray[np.uint8]
"""What becomes of each of the 512 neighbourhoods: 0, 1 or OPEN."""
OPEN: Final = 2
_COSTS = 256
"""Queues of waiting states; those of a higher cost wait in the last."""


@dataclass(frozen=True, eq=False)
class ClosedStates:
    """A closed set of states, as a tree in breadth-first order."""

    children: npt.NDArray[np.uint8]
    """Of each node the number of children; the first node is the empty state."""
    rows: npt.NDArray[np.uint8]
    """Of each node the last row; its state is the last 2p rows that lead to it."""

    @property
    def count(self) -> int:
        """Number of states."""
        return len(self.rows)


class RangeSearch:
    """Searches for one width and one motion, each for another range of rules."""

    def __init__(self, quotient: Quotient) -> None:
        if quotient.bits > NARROW or quotient.lanes > 1 or quotient.glide or quotient.slanted:
            raise UsageError(f"ranges of rules are searched by single rows of {NARROW} cells")
        self.quotient = quotient
        self._kit = build_kit(quotient)
        self.n = n = 1 << quotient.bits
        whole = np.array([quotient.draw_row(row) for row in range(n)], np.intp)
        wide = np.pad(whole, ((0, 0), (2, 2)))
        windows = (wide[:, :-2] * 4 + wide[:, 1:-1] * 2 + wide[:, 2:]).T
        # The free cells are the last of a row; beside them are the columns in which none is born.
        first = quotient.full_width - quotient.width
        self._columns = [
            (i, windows[first + i])
            for i in range(quotient.width + 2)
            if i or quotient.fold not in ("odd", "even")
        ]
        self._wrong = np.array([n.bit_count() for n in range(4 * n)], np.uint8)
        self._guided = b"", np.zeros((0, 0, 0), np.uint16)
        self._make_room(1 << 14)

    def _make_room(self, most: int) -> None:
        size = 1 << (2 * most - 1).bit_length()
        self._parents, self._rows = np.zeros(most, np.int32), np.zeros(most, np.uint16)
        self._keys, self._later = np.zeros(most, np.uint64), np.zeros(most, np.int32)
        self._index = np.zeros(size, np.int32)

    @property
    def memory(self) -> int:
        """Bytes of the nodes."""
        return 18 * len(self._rows) + self._index.nbytes

    def reach(self, fates: Fates, guide: Fates, limit: int) -> ClosedStates | Ship | None:
        """Return a closed set of states, or a path back to nothing; None if the limit is reached.

        The guide is the table of a rule of the range, with which a path has much in common.
        """
        n, most = self.n, limit + self.n
        if len(self._rows) < most:
            self._make_room(most)
        self._index.fill(-1)
        sets, images, follow = (each.reshape(n * n, -1) for each in self._relate(fates))
        kit = self._kit._replace(sets=sets, images=images, follow=follow)
        queues, steps = np.zeros(2 * _COSTS, np.int32), self._step(guide.tobytes())
        nodes = (self._parents, self._rows, self._keys, self._later, self._index)
        sizes = (len(self._index), most, _COSTS)
        given = (*nodes, queues, steps, self._wrong, *sizes)
        count, last, is_full, _ = call("reach", kit, *given)
        if last:
            return self._path(last)
        return None if is_full else _lay_out(self._parents[:count], self._rows[:count])

    def find_uses(self, path: Ship) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return the neighbourhoods that a path uses as deaths, and those as births or survivals.

        If an entry is among both, the path is a ship by no rule.
        """
        p, k = self.quotient.period, self.quotient.step
        r = np.pad(np.array(path, np.intp), 2 * p)
        a, b, c, d = r[: -2 * p], r[p:-p], r[2 * p :], r[p + k : len(r) - p + k]
        used = np.zeros((2, 512), bool)
        for i, windows in self._columns:
            used[d << 1 >> i & 1, windows[a] << 6 | windows[b] << 3 | windows[c]] = True
        return used[0], used[1]

    def _path(self, node: int) -> Ship:
        rows = []
        while node:
            rows.append(int(self._rows[node]))
            node = int(self._parents[node])
        last = next(i for i, row in enumerate(rows) if row)
        return tuple(reversed(rows[last:]))

    def _relate(self, fates: Fates) -> list[npt.NDArray[np.uint64]]:
        """Return the tables of the kernel, as the relation has them; see :mod:`.kernels.narrow`."""
        n, bits = self.n, np.uint64(1) << np.arange(self.n, dtype=np.uint64)
        may = np.array([fates != 1, fates != 0]).reshape(2, 8, 8, 8)
        given = np.full((1, n, n), bits.sum(), np.uint64)  # for each row c, from its last cell on
        for i, windows in reversed(self._columns):
            word = (may[:, :, :, windows] * bits).sum(axis=-1, dtype=np.uint64)
            fits = word[: 2 if 1 <= i <= self.quotient.width else 1, windows[:, None], windows]
            given = (given[:, None] & fits).reshape(-1, n, n)
        images = np.bitwise_or.reduce(np.where(given, bits[:, None, None], np.uint64(0)))
        sets = np.ascontiguousarray(given.transpose(1, 2, 0))
        # The union of images[u, z] over a set of rows z, by the bytes of the set.
        follow = np.zeros_like(sets)
        octets = sets.astype("<u8", copy=False).view(np.uint8).reshape(n, n, n, 8)
        places = 256 * np.arange(n)[:, None]
        for j in range(max(1, n // 8)):
            unions = np.zeros((n, 256), np.uint64)
            for b in range(min(8, n)):
                unions[:, 1 << b : 2 << b] = unions[:, : 1 << b] | images[:, 8 * j + b, None]
            follow |= unions.ravel().take(places + octets[..., j])
        return [sets, images, follow]

    def _step(self, guide: bytes) -> npt.NDArray[np.uint16]:
        """Return what the guide makes of three rows, with a bit for each column beside them."""
        if self._guided[0] == guide:
            return self._guided[1]
        found = np.zeros((self.n,) * 3, np.uint16)
        table = np.frombuffer(guide, np.uint8).reshape(8, 8, 8)
        for i, windows in self._columns:
            fates = table[windows[:, None, None], windows[:, None], windows]
            found |= fates.astype(np.uint16) << np.uint16(i)
        self._guided = guide, found
        return found


def _lay_out(parents: npt.NDArray[np.int32], rows: npt.NDArray[np.uint16]) -> ClosedStates:
    """Return a tree in breadth-first order; nodes come after their parents."""
    children = np.bincount(parents[1:], minlength=len(parents))
    starts, grouped = np.cumsum(children) - children, np.argsort(parents[1:], kind="stable") + 1
    level = np.zeros(1, np.intp)
    order = [level]
    while len(level):
        counts = children[level]
        before = np.cumsum(counts) - counts
        level = grouped[np.repeat(starts[level] - before, counts) + np.arange(counts.sum())]
        order.append(level)
    places = np.concatenate(order)
    return ClosedStates(children[places].astype(np.uint8), rows[places].astype(np.uint8))
