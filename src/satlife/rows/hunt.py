"""A hunt: breadth-first by levels, with probes in depth where a level grows too wide.

The nodes form a tree of rows; a node's state is its last 2p rows.  Equal states are merged.  When a
level has more nodes than the limit, each must prove by a depth-first probe that some number of rows
can follow it; the others are dropped, and so is everything that led only to them.

A hunt is advanced in small pieces of work, so that its caller can stop, save and report.

>>> life = bytes(
...     (n & 16 and (n & ~16).bit_count() == 2) or (n & ~16).bit_count() == 3 for n in range(512)
... )
>>> hunt = Hunt(Quotient(width=6, period=3, step=1, table=life, fold="even"))
>>> ship = next(hunt.ships())  # the turtle
>>> top, generations = hunt.quotient.unfold(ship)
>>> min(int(cells.sum()) for cells in generations)
44
"""

from __future__ import annotations

import hashlib
import heapq
import json
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from satlife.errors import FormatError, UsageError
from satlife.machine import replacing
from satlife.plain import LARGEST_TEXT, MOST_TIMES, read_named
from satlife.rows.compilation import call
from satlife.rows.conditions import Given, Limits
from satlife.rows.quotient import TABLED, Quotient
from satlife.rows.tables import build_kit
from satlife.rows.units import ALIVE, SHIP, Answer, Ship, Unit, answer, settle

_T = TypeVar("_T")
_N = TypeVar("_N", bound=np.generic)
_Array = npt.NDArray[Any]
_States = npt.NDArray[np.uint16]
"""2p rows for each state."""
_Piece = tuple[_States, int, int, tuple[_Array, ...]]
"""States, the end of their nodes, how many successors they have, and the lists of these."""

LIMIT = 200_000
"""Nodes of a level; beyond that, they are probed."""
_PIECE, _WIDE_PIECE = 4096, 256
"""Nodes expanded between two chances to stop: with tables, and of wider rows, which may have
thousands of successors each."""
_LOAD = 0.75
"""The part of the places in the index that are taken at most."""
_PROBED = 512
"""Nodes that are probed by one call."""
_NOTED = 256
"""Partial ships of equal length that are kept beside the nodes."""
MOST_BEGINNINGS: Final = 2_000_000
"""Ways to fill a row, and those above it, while rows are given."""


@dataclass(frozen=True)
class Counts:
    """The progress of a hunt."""

    level: int
    """Rows of the nodes that are being expanded."""
    queue: int
    """Nodes that wait."""
    deepest: int
    """Rows of the longest partial ship."""
    states: int
    """States visited, in breadth and in probes."""
    merged: int
    """States that had been reached before."""
    dropped: int
    """Nodes that a probe has refuted."""


