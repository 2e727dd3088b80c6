"""Trimming LRAT proofs: renumber the clauses as in the formula, and drop unneeded steps.

CaDiCaL, given one clause after the other, numbers the formula's clauses and those that it derives
in one sequence: units that follow from the first clauses come before the last clauses.  So every id
that no step derives is a clause of the formula, and the k-th of them is clause k.  (If that were
ever wrong, the checker would reject the result.)

Backward from the empty clause, the hints show which steps are needed.  The others are left out, and
a clause is deleted after its last use.  Proofs with RAT steps are only renumbered, since such steps
depend on all clauses present.

If the solver was given a reduced formula, the steps that derive it come first: see
:mod:`.reduction`.

Trimming takes three passes over the file, block by block, and a few bytes of memory for each id.
"""

from __future__ import annotations

import mmap
import time
from array import array
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from satlife.errors import FormatError
from satlife.sat.formula import Formula
from satlife.sat.proofs.lines import DELETES, Numbers, read_lines, write_lines
from satlife.sat.proofs.reduction import Reduced

_BATCH = 64
"""The number of clauses deleted by one line."""
_BLOCK = 1 << 20
"""Bytes that are read at once, up to the next end of a line."""
_KEPT = 16
"""The number of blocks that are kept in memory for the next pass."""


def trim_lrat(
    formula: Formula | Reduced,
    source: str | PathLike[str],
    target: IO[str],
    *,
    deadline: float | None = None,
) -> None:
    """Write the needed steps of a solver's LRAT proof, with the formula's ids.

    If the formula was reduced, the result is a proof of the whole.  Raise FormatError if the file
    is not a solver's LRAT proof, TimeoutError past ``deadline``, a time of ``time.monotonic()``.
    The result is not checked.
    """
    small = Reduced.unchanged(formula) if isinstance(formula, Formula) else formula
    if (empty := find_empty(small.formula)) is not None:
        ids, last = small.write_steps([empty], target)
        if ids[empty] <= small.whole.clauses:
            target.write(f"{last + 1} 0 {ids[empty]} 0\n")
        return
    with Path(source).open("rb") as file, _map(file) as text:
        _Trimmer(text, small, deadline).write(target)


def find_empty(formula: Formula) -> int | None:
    """Return the index of the first empty clause, if any."""
    ends = np.flatnonzero(formula.literals() == 0)
    empty = np.flatnonzero(np.diff(ends, prepend=-1) == 1)
    return int(empty[0]) if empty.size else None


def _map(file: IO[bytes]) -> mmap.mmap:
    with suppress(ValueError):  # an empty file cannot be mapped
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    raise FormatError("the proof is empty")


class _Block:
    """Lines of a proof, up to the empty clause: their numbers, and where their parts are."""

    def __init__(self, numbers: Numbers, ends: Numbers) -> None:
        starts = np.concatenate([[0], ends[:-1]])
        if (ends - starts).min() < 3 or numbers[ends - 1].any():
            raise FormatError("not a step of an LRAT proof")
        empty = np.flatnonzero(numbers[starts + 1] == 0)[:1]
        self.is_last = bool(empty.size)
        if self.is_last:
            starts, ends = starts[: empty[0] + 1], ends[: empty[0] + 1]
        self.numbers, self.starts, self.ends = numbers[: ends[-1]], starts, ends
        self.names, self.lengths = numbers[starts], ends - starts
        self.adds = numbers[starts + 1] != DELETES
        """Marks the lines that add a clause; the others delete some."""
        zeros = np.flatnonzero(numbers == 0)
        self.middles = np.where(self.adds, zeros[np.searchsorted(zeros, starts)], starts + 1)
        """The places of the zeros before the hints, or of the letters d."""
        self.lines = np.repeat(np.arange(ends.size), self.lengths)
        """For each number, its line."""
        self.hints = np.flatnonzero(np.arange(ends[-1]) > self.middles[self.lines])
        """The places of the hints or deleted ids, and of the zeros after them."""
        named, lines = np.abs(numbers[self.hints]), self.lines[self.hints]
        self.largest = max(int(self.names.max()), int(named.max()))
        # A solver may delete clauses of the formula that have larger ids than its steps so far.
        late = self.adds[lines] & (named > self.names[lines])
        if late.any() or (self.middles == ends - 1).any():
            raise FormatError("a step of an LRAT proof has no hints, or later clauses as hints")

    def keep(self, kept: npt.NDArray[np.bool_]) -> _Block | None:
        """Return some of the lines, or None if there is none."""
        ends = np.cumsum(self.lengths[kept])
        return _Block(self.numbers[kept[self.lines]], ends) if ends.size else None


