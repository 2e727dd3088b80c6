"""A checker of LRAT proofs in text form, meant to be read in one go.

An LRAT proof is a list of steps, one on each line::

    <id> <literals> 0 <hints> 0      add a clause
    <id> d <ids> 0                   delete clauses

The formula's clauses have the ids 1, 2, … in their order. The hints are the ids of clauses that,
taken in turn, each become unit (all literals but one are false, so that one is true) when the
new clause's literals are false, until one has no literal left: then the new clause is implied
(RUP). If none does, the clause may still be added without harm (RAT) when, with its first
literal as the pivot, its resolvent with every clause that holds the pivot's negation is implied:
these clauses' ids come negated and in increasing order, each followed by the hints for its
resolvent. A proof is valid when it gets to the empty clause. See Cruz-Filipe, Heule, Hunt,
Kaufmann and Schneider-Kamp, "Efficient certified RAT verification" (CADE 2017).

The checker is at least as strict as ``lrat-check``: ids must grow, and only existing clauses can be
used or deleted. The file is read line by line, and a clause of the formula becomes a Python object
only when a hint names it, so it takes the memory of the formula and of the clauses in use. Binary
proofs are not read: there are two formats of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from itertools import pairwise, zip_longest
from os import PathLike
from typing import IO

import numpy as np

from satlife.sat.formula import Formula
from satlife.sat.proofs.verdict import Verdict, open_proof

LONGEST_LINE = 1 << 25
"""Size limit of a line, in bytes: a file without newlines must not fill the memory."""

Clause = frozenset[int]


def check_lrat(formula: Formula, proof: str | PathLike[str] | IO[bytes]) -> Verdict:
    """Check an LRAT proof, a path or an open file, that a formula has no model.

    Only a missing file is an error.
    """
    start = time.monotonic()
    with open_proof(proof) as file:
        return LratChecker(formula).check(start, list_lines(file))


def list_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Return the lines of a file; one that is too long is cut."""
    return iter(partial(file.readline, LONGEST_LINE), b"")


class _Wrong(Exception):  # noqa: N818
    """The proof is not valid."""