class Hunt:
    """A search for ships by rows."""

    def __init__(
        self,
        quotient: Quotient,
        *,
        limit: int = LIMIT,
        merge: bool = True,
        fleets: bool = False,
        threads: int = 1,
        limits: Limits | None = None,
        given: tuple[Given, ...] = (),
        run: Callable[[Unit], Answer] | None = None,
    ) -> None:
        self.quotient, self.limit, self.merge, self.threads = quotient, limit, merge, threads
        self.limits, self.given = limits, given
        self._limits = (limits or Limits()).numbers
        self.fleets = fleets and not merge
        """Whether ships that follow each other are ships too; there is no end of them."""
        self._piece = _PIECE if quotient.bits <= TABLED else _WIDE_PIECE
        self.kit = build_kit(quotient, shared=threads > 1)
        self.run = run or partial(answer, kit=self.kit)
        """Answers units of work, which are probes."""
        self.parents = np.zeros(1 << 14, np.int32)
        self.rows = np.zeros(1 << 14, np.uint16)
        self._broken = np.zeros(1 << 14, np.uint8)
        self._cells = np.zeros(0 if limits is None else self._generations << 14, np.uint16)
        """The live cells of each generation, for each node, if there are limits."""
        self._index: npt.NDArray[np.uint32] = np.zeros(1 << 14, np.uint32)
        self._base = -1
        """The first node whose state is known; negative if they are to be read anew."""
        self._here: _States = np.empty(0, np.uint16)
        """The states of the nodes from there to ``end``."""
        self._there: _States = np.empty(0, np.uint16)
        """The states of the nodes from ``end`` on."""
        self.count, self.head, self.end = 1, 0, 1
        self.level = 0
        self.states, self.merged, self.dropped = 1, 0, 0
        self.probed_to = 0
        """The level that every waiting node is known to reach."""
        self.depth = 0
        """How deep the probes of this level go next; 0 while no level is being probed."""
        self._probed = 0  # states of probes that are not finished, which a save leaves out
        self.best: Ship = ()
        """The longest partial ship."""
        self._probes: list[Ship] = []  # long partial ships that probes have met
        self.widths: list[int] = [1]
        """Nodes of each level, until one is probed."""
        self.front: Ship = ()
        """The rows with which every ship must begin."""
        self._pool: ThreadPoolExecutor | None = None  # while several threads work
        self.found: list[Ship] = []
        """The ships found so far; a resumed hunt reports them first."""
        if given:
            self._begin_given()

    @property
    def _generations(self) -> int:
        """How many generations have live cells of their own."""
        return self.quotient.period * self.quotient.lanes

    @property
    def counts(self) -> Counts:
        """The progress of the hunt."""
        deepest, states = max(self.level, len(self.best)), self.states + self._probed
        queue = self.count - self.head
        return Counts(self.level, queue, deepest, states, self.merged, self.dropped)

    @property
    def memory(self) -> int:
        """Bytes of the nodes."""
        states = self._here, self._there
        arrays = (self.parents, self.rows, self._broken, self._cells, self._index, *states)
        return sum(array.nbytes for array in arrays)

    def ships(self) -> Iterator[Ship]:
        """Yield ships; it ends when there are no more."""
        for found in self.work():
            yield from found

    def work(self) -> Iterator[list[Ship]]:
        """Do the search, piece by piece; yield the ships of each piece."""
        if self.found:
            yield list(self.found)
        with ThreadPoolExecutor(self.threads) as pool:
            self._pool = pool if self.threads > 1 else None
            for ships in self._pieces():
                # A hunt that was saved amid probes begins them again, and finds their ships again.
                new = [ship for ship in ships if ship not in self.found]
                self.found += new
                yield new

    def _pieces(self) -> Iterator[list[Ship]]:
        while self.head < self.count:
            if self.head == self.end:
                yield from self._finish_level()
            yield from self._expand()

    def keep_share(self, level: int, number: int, of: int) -> None:
        """Of the nodes of a level, keep one of every ``of``, from ``number`` on.

        If there is a ship, one of the shares has one: the shortest ships have, on every level, a
        node to which no shorter way leads, and that is in some share.  Nothing is probed before the
        level, so a share is the same wherever it is taken.
        """
        while self.head < self.end or self.level < level - 1:
            for ships in self._expand():
                self.found += ships
            if self.level == level - 1 or self.head == self.count:
                break
            if self.count - self.head > self.limit:
                raise UsageError(f"level {level} is too deep for sharing the rows out")
            self._begin_level()
        wanted = (np.arange(self.count - self.head) % of == number).astype(np.uint8)
        self._compact(wanted)
        self.widths = [0] * level

    def begin_with(self, rows: Ship) -> None:
        """Search only for ships that begin with these rows, the first of which is not empty.

        No state is merged with one of these rows, after which others may not follow.
        """
        self.best = self.front = rows
        count = len(rows) + 1
        parents = np.maximum(np.arange(count) - 1, 0).astype(np.int32)
        self.restore(parents, np.array((0, *rows), np.uint16))
        self.level, self.head, self.end = len(rows), count - 1, count

    def _begin_given(self) -> None:
        """Fill the rows that are given in all ways; the search goes on below them.

        No state is merged with one of another level there: other rows are given below it.
        """
        states = np.zeros((1, 2 * self.quotient.period), np.uint16)
        for given in self.given:
            before, after = self._follow_all(states)
            before, after = before[fits := given.fits(after)], after[fits]
            if len(after) > MOST_BEGINNINGS:
                raise UsageError("what is given leaves too much open above it for the row search")
            first, end = self.count - len(states), self.count
            parents = np.append(self.parents[:end], (first + before).astype(np.int32))
            rows = np.append(self.rows[:end], after)
            self.restore(parents, rows)
            states = np.column_stack([states[before, 1:], after])
            keep = np.ones(self.count, bool)
            keep[end:] = self._tell_apart(states)
            self.restore(parents[keep], rows[keep])
            states = states[keep[end:]]
        self.level, self.widths = len(self.given) - 1, [0] * len(self.given)
        self.head = self.end = self.count - len(states)
        ends = ~states.any(axis=1) & (self._broken[self.head :] == self.quotient.all_broken)
        self.found = [_trim(self.path(self.head + int(i))) for i in np.flatnonzero(ends)]
        if ends.any():
            self._compact((~ends).astype(np.uint8))

    def _follow_all(self, states: _States) -> tuple[_Array, _Array]:
        """Return all rows that can follow some states, and the numbers of the states."""
        before, after, done = [], [], 0
        most = 4 * _PIECE + (1 << self.quotient.bits)
        found, keys = np.empty(most, np.uint16), np.empty(most, np.uint64)
        while done < len(states):
            left = np.ascontiguousarray(states[done:])
            counts, closes = np.empty(len(left), np.uint32), np.empty(len(left), np.uint8)
            # Nodes from 1 on, and fleets: the empty row may follow the empty state.
            how = (1, 1 + len(left), most, 1)
            until, total, *_ = call("follow", self.kit, left, counts, closes, found, keys, *how)
            before.append(done + np.repeat(np.arange(until - 1), counts[: until - 1]))
            after.append(found[:total].copy())
            done += until - 1
        return (
            np.concatenate([np.zeros(0, np.intp), *before]),
            np.concatenate([np.zeros(0, np.uint16), *after]),
        )

    def _tell_apart(self, states: _States) -> npt.NDArray[np.bool_]:
        """Return which of the last nodes are the first with their state."""
        first, size = self.count - len(states), 0 if self.limits is None else self._generations
        cells = self._cells[first * size : self.count * size].reshape(len(states), size)
        parts: list[_Array] = [states, self._broken[first : self.count, None], cells]
        is_first = np.zeros(len(states), bool)
        is_first[np.unique(np.concatenate(parts, axis=1), axis=0, return_index=True)[1]] = True
        return is_first

    def restore(self, parents: npt.NDArray[np.int32], rows: npt.NDArray[np.uint16]) -> None:
        """Replace all nodes; the caller sets the numbers."""
        self.count = len(rows)
        self.parents, self.rows = parents, rows
        self._broken = np.zeros(self.count, np.uint8)
        self._cells = self._cells[:0]
        self._base = -1
        self._reckon()

    def longest(self) -> Iterator[Ship]:
        """Yield the partial ships, the longest first.

        Of those that differ only in their last quarter, or in their last 2p rows, which is one
        state, there is one: the longest.
        """
        beginnings: set[Ship] = set()
        probes = sorted([self.best, *self._probes], key=len, reverse=True)
        # Nodes are in the order of their levels.
        nodes = (self.path(node) for node in range(self.count - 1, 0, -1))
        for rows in heapq.merge(probes, nodes, key=len, reverse=True):
            certain = min(len(rows) - 2 * self.quotient.period, 3 * len(rows) // 4)
            if rows and rows[: max(1, certain)] not in beginnings:
                beginnings.update(rows[:number] for number in range(1, len(rows) + 1))
                yield rows

    def path(self, node: int) -> Ship:
        """Return the rows that lead to a node."""
        rows = []
        while node:
            rows.append(int(self.rows[node]))
            node = int(self.parents[node])
        return tuple(reversed(rows))

    def _expand(self) -> Iterator[list[Ship]]:
        """Expand what is left of a level, piece by piece; yield the ships of each piece."""
        self._recall()
        for pieces in self._map(self._follow, range(self.head, self.end, self._piece)):
            for piece in pieces:
                yield self._enter(*piece)

    def _recall(self) -> None:
        """Read the states of the waiting nodes, unless they are known."""
        if self._base < 0:
            self._base = self.head
            self._here, self._there = (
                self._read(*each) for each in ((self.head, self.end), (self.end, self.count))
            )

    def _read(self, first: int, last: int) -> _States:
        """Return the states of some nodes."""
        states = np.empty((last - first) * 2 * self.quotient.period, np.uint16)
        call("read_states", self.kit, self.parents, self.rows, states, first, last)
        return states

    def _follow(self, first: int) -> list[_Piece]:
        """Find the successors of some nodes, in one piece, or in several if there are many."""
        last, pieces = min(first + self._piece, self.end), list[_Piece]()
        most = 4 * self._piece + (1 << self.quotient.bits)
        while first < last:
            counts, closes = np.empty(last - first, np.uint32), np.empty(last - first, np.uint8)
            found, keys = np.empty(most, np.uint16), np.empty(most, np.uint64)
            lists = counts, closes, found, keys
            states = self._here[(first - self._base) * 2 * self.quotient.period :]
            until, total, *_ = call(
                "follow", self.kit, states, *lists, first, last, most, self.fleets
            )
            first = until
            pieces.append((states, until, total, lists))
        return pieces

    def _enter(
        self, states: _States, until: int, total: int, lists: tuple[_Array, ...]
    ) -> list[Ship]:
        """Append the successors of the nodes up to some number; return the ships among them."""
        self._make_room(total)
        before, closed = self.count, np.empty(until - self.head, np.int64)
        after = self._there[(self.count - self.end) * 2 * self.quotient.period :]
        beside = (self._broken, self._index, self._cells, self._limits)
        nodes = (self.parents, self.rows, *beside, states, after)
        how = (self._bits, self.head, until, self.count, self.merge)
        self.count, ships, merged, *_ = call("enter", self.kit, *nodes, *lists, closed, *how)
        self.head = until
        self.states += self.count - before
        self.merged += merged
        return [_trim(self.path(int(node))) for node in closed[:ships]]

    @property
    def _bits(self) -> int:
        """How many bits a place in the index has."""
        return len(self._index).bit_length() - 1

    def _make_room(self, more: int) -> None:
        """Make the arrays larger, so that some more nodes fit."""
        least = self.count + more
        if len(self.rows) < least:
            size = max(len(self.rows) * 3 // 2, least)
            self.parents = _grow(self.parents, size, self.count)
            self.rows = _grow(self.rows, size, self.count)
            self._broken = _grow(self._broken, size, self.count)
            if self.limits is not None:
                size, used = (each * self._generations for each in (size, self.count))
                self._cells = _grow(self._cells, size, used)
        states, used = (each - self.end for each in (least, self.count))
        rows = 2 * self.quotient.period
        if len(self._there) < states * rows:
            self._there = _grow(self._there, states * rows * 3 // 2, used * rows)
        if self.merge and least > _LOAD * len(self._index):
            self._rebuild(least)

    def _rebuild(self, least: int = 0) -> None:
        """Enter all nodes in an index that has room for some number of them."""
        least = max(least, self.count)
        while least > _LOAD * len(self._index):
            self._index = np.empty(2 * len(self._index), np.uint32)
        some = (slice(i, min(i + 65536, self.count)) for i in range(0, self.count, 65536))
        far = (int((np.arange(each.start, each.stop) - self.parents[each]).max()) for each in some)
        size = 1 << max(far).bit_length()
        ring = np.empty(size * 2 * self.quotient.period, np.uint16)
        given = (self.parents, self.rows, self._index, ring, size, self._bits, self.count)
        begun = len(self.given) or len(self.front)
        call("rebuild_index", self.kit, *given, self._find_level(begun))

    def _find_level(self, level: int) -> int:
        """Return the first node of a level."""
        first, last = 0, 1
        for _ in range(level):
            more = np.searchsorted(self.parents[last : self.count], last)
            first, last = last, last + int(more)
        return first

    def _reckon(self) -> None:
        """Compute anew what follows from the nodes and their rows."""
        call("mark_broken", self.kit, self.parents, self.rows, self._broken, self.count)
        if self.limits is not None:
            if len(self._cells) < len(self.rows) * self._generations:
                self._cells = np.zeros(len(self.rows) * self._generations, np.uint16)
            counted = (self._cells, self._limits, self.count)
            call("count_cells", self.kit, self.parents, self.rows, *counted)
        if self.merge:
            self._rebuild()

    def _compact(self, wanted: npt.NDArray[np.uint8]) -> None:
        """Drop every waiting node that is not wanted, and all that led only to such nodes."""
        keep, numbers = np.zeros(self.count, np.uint8), np.empty(self.count, np.int32)
        self._recall()
        rows = 2 * self.quotient.period
        waiting = self._there[: len(wanted) * rows].reshape(len(wanted), rows)
        self._there = waiting[wanted > 0].ravel()
        given = (self.parents, self.rows, wanted, keep, numbers, self.head, self.count)
        self.head, self.count, *_ = call("compact", self.kit, *given)
        self.end = self.head
        self._reckon()

    def _finish_level(self) -> Iterator[list[Ship]]:
        """Go on to the next level; a save during it goes back to its beginning."""
        if len(self.widths) == self.level + 1 and not self.dropped:
            self.widths.append(self.count - self.head)
        if self.count - self.head > self.limit or self.depth:
            self._here = np.empty(0, np.uint16)
            yield from self._probe()
        self._begin_level()
        self.depth = 0
        if self.level > len(self.best):
            self.best = self.path(self.count - 1)

    def _begin_level(self) -> None:
        """Begin the level of the waiting nodes."""
        self._recall()
        self._here, self._there = self._there, np.empty(0, np.uint16)
        self._base, self.end = self.head, self.count
        self.level += 1

    def _probe(self) -> Iterator[list[Ship]]:
        """Probe every node of the new level deeper and deeper, until few enough are left."""
        level, period = self.level + 1, self.quotient.period
        self.depth = self.depth or max(self.probed_to - level, 0) + 3 * period
        while self.count - self.head > self.limit // 4:
            alive = np.zeros(self.count - self.head, np.uint8)
            for ships, states in self._probe_all(self.depth, alive):
                self._probed += states
                yield ships
            self.states, self._probed = self.states + self._probed, 0
            self.dropped += len(alive) - int(alive.sum())
            self._compact(alive)
            self.probed_to = level + self.depth
            self.depth += period

    def _probe_all(
        self, depth: int, alive: npt.NDArray[np.uint8]
    ) -> Iterator[tuple[list[Ship], int]]:
        """Probe all waiting nodes; yield, for some of them at a time, ships and the states."""
        self._recall()
        rows = 2 * self.quotient.period

        def probe(first: int) -> tuple[list[Ship], int, Ship]:
            last = min(first + _PROBED, self.count)
            places = slice((first - self.end) * rows, (last - self.end) * rows)
            states = self._there[places].astype("<u2")
            broken = self._broken[first:last].tobytes()
            unit = Unit(self.quotient, states.tobytes(), broken, depth)
            result = settle(self.run(unit), self.run)
            alive[first - self.head : last - self.head] = np.frombuffer(result.fates, np.uint8) > 0
            paths = {i: (*self.path(first + i), *rows) for i, rows in result.paths}
            ships = [_trim(rows) for i, rows in paths.items() if result.fates[i] == SHIP]
            front = next((rows for i, rows in paths.items() if result.fates[i] == ALIVE), ())
            return ships, sum(result.visited), front

        firsts = range(self.head, self.count, _PROBED)
        for ships, states, front in self._map(probe, firsts):
            self._note(front)
            yield ships, states

    def _note(self, partial: Ship) -> None:
        """Keep a partial ship if it is among the longest."""
        if len(partial) > len(self.best):
            self.best = partial
        if self._probes and len(partial) > len(self._probes[0]):
            self._probes = []
        if partial and len(self._probes) < _NOTED:
            self._probes.append(partial)

    def _map(self, work: Callable[[int], _T], numbers: range) -> Iterator[_T]:
        """Work on all numbers, with several threads; the results come in order."""
        if self._pool is None or len(numbers) < 2:
            yield from map(work, numbers)
            return
        running = deque[Future[_T]]()
        try:
            for number in numbers:
                running.append(self._pool.submit(work, number))
                if len(running) > 4 * self.threads:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            for each in running:
                each.cancel()


def _grow(array: npt.NDArray[_N], size: int, used: int) -> npt.NDArray[_N]:
    """Return a longer array that begins with the same; what is not used takes no memory yet."""
    longer = np.empty(size, array.dtype)
    longer[:used] = array[:used]
    return longer


def _trim(rows: Ship) -> Ship:
    """Drop the empty rows at the end."""
    last = max((i for i, row in enumerate(rows) if row), default=-1)
    return rows[: last + 1]


# Saving a hunt and going on with it: one file, written so that a kill at any moment is harmless.
#
# The file is a line of JSON, which says what is searched and how far it is; then the nodes,
# compressed; then the SHA-256 of all before it.


VERSION: Final = 3
"""Grows when a file that could be read before means something else now."""

_NUMBERS: Final = (
    *("count", "head", "end", "level", "states"),
    *("merged", "dropped", "probed_to", "depth"),
)


def describe(quotient: Quotient) -> dict[str, Any]:
    """Return what is searched, for a line of JSON."""
    names = ("width", "period", "step", "fold", "glide", "lanes")
    same = {name: getattr(quotient, name) for name in names}
    same["skew"] = 2 * quotient.slanted  # in earlier files 1 was another order of their cells
    same |= {"shear": quotient.shear} if quotient.shear else {}
    return {**same, "any period": quotient.any_period, "rule": quotient.table.hex()}


def _describe_conditions(hunt: Hunt) -> dict[str, Any]:
    """Return what else is asked; nothing in most searches, and in files of earlier versions."""
    limits = {} if hunt.limits is None else {"limits": [*map(int, hunt.limits.numbers)]}
    given = {"given": [[each.mask, each.alive] for each in hunt.given]} if hunt.given else {}
    return limits | given


def save(hunt: Hunt, path: Path) -> None:
    """Write a hunt to a file; the old file stays until the new one is whole."""
    head = {
        "format": "satlife rows",
        "version": VERSION,
        "search": describe(hunt.quotient) | _describe_conditions(hunt),
        "limit": hunt.limit,
        "merge": hunt.merge,
        "fleets": hunt.fleets,
        "front": list(hunt.front),
        "found": [list(ship) for ship in hunt.found],
        **{name: int(getattr(hunt, name)) for name in _NUMBERS},
        "best": list(hunt.best),
    }
    nodes = (hunt.parents[: hunt.count].astype("<i4"), hunt.rows[: hunt.count].astype("<u2"))
    body = b"".join(
        [json.dumps(head).encode() + b"\n", zlib.compress(b"".join(a.tobytes() for a in nodes), 1)]
    )
    with replacing(path) as new:
        new.write_bytes(body + hashlib.sha256(body).digest())


def load(hunt: Hunt, path: Path) -> None:
    """Continue a hunt where a file has left it; the file must be of the same search."""
    text = read_named(path)
    body, digest = text[:-32], text[-32:]
    if hashlib.sha256(body).digest() != digest:
        raise FormatError(f"{path} is not a saved search by rows, or it is damaged")
    line, _, packed = body.partition(b"\n")
    head = json.loads(line)
    if head.get("format") != "satlife rows" or head.get("version") != VERSION:
        raise FormatError(f"{path} has another version; this satlife reads version {VERSION}")
    same = {
        "search": describe(hunt.quotient) | _describe_conditions(hunt),
        "merge": hunt.merge,
        "fleets": hunt.fleets,
        "front": list(hunt.front),
    }
    for name, value in same.items():
        if head[name] != value:
            raise UsageError(f"{path} holds another search ({name} differs); give another file")
    count = head["count"]
    if not 0 <= 6 * count <= max(LARGEST_TEXT, MOST_TIMES * len(packed)):
        raise FormatError(f"{path} holds {len(packed):,} bytes, which are not {count:,} nodes")
    nodes = zlib.decompressobj().decompress(packed, 6 * count + 1)
    if len(nodes) != 6 * count:
        raise FormatError(f"{path} holds {len(nodes)} bytes of nodes instead of {6 * count}")
    parents = np.frombuffer(nodes[: 4 * count], "<i4").astype(np.int32)
    hunt.restore(parents, np.frombuffer(nodes[4 * count :], "<u2").astype(np.uint16))
    hunt.limit, hunt.best = head["limit"], tuple(head["best"])
    hunt.found = [tuple(ship) for ship in head["found"]]
    for name in _NUMBERS:
        setattr(hunt, name, head[name])