class _Trimmer:
    """A proof in a memory-mapped file, and tables over its ids."""

    def __init__(self, text: mmap.mmap, small: Reduced, deadline: float | None) -> None:
        self._text = text
        self._small = small
        self._deadline = deadline
        self._parse = lru_cache(_KEPT)(lambda start, end: _Block(*read_lines(text[start:end])))
        self._places: list[tuple[int, int]] = []
        """The first byte of each block, and the byte after its last one."""
        names = self._find_steps()
        size = int(names[-1]) + 1
        if size > 2 * (names.size + small.formula.clauses) + 2:
            raise FormatError("the proof's ids leave gaps")
        self._new = np.zeros(size, np.int64)
        """For each id in the file, the id in the result; 0 if it has none yet."""
        self._given = np.delete(np.arange(size), np.append(names, 0))
        """The ids of the formula's clauses, in their order."""
        self._last_use = array("q", bytes(8 * size))
        """For each id, the last step that needs it."""
        self._last_use[-1] = size
        self._next = 0
        self._pending: list[int] = []
        """The ids in the result that the next deletion names."""

    def write(self, out: IO[str]) -> None:
        """Write the trimmed proof."""
        trims, used = self._mark(), np.frombuffer(self._last_use, np.int64)
        if trims:
            self._derive_given(np.flatnonzero(used[self._given]).tolist(), out)
        else:
            # RAT steps depend on all clauses present: those that the solver was given.
            alone = self._small.whole is not self._small.formula
            self._derive_given(range(self._given.size), out, alone=alone)
        for place in self._places:
            block: _Block | None = self._read(place)
            if trims and block:
                block = block.keep(block.adds & (used[block.names] > 0))
            if block:
                numbers, lengths = self._renumber(block), block.lengths
                if trims:
                    numbers, lengths = self._delete(block, numbers)
                out.write(write_lines(numbers, np.cumsum(lengths)))

    def _derive_given(self, wanted: Iterable[int], out: IO[str], *, alone: bool = False) -> None:
        """Derive the formula's clauses from those of the whole, and record their ids."""
        within = (k for k in wanted if k < self._small.formula.clauses)
        ids, self._next = self._small.write_steps(within, out, alone=alone)
        self._new[self._given[list(ids)]] = list(ids.values())

    def _find_steps(self) -> Numbers:
        """Find the blocks, up to the empty clause; return the ids of the clauses that are added."""
        found, start, largest = [np.zeros(1, np.int64)], 0, 0
        while start < len(self._text):
            end = self._text.find(b"\n", start + _BLOCK) + 1 or len(self._text)
            block = self._read((start, end))
            self._places.append((start, end))
            found.append(block.names[block.adds])
            largest = max(largest, block.largest)
            if block.is_last:
                names = np.concatenate(found)
                if (np.diff(names) <= 0).any() or largest > names[-1]:
                    raise FormatError("the ids of an LRAT proof must grow")
                return names[1:]
            start = end
        raise FormatError("the proof ends without the empty clause")

    def _mark(self) -> bool:
        """Find the last use of every clause; return False if a step that is needed is not RUP."""
        last_use = self._last_use
        for place in reversed(self._places):
            block = self._read(place)
            numbers, columns = block.numbers.tolist(), (block.names, block.middles, block.ends)
            rows = (column[block.adds][::-1].tolist() for column in columns)
            for name, middle, end in zip(*rows, strict=True):
                if last_use[name]:
                    hints = numbers[middle + 1 : end - 1]
                    if not hints or min(hints) < 0:
                        return False
                    for hint in hints:
                        if not last_use[hint]:
                            last_use[hint] = name
        return True

    def _renumber(self, block: _Block) -> Numbers:
        """Return the numbers of a block in the result, and give its clauses the next ids there."""
        names = self._next + np.cumsum(block.adds)
        self._next = int(names[-1])
        self._new[block.names[block.adds]] = names[block.adds]
        numbers, hints = block.numbers.copy(), block.numbers[block.hints]
        numbers[block.starts] = names
        numbers[block.hints] = np.sign(hints) * self._new[np.abs(hints)]
        places = np.delete(
            np.arange(numbers.size), np.concatenate([block.starts, block.middles, block.hints])
        )
        literals, variables = numbers[places], self._small.variables
        own = np.abs(literals) - variables.size
        more = self._small.whole.variables + 1
        # The solver's own new variables come last.
        new = np.where(own < 0, variables[np.minimum(own, -1)], own + more)
        numbers[places] = np.sign(literals) * new
        return numbers

    def _delete(self, block: _Block, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Insert the deletions of clauses after their last use; return the lengths of lines too."""
        used, old = np.frombuffer(self._last_use, np.int64), block.numbers[block.hints]
        lines = block.lines[block.hints]
        # Nothing follows the empty clause, which has the last id.
        dying = (used[old] == block.names[lines]) & (used[old] < used.size - 1)
        once = np.sort(np.unique(old[dying], return_index=True)[1])
        gone, lines = self._new[old[dying][once]].tolist(), lines[dying][once]
        rows: list[list[int]] = []
        after: list[int] = []
        start = 0
        while (stop := start + _BATCH - len(self._pending)) <= len(gone):
            after.append(int(lines[stop - 1]))
            stop = int(np.searchsorted(lines, after[-1], "right"))
            name = int(numbers[block.starts[after[-1]]])
            rows.append([name, DELETES, *self._pending, *gone[start:stop], 0])
            self._pending, start = [], stop
        self._pending += gone[start:]
        sizes = list(map(len, rows))
        lengths = np.insert(block.lengths, np.array(after, np.int64) + 1, sizes)
        places = np.repeat(block.ends[after], sizes)
        return np.insert(numbers, places, [each for row in rows for each in row]), lengths

    def _read(self, place: tuple[int, int]) -> _Block:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise TimeoutError
        return self._parse(*place)
