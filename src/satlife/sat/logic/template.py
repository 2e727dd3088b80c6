"""Clause templates and their folding.

A template is a set of clauses over slots, to be filled with the literals of many rows at once.  In
some rows a slot holds a constant, or the same variable as another slot; a row's *signature* records
these coincidences.  Rows with one signature form a class, and a template is simplified once for
each class, not once for each row.

>>> import numpy as np
>>> either = Template.over((2, 2), np.array([[1, 1], [-1, -1]], np.int8))
>>> fold(either, (1, -1)).tolist()  # the second slot holds the negation of the first
[]
>>> fold(either, (1, CONSTANT)).tolist()  # the second slot holds TRUE
[[-1, 0]]

Equal parts of a formula are shared by numbering the distinct rows of an array.

>>> first, number = number_rows(np.array([[3, 4], [1, 2], [3, 4]], np.int32))
>>> first.tolist(), number.tolist()
([0, 1], [0, 1, 0])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from satlife.sat.formula import IntArray, expect_memory
from satlife.sat.logic.constants import TRUE
from satlife.sat.logic.cover import BoolArray, ClauseMatrix

RowNumbers = npt.NDArray[np.intp]


FEW: Final = 200
"""Rows for which what NumPy does once for each column costs more than Python objects."""


def number_rows(keys: npt.NDArray[np.signedinteger]) -> tuple[RowNumbers, RowNumbers]:
    """Return the first of each distinct row, in the order of occurrence, and each row's number."""
    if len(keys) < FEW:
        seen: dict[tuple[int, ...], int] = {}
        rows = map(tuple, keys.tolist())
        numbers = np.array([seen.setdefault(row, len(seen)) for row in rows], np.intp)
        return np.maximum.accumulate(numbers).searchsorted(np.arange(len(seen))), numbers
    # Sorting rows as such is many times slower than sorting one number for each; but different
    # rows may have the same number, so the outcome is checked.
    expect_memory(keys.nbytes + 40 * len(keys))
    hashes = _hash(keys)
    order = np.argsort(hashes)
    ordered = hashes[order]
    first, number = _number_runs(order, ordered[1:] != ordered[:-1])
    if not np.array_equal(keys, keys[first[number]]):
        order = np.lexsort(keys.T)
        first, number = _number_runs(order, (keys[order[1:]] != keys[order[:-1]]).any(axis=1))
    return first, number


def _hash(keys: npt.NDArray[np.signedinteger]) -> npt.NDArray[np.uint64]:
    # Multiplicative hashing by 2**64 over the golden ratio (Knuth, TAOCP 6.4).
    multiplier = 0x9E3779B97F4A7C15
    total = np.zeros(len(keys), np.uint64)
    for column in keys.T:
        total ^= total >> np.uint64(29)
        total *= np.uint64(multiplier)
        total += column.astype(np.uint64)
    return total * np.uint64(multiplier)


def _number_runs(
    order: RowNumbers, changes: npt.NDArray[np.bool_]
) -> tuple[RowNumbers, RowNumbers]:
    """Number sorted runs by first occurrence; ``changes`` marks the end of a run."""
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])
    first = np.minimum.reduceat(order, starts)
    by_first = np.argsort(first)
    rank = np.empty(len(first), np.intp)
    rank[by_first] = np.arange(len(first))
    number = np.empty(len(order), np.intp)
    number[order] = np.repeat(rank, np.diff(np.append(starts, len(order))))
    return first[by_first], number


Signature: TypeAlias = tuple[int, ...]
"""For each slot, the first slot with its variable, from 1 on, negative if negated."""

CONSTANT: Final = 99
"""In a signature: the slot holds TRUE; negative: FALSE."""


class Template(Struct, frozen=True, eq=False):
    """Clauses over slots; in a chain, a later slot ("at least 2") implies the earlier ones."""

    clauses: ClauseMatrix
    chains: tuple[tuple[int, ...], ...]

    @classmethod
    def over(cls, shape: Sequence[int], clauses: ClauseMatrix) -> Template:
        """Build a template over axes; ``shape`` is the number of values of each axis."""
        chains, first = [], 0
        for size in shape:
            chains.append(tuple(range(first, first + size - 1)))
            first += size - 1
        return cls(clauses, tuple(chains))

    @property
    def slots(self) -> int:
        """The number of literals in a row."""
        return int(self.clauses.shape[1])


