"""Circuits over many rows at once: gates and parts, with their clauses as one array.

A part computes a few outputs from a few inputs.  An encoding applies its parts to every row; equal
parts with equal inputs are shared.  New variables are numbered by the row that needs them first.
Clauses follow the same order, some hundred rows at a time: solvers do better when related clauses
are close together.

Gates are any of, all of, and not all equal, over literals and constants.  A gate's output is
equivalent to its meaning: there are clauses for both directions.  Constants are folded, equal rows
share a variable, and a row that reduces to one literal has that literal as its output.

>>> from satlife.sat.logic.template import CONSTANT
>>> pair = CircuitPart.compute((2, 2), [[[0, 1], [1, 1]], [[0, 0], [0, 1]]])
>>> len(pair.template.clauses)
6
>>> resolve(pair, (1, -CONSTANT))  # of u and FALSE, "any" is u and "both" is FALSE
(1, -99, 1, -99)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.sat.formula import Block, FormulaBuilder, IntArray, expect_memory
from satlife.sat.logic.constants import FALSE, TRUE, add_clauses
from satlife.sat.logic.cover import BoolArray, define
from satlife.sat.logic.template import (
    CONSTANT,
    RowNumbers,
    Signature,
    Template,
    as_pattern,
    classify,
    number_rows,
)


class CircuitPart(Struct, frozen=True, eq=False):
    """A part of a circuit, symmetric in its input axes of the same length."""

    shape: tuple[int, ...]
    """The number of values of each input axis: 2 for a plain literal, more for a unary chain."""
    template: Template
    """The clauses; the slots are the inputs, then the outputs."""
    inputs: BoolArray
    """All possible combinations of values of the input slots, one in each row."""
    outputs: BoolArray
    """The outputs for each of these rows."""

    @classmethod
    def compute(cls, shape: tuple[int, ...], tables: Sequence[npt.ArrayLike]) -> CircuitPart:
        """Build the part that computes some functions, given as tables over the input axes."""
        points = np.indices(shape).reshape(len(shape), -1)
        inputs = np.concatenate(
            [points[axis] >= np.arange(1, size)[:, None] for axis, size in enumerate(shape)]
        ).T
        width = inputs.shape[1]
        clauses = []
        for k, table in enumerate(tables):
            narrow = define(table)
            wide = np.zeros((len(narrow), width + len(tables)), np.int8)
            wide[:, :width] = narrow[:, :-1]
            wide[:, width + k] = narrow[:, -1]
            clauses.append(wide)
        # Outputs do not form a chain, even where they count: each clause has only one of them.
        template = Template.over((*shape, *[2] * len(tables)), np.concatenate(clauses))
        outputs = np.stack([np.asarray(table, bool).reshape(-1) for table in tables], axis=1)
        return cls(shape, template, inputs, outputs)

    def order_inputs(self, rows: IntArray) -> IntArray:
        """Return the rows with their axes in canonical order, so that equal parts are shared."""
        if max(self.shape) == 2:
            return np.sort(rows, axis=1)
        if len(set(self.shape)) == len(self.shape):
            return rows
        half = rows.shape[1] // 2
        if len(self.shape) != 2:
            raise ValueError(f"axes {self.shape} cannot be put into an order")
        swap = np.zeros(len(rows), bool)
        for j in reversed(range(half)):
            left, right = rows[:, j], rows[:, half + j]
            swap = (left > right) | ((left == right) & swap)
        return np.where(swap[:, None], np.roll(rows, half, axis=1), rows)


@lru_cache(maxsize=4096)
def resolve(part: CircuitPart, signature: Signature) -> Signature:
    """Return the signature of inputs and outputs: constants, earlier slots, or new variables."""
    possible = np.ones(len(part.inputs), bool)
    for slot, target in enumerate(signature):
        value = part.inputs[:, slot]
        if abs(target) == CONSTANT:
            possible &= value == (target > 0)
        else:
            possible &= (value == part.inputs[:, abs(target) - 1]) == (target > 0)
    slots = np.concatenate([part.inputs, part.outputs], axis=1)[possible]
    result = list(signature)
    for slot in range(len(signature), slots.shape[1]):
        value = slots[:, slot]
        if value.all() or not value.any():
            result.append(CONSTANT if value.all() else -CONSTANT)
            continue
        target = slot + 1
        for other in range(slot):
            same = slots[:, other] == value
            if result[other] == other + 1 and (same.all() or not same.any()):
                target = other + 1 if same.all() else -other - 1
                break
        result.append(target)
    return tuple(result)


ROWS_AT_A_TIME: Final = 512
"""Chunk size: small enough to keep related clauses close, large enough for array operations."""


class _Sheet(Struct, frozen=True, eq=False):
    """Rows for one template, in the order of the table's rows that need them first."""

    template: Template
    rows: IntArray
    signatures: list[Signature]
    classes: RowNumbers
    births: RowNumbers
    """For each row, the row of the table that needs it first."""


