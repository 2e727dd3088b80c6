"""From the parts of a program to a :class:`~satlife.sat.Formula` with names.

The text of a step is read once; for every other time its variables are renumbered as one array.
There is no limit on times here: beyond Knuth's 84 codes a name has the number, as in ``3(84)5``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from satlife.knuth.parts import TIME_CODES, Clauses, Part, Step, time_code
from satlife.sat import Formula, loads
from satlife.sat.formula import FormulaBuilder

_CELL_IN_STEP = re.compile(rb"(\d+)([ab])(\d+)(.*)\Z")
_CELL = re.compile(r"(\d+)(?:(\D)|\((\d+)\))(\d+)\Z")

IntArray = npt.NDArray[np.int32]


def build_formula(parts: Iterable[Part], comment: str) -> Formula:
    """Return the formula of the parts."""
    tables = _Tables(comment)
    read: dict[bytes, _ReadStep] = {}
    for part in parts:
        if isinstance(part, Step):
            if part.text not in read:
                read = {part.text: _ReadStep(part.text, tables)}
            tables.add_step(read[part.text], part.now, part.then)
        elif part.text:
            tables.add_clauses(part)
    return tables.builder.build()


class _ReadStep:
    """The text of a step as literals with a numbering of their own."""

    def __init__(self, text: bytes, tables: _Tables) -> None:
        formula = loads(text, "knuth")
        self.literals = formula.literals()
        self.variables = formula.variables
        names = [] if formula.names is None else formula.names.tolist()
        cells: dict[bytes, list[tuple[int, int]]] = {b"a": [], b"b": []}
        helpers: list[tuple[int, bytes, bytes]] = []
        for variable, name in enumerate(names, 1):
            match = _CELL_IN_STEP.match(name)
            if match is None:
                raise AssertionError(name)
            x, code, y, suffix = match.groups()
            if suffix:
                helpers.append((variable, x, y + suffix))
            else:
                cells[code].append((variable, tables.key(x, y)))
        self.now, self.then = (
            _CellsOfStep(*np.array(cells[code], np.int32).reshape(-1, 2).T) for code in (b"a", b"b")
        )
        self.helpers = np.array([variable for variable, _, _ in helpers], np.int32)
        self.before = np.array([x for _, x, _ in helpers], np.bytes_)
        self.after = np.array([y for _, _, y in helpers], np.bytes_)


@dataclass(frozen=True)
class _CellsOfStep:
    variables: IntArray
    keys: IntArray


class _Tables:
    """The variables so far: by time and cell, and by name for the rest."""

    def __init__(self, comment: str) -> None:
        self.builder = FormulaBuilder(comments=[comment])
        self.keys: dict[tuple[bytes, bytes], int] = {}
        self.by_time: dict[int, IntArray] = {}
        self.others: dict[str, int] = {}

    def key(self, x: bytes, y: bytes) -> int:
        """Return a small number for the cell."""
        return self.keys.setdefault((x, y), len(self.keys))

    def add_step(self, step: _ReadStep, now: int, then: int) -> None:
        renumbered = np.zeros(step.variables + 1, np.int32)
        for cells, t in ((step.now, now), (step.then, then)):
            renumbered[cells.variables] = self.cells(cells.keys, t)
        names = _join(step.before, now, step.after)
        renumbered[step.helpers] = self.builder.new_variables(step.helpers.size, names)
        signs = np.sign(step.literals)
        self.builder.add(Step.origin, renumbered[np.abs(step.literals)] * signs)

    def cells(self, keys: IntArray, t: int) -> IntArray:
        """Return the variables of these cells at time t, new ones where needed."""
        table = self.by_time.get(t, np.zeros(0, np.int32))
        if table.size < len(self.keys):
            table = np.concatenate([table, np.zeros(len(self.keys) - table.size, np.int32)])
            self.by_time[t] = table
        fresh = keys[table[keys] == 0]
        if fresh.size:
            x, y = (np.array(each, np.bytes_)[fresh] for each in zip(*self.keys, strict=True))
            table[fresh] = self.builder.new_variables(fresh.size, _join(x, t, y))
        return table[keys]

    def add_clauses(self, part: Clauses) -> None:
        formula = loads(part.text, "knuth")
        renumbered = np.zeros(formula.variables + 1, np.int32)
        for variable in range(1, formula.variables + 1):
            renumbered[variable] = self.variable(formula.name(variable))
        literals = formula.literals()
        self.builder.add(part.origin, renumbered[np.abs(literals)] * np.sign(literals))

    def variable(self, name: str) -> int:
        """Return the variable of a name that does not occur in a step."""
        if match := _CELL.match(name):
            x, code, number, y = match.groups()
            t = int(number) if number else TIME_CODES.index(code)
            key = self.key(x.encode(), y.encode())
            return int(self.cells(np.array([key], np.int32), t)[0])
        if name not in self.others:
            self.others[name] = int(self.builder.new_variables(1, [name])[0])
        return self.others[name]


def _join(
    before: npt.NDArray[np.bytes_], t: int, after: npt.NDArray[np.bytes_]
) -> npt.NDArray[np.bytes_]:
    code = time_code(t).encode("ascii")
    return np.char.add(np.char.add(before, code), after)
