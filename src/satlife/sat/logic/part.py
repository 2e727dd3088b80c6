"""Parts of circuits: a few outputs as functions of a few inputs, with their clauses.

>>> from satlife.sat.logic.template import CONSTANT
>>> pair = Part.compute((2, 2), [[[0, 1], [1, 1]], [[0, 0], [0, 1]]])
>>> len(pair.template.clauses)
6
>>> resolve(pair, (1, -CONSTANT))  # of u and FALSE, "any" is u and "both" is FALSE
(1, -99, 1, -99)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from satlife.sat.formula import IntArray
from satlife.sat.logic.cover import BoolArray, define
from satlife.sat.logic.template import CONSTANT, Signature, Template


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a circuit; the order of input axes of the same length must not matter."""

    shape: tuple[int, ...]
    """The number of values of each input axis: 2 for a plain literal, more for a unary chain."""
    template: Template
    """The clauses; its slots are the inputs, then the outputs."""
    inputs: BoolArray
    """Every combination of values that the input slots can have, one in each row."""
    outputs: BoolArray
    """The outputs for each of these rows."""

    @classmethod
    def compute(cls, shape: tuple[int, ...], tables: Sequence[npt.ArrayLike]) -> Part:
        """Build the part for some functions, given as tables over the input axes."""
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
        """Return the rows with their axes in a fixed order, so that equal parts look equal."""
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
def resolve(part: Part, signature: Signature) -> Signature:
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
