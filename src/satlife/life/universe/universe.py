"""A large sparse universe that runs fast: tiles of 48x48 cells, eight generations at a time.

Only tiles in which something happens are computed. A tile is left alone if it is the same after
eight generations, and so is all that it can see of its neighbours. So still lifes and oscillators
of period 2, 4 and 8 cost nothing, and gliders may fly as far as they like.

>>> universe = Universe.of(Pattern.from_rle("bo$2bo$3o!"))
>>> universe.advance(4000)[-3:].tolist()
[5, 5, 5]
>>> x, y = universe.cells
>>> x.tolist(), y.tolist()
([1001, 1002, 1000, 1001, 1002], [1000, 1001, 1002, 1002, 1002])
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satlife.life.pattern import Pattern
from satlife.life.rule import Rule
from satlife.life.universe.circuit import Plane, Step, build_step
from satlife.life.universe.popcount import count_bits

Integers: TypeAlias = NDArray[np.int64]

TILE: Final = 48
"""The side of a tile."""
HALO: Final = 8
"""How far a tile must see around itself to be stepped alone; also for how many generations."""
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
    """The cells of an unbounded plane, which change as time goes on.

    Tiles have numbers; number 0 stands for all that are not kept, and is always empty.
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
        """Return a universe in the same state, which runs on its own."""
        other = copy(self)
        other._numbers = dict(self._numbers)
        for name in _ARRAYS:
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def population(self) -> int:
        """How many cells live."""
        ahead = self.generation - self._base
        return int(self._totals[ahead - 1] if ahead else count_bits(self._rows).sum())

    @property
    def tiles(self) -> int:
        """How many tiles are kept; each takes about half a kilobyte."""
        return self._size

    @property
    def cells(self) -> tuple[Integers, Integers]:
        """The coordinates x and y of the living cells, in reading order."""
        tiles = np.flatnonzero(self._is_used)
        words = self._look_ahead(tiles, self.generation - self._base).astype("<u8", order="C")
        bits = np.unpackbits(words.view(np.uint8), bitorder="little").reshape(TILE, -1, 64)
        row, tile, column = np.nonzero(bits)
        x = self._positions[0, tiles[tile]] * TILE + column - HALO
        y = self._positions[1, tiles[tile]] * TILE + row
        order = np.lexsort((x, y))
        return x[order], y[order]

    def advance(self, generations: int) -> Integers:
        """Run on; return the population of each generation that was reached."""
        populations = [np.zeros(0, dtype=np.int64)]
        end = self.generation + generations
        while self.generation < end:
            ahead = self.generation - self._base
            if ahead == 0:
                self._stride()
            seen = min(HALO - ahead, end - self.generation)
            populations.append(self._totals[ahead : ahead + seen].copy())
            self.generation += seen
            if ahead + seen == HALO:
                self._commit()
        return np.concatenate(populations)

    def _stride(self) -> None:
        """Compute the next eight generations of all tiles that are awake."""
        if self._size > 2 * self._tidied + _FEW:
            self._tidy()
        active = np.flatnonzero(self._awake[: self._size])
        self._totals = self._totals - self._counts[:, active].sum(axis=1)
        after = np.empty((TILE, active.size), dtype=np.uint64)
        for some in _chunks(active.size):
            history = self._step_tiles(active[some], HALO)
            self._counts[:, active[some]] = count_bits(history).sum(axis=1, dtype=np.uint16)
            after[:, some] = history[-1]
        self._totals = self._totals + self._counts[:, active].sum(axis=1)
        self._next = active, after

    def _commit(self) -> None:
        """Let the generation that was computed be the present one."""
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
        """Wake each tile that sees a change, in itself or in its halo; keep it from now on."""
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
        """Keep a tile, empty and awake; return its number."""
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
            # In the usual order: others are copied whole whenever a part of them is taken.
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
"""What is kept of each tile."""
