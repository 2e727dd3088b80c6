"""The parts of a pattern, which evolve independently of each other.

Two blocks far from each other are two objects, and so are two blocks side by side (a bi-block), for
each would be stable alone.  The two tables of "table on table" are one object: neither is stable
without the other.

>>> [part.population for part in parts(Pattern.from_rle("2ob2o$2ob2o!"))]
[4, 4]
>>> len(parts(Pattern.from_rle("o2bo$4o2$4o$o2bo!")))
1

An *island* is a set of live cells that touch each other, sides or corners.  Islands are never
divided, in any generation.  A division is right if the rule, at every cell and in every generation,
gives to each part by itself just those cells that the part has in the whole.  That is a condition
on the few islands that a cell can see, so not all divisions are tried: islands that must be
together are joined, and only the rest is searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.cells import Cells, as_integer
from satlife.life.identity.recurrence import find_recurrence
from satlife.life.neighbourhood import BITS
from satlife.life.pattern import Pattern

Labels = NDArray[np.int64]
Division = tuple[tuple[int, ...], ...]
"""Groups of islands, or of joined islands."""


def parts(pattern: Pattern, generations: int | None = None) -> tuple[Pattern, ...]:
    """Divide a pattern into as many parts as evolve independently, from the top left on.

    They are followed for one period, after which each has recurred; so a spark is not a part.  A
    pattern that does not recur needs a number of generations to follow its parts for, and then a
    part may die.  Where several divisions have the same number of parts, one of them is returned.
    """
    recurrence = None
    if generations is None:
        recurrence = find_recurrence(pattern)
        if recurrence is None:
            raise UsageError("the pattern does not recur; give a number of generations")
        generations = recurrence.period
    generations = as_integer(generations, "a number of generations")
    if generations < 1:
        raise UsageError(f"parts are followed for at least 1 generation, got {generations}")
    history = _History.of(pattern, generations)
    joined = _Union(history.islands)
    if recurrence is not None:
        for first, last in history.recurring(*recurrence.displacement):
            joined.union(first, last)
    for units, conditions in _components(_join(history, joined)):
        for group in _finest(units, conditions):
            for other in group[1:]:
                joined.union(group[0], other)
    roots = np.array([0, *map(joined.find, range(1, history.first_islands + 1))])
    whole = roots[history.labels[0]]
    frame = history.frame
    return tuple(
        Pattern(whole == root, frame.x, frame.y, pattern.rule)
        for root in dict.fromkeys(roots[1:].tolist())
    )


def is_strict(pattern: Pattern) -> bool:
    """Return whether a still life is strict: not two still lifes side by side.

    That is, its islands cannot be divided into two sets that are each stable alone.  (There are
    still lifes that can be divided into three or four such sets, but not into two.)

    >>> is_strict(Pattern.from_rle("2ob2o$2ob2o!")), is_strict(Pattern.from_rle("2o$2o!"))
    (False, True)
    """
    if pattern.is_empty or pattern[1] != pattern:
        raise UsageError("only a still life can be strict, and this pattern is not one")
    history = _History.of(pattern, 1)
    joined = _Union(history.islands)
    conditions = _join(history, joined)
    roots = {joined.find(island) for island in range(1, history.first_islands + 1)}
    components = list(_components(conditions))
    if len(roots) - sum(len(units) - 1 for units, _ in components) > 1:
        return False  # nothing ties these to each other
    halves = (next(divisions(*component, least=2, most=2), None) for component in components)
    return all(division is None for division in halves)


class _Condition(Struct, frozen=True):
    """A condition of one cell on the division of the islands it sees, and of its next one."""

    sights: tuple[tuple[int, int], ...]
    """(island, the bits of its cells in the neighbourhood); 0 bits for the next island."""
    born: int
    """The island of the next generation that the cell is in, or 0 if it is dead then."""
    table: Cells

    def reduced(self, joined: _Union) -> _Condition:
        """The same after joining."""
        bits: dict[int, int] = {}
        for island, seen in self.sights:
            root = joined.find(island)
            bits[root] = bits.get(root, 0) | seen
        born = joined.find(self.born) if self.born else 0
        return _Condition(tuple(sorted(bits.items())), born, self.table)

    @property
    def units(self) -> tuple[int, ...]:
        return tuple(unit for unit, _ in self.sights)

    def allows(self, groups: Iterable[Iterable[int]]) -> bool:
        """Whether each group alone has the cell exactly if it should; other units do not matter."""
        bits = dict(self.sights)
        for group in groups:
            members = [unit for unit in group if unit in bits]
            if members:
                seen = sum(bits[unit] for unit in members)
                if bool(self.table[seen]) != (self.born in members):
                    return False
        return True


class _Union:
    """A union-find structure."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count + 1))

    def find(self, item: int) -> int:
        while self._parent[item] != item:
            self._parent[item] = item = self._parent[self._parent[item]]
        return item

    def union(self, one: int, other: int) -> None:
        low, high = sorted((self.find(one), self.find(other)))
        self._parent[high] = low


