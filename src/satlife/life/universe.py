"""A fast simulator for large patterns and long runs: bit-parallel, sparse, unbounded.

The simulator that checks a search's answers is :mod:`satlife.life.steps`; the two share no code,
and tests compare them.

>>> from satlife.life.pattern import Pattern
>>> universe = Universe.of(Pattern.from_rle("b2o$2o$bo!"))
>>> int(universe.advance(1103)[-1])
116

A rule becomes a bit-parallel circuit, in which one operation works on the cells of 64 columns. A
*plane* is an array of 64-bit words indexed ``[row, tile]``; a bit of a word is a cell, the lowest
one the leftmost. The circuit is a straight-line program on planes: for outer-totalistic rules, an
adder gives the number of neighbours in four planes, and a decision diagram of the rule's table
gives the next state; for other rules the diagram tests all nine cells.

>>> from satlife.life.rule import LIFE
>>> blinker = np.array([[0], [0], [0b01110], [0], [0]], dtype=np.uint64)
>>> [f"{int(word):05b}" for word in build_step(LIFE)(blinker)[:, 0]]
['00100', '00100', '00100']

A :class:`Universe` consists of tiles of 48x48 cells, which are stepped eight generations at a time.
Only active tiles are computed: a tile is asleep if it is the same after eight generations, and so
is the part of its neighbours that it can see. So still lifes and oscillators of period 2, 4 and 8
cost nothing, and gliders may fly arbitrarily far.

>>> universe = Universe.of(Pattern.from_rle("bo$2bo$3o!"))
>>> universe.advance(4000)[-3:].tolist()
[5, 5, 5]
>>> x, y = universe.cells
>>> x.tolist(), y.tolist()
([1001, 1002, 1000, 1001, 1002], [1000, 1001, 1002, 1002, 1002])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.box import EMPTY_BOX, Box
from satlife.life.neighbourhood import BITS
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule

Plane: TypeAlias = NDArray[np.uint64]
Step: TypeAlias = Callable[[Plane], Plane]
"""Maps H rows to the H - 2 rows between them; the outermost columns of the result are invalid."""

_Table: TypeAlias = tuple[int | None, ...]
"""The value of a function for each of its arguments; ``None`` where the argument cannot occur."""

_ONE: Final = np.uint64(1)
_ZERO_NODE: Final = -1
_ONE_NODE: Final = -2


def can_step(rule: Rule) -> bool:
    """Return whether a rule runs bit-parallel: two states, and a background that does not flash."""
    return rule.states == 2 and not rule.is_strobing


@lru_cache(maxsize=32)
def build_step(rule: Rule) -> Step:
    """Build the function that steps all cells of a plane by one generation."""
    if not can_step(rule):
        raise UsageError(
            f"{rule} does not run bit-parallel: it has more than two states, or B0 without S8"
        )
    [phase] = rule.phases
    if phase.count_table is None:
        decide = _Diagram(tuple(phase.table.tolist())).evaluate
        return lambda plane: decide(_nine_planes(plane))
    counts = phase.count_table.tolist()
    # The argument's bits: the count of the neighbours, the eight first, and the cell itself.
    table = tuple(
        counts[9 * (index & 1) + (index >> 1)] if index >> 1 <= 8 else None for index in range(32)
    )
    decide = _Diagram(table).evaluate
    return lambda plane: decide(_count_planes(plane))


def _nine_planes(plane: Plane) -> list[Plane]:
    """Return the planes of the nine neighbours, in the order of the bits of a rule's index."""
    height = len(plane) - 2
    shifted = {-1: plane << _ONE, 0: plane, 1: plane >> _ONE}
    return [shifted[dx][1 + dy : 1 + dy + height] for dx, dy in BITS]


def _count_planes(plane: Plane) -> list[Plane]:
    """Return the neighbour counts, as the planes of 8, 4, 2 and 1, and the cells themselves."""
    west, east = plane << _ONE, plane >> _ONE
    sides, both = west ^ east, west & east
    low, high = sides ^ plane, both | (sides & plane)  # of three cells in a row
    above, below, beside = low[:-2], low[2:], sides[1:-1]
    odd = above ^ below
    ones = odd ^ beside
    carry = (above & below) | (odd & beside)
    one, other = high[:-2] ^ high[2:], both[1:-1] ^ carry
    twos = one ^ other
    first, second, third = high[:-2] & high[2:], both[1:-1] & carry, one & other
    return [first & second, first ^ second ^ third, twos, ones, plane[1:-1]]


