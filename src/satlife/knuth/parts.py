"""The parts of a program's output: clauses, and steps of Life.

A step is written with the time codes ``a`` and ``b``.  Printed for another time it is the same text
with these two letters replaced, so every step but the first costs almost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from satlife.knuth.transition import Board, transition
from satlife.knuth.xty import time_code


@dataclass(frozen=True)
class Clauses:
    """Lines of clauses, ready to print, and the reason for them."""

    origin: str
    text: str

    def encode(self) -> bytes:
        """Return the bytes to print."""
        return self.text.encode("ascii")


@dataclass(frozen=True)
class Step:
    """The clauses of one step; the codes a and b in the text mean the times now and then."""

    text: bytes
    now: int
    then: int

    origin = "transition"

    def encode(self) -> bytes:
        """Return the bytes to print."""
        codes = f"{time_code(self.now)}{time_code(self.then)}".encode("ascii")
        return self.text.translate(bytes.maketrans(b"ab", codes))


Part = Clauses | Step


def steps(
    board: Board, count: int, *, cage: str = "", cages: int, period: int = 0
) -> Iterator[Step]:
    """Yield the steps from time 0 to time ``count``, the first ``cages`` of them caged.

    With a period the times wrap around.
    """
    if count <= 0:
        return
    lines = list(transition(board, cage))
    caged = "".join([line.text for line in lines]).encode("ascii")
    open_ = "".join([line.text for line in lines if not line.cage]).encode("ascii")
    for t in range(count):
        then = (t + 1) % period if period else t + 1
        yield Step(caged if t < cages else open_, t, then)


def one_step(board: Board, t: int) -> Step:
    """Return the step from time t to time t + 1 on a board of its own, not caged."""
    text = "".join([line.text for line in transition(board)])
    return Step(text.encode("ascii"), t, t + 1)
