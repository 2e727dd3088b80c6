"""Do all patterns of a height have parents, whatever their width?  A search for the proof.

A pattern is read column by column, and the set of all last two columns that a parent can have so
far is kept.  A column leads from a set to another; if it is empty, the columns are an orphan.
Otherwise a family of sets, from which no column leads out, is a proof:
:mod:`atlas.parents_check` has the theorem and the check.

This is the question whether a finite automaton accepts all words, and the search is that of
antichains (De Wulf, Doyen, Henzinger and Raskin, 2006): a set that contains one of the family is
not followed, and is dropped if it was in the family.  Two things make it fast.  Sets are compared
only if they were reached by the same last columns, as others are rarely contained in each other;
and the smallest set is followed first, because it stands for the most.

>>> search("B3/S23", 1).words[:3]
('0000', '0001', '0010')
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path

import numpy as np
import numpy.typing as npt

from atlas.parents_check import RECENT, TALLEST, complaints, read_family
from satlife import PartialPattern, Rule
from satlife.errors import SatlifeError, UsageError
from satlife.problem.words import count_words
from satlife.sat.files.paths import open_to_write

Words = npt.NDArray[np.uint64]
"""A set, or several: 64 states in a number."""
MOST_SETS = 1_000_000


class Columns:
    """The automaton of a rule and a height."""

    def __init__(self, rule: Rule, height: int) -> None:
        if rule.states != 2:
            raise UsageError(f"{rule} has more than two states")
        self.rule, self.height = rule, height
        size, cells = 1 << height + 2, height + 2
        bits = np.arange(size)[:, None] >> np.arange(cells) & 1
        a, b, c = (
            bits.reshape(*[size if i == k else 1 for i in range(3)], cells) for k in range(3)
        )
        step = np.zeros((size, size, size), np.int64)
        for y in range(height):
            nine = [column[..., y + dy] for dy in range(3) for column in (a, b, c)]
            index = sum(each << 8 - i for i, each in enumerate(nine))
            step |= rule.table[index].astype(np.int64) << y
        names = np.zeros((size, size), np.int64)
        rows: list[npt.NDArray[np.int64]] = []
        last: list[int] = []
        for b_ in range(size):
            unique, inverse = np.unique(step[:, b_], axis=0, return_inverse=True)
            names[:, b_] = inverse.ravel() + len(rows)
            rows.extend(unique)
            last += [b_] * len(unique)
        padded = -(-len(rows) // 64) * 64
        leads = np.zeros((padded, 1 << height, padded), bool)
        for state, (row, b_) in enumerate(zip(rows, last, strict=True)):
            leads[state, row, names[b_]] = True
        single = np.packbits(leads, axis=2, bitorder="little").view(np.uint64)
        self.whole = np.packbits(np.arange(padded) < len(rows), bitorder="little").view(np.uint64)
        """The set of all states."""
        self._leads = np.zeros((padded // 8, 256, *single.shape[1:]), np.uint64)
        """Where eight states lead, those of them that a set has: by its bytes."""
        for i in range(8):
            with_it = self._leads[:, : 1 << i] | single[i::8, None]
            self._leads[:, 1 << i : 2 << i] = with_it
        self._bytes = np.arange(padded // 8)

    def follow(self, chosen: Words) -> Words:
        """Return the sets that a set leads to, one for each column."""
        leads = self._leads[self._bytes, chosen.view(np.uint8)]
        return np.asarray(np.bitwise_or.reduce(leads, axis=0))


class Group:
    """Sets that were reached by the same last columns; none contains another."""

    def __init__(self, width: int) -> None:
        self.words: list[str] = []
        """The columns that lead to each set."""
        self._sets = np.zeros((width, 8), np.uint64)
        """A set in each column, which numpy compares faster than in rows."""

    def add(self, word: str, chosen: Words, *, keep_larger: bool) -> list[str] | None:
        """Add a set; return what it replaces, or None if it contains a set that is here."""
        sets, outside = self._sets[:, : len(self.words)], ~chosen[:, None]
        if not np.bitwise_or.reduce(sets & outside, axis=0).all():
            return None
        gone: list[str] = []
        if not keep_larger:
            stays = np.bitwise_or.reduce(chosen[:, None] & ~sets, axis=0) != 0
            if not stays.all():
                gone = [self.words[i] for i in np.flatnonzero(~stays)]
                self.words = [self.words[i] for i in np.flatnonzero(stays)]
                self._sets[:, : len(self.words)] = sets[:, stays]
        if len(self.words) == self._sets.shape[1]:
            self._sets = np.concatenate([self._sets, np.zeros_like(self._sets)], axis=1)
        self._sets[:, len(self.words)] = chosen
        self.words.append(word)
        return gone


@dataclass(frozen=True)
class Answer:
    """What a search says of a height."""

    columns: Columns
    words: tuple[str, ...] = ()
    """The columns that lead to each set of a closed family; none if there is no such family."""
    empty: str | None = None
    """Columns that lead to the empty set."""

    @property
    def orphan(self) -> PartialPattern | None:
        """An orphan of this height that is as narrow as possible, if there is one."""
        if self.empty is None:
            return None
        numbers = np.array([int(column, 16) for column in self.empty])
        cells = numbers >> np.arange(self.columns.height)[:, None] & 1
        return PartialPattern(cells.astype(np.uint8), 0, 0, self.columns.rule)

    def write(self, path: Path) -> None:
        """Write the family."""
        rule, height = self.columns.rule, self.columns.height
        lines = [f"all patterns of {rule}, {height} high, have parents", *self.words, ""]
        with open_to_write(path) as file:
            file.write("\n".join(lines).encode())


def search(rule: str, height: int, most: int = MOST_SETS) -> Answer:
    """Search for a family, or for the narrowest orphan; neither if there are too many sets."""
    columns = Columns(Rule(rule), height)
    answer = explore(columns, most)
    return answer if answer.empty is None else explore(columns, most, narrowest=True)


def explore(columns: Columns, most: int, *, narrowest: bool = False) -> Answer:
    """Follow sets until the family is closed, or one is empty.

    For the narrowest orphan they are followed by their number of columns, and none is dropped for a
    smaller one, which may be reached later.
    """
    groups: dict[str, Group] = defaultdict(lambda: Group(len(columns.whole)))
    family: set[str] = {""}
    waiting: list[tuple[int, str, Words]] = [(0, "", columns.whole)]
    while waiting:
        _, word, here = heappop(waiting)
        if word not in family:
            continue  # a smaller one stands for it
        for column, reached in enumerate(columns.follow(here)):
            path = f"{word}{column:x}"
            size = int(np.bitwise_count(reached).sum())
            if not size:
                return Answer(columns, empty=path)
            gone = groups[path[-RECENT:]].add(path, reached, keep_larger=narrowest)
            if gone is not None:
                family.difference_update(gone)
                family.add(path)
                heappush(waiting, (len(path) if narrowest else size, path, reached))
        if len(family) > most:
            return Answer(columns)
    return Answer(columns, words=tuple(sorted(each for each in family if len(each) >= RECENT)))


def main(words: Sequence[str]) -> None:
    """Read the words, and do it."""
    parser = argparse.ArgumentParser(prog="python -m atlas parents", description=__doc__)
    parser.add_argument("height", type=int, nargs="?", choices=range(1, TALLEST + 1))
    parser.add_argument("--rule", default="B3/S23")
    parser.add_argument("--most", type=int, default=MOST_SETS, help="sets in memory")
    parser.add_argument("--prove", type=Path, metavar="FILE", help="write the family there")
    parser.add_argument("--check", type=Path, metavar="FILE", help="check a family")
    given = parser.parse_args(words)
    if given.height is None and not given.check:
        parser.error("give a height, or a file to --check")
    try:
        check(given.check) if given.check else prove(given)
    except (SatlifeError, OSError) as error:
        parser.error(str(error))


def check(path: Path) -> None:
    """Check a family."""
    family = read_family(path)
    for complaint in complaints(family):
        sys.exit(f"not valid: {complaint}")
    print(f"valid: all patterns of {family.rule}, {family.height} high, have parents")


def prove(given: argparse.Namespace) -> None:
    """Search for a family, and write it, or print an orphan."""
    answer = search(given.rule, given.height, given.most)
    if answer.orphan is not None:
        print(answer.orphan.to_rle())
    elif answer.words:
        print(f"all have parents: {count_words(len(answer.words), 'set')}")
        if given.prove:
            answer.write(given.prove)
    else:
        sys.exit(f"undecided: more than {given.most:,} sets")