class LratChecker:
    """The current clauses, and the counts so far."""

    def __init__(self, formula: Formula) -> None:
        self.added = self.deleted = self.deletions = self.rat = 0
        self.done = False
        """Whether the empty clause has been derived."""
        self._literals = formula.literals()
        self._ends = np.flatnonzero(self._literals == 0)
        self._given = formula.clauses
        self.last = formula.clauses
        """The largest id so far."""
        self.gone = bytearray(formula.clauses + 1)
        """Marks the deleted clauses of the formula."""
        self.clauses: dict[int, Clause] = {}
        """The derived clauses, and those of the formula that were used."""
        self._holders: dict[int, dict[int, None]] | None = None
        """For each literal, the derived clauses that contain it; built for the first RAT step."""

    def check(self, start: float, lines: Iterator[bytes], taken: int = 0) -> Verdict:
        """Check the rest of a proof, after the lines that were taken."""
        reason = "" if self.done else self._run(lines, taken)
        return Verdict(
            not reason,
            reason,
            steps=self.added + self.deletions,
            added=self.added,
            deleted=self.deleted,
            rat=self.rat,
            seconds=time.monotonic() - start,
            ends=next(lines, None) is None,
        )

    def _run(self, lines: Iterator[bytes], number: int) -> str:
        """Return the error, or an empty string if the proof is valid."""
        for line in lines:
            number += 1
            try:
                if self._step(line):
                    return ""
            except _Wrong as wrong:
                return f"line {number}: {wrong}"
        return f"line {number}: the proof ends without the empty clause"

    def _step(self, line: bytes) -> bool:
        """Check a line; return whether it derives the empty clause."""
        words = line.split()
        deletion = words[1:2] == [b"d"]
        if deletion:
            del words[1]
        try:
            # int alone would take 1_0 and +1.
            if line.translate(None, b"0123456789- \t\r\n") != b"d" * deletion:
                raise ValueError
            numbers = list(map(int, words))
        except ValueError:
            if line.startswith(b"a") or b"\0" in line:
                raise _Wrong("this is not LRAT text; binary LRAT is not supported") from None
            raise _Wrong(f"this is not a step: {_shorten(line)}") from None
        if len(numbers) < 2 or numbers[-1] != 0 or len(line) >= LONGEST_LINE:
            raise _Wrong(f"this step does not end with 0: {_shorten(line)}")
        if deletion:
            self._delete(numbers[1:-1])
            return False
        return self._add(numbers)

    def _delete(self, names: list[int]) -> None:
        for name in names:
            clause = self._find(name, "deleted id")
            if name <= self._given:
                self.gone[name] = 1
            elif self._holders is not None:
                for literal in clause:
                    del self._holders[literal][name]
            del self.clauses[name]
        self.deleted += len(names)
        self.deletions += 1

    def _add(self, numbers: list[int]) -> bool:
        """Check a new clause and keep it; return whether it is empty."""
        name = numbers[0]
        middle = numbers.index(0)
        if middle in (0, len(numbers) - 1):
            raise _Wrong(f"clause {name}: a step is an id, literals, 0, hints, 0")
        literals, hints = numbers[1:middle], numbers[middle + 1 : -1]
        if 0 in hints:
            raise _Wrong(f"clause {name}: something follows the hints")
        if name <= self.last:
            raise _Wrong(f"clause {name}: ids must grow, and {self.last} is taken")
        clause = Clause(literals)
        try:
            if not self._implied(set(clause), hints, literals):
                self.rat += 1
        except _Wrong as wrong:
            raise _Wrong(f"clause {name}: {wrong}") from None
        self.clauses[name] = clause
        self.last = name
        self.added += 1
        if self._holders is not None:
            self._index(name, clause)
        return not clause

    def _implied(self, false: set[int], hints: list[int], literals: list[int]) -> bool:
        """Return whether a clause is RUP (True) or RAT (False); raise if it is neither."""
        clauses, used = self.clauses, 0
        for hint in hints:
            if hint < 0:
                break
            rest = (clauses.get(hint) or self._find(hint, "hint")) - false
            if len(rest) == 1:
                (unit,) = rest
                false.add(-unit)
            elif rest:
                raise _Wrong(f"hint {hint} is not unit")
            else:
                return True
            used += 1
        if not literals:
            raise _Wrong("the hints do not lead to a conflict")
        self._check_resolvents(false, hints[used:], literals[0])
        return False

    def _check_resolvents(self, false: set[int], hints: list[int], pivot: int) -> None:
        """Check that the resolvents with all clauses that contain -pivot are implied."""
        starts = [place for place, hint in enumerate(hints) if hint < 0]
        named = [-hints[place] for place in starts]
        wanted = list(self._find_holders(-pivot))
        if named != wanted:
            odd = next(a or b for a, b in zip_longest(wanted, named, fillvalue=0) if a != b)
            raise _Wrong(f"it is not implied, nor RAT on {pivot}: see clause {odd}")
        for start, stop in pairwise([*starts, len(hints)]):
            others = self._find(-hints[start], "hint") - {-pivot}
            if any(-literal in false for literal in others):
                continue  # the resolvent is always true
            try:
                self._implied(false | others, hints[start + 1 : stop], [])
            except _Wrong as wrong:
                raise _Wrong(f"the resolvent with clause {-hints[start]}: {wrong}") from None

    def _find(self, name: int, what: str) -> Clause:
        """Return a clause by its id."""
        clause = self.clauses.get(name)
        if clause is not None:
            return clause
        if not 0 < name <= self._given or self.gone[name]:
            raise _Wrong(f"{what} {name} is not a clause")
        start = self._ends[name - 2] + 1 if name > 1 else 0
        found = Clause(self._literals[start : self._ends[name - 1]].tolist())
        self.clauses[name] = found
        return found

    def _find_holders(self, literal: int) -> Iterator[int]:
        """Yield the clauses that contain a literal, in the order of their ids."""
        if self._holders is None:
            self._holders = {}
            for name, clause in self.clauses.items():
                if name > self._given:
                    self._index(name, clause)
        last = 0
        for place in np.searchsorted(self._ends, np.flatnonzero(self._literals == literal)):
            name = int(place) + 1
            if name != last and not self.gone[name]:
                yield name
            last = name
        yield from self._holders.get(literal, ())

    def _index(self, name: int, clause: Clause) -> None:
        if self._holders is not None:
            for literal in clause:
                self._holders.setdefault(literal, {})[name] = None


def _shorten(line: bytes) -> str:
    return repr(line[:40].decode("ascii", "replace").strip())