def classify(rows: IntArray) -> tuple[list[Signature], npt.NDArray[np.intp]]:
    """Return the signatures that occur, and the class of each row."""
    slots = rows.shape[1]
    if len(rows) >= FEW:
        expect_memory(2 * rows.nbytes)
    columns = np.ascontiguousarray(rows.T)
    variables = np.abs(columns)
    codes = np.empty((slots, len(rows)), np.int8)
    if len(rows) < FEW:
        first = (variables[:, None] == variables).argmax(axis=0)
        codes[:] = np.where(np.take_along_axis(columns, first, 0) == columns, first + 1, -first - 1)
        codes[variables == TRUE] = np.where(columns > 0, CONSTANT, -CONSTANT)[variables == TRUE]
    for j in range(slots if len(rows) >= FEW else 0):
        code = codes[j]
        code[:] = j + 1
        for i in reversed(range(j)):
            same = variables[i] == variables[j]
            # Few rows hold a variable twice: the check costs less than the arrays.
            if same.any():
                code[same] = np.where(columns[i] == columns[j], i + 1, -i - 1)[same]
        constant = variables[j] == TRUE
        if constant.any():
            code[constant] = np.where(columns[j] > 0, CONSTANT, -CONSTANT)[constant]
    first, number = number_rows(codes.T)
    return [tuple(row) for row in codes.T[first].tolist()], number


def fold(template: Template, signature: Signature) -> ClauseMatrix:
    """Return a template's clauses for one class, without those that are true or implied by others.

    A contradiction leaves one clause without literals.
    """
    targets = np.array(signature)
    signed = template.clauses * np.sign(targets).astype(np.int8)
    targets = np.abs(targets)
    positive, negative = signed > 0, signed < 0
    satisfied = (positive & (targets == CONSTANT)).any(axis=1)
    for slot in np.flatnonzero(targets != np.arange(1, len(targets) + 1)).tolist():
        for side in (positive, negative):
            if targets[slot] != CONSTANT:
                side[:, targets[slot] - 1] |= side[:, slot]
            side[:, slot] = False
    satisfied |= (positive & negative).any(axis=1)
    implications = _implications(template, signature)
    for weak, strong in implications:
        satisfied |= positive[:, weak] & negative[:, strong]
        positive[:, strong] &= ~positive[:, weak]
        negative[:, weak] &= ~negative[:, strong]
    positive, negative = positive[~satisfied], negative[~satisfied]
    keep = ~_subsumed(positive, negative, implications)
    folded: ClauseMatrix = positive[keep].astype(np.int8) - negative[keep].astype(np.int8)
    return folded


def _implications(template: Template, signature: Signature) -> list[tuple[int, int]]:
    """Return the pairs of slots, after folding, in which the second implies the first."""
    pairs = []
    for chain in template.chains:
        targets = [signature[slot] for slot in chain if 0 < signature[slot] < CONSTANT]
        pairs += [(i - 1, j - 1) for i, j in combinations(targets, 2) if i != j]
    return pairs


def _subsumed(
    positive: BoolArray, negative: BoolArray, implications: list[tuple[int, int]]
) -> BoolArray:
    """Return a mask of the clauses implied by another one, or equal to an earlier one."""
    clauses = _pack(positive, negative)
    # A clause follows from another one if each literal of that one implies one of its own.
    positive, negative = positive.copy(), negative.copy()
    for weak, strong in implications:
        positive[:, strong] |= positive[:, weak]
        negative[:, weak] |= negative[:, strong]
    implied = (clauses[:, None] & ~_pack(positive, negative)) == 0
    np.fill_diagonal(implied, False)
    implied &= ~np.tril(implied & implied.T)
    result: BoolArray = implied.any(axis=0)
    return result


def _pack(positive: BoolArray, negative: BoolArray) -> npt.NDArray[np.int64]:
    bits = np.concatenate([positive, negative], axis=1)
    packed: npt.NDArray[np.int64] = bits @ (np.int64(1) << np.arange(bits.shape[1], dtype=np.int64))
    return packed


@lru_cache(maxsize=4096)
def as_pattern(template: Template, signature: Signature) -> npt.NDArray[np.intp]:
    """Return a folded template as indices into a row: the literals, their negations, and a 0."""
    clauses = fold(template, signature)
    slots = template.slots
    places: list[int] = []
    for clause in clauses.tolist():
        places += [s if sign > 0 else slots + s for s, sign in enumerate(clause) if sign]
        places.append(2 * slots)
    return np.array(places, np.intp)
