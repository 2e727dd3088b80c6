"""Circuits over all rows of a table at once, and their clauses as one array.

An encoding applies its parts to every row; a part with the inputs of another is the same part.
This module knows literals and classes of rows, not rules.

New variables are numbered by the row that needs them first, and clauses are written in that order
too, some hundred rows at a time: solvers do better when what belongs together is together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from satlife.errors import UsageError
from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import Block, IntArray
from satlife.search.formula.encodings._part import Part, resolve
from satlife.search.formula.encodings._template import (
    CONSTANT,
    Signature,
    Template,
    as_pattern,
    classify,
)
from satlife.search.formula.transitions import TRUE, RowNumbers, number_rows

ORIGIN: Final = "transition"
ROWS_AT_A_TIME: Final = 512
"""How many rows stay together: few enough for locality, enough for arrays to pay."""


@dataclass(frozen=True, eq=False)
class _Sheet:
    """Rows for one template, in the order of the transitions that need them first."""

    template: Template
    rows: IntArray
    signatures: list[Signature]
    classes: RowNumbers
    births: RowNumbers
    """For each row, the transition that needs it first."""


class Circuit:
    """Collects parts and requirements for all rows, then writes them into a builder."""

    def __init__(self, builder: FormulaBuilder) -> None:
        self._builder = builder
        self._given = builder.variables
        self._new = 0
        self._births: list[RowNumbers] = []
        self._sheets: list[_Sheet] = []

    def apply(self, part: Part, inputs: IntArray) -> IntArray:
        """Apply the part ``each`` times in every row: inputs and outputs are (rows, each, slots).

        Its outputs are constants or inputs where that is all they can be, else new variables.
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
        """Require the clauses of a template of every row."""
        signatures, classes = classify(rows)
        self._sheets.append(_Sheet(template, rows, signatures, classes, np.arange(len(rows))))

    def write(self) -> None:
        """Hand out the variables and add the clauses, as one block."""
        if self._given + self._new >= TRUE:
            raise UsageError(
                f"{self._given + self._new} variables are too many; at most {TRUE - 1}"
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
            # Without mode, NumPy would fill a buffer of its own first.
            np.take(choices, pattern, axis=1, out=out, mode="clip")
        self._builder.add(ORIGIN, Block(ORIGIN, flat))

    def _fill_outputs(
        self,
        rows: IntArray,
        width: int,
        signatures: list[Signature],
        classes: RowNumbers,
        births: RowNumbers,
    ) -> None:
        """Fill in the output slots; new variables have numbers for the time being."""
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
        """Number the new variables by the transition that needs them first."""
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
    """Cut a sheet into pieces of one chunk and class: chunk, level, rows and their pattern."""
    patterns = [as_pattern(sheet.template, signature) for signature in sheet.signatures]
    chunks = sheet.births // ROWS_AT_A_TIME
    keys = chunks * max(len(patterns), 1) + sheet.classes
    order = np.argsort(keys, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
        if len(members) and len(pattern := patterns[sheet.classes[members[0]]]):
            yield int(chunks[members[0]]), level, members, pattern
