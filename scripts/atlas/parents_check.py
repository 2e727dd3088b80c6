"""Checking that all patterns of a height have parents: a family of sets, closed under columns.

**Theorem.**  Let a rule have two states, and let G be the rule on three columns of m+2 cells: the m
cells in the middle of what becomes of the second one.  A *state* is a column b of a possible
parent, and what each column c that may follow gives: (b, c ↦ G(a, b, c)) for some column a before
b.  By v, a column of m cells, it leads to (c, d ↦ G(b, c, d)) for each c that gives v.  Let F be a
family of sets of states, at least one and none of them empty, such that for each set of F and each
v, the states that the set leads to by v contain a set of F.  Then each pattern m cells high has a
parent, whatever its width.  (The cells around the pattern may become anything.)

*Proof.*  Take a set of F, and the columns v1, v2, …, vn of a pattern.  By v1, the set leads to
states that contain a set of F; by v2, that leads to states that contain another; and so on.  The
last one is not empty.  So there is a path of states, which is a sequence of columns a, b, c1, …, cn
with G(a, b, c1) = v1, G(b, c1, c2) = v2, and so on: a parent in the box that is larger by one cell
on each side.

A file of a family has the rule and the height in its first line.  Each other line is a set, as a
hexadecimal number whose bit i says whether it has state i, and, for each column v, the number of
the set (from 0) that is contained in what it leads to.  States are numbered by b, and those with
the same b in the order of their functions, as lists in the order of c.  A column is a number whose
lowest bit is the topmost cell.

This module is the whole check; it shares nothing with :mod:`scripts.atlas.parents`, the search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from satlife import Rule
from satlife.errors import FormatError
from satlife.sat.files.paths import open_to_read

TALLEST = 4
"""There are 4 to the power of the height + 2 pairs of columns."""
_HEAD = re.compile(r"all patterns of (\S+), (\d+) high, have parents")
_LINE = re.compile(r"([0-9a-f]+)((?: \d+)+)")


@dataclass(frozen=True)
class Family:
    """What a file says."""

    rule: Rule
    height: int
    sets: tuple[int, ...]
    following: tuple[tuple[int, ...], ...]


def read_family(path: Path) -> Family:
    """Read a file; raise :class:`FormatError` if it is not one."""
    with open_to_read(path) as file:
        first, *lines = file.read().decode("ascii", "replace").splitlines() or [""]
    head = _HEAD.fullmatch(first)
    if not head or not 1 <= int(head[2]) <= TALLEST:
        raise FormatError(f"{path} does not begin with a rule and a height up to {TALLEST}")
    read = [_LINE.fullmatch(line) for line in lines]
    if not all(read):
        raise FormatError(f"{path} has a line that is not a set and the numbers of others")
    found = [each for each in read if each]
    sets = tuple(int(each[1], 16) for each in found)
    following = tuple(tuple(map(int, each[2].split())) for each in found)
    return Family(Rule(head[1]), int(head[2]), sets, following)


def complaints(family: Family) -> Iterator[str]:
    """Yield what is wrong with a family; nothing if its theorem holds."""
    rule, columns = family.rule, 1 << family.height
    if rule.states != 2:
        yield f"{rule} has more than two states"
        return
    steps = list_steps(rule, family.height)
    if not family.sets:
        yield "there is no set"
    for number, (chosen, following) in enumerate(zip(family.sets, family.following, strict=True)):
        if not chosen or chosen >> len(steps):
            yield f"set {number} is empty, or has a state that does not exist"
            return
        if len(following) != columns or max(following) >= len(family.sets):
            yield f"set {number} does not name a set for each of {columns} columns"
            return
        reached = [0] * columns
        for state, leads in enumerate(steps):
            if chosen >> state & 1:
                for column in range(columns):
                    reached[column] |= leads[column]
        for column, name in enumerate(following):
            if family.sets[name] & ~reached[column]:
                yield f"set {number} does not lead to set {name} by column {column}"
                return


def list_steps(rule: Rule, height: int) -> list[list[int]]:
    """Return, for each state and each column, the set of the states that it leads to."""
    step = tabulate(rule, height)
    size = len(step)
    states = [(b, row) for b in range(size) for row in sorted({*map(tuple, step[:, b].tolist())})]
    number = {state: i for i, state in enumerate(states)}
    after = [[number[c, tuple(step[b, c].tolist())] for c in range(size)] for b in range(size)]
    found = [[0] * (1 << height) for _ in states]
    for leads, (b, row) in zip(found, states, strict=True):
        for c in range(size):
            leads[row[c]] |= 1 << after[b][c]
    return found


def tabulate(rule: Rule, height: int) -> npt.NDArray[np.int64]:
    """Return G(a, b, c), for all columns."""
    size = 1 << height + 2
    found = np.zeros((size, size, size), np.int64)
    columns = np.arange(size)
    for y in range(height):
        for cells in product(range(8), repeat=3):  # of a, b and c, the topmost cell lowest
            place = 0  # in the rule's table: row by row from the top left, the highest bit first
            for row, cell in product(range(3), cells):
                place = place << 1 | cell >> row & 1
            if rule.table[place]:
                a, b, c = (columns >> y & 7 == each for each in cells)
                found[np.ix_(a, b, c)] |= 1 << y
    return found
