"""Do all patterns of a height have parents, whatever their width?  A search for the proof.

A pattern is read column by column, and the set of all last two columns that a parent can have so
far is kept.  A column leads from a set to another; if it is empty, the columns are an orphan.
Otherwise a family of sets, from which no column leads out, is a proof:
:mod:`scripts.atlas.parents_check` has the theorem and the check.

This is the question whether a finite automaton accepts all words, and the search is that of
antichains (De Wulf, Doyen, Henzinger and Raskin, 2006): a set that contains one of the family is
not followed.  A proof may use smaller sets than those that are reached.  So a set that contains one
of the family but for a few states, the *slack*, replaces it by what they share.  Such sets can
become empty without an orphan, and then the search begins again with less slack.

>>> search("B3/S23", 1).sets
1
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from satlife import PartialPattern, Rule
from satlife.errors import SatlifeError, UsageError
from satlife.problem.words import count_words
from satlife.sat.files.paths import open_to_write
from scripts.atlas.parents_check import complaints, read_family

Flags = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]
SLACKS = (12, 6, 3, 1, 0)
MOST_SETS = 200_000


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
        self.count = len(rows)
        leads = np.zeros((1 << height, self.count, self.count), np.float32)
        for state, (row, b_) in enumerate(zip(rows, last, strict=True)):
            leads[row, state, names[b_]] = 1
        self.leads = leads
        """Whether a state leads by a column to another; for products, which count."""

    def follow(self, chosen: Flags) -> Flags:
        """Return the sets that a set leads to, one for each column."""
        return np.asarray((chosen.astype(np.float32) @ self.leads) > 0)


@dataclass
class Closure:
    """The sets that are reached, and the family that is left of them."""

    columns: Columns
    slack: int
    words: Words = field(init=False)
    """The sets of the family, 64 states in a number."""
    orphan: list[int] = field(default_factory=list)
    """The columns that lead to the empty set; with slack, that says nothing."""

    def __post_init__(self) -> None:
        self.words = pack(np.ones((1, self.columns.count), bool))
        self.paths: list[tuple[int, ...]] = [()]

    def run(self, most: int) -> bool | None:
        """Go on until the family is closed; False: a set is empty; None: there are too many."""
        waiting = deque([(self.words[0].tobytes(), self.paths[0])])
        while waiting:
            name, path = waiting.popleft()
            here = np.frombuffer(name, np.uint64)
            if self.is_replaced(here, path):
                continue
            for column, reached in enumerate(pack(self.columns.follow(self.unpack(here)))):
                missing = np.bitwise_count(self.words & ~reached).sum(axis=1, dtype=np.int64)
                nearest = int(missing.argmin())
                if not missing[nearest]:
                    continue
                new = reached
                if missing[nearest] <= self.slack:
                    new = reached & self.words[nearest]
                if not new.any():
                    self.orphan = [*path, column]
                    return False
                larger = ~(new & ~self.words).any(axis=1)
                self.words = np.concatenate([self.words[~larger], new[None]])
                self.paths = [
                    each for each, gone in zip(self.paths, larger, strict=True) if not gone
                ]
                self.paths.append((*path, column))
                waiting.append((new.tobytes(), self.paths[-1]))
            if len(self.words) > most:
                return None
        return True

    def is_replaced(self, here: Words, path: tuple[int, ...]) -> bool:
        """Whether smaller sets of the family stand for a set.

        One that is reached by more columns does not: the narrowest orphan may begin with fewer.
        """
        inside = np.flatnonzero(~(self.words & ~here).any(axis=1))
        is_there = bool((self.words[inside] == here).all(axis=1).any())
        is_sooner = any(len(self.paths[place]) <= len(path) for place in inside)
        return not is_there and (is_sooner or self.slack > 0)

    def unpack(self, words: Words) -> Flags:
        """Return a set as flags."""
        bits = np.unpackbits(words.view(np.uint8), bitorder="little", count=self.columns.count)
        return bits.astype(bool)

    def write(self, path: Path) -> None:
        """Write the family, with the sets that its sets lead to."""
        lines = [f"all patterns of {self.columns.rule}, {self.columns.height} high, have parents"]
        for here in self.words:
            reached = pack(self.columns.follow(self.unpack(here)))
            inside = (int((~(self.words & ~each).any(axis=1)).argmax()) for each in reached)
            number = int.from_bytes(here.tobytes(), "little")
            lines.append(f"{number:x} {' '.join(map(str, inside))}")
        with open_to_write(path) as file:
            file.write("\n".join([*lines, ""]).encode())


def pack(flags: Flags) -> Words:
    """Return sets, 64 states in a number."""
    width = -flags.shape[1] % 64
    return np.packbits(np.pad(flags, ((0, 0), (0, width))), axis=1, bitorder="little").view(
        np.uint64
    )


@dataclass(frozen=True)
class Answer:
    """What a search says of a height."""

    closure: Closure
    closed: bool | None
    """None: there were too many sets."""

    @property
    def sets(self) -> int:
        """The number of sets."""
        return len(self.closure.words)

    @property
    def orphan(self) -> PartialPattern | None:
        """An orphan of this height that is as narrow as possible, if there is one."""
        if self.closed is not False:
            return None
        columns = self.closure.columns
        cells = np.array(self.closure.orphan) >> np.arange(columns.height)[:, None] & 1
        return PartialPattern(cells.astype(np.uint8), 0, 0, columns.rule)


def search(rule: str, height: int, most: int = MOST_SETS) -> Answer:
    """Search for a family, or for an orphan."""
    columns = Columns(Rule(rule), height)
    for slack in SLACKS:
        closure = Closure(columns, slack)
        closed = closure.run(most)
        if closed:
            break
    return Answer(closure, closed)


def main() -> None:
    """Read the words, and do it."""
    parser = argparse.ArgumentParser(prog="python -m scripts.atlas.parents", description=__doc__)
    parser.add_argument("height", type=int, nargs="?", choices=(1, 2, 3, 4))
    parser.add_argument("--rule", default="B3/S23")
    parser.add_argument("--most", type=int, default=MOST_SETS, help="sets in memory")
    parser.add_argument("--prove", type=Path, metavar="FILE", help="write the family there")
    parser.add_argument("--check", type=Path, metavar="FILE", help="check a family")
    words = parser.parse_args()
    if words.height is None and not words.check:
        parser.error("give a height, or a file to --check")
    try:
        check(words.check) if words.check else prove(words)
    except (SatlifeError, OSError) as error:
        parser.error(str(error))


def check(path: Path) -> None:
    """Check a family."""
    family = read_family(path)
    for complaint in complaints(family):
        sys.exit(f"not valid: {complaint}")
    print(f"valid: all patterns of {family.rule}, {family.height} high, have parents")


def prove(words: argparse.Namespace) -> None:
    """Search for a family, and write it, or print an orphan."""
    answer = search(words.rule, words.height, words.most)
    if answer.closed is None:
        sys.exit(f"undecided: more than {words.most:,} sets")
    if answer.orphan is not None:
        print(answer.orphan.to_rle())
        return
    sets = count_words(answer.sets, "set")
    print(f"all have parents: {sets}, slack {answer.closure.slack}")
    if words.prove:
        answer.closure.write(words.prove)


if __name__ == "__main__":
    main()
