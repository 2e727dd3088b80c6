"""Circuits over all rows of a table at once, and their clauses as one array.

An encoding applies its parts to every row.  Two parts with the same inputs are one part.

New variables are numbered by the row that needs them first.  Clauses follow the same order, some
hundred rows at a time: solvers do better when related clauses are close together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from satlife.errors import UsageError
from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import Block, IntArray
from satlife.sat.logic.constants import TRUE
from satlife.sat.logic.part import Part, resolve
from satlife.sat.logic.rows import RowNumbers, number_rows
from satlife.sat.logic.template import CONSTANT, Signature, Template, as_pattern, classify

ROWS_AT_A_TIME: Final = 512
"""Few enough that related clauses stay close, enough for array operations to pay."""


@dataclass(frozen=True, eq=False)
class _Sheet:
    """Rows for one template, in the order of the table's rows that need them first."""

    template: Template
    rows: IntArray
    signatures: list[Signature]
    classes: RowNumbers
    births: RowNumbers
    """For each row, the row of the table that needs it first."""


class Circuit:
    """Collects parts and requirements for all rows, then adds their clauses to a builder."""

    def __init__(self, builder: FormulaBuilder, origin: str) -> None:
        self._builder = builder
        self._origin = origin
        self._given = builder.variables
        self._new = 0
        self._births: list[RowNumbers] = []
        self._sheets: list[_Sheet] = []

    def apply(self, part: Part, inputs: IntArray) -> IntArray:
        """Apply a part several times in every row, and return its outputs.

        Inputs and outputs have the shape (rows, times, slots).  An output is a constant or an input
        where it cannot be anything else, and a new variable otherwise.
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
        flat = np.empty(sum(len(rows) * len(pattern) for *_, rows, pattern in pieces), np.int32)
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
