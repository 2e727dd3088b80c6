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

A file of a family has the rule and the height in its first line.  Each other line is a word, a
hexadecimal digit for each column, with the topmost cell in the lowest bit, and stands for the set
that the set of all states leads to by these columns.  The words are sorted, and differ.  The set
that is contained in what a word and another column lead to is looked for among the words that have
the same last columns.

This module is the whole check; it shares nothing with :mod:`atlas.parents`, the search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product, takewhile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from satlife import Rule
from satlife.errors import FormatError
from satlife.plain import open_unpacked

TALLEST = 3
"""There are 4 to the power of the height + 2 pairs of columns."""
RECENT = 4
"""How many last columns are the same."""
_HEAD = re.compile(r"all patterns of (\S+), (\d) high, have parents")
_WORD = re.compile("[0-9a-f]+")


@dataclass(frozen=True)
class Family:
    """What a file says."""

    rule: Rule
    height: int
    words: tuple[str, ...]


def read_family(path: Path) -> Family:
    """Read a file; raise :class:`FormatError` if it is not one."""
    with open_unpacked(path) as file:
        first, *words = file.read().decode("ascii", "replace").splitlines() or [""]
    head = _HEAD.fullmatch(first)
    if not head or not 1 <= int(head[2]) <= TALLEST:
        raise FormatError(f"{path} does not begin with a rule and a height up to {TALLEST}")
    if not all(map(_WORD.fullmatch, words)):
        raise FormatError(f"{path} has a line that is not a word of hexadecimal digits")
    return Family(Rule(head[1]), int(head[2]), tuple(words))


def complaints(family: Family) -> Iterator[str]:
    """Yield what is wrong with a family; nothing if its theorem holds."""
    if family.rule.states != 2:
        yield f"{family.rule} has more than two states"
    elif not family.words:
        yield "there is no set"
    elif any(before >= after for before, after in pairwise(family.words)):
        yield "the words are not sorted, or not different"
    elif int(max("".join(family.words)), 16) >> family.height:
        yield f"a column has more than {family.height} cells"
    else:
        yield from _find_openings(family)


def _find_openings(family: Family) -> Iterator[str]:
    """Yield a word with an empty set, or one that leads out of the family."""
    steps = Steps(family.rule, family.height)
    sets = dict(zip(family.words, steps.read(family.words), strict=True))
    groups: dict[str, list[bytes]] = {}
    for word, chosen in sets.items():
        if not chosen:
            yield f"{word} leads to the empty set"
            return
        groups.setdefault(word[-RECENT:], []).append(chosen.to_bytes(steps.size, "little"))
    compared = {
        last: np.frombuffer(b"".join(each), np.uint64).reshape(len(each), -1).T.copy()
        for last, each in groups.items()
    }
    for word, chosen in sets.items():
        for column in range(1 << family.height):
            path = f"{word}{column:x}"
            reached = steps.follow(chosen, column).to_bytes(steps.size, "little")
            among = compared.get(path[-RECENT:])
            outside = ~np.frombuffer(reached, np.uint64)[:, None]
            if among is None or np.bitwise_or.reduce(among & outside, axis=0).all():
                yield f"what {path} leads to contains no set of the family"
                return


class Steps:
    """The sets that sets lead to, as numbers: bit i says whether a set has state i."""

    def __init__(self, rule: Rule, height: int) -> None:
        steps = list_steps(rule, height)
        self.whole = (1 << len(steps)) - 1
        self.size = -(-len(steps) // 64) * 8
        """Bytes of a set."""
        self._leads = []
        for column in range(1 << height):
            tables = []  # for eight states: where those lead that a byte has
            for first in range(0, len(steps), 8):
                leads = [0]
                for state in steps[first : first + 8]:
                    leads += [each | state[column] for each in leads]
                tables.append(leads)
            self._leads.append(tables)

    def follow(self, chosen: int, column: int) -> int:
        """Return the states that a set leads to by a column."""
        reached = 0
        for leads, byte in zip(
            self._leads[column], chosen.to_bytes(self.size, "little"), strict=False
        ):
            reached |= leads[byte]
        return reached

    def read(self, words: tuple[str, ...]) -> Iterator[int]:
        """Yield the set of each word; the words are sorted."""
        last, path = "", [self.whole]
        for word in words:
            same = (x == y for x, y in zip(last, word, strict=False))
            del path[sum(takewhile(bool, same)) + 1 :]
            for column in word[len(path) - 1 :]:
                path.append(self.follow(path[-1], int(column, 16)))
            yield path[-1]
            last = word


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
