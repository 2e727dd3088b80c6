"""Checking large LRAT proofs with a compiled kernel, where numba is installed.

The kernel takes lines as long as they are plain deletions or clauses that are implied (RUP), and
says nothing about others: the first line that it does not take, and all after it, are checked by
:mod:`.lrat`, which goes on from the clauses that are left.  So there is one place where reasons are
given, and a proof can only be called valid by the kernel if all its steps are RUP.
"""

from __future__ import annotations

import io
import mmap
import time
from os import PathLike
from typing import IO, Any, Final

import numpy as np

from satlife.errors import FormatError
from satlife.sat.formula import Formula
from satlife.sat.proofs import lrat
from satlife.sat.proofs.lines import read_lines
from satlife.sat.proofs.verdict import Verdict, open_proof

PAYS: Final = 3_000_000
"""The size of a proof, in bytes, from which on the kernel saves more than loading numba takes."""
_BLOCK: Final = 1 << 20
_ROOM: Final = 1 << 30
"""Bytes of memory without which numba is not loaded: the checker alone needs less."""


def check_large(
    formula: Formula, proof: str | PathLike[str] | IO[bytes], pays: int = PAYS
) -> Verdict:
    """Check a proof as ``check_lrat`` does, with the kernel if it has ``pays`` bytes or more."""
    begun = time.monotonic()
    checker = lrat.Checker(formula)
    with open_proof(proof) as file:
        block, taken = _read_block(file, pays), 0
        kernel = _load_kernel() if len(block) >= pays else None
        if kernel is not None:
            block, taken = _Run(kernel, formula, checker).take(block, file)
        return checker.check(begun, io.BytesIO(block), file, taken=taken)


def _read_block(file: IO[bytes], size: int = _BLOCK) -> bytes:
    """Read some bytes, up to the end of a line."""
    block = file.read(size)
    return block if block[-1:] == b"\n" else block + file.readline(lrat.LONGEST_LINE)


def _load_kernel() -> Any:
    try:
        mmap.mmap(-1, _ROOM).close()
        from satlife.sat.proofs import kernel  # noqa: PLC0415 - needs numba
    except (ImportError, OSError, RuntimeError):
        return None  # no numba, too little memory for it, or no folder to keep what it compiles
    return kernel


class _Run:
    """The arrays of the kernel, and the checker to which they are handed over."""

    def __init__(self, kernel: Any, formula: Formula, checker: lrat.Checker) -> None:
        self._kernel, self._checker = kernel, checker
        literals = formula.literals()
        self._given, self._base = formula.clauses, literals.size
        self._arena = literals.copy()
        self._starts = np.full(self._given + 1, -1, np.int64)
        ends = np.flatnonzero(literals == 0)
        self._starts[1:] = np.concatenate([[0], ends[:-1] + 1]) if ends.size else ends
        self._false = np.zeros(2 * formula.variables + 1, np.int64)
        self._counts = np.zeros(kernel.SIZE, np.int64)
        self._counts[[kernel.LAST, kernel.USED]] = self._given, self._base

    def take(self, block: bytes, file: IO[bytes]) -> tuple[bytes, int]:
        """Take as many lines as possible; return the rest of the last block, and their number."""
        total = 0
        while block:
            try:
                numbers, ends = read_lines(block)
            except FormatError:
                break
            self._make_room(numbers.size, ends.size)
            arrays = self._arena, self._starts, self._false, self._counts
            taken = self._kernel.take_steps(numbers, ends, *arrays)
            total += taken
            if taken < ends.size or self._counts[self._kernel.DONE]:
                block = block.split(b"\n", taken)[-1]
                break
            block = _read_block(file)
        self._hand_over()
        return block, total

    def _make_room(self, numbers: int, lines: int) -> None:
        """Make room for clauses; for ids that leave gaps, too, but not for any large number."""
        last, used = self._kernel.LAST, self._kernel.USED
        if self._arena.size - self._counts[used] < numbers:
            table = self._arena, self._starts
            self._kernel.compact(*table, self._given + 1, self._base, self._counts)
            size = 2 * int(self._counts[used]) + numbers
            self._arena = np.resize(self._arena, max(size, self._arena.size))
        if (size := self._counts[last] + 2 * lines + 1) > self._starts.size:
            more = np.full(2 * size - self._starts.size, -1)
            self._starts = np.append(self._starts, more)

    def _hand_over(self) -> None:
        """Tell the checker what is left."""
        kernel, counts, checker = self._kernel, self._counts.tolist(), self._checker
        checker.last, checker.added = counts[kernel.LAST], counts[kernel.ADDED]
        checker.deleted, checker.deletions = counts[kernel.DELETED], counts[kernel.DELETIONS]
        checker.done = bool(counts[kernel.DONE])
        if not checker.done:
            checker.gone[:] = (self._starts[: self._given + 1] < 0).tobytes()
            names = np.flatnonzero(self._starts >= 0)
            names = names[names > self._given]
            starts, zeros = self._starts[names], np.flatnonzero(self._arena == 0)
            ends = zeros[np.searchsorted(zeros, starts)]
            for name, start, end in zip(names.tolist(), starts, ends, strict=True):
                checker.clauses[name] = lrat.Clause(self._arena[start:end].tolist())