class _Diagram:
    """A reduced decision diagram of a table, as a list of operations on planes."""

    def __init__(self, table: _Table) -> None:
        self.inputs = len(table).bit_length() - 1
        self.operations: list[tuple[Callable[..., Plane], int, int]] = []
        self._places: dict[object, int] = {}
        self.result = self._place(table, 0)

    def evaluate(self, planes: Sequence[Plane]) -> Plane:
        """Compute the table's value for every bit; ``planes[0]`` is the argument's highest bit."""
        if self.result < 0:
            constant = 0 if self.result == _ZERO_NODE else np.iinfo(np.uint64).max
            return np.full_like(planes[0], constant)
        values = list(planes)
        for function, left, right in self.operations:
            values.append(function(values[left], values[right]))
        return values[self.result]

    def _place(self, table: _Table, variable: int) -> int:
        """Return the index of a table's value among the inputs and results."""
        if 1 not in table:
            return _ZERO_NODE
        if 0 not in table:
            return _ONE_NODE
        half = len(table) // 2
        low, high = table[:half], table[half:]
        if all(a is None or b is None or a == b for a, b in zip(low, high, strict=True)):
            merged = tuple(b if a is None else a for a, b in zip(low, high, strict=True))
            return self._place(merged, variable + 1)
        if (variable, table) not in self._places:
            places = self._place(low, variable + 1), self._place(high, variable + 1)
            self._places[variable, table] = self._choose(variable, *places)
        return self._places[variable, table]

    def _choose(self, variable: int, low: int, high: int) -> int:
        """Return the index of a multiplexer: ``high`` where the variable is 1, else ``low``."""
        if low == _ZERO_NODE:
            return variable if high == _ONE_NODE else self._add(np.bitwise_and, variable, high)
        if high == _ONE_NODE:
            return self._add(np.bitwise_or, variable, low)
        if high == _ZERO_NODE or low == _ONE_NODE:
            inverse = self._add(_invert, variable, variable)
            if high == _ZERO_NODE:
                return inverse if low == _ONE_NODE else self._add(np.bitwise_and, inverse, low)
            return self._add(np.bitwise_or, inverse, high)
        differs = self._add(np.bitwise_xor, low, high)
        return self._add(np.bitwise_xor, low, self._add(np.bitwise_and, variable, differs))

    def _add(self, function: Callable[..., Any], left: int, right: int) -> int:
        key = (function, min(left, right), max(left, right))
        if key not in self._places:
            self.operations.append((function, left, right))
            self._places[key] = self.inputs + len(self.operations) - 1
        return self._places[key]


def _invert(plane: Plane, _: Plane) -> Plane:
    return ~plane


# The number of bits set in each byte.
_BYTES: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1).sum(
    axis=1, dtype=np.uint8
)


