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

Trimming takes three passes over the file, and a few bytes of memory for each id: 17 MB took 2 s.
"""

from __future__ import annotations

import mmap
import time
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO

import numpy as np

from satlife.errors import FormatError
from satlife.sat.formula import Formula
from satlife.sat.proofs.reduction import Reduced

_BATCH = 64
"""The number of clauses deleted by one line."""
_LOOK = 1024
"""The number of steps between checks of the clock."""


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


@dataclass(frozen=True, slots=True)
class _Step:
    literals: list[int]
    hints: list[int]


class _Trimmer:
    """A proof in a memory-mapped file, and tables over its ids."""

    def __init__(self, text: mmap.mmap, small: Reduced, deadline: float | None) -> None:
        self._text = text
        self._small = small
        self._deadline = deadline
        self._literals = _Literals(small)
        self._names, self._starts = array("q"), array("q")
        """For each step that adds a clause, its id, and the offset of its line."""
        self._find_steps()
        if not self._names:
            raise FormatError("the proof derives no clause")
        size = self._names[-1] + 1
        if size > 2 * (len(self._names) + small.formula.clauses) + 2:
            raise FormatError("the proof's ids leave gaps")
        self._new = array("q", bytes(8 * size))
        """For each id in the file, the id in the result; 0 if it has none yet."""
        derived = bytearray(size)
        for name in self._names:
            derived[name] = 1
        self._given = [name for name in range(1, size) if not derived[name]]
        """The ids of the formula's clauses, in their order."""
        self._last_use = array("q", bytes(8 * size))
        """For each id, the last step, from 1 on, that needs it."""
        self._next = 0

    def write(self, out: IO[str]) -> None:
        """Write the trimmed proof."""
        try:
            kept = self._mark()
        except _RatStepError:
            self._renumber(out)
            return
        wanted = (k for k, name in enumerate(self._given) if self._last_use[name])
        self._derive_given(wanted, out)
        pending: list[int] = []
        for place in self._watched(kept):
            step = self._read(place)
            out.write(self._line(self._names[place], step))
            last = (hint for hint in dict.fromkeys(step.hints) if self._last_use[hint] == place + 1)
            pending.extend(self._new[hint] for hint in last)
            if len(pending) >= _BATCH and place != kept[-1]:  # nothing after the empty clause
                out.write(f"{self._next} d {' '.join(map(str, pending))} 0\n")
                pending = []

    def _derive_given(self, wanted: Iterable[int], out: IO[str], *, alone: bool = False) -> None:
        """Derive the formula's clauses from those of the whole, and record their ids."""
        within = (k for k in wanted if k < self._small.formula.clauses)
        ids, self._next = self._small.write_steps(within, out, alone=alone)
        for k, number in ids.items():
            self._new[self._given[k]] = number

    def _find_steps(self) -> None:
        """Record the offsets of the steps, up to the empty clause."""
        start, last = 0, 0
        for number, line in enumerate(iter(self._text.readline, b"")):
            if not number % _LOOK:
                self._look_at_clock()
            words = line.split(None, 2)
            if words[1:2] != [b"d"]:
                if len(words) < 2 or not words[0].isdigit() or int(words[0]) <= last:
                    raise FormatError("not a step of an LRAT proof", line=number + 1)
                last = int(words[0])
                self._names.append(last)
                self._starts.append(start)
                if words[1] == b"0":
                    return
            start += len(line)
        raise FormatError("the proof ends without the empty clause")

    def _mark(self) -> list[int]:
        """Return the steps that the last step needs, in order; raise if one is not RUP."""
        kept = []
        self._last_use[self._names[-1]] = len(self._names) + 1
        for place in self._watched(range(len(self._names) - 1, -1, -1)):
            if not self._last_use[self._names[place]]:
                continue
            kept.append(place)
            hints = self._read(place).hints
            if not hints:
                raise _RatStepError
            for hint in hints:
                if hint < 0:
                    raise _RatStepError
                if not self._last_use[hint]:
                    self._last_use[hint] = place + 1
        return kept[::-1]

    def _renumber(self, out: IO[str]) -> None:
        """Write everything, deletions included, with new ids."""
        # RAT steps depend on all clauses present, which must be those that the solver was given.
        alone = self._small.whole is not self._small.formula
        self._derive_given(range(len(self._given)), out, alone=alone)
        self._text.seek(0)
        last = self._starts[-1]
        for number, line in enumerate(iter(self._text.readline, b"")):
            if not number % _LOOK:
                self._look_at_clock()
            name, second, *rest = line.split()
            if second == b"d":
                gone = " ".join(str(self._new[int(each)]) for each in rest[:-1])
                out.write(f"{self._next} d {gone} 0\n")
                continue
            out.write(self._line(int(name), _split([second, *rest])))
            if self._text.tell() > last:
                return

    def _line(self, name: int, step: _Step) -> str:
        """Return a step's line in the result, and give its clause the next id there."""
        self._next += 1
        self._new[name] = self._next
        new = self._new
        if step.hints and min(step.hints) < 0:
            hints = [new[hint] if hint > 0 else -new[-hint] for hint in step.hints]
        else:
            hints = [new[hint] for hint in step.hints]
        literals = map(self._literals.__getitem__, step.literals)
        return " ".join(map(str, (self._next, *literals, 0, *hints, 0))) + "\n"

    def _read(self, place: int) -> _Step:
        self._text.seek(self._starts[place])
        step = _split(self._text.readline().split()[1:])
        name = self._names[place]
        if step.hints and not -name < min(step.hints) <= max(step.hints) < name:
            raise FormatError(f"clause {name} has a hint that is not an earlier clause")
        return step

    def _watched(self, places: list[int] | range) -> Iterator[int]:
        for count, place in enumerate(places):
            if not count % _LOOK:
                self._look_at_clock()
            yield place

    def _look_at_clock(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise TimeoutError


class _Literals(dict[int, int]):
    """The solver's literals translated to the whole; its own new variables come last."""

    def __init__(self, small: Reduced) -> None:
        super().__init__(enumerate(small.variables.tolist()))
        self |= {-literal: -self[literal] for literal in self}
        self.more = small.whole.variables - small.formula.variables

    def __missing__(self, literal: int) -> int:
        self[literal] = literal + self.more if literal > 0 else literal - self.more
        return self[literal]


class _RatStepError(Exception):
    """A step is not RUP."""


def _split(words: list[bytes]) -> _Step:
    """Split the words after the id into literals and hints."""
    try:
        middle = words.index(b"0")
        return _Step(list(map(int, words[:middle])), list(map(int, words[middle + 1 : -1])))
    except ValueError:
        raise FormatError("not a step of an LRAT proof") from None
