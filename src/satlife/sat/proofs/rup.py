"""Checking LRAT proofs in limited time, large ones with a compiled kernel if numba is installed.

The kernel takes lines as long as they delete clauses, or add clauses that are implied (RUP).  The
first line that it does not take, and all after it, are for the plain checker, :mod:`.lrat`, which
goes on with the clauses that are left.  So all reasons come from there, and the kernel alone calls
a proof valid only if every step in it is RUP.
"""

from __future__ import annotations

import io
import math
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from typing import IO, Any, Final

import numpy as np

from satlife.errors import FormatError
from satlife.machine import load_compiled
from satlife.sat.formula import Formula
from satlife.sat.proofs import lrat
from satlife.sat.proofs.lines import read_lines
from satlife.sat.proofs.verdict import Verdict, open_proof

_BLOCK: Final = 1 << 18
"""Bytes between checks of the clock."""
_LARGEST: Final = 1 << 22
"""Bytes of a block, with one very long line, that the kernel leaves alone."""
PAYS: Final = 3 << 20
"""The size of a proof, in bytes, from which on the kernel saves more than loading numba takes."""
_KERNEL: Final = "satlife.sat.proofs.kernel"


def check_in_time(
    formula: Formula,
    proof: str | PathLike[str] | IO[bytes],
    seconds: float | None = None,
    pays: int = PAYS,
) -> Verdict:
    """Check an LRAT proof, a path or an open file; the verdict is undecided at the time limit.

    The kernel is used from ``pays`` bytes on.
    """
    begun = time.monotonic()
    checker, taken = lrat.LratChecker(formula), 0
    try:
        with open_proof(proof) as file:
            blocks, head, size = _read_blocks(file), list[bytes](), 0
            while size < pays and (block := next(blocks, b"")):
                head, size = [*head, block], size + len(block)
            blocks = _watch(chain(head, blocks), math.inf if seconds is None else begun + seconds)
            is_plain = all(len(block) < _LARGEST for block in head)
            if size >= pays and is_plain and (kernel := load_compiled(_KERNEL)):
                blocks, taken = _take(kernel, formula, checker, blocks)
            lines = map(lrat.list_lines, map(io.BytesIO, blocks))
            return checker.check(begun, chain.from_iterable(lines), taken)
    except TimeoutError:
        spent = time.monotonic() - begun
        return Verdict(False, "time limit", decided=False, seconds=spent)


def _read_blocks(file: IO[bytes]) -> Iterator[bytes]:
    while block := file.read(_BLOCK):
        yield block if block[-1:] == b"\n" else block + file.readline(lrat.LONGEST_LINE)


def _watch(blocks: Iterable[bytes], deadline: float) -> Iterator[bytes]:
    for block in blocks:
        if time.monotonic() > deadline:
            raise TimeoutError
        yield block


def _take(
    kernel: Any, formula: Formula, checker: lrat.LratChecker, blocks: Iterator[bytes]
) -> tuple[Iterator[bytes], int]:
    """Take lines as long as possible; return the rest, and how many lines were taken."""
    arena, given = formula.literals(), formula.clauses
    starts = np.concatenate([[-1, 0], np.flatnonzero(arena == 0) + 1])[: given + 1]
    false = np.zeros(2 * formula.variables + 1, np.int64)
    counts = np.array([given, arena.size, 0, 0, 0, 0], np.int64)
    total, rest, lines = 0, b"", given
    for block in blocks:
        try:
            numbers, ends = read_lines(block if len(block) < _LARGEST else b"")
        except FormatError:
            rest = block
            break
        if counts[kernel.USED] + numbers.size > arena.size:
            arena = np.append(arena, np.zeros(arena.size + numbers.size, np.int32))
        # Ids may leave gaps; as many as there are lines, or a few lines would fill the memory.
        lines += ends.size
        if 2 * lines >= starts.size:
            starts = np.append(starts, np.full(4 * lines - starts.size, -1, np.int64))
        taken = kernel.take_steps(numbers, ends, arena, starts, false, counts)
        total += taken
        if taken < ends.size or counts[kernel.DONE]:
            rest = block.split(b"\n", taken)[-1]
            break
    checker.last, _, checker.added, checker.deleted, checker.deletions, done = counts.tolist()
    checker.done, checker.gone[:] = bool(done), (starts[: given + 1] < 0).tobytes()
    names = np.flatnonzero(starts[given + 1 :] >= 0) + given + 1
    zeros = np.flatnonzero(arena == 0)
    stops = zeros[np.searchsorted(zeros, starts[names])]
    for name, start, stop in zip(names.tolist(), starts[names], stops, strict=True):
        checker.clauses[name] = lrat.Clause(arena[start:stop].tolist())
    return chain([rest] if rest else [], blocks), total