_LARGE: Final = 1 << 20
"""Literals from which on memory is looked at before they are written."""


class Circuit:
    """Collects parts and requirements for all rows, then adds their clauses to a builder."""

    def __init__(self, builder: FormulaBuilder, origin: str) -> None:
        self._builder = builder
        self._origin = origin
        self._given = builder.variables
        self._new = 0
        self._births: list[RowNumbers] = []
        self._sheets: list[_Sheet] = []

    def apply(self, part: CircuitPart, inputs: IntArray) -> IntArray:
        """Apply a part several times in every row, and return its outputs.

        Inputs and outputs have the shape (rows, times, slots).  An output that is constant or
        equals an input gets no new variable.
        """
        count, each, width = inputs.shape
        keys = part.order_inputs(inputs.reshape(-1, width))
        first, number = number_rows(keys)
        signatures, classes = classify(keys[first])
        signatures = [resolve(part, signature) for signature in signatures]
        rows = np.empty((len(first), part.template.slots), np.int32)
        rows[:, :width] = keys[first]
        births = first // each
        self._fill_outputs(rows, width, signatures, classes, births)
        self._sheets.append(_Sheet(part.template, rows, signatures, classes, births))
        return rows[number, width:].reshape(count, each, part.template.slots - width)

    def require(self, template: Template, rows: IntArray) -> None:
        """Require every row to satisfy the clauses of a template."""
        signatures, classes = classify(rows)
        self._sheets.append(_Sheet(template, rows, signatures, classes, np.arange(len(rows))))

    def write(self) -> None:
        """Allocate the variables and add the clauses, as one block."""
        if self._given + self._new >= TRUE:
            raise UsageError(
                f"the formula needs {self._given + self._new} variables, "
                f"more than the {TRUE - 1} there can be; make the problem smaller"
            )
        self._builder.new_variables(self._new)
        self._renumber()
        pieces = [piece for level, sheet in enumerate(self._sheets) for piece in _cut(sheet, level)]
        pieces.sort(key=lambda piece: piece[:2])
        size = sum(len(rows) * len(pattern) for *_, rows, pattern in pieces)
        if size > _LARGE:
            expect_memory(4 * size)
        flat = np.empty(size, np.int32)
        end = 0
        for _, level, members, pattern in pieces:
            literals = self._sheets[level].rows[members]
            choices = np.concatenate(
                [literals, -literals, np.zeros((len(literals), 1), np.int32)], axis=1
            )
            start, end = end, end + len(literals) * len(pattern)
            out = flat[start:end].reshape(len(literals), len(pattern))
            # Without ``mode`` NumPy fills a buffer of its own first.
            np.take(choices, pattern, axis=1, out=out, mode="clip")
        self._builder.add(self._origin, Block(self._origin, flat))

    def _fill_outputs(
        self,
        rows: IntArray,
        width: int,
        signatures: list[Signature],
        classes: RowNumbers,
        births: RowNumbers,
    ) -> None:
        """Fill in the output slots; the numbers of new variables are provisional."""
        outputs = range(width, rows.shape[1])
        fresh = [[slot for slot in outputs if s[slot] == slot + 1] for s in signatures]
        counts = np.array([len(slots) for slots in fresh], np.intp)[classes]
        before = self._given + 1 + self._new + np.cumsum(counts) - counts
        for k, signature in enumerate(signatures):
            members = np.flatnonzero(classes == k) if len(signatures) > 1 else slice(None)
            for slot in outputs:
                target = signature[slot]
                sign = 1 if target > 0 else -1
                if abs(target) == CONSTANT:
                    rows[members, slot] = sign * TRUE
                elif target == slot + 1:
                    rows[members, slot] = before[members] + fresh[k].index(slot)
                else:
                    rows[members, slot] = sign * rows[members, abs(target) - 1]
        self._new += int(counts.sum())
        self._births.append(np.repeat(births, counts))

    def _renumber(self) -> None:
        """Number the new variables by the row of the table that needs them first."""
        if len(self._births) < 2:
            return
        order = np.argsort(np.concatenate(self._births), kind="stable")
        final = np.empty(self._new, np.int32)
        final[order] = np.arange(self._given + 1, self._given + 1 + self._new)
        for sheet in self._sheets:
            variables = np.abs(sheet.rows)
            ours = (variables > self._given) & (variables < TRUE)
            renumbered = final[variables[ours] - self._given - 1]
            sheet.rows[ours] = np.where(sheet.rows[ours] > 0, renumbered, -renumbered)