class _History(Struct, frozen=True):
    """The generations of a pattern in one frame, their islands numbered from 1 on."""

    frame: Box
    labels: tuple[Labels, ...]
    table: Cells
    islands: int
    first_islands: int
    """The number of islands in generation 0."""

    @classmethod
    def of(cls, pattern: Pattern, generations: int) -> _History:
        if pattern.rule.states > 2 or pattern.rule.is_strobing:
            kind = "that strobe" if pattern.rule.is_strobing else "of more than two states"
            raise UsageError(f"{pattern.rule}: parts are not known in rules {kind} yet")
        phases = [pattern]
        for _ in range(generations):
            phases.append(phases[-1][1])
        frame = pattern.box
        for phase in phases:
            frame |= phase.box
        frame = frame.grow(1)
        labels, count, first = [], 0, 0
        for phase in phases:
            numbered, islands = number_islands(phase.in_box(frame))
            labels.append(np.where(numbered > 0, numbered + count, 0))
            count += islands
            first = first or count
        return cls(frame, tuple(labels), pattern.rule.phases[0].table, count, first)

    def recurring(self, dx: int, dy: int) -> list[tuple[int, int]]:
        """Return the pairs of islands of the first and the last generation that are the same."""
        rows, columns = np.nonzero(self.labels[0])
        pairs = [self.labels[0][rows, columns], self.labels[-1][rows + dy, columns + dx]]
        return [
            (first, last) for first, last in np.unique(np.stack(pairs, axis=1), axis=0).tolist()
        ]

    def conditions(self) -> Iterator[_Condition]:
        """Yield what each cell requires in each step, except what is true of every division."""
        for now, then in pairwise(self.labels):
            wide = np.pad(now, 1)
            height, width = now.shape
            seen = np.stack(
                [
                    wide[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width].ravel()
                    for dx, dy in BITS
                ],
                axis=1,
            )
            born = then.ravel()
            high = seen.max(axis=1)
            several = (np.where(seen > 0, seen, high[:, None]).min(axis=1) < high) & (high > 0)
            rows = np.concatenate([seen, born[:, None]], axis=1)
            for row in np.unique(rows[several | (born > 0)], axis=0).tolist():
                bits: dict[int, int] = {}
                for island, bit in zip(row[:-1], BITS.values(), strict=True):
                    if island:
                        bits[island] = bits.get(island, 0) | bit
                if row[-1]:
                    bits.setdefault(row[-1], 0)
                yield _Condition(tuple(sorted(bits.items())), row[-1], self.table)


def number_islands(cells: Cells) -> tuple[Labels, int]:
    """Number the islands of an array [y, x] from 1 on, in the order of their first cells.

    >>> numbers, count = number_islands(np.array([[1, 0, 0, 1], [0, 1, 0, 1]], np.uint8))
    >>> numbers.tolist(), count
    ([[1, 0, 0, 2], [0, 1, 0, 2]], 2)
    """
    alive = cells > 0
    none = cells.size
    labels = np.where(alive, np.arange(none).reshape(cells.shape), none)
    height, width = cells.shape
    while True:
        wide = np.pad(labels, 1, constant_values=none)
        around = [wide[j : j + height, i : i + width] for j in range(3) for i in range(3)]
        least = np.where(alive, np.minimum.reduce(around), none)
        if np.array_equal(least, labels):
            break
        labels = least
    names = np.unique(labels[alive])
    return np.where(alive, np.searchsorted(names, labels) + 1, 0), names.size


def _join(history: _History, joined: _Union) -> list[_Condition]:
    """Join the islands that no right division separates; return the conditions still open."""
    conditions = list(dict.fromkeys((c.sights, c.born) for c in history.conditions()))
    remaining = [_Condition(sights, born, history.table) for sights, born in conditions]
    while True:
        before = len(remaining)
        changed = False
        reductions = {}
        for condition in remaining:
            reduced = condition.reduced(joined)
            if len(reduced.units) == 1:
                continue
            right = list(divisions(reduced.units, [reduced]))
            for one, other in combinations(reduced.units, 2):
                if all(any({one, other} <= set(group) for group in d) for d in right):
                    joined.union(one, other)
                    changed = True
            reductions[reduced.sights, reduced.born] = reduced
        remaining = list(reductions.values())
        if not changed and len(remaining) == before:
            return remaining


def _finest(units: tuple[int, ...], conditions: Sequence[_Condition]) -> Division:
    """Return a division into as many groups as possible: first none joined, then one, then two …"""
    for joins in range(len(units)):
        division = next(divisions(units, conditions, least=len(units) - joins), None)
        if division is not None:
            return division
    raise AssertionError("the whole is always right")


def divisions(
    units: Sequence[int],
    conditions: Sequence[_Condition] = (),
    *,
    least: int = 1,
    most: int | None = None,
) -> Iterator[Division]:
    """Yield the right divisions of the units into groups, with ``least`` to ``most`` groups.

    >>> len(list(divisions((1, 2, 3, 4)))), len(list(divisions((1, 2, 3, 4), least=2, most=2)))
    (15, 7)
    """
    position = {unit: i for i, unit in enumerate(units)}
    # A condition is checked when the last of its units has found its group.
    due: list[list[_Condition]] = [[] for _ in units]
    for condition in conditions:
        due[max(position[unit] for unit in condition.units)].append(condition)
    groups: list[list[int]] = []

    def place(i: int) -> Iterator[Division]:
        if len(groups) + len(units) - i < least:
            return
        if i == len(units):
            yield tuple(map(tuple, groups))
            return
        if most is None or len(groups) < most:
            groups.append([units[i]])
            if all(condition.allows(groups) for condition in due[i]):
                yield from place(i + 1)
            groups.pop()
        for group in groups:
            group.append(units[i])
            if all(condition.allows(groups) for condition in due[i]):
                yield from place(i + 1)
            group.pop()

    return place(0)


def _components(
    conditions: Sequence[_Condition],
) -> Iterator[tuple[tuple[int, ...], list[_Condition]]]:
    """Yield the units that conditions tie to each other, with these conditions."""
    units = sorted({unit for condition in conditions for unit in condition.units})
    tied = _Union(max(units, default=0))
    for condition in conditions:
        for one, other in pairwise(condition.units):
            tied.union(one, other)
    for root in dict.fromkeys(map(tied.find, units)):
        chosen = tuple(unit for unit in units if tied.find(unit) == root)
        yield chosen, [c for c in conditions if tied.find(c.units[0]) == root]