def _count_by_table(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Count the bits set in each word of an array, with a table of bytes.

    >>> _count_by_table(np.array([[0, 7], [2**64 - 1, 1]], dtype=np.uint64)).tolist()
    [[0, 3], [64, 1]]
    """
    words = np.ascontiguousarray(words)
    counts: NDArray[np.uint8] = (
        _BYTES[words.view(np.uint8)].reshape(*words.shape, 8).sum(axis=-1, dtype=np.uint8)
    )
    return counts


# NumPy 1 has no function for counting bits.
count_bits: Any = getattr(np, "bitwise_count", _count_by_table)


Integers: TypeAlias = NDArray[np.int64]

TILE: Final = 48
"""The side of a tile."""
HALO: Final = 8
"""The width of the margin with which a tile is stepped alone, and the number of generations."""
# A row of a tile with its halo is one word of 64 bits.

_CHUNK: Final = 96  # tiles stepped together: their planes stay in the processor's cache
_FEW: Final = 1024  # tiles that need not be tidied up

_INSIDE: Final = np.uint64(((1 << TILE) - 1) << HALO)
_LEFT: Final = np.uint64(((1 << HALO) - 1) << HALO)
_RIGHT: Final = np.uint64(((1 << HALO) - 1) << TILE)
_SHIFT: Final = np.uint64(TILE)
_AROUND: Final = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
# Which rows and columns of a tile lie within the halo of each of its neighbours.
_EDGE_ROWS: Final = {-1: slice(0, HALO), 0: slice(0, TILE), 1: slice(TILE - HALO, TILE)}
_EDGE_COLUMNS: Final = {-1: _LEFT, 0: _INSIDE, 1: _RIGHT}


class Universe:
    """A mutable state of the unbounded plane.

    Tiles have numbers; number 0 stands for all tiles that are not stored, and is always empty.
    """

    def __init__(self, rule: Rule, x: Integers, y: Integers) -> None:
        self.rule = rule
        self.generation = 0
        self._step: Step = build_step(rule)
        self._numbers: dict[tuple[int, int], int] = {}
        self._size = self._tidied = 1
        # By number, in the last axis of each:
        self._rows: Plane = np.zeros((TILE, 64), dtype=np.uint64)
        self._around = np.zeros((9, 64), dtype=np.int64)
        self._positions = np.zeros((2, 64), dtype=np.int64)
        self._awake = np.zeros(64, dtype=np.bool_)
        self._counts = np.zeros((HALO, 64), dtype=np.int64)  # in each generation of a stride
        self._totals = np.zeros(HALO, dtype=np.int64)
        self._base = 0  # the generation of the rows, a whole number of strides
        self._next: tuple[NDArray[np.intp], Plane]  # tiles, and their rows after this stride
        self._fill(np.asarray(x, dtype=np.int64), np.asarray(y, dtype=np.int64))

    @classmethod
    def of(cls, pattern: Pattern) -> Universe:
        """Put a pattern into an empty universe."""
        x, y = pattern.coordinates.T
        return cls(pattern.rule, x, y)

    def copy(self) -> Universe:
        """Return an independent universe in the same state."""
        other = copy(self)
        other._numbers = dict(self._numbers)
        for name in _ARRAYS:
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def population(self) -> int:
        """The number of living cells."""
        ahead = self.generation - self._base
        return int(self._totals[ahead - 1] if ahead else count_bits(self._rows).sum())

    @property
    def tiles(self) -> int:
        """The number of stored tiles; each takes about half a kilobyte."""
        return self._size

    @property
    def box(self) -> Box:
        """The bounding box of all living cells."""
        left, top = self._find_edge(0, first=True), self._find_edge(1, first=True)
        if left is None or top is None:
            return EMPTY_BOX
        right, bottom = self._find_edge(0, first=False), self._find_edge(1, first=False)
        return Box(left, top, (right or 0) - left + 1, (bottom or 0) - top + 1)

    def _find_edge(self, axis: int, *, first: bool) -> int | None:
        """Return the first or last column, or row, with a living cell; only few tiles are read."""
        tiles = np.flatnonzero(self._is_used)
        for place in sorted(set(self._positions[axis, tiles].tolist()), reverse=not first):
            x, y = self._read_cells(tiles[self._positions[axis, tiles] == place])
            if x.size:
                along = (x, y)[axis]
                return int(along.min() if first else along.max())
        return None

    @property
    def cells(self) -> tuple[Integers, Integers]:
        """The coordinates x and y of the living cells, in reading order."""
        x, y = self._read_cells(np.flatnonzero(self._is_used))
        order = np.lexsort((x, y))
        return x[order], y[order]

    def _read_cells(self, tiles: NDArray[np.intp]) -> tuple[Integers, Integers]:
        """Return the coordinates of the living cells of some tiles, in any order."""
        words = self._look_ahead(tiles, self.generation - self._base).astype("<u8", order="C")
        bits = np.unpackbits(words.view(np.uint8), bitorder="little").reshape(TILE, -1, 64)
        row, tile, column = np.nonzero(bits)
        x = self._positions[0, tiles[tile]] * TILE + column - HALO
        y = self._positions[1, tiles[tile]] * TILE + row
        return x, y

    def advance(self, generations: int, check: Callable[[], None] | None = None) -> Integers:
        """Advance by some generations; return the population of each generation reached.

        ``check`` is called now and then, and may raise; then the universe is at the end of a stride
        of eight generations.
        """
        populations = [np.zeros(0, dtype=np.int64)]
        end = self.generation + generations
        while self.generation < end:
            ahead = self.generation - self._base
            if ahead == 0:
                self._stride(check)
            seen = min(HALO - ahead, end - self.generation)
            populations.append(self._totals[ahead : ahead + seen].copy())
            self.generation += seen
            if ahead + seen == HALO:
                self._commit()
        return np.concatenate(populations)

    def _stride(self, check: Callable[[], None] | None) -> None:
        """Compute the next eight generations of all awake tiles."""
        if self._size > 2 * self._tidied + _FEW:
            self._tidy()
        active = np.flatnonzero(self._awake[: self._size])
        after = np.empty((TILE, active.size), dtype=np.uint64)
        counts = np.empty((HALO, active.size), dtype=np.int64)
        for some in _chunks(active.size):
            if check is not None:
                check()
            history = self._step_tiles(active[some], HALO)
            counts[:, some] = count_bits(history).sum(axis=1, dtype=np.uint16)
            after[:, some] = history[-1]
        self._totals = self._totals + counts.sum(axis=1) - self._counts[:, active].sum(axis=1)
        self._counts[:, active] = counts
        self._next = active, after

    def _commit(self) -> None:
        """Make the computed generation the current one."""
        active, after = self._next
        self._base += HALO
        self._awake[: self._size] = False
        changes = self._rows[:, active] ^ after
        self._rows[:, active] = after
        self._wake(active, changes)

    def _look_ahead(self, tiles: NDArray[np.intp], generations: int) -> Plane:
        """Return the rows of some tiles a few generations after the last stride."""
        if generations == 0:
            return self._rows[:, tiles]
        pieces = [self._step_tiles(tiles[some], generations)[-1] for some in _chunks(tiles.size)]
        return np.concatenate([np.zeros((TILE, 0), dtype=np.uint64), *pieces], axis=1)

    @property
    def _is_used(self) -> NDArray[np.bool_]:
        # A tile that is empty now may have cells between two strides.
        return np.logical_or(self._rows.any(axis=0), self._counts.any(axis=0))

    def _step_tiles(self, tiles: NDArray[np.intp], generations: int) -> Plane:
        """Return the rows of some tiles in the generations after the last stride."""
        plane = self._surround(tiles)
        history = np.empty((generations, TILE, tiles.size), dtype=np.uint64)
        for t in range(generations):
            plane = self._step(plane)
            margin = HALO - 1 - t
            np.bitwise_and(plane[margin : margin + TILE], _INSIDE, out=history[t])
        return history

    def _surround(self, tiles: NDArray[np.intp]) -> Plane:
        """Return the rows of some tiles with the halo around them."""
        plane = np.empty((TILE + 2 * HALO, tiles.size), dtype=np.uint64)
        for dy, target in ((-1, slice(0, HALO)), (0, slice(HALO, -HALO)), (1, slice(-HALO, None))):
            source = _EDGE_ROWS[-dy]
            west, here, east = (
                self._rows[source].take(self._around[_AROUND.index((dx, dy)), tiles], axis=1)
                for dx in (-1, 0, 1)
            )
            plane[target] = here | (west >> _SHIFT) | (east << _SHIFT)
        return plane

    def _wake(self, tiles: NDArray[np.intp], changes: Plane) -> None:
        """Wake each tile with a change in itself or in its halo, and store it if it is new."""
        for dy, rows in _EDGE_ROWS.items():
            seen = np.bitwise_or.reduce(changes[rows], axis=0)
            for dx, columns in _EDGE_COLUMNS.items():
                sources = tiles[(seen & columns) != 0]
                found = self._around[_AROUND.index((dx, dy)), sources]
                for x, y in self._positions[:, sources[found == 0]].T.tolist():
                    self._add((x + dx, y + dy))
                self._awake[found] = True
        self._awake[0] = False

    def _add(self, position: tuple[int, int]) -> int:
        """Store a new tile, empty and awake; return its number."""
        if position in self._numbers:
            return self._numbers[position]
        if self._size == self._awake.size:
            for name in _ARRAYS:
                array = getattr(self, name)
                setattr(self, name, np.concatenate([array, np.zeros_like(array)], axis=-1))
        number = self._numbers[position] = self._size
        self._size += 1
        self._positions[:, number] = position
        self._awake[number] = True
        for place, (dx, dy) in enumerate(_AROUND):
            other = self._numbers.get((position[0] + dx, position[1] + dy), 0)
            self._around[place, number] = other
            if other:
                self._around[8 - place, other] = number
        return number

    def _tidy(self) -> None:
        """Drop the tiles that are empty and asleep, such as those that gliders have left."""
        keep = self._is_used | self._awake
        keep[0] = True
        numbers = np.where(keep, np.cumsum(keep) - 1, 0)
        for name in _ARRAYS:
            # In C order: arrays in other orders are copied whole whenever a part is taken.
            setattr(self, name, np.ascontiguousarray(getattr(self, name)[..., keep]))
        self._around = numbers[self._around]
        self._size = self._tidied = int(keep.sum())
        places = self._positions[:, 1:].T.tolist()
        self._numbers = {(x, y): number for number, (x, y) in enumerate(places, 1)}

    def _fill(self, x: Integers, y: Integers) -> None:
        if not x.size:
            return
        keys = ((y // TILE) << 32) + x // TILE + (1 << 31)
        tiles, which = np.unique(keys, return_inverse=True)
        for key in tiles.tolist():
            self._add(((key & 0xFFFF_FFFF) - (1 << 31), key >> 32))
        word = which * TILE + y % TILE
        order = np.argsort(word, kind="stable")
        words, starts = np.unique(word[order], return_index=True)
        bits = np.uint64(1) << (x % TILE + HALO).astype(np.uint64)
        self._rows[words % TILE, words // TILE + 1] = np.bitwise_or.reduceat(bits[order], starts)
        self._wake(np.arange(1, self._size), self._rows[:, 1 : self._size].copy())


def _chunks(size: int) -> Iterator[slice]:
    return (slice(start, start + _CHUNK) for start in range(0, size, _CHUNK))


_ARRAYS: Final = ("_rows", "_around", "_positions", "_awake", "_counts")
"""The arrays with an entry for each tile."""