def _cut(sheet: _Sheet, level: int) -> Iterator[tuple[int, int, RowNumbers, RowNumbers]]:
    """Yield a sheet in pieces of one chunk and class: chunk, level, rows and their pattern."""
    patterns = [as_pattern(sheet.template, signature) for signature in sheet.signatures]
    chunks = sheet.births // ROWS_AT_A_TIME
    keys = chunks * max(len(patterns), 1) + sheet.classes
    order = np.argsort(keys, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
        if len(members) and len(pattern := patterns[sheet.classes[members[0]]]):
            yield int(chunks[members[0]]), level, members, pattern


def any_of(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    """Return a literal for each row that is true if and only if one of the row's literals is.

    A row of k different literals takes one variable and k + 1 clauses.
    """
    if rows.shape[1] == 0:
        return np.full(len(rows), FALSE, np.int32)
    rows = _as_sets(np.column_stack([rows, np.full(len(rows), FALSE, np.int32)]))
    # The least literal of a row is FALSE; the greatest is another one if there is one.
    result = rows[:, -1].copy()
    result[(rows == TRUE).any(axis=1) | _has_opposites(rows)] = TRUE
    open_ = (result != TRUE) & (_sizes(rows) > 2)
    result[open_] = _define(builder, origin, rows[open_])
    return result


def all_of(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    """Return a literal for each row that is true if and only if all of the row's literals are."""
    return -any_of(builder, origin, -rows)


def differ(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    """Return a literal for each row that is true if and only if its literals are not all equal.

    A row of k different literals takes one variable and k + 2 clauses.  In a circle of literals
    that are not all equal, some true one is followed by a false one; so the k implications around
    the circle are enough.
    """
    rows = _as_sets(rows)
    sizes = _sizes(rows)
    first, last = rows[:, 0], rows[:, -1]
    result = np.full(len(rows), FALSE, np.int32)
    # With a constant beside it, a literal differs from it by itself, or by its negation.
    result = np.where((sizes == 2) & (first == FALSE), last, result)
    result = np.where((sizes == 2) & (last == TRUE), -first, result)
    result[_has_opposites(rows)] = TRUE
    constant = (first == FALSE) | (last == TRUE)
    open_ = (result == FALSE) & (sizes > 1) & ~((sizes == 2) & constant)
    if open_.any():
        kept, number = number_rows(rows[open_])
        circles = rows[open_][kept]
        r = builder.new_variables(len(circles))
        add_clauses(builder, origin, -r, circles)
        add_clauses(builder, origin, -r, -circles)
        for k in range(circles.shape[1]):
            add_clauses(builder, origin, r, -circles[:, k - 1], circles[:, k])
        result[open_] = r[number]
    return result.astype(np.int32)


def _define(builder: FormulaBuilder, origin: str, rows: IntArray) -> IntArray:
    if not len(rows):
        return np.zeros(0, np.int32)
    kept, number = number_rows(rows)
    rows = rows[kept]
    outputs = builder.new_variables(len(rows))
    add_clauses(builder, origin, -outputs, rows)
    for column in rows.T:
        add_clauses(builder, origin, outputs, -column)
    return outputs[number]


def _as_sets(rows: IntArray) -> IntArray:
    """Sort every row, and replace repetitions by its first literal."""
    rows = np.sort(rows, axis=1)
    repeated = np.zeros(rows.shape, bool)
    repeated[:, 1:] = rows[:, 1:] == rows[:, :-1]
    return np.sort(np.where(repeated, rows[:, :1], rows), axis=1)


def _sizes(rows: IntArray) -> NDArray[np.int64]:
    """Return the number of different literals in each sorted row."""
    sizes: NDArray[np.int64] = 1 + (rows[:, 1:] != rows[:, :-1]).sum(axis=1)
    return sizes


def _has_opposites(rows: IntArray) -> NDArray[np.bool_]:
    """Return which rows hold a literal and its negation."""
    ordered = np.take_along_axis(rows, np.argsort(np.abs(rows), axis=1, kind="stable"), axis=1)
    found: NDArray[np.bool_] = (ordered[:, 1:] == -ordered[:, :-1]).any(axis=1)
    return found
