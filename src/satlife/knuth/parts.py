"""The parts of a program's output: the names of cells, clauses, and steps of Life.

A step is written with the time codes ``a`` and ``b``.  Printed for another time it is the same text
with these two letters replaced, so every step but the first costs almost nothing.

Cells are named by Knuth's "xty codes": cell (x, y) at time t is the decimal row x, a code for t,
and the decimal column y, so that row 10, column 11 at time 0 is ``10a11``.  x is the ROW and y the
COLUMN, both from 1; the ring outside the board has row 0 and column 0.  Only ``satlife.knuth`` uses
this order.

>>> xty(10, 11, 0), xty(3, 4, 83)
('10a11', '3~4')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_letters, punctuation

from satlife.knuth.transition import Board, Cell, transition

TIME_CODES = ascii_letters + punctuation
"""One printable character for each of the times 0 to 83; Knuth's order."""

LONGEST_NAME = 8
"""The longest name that Knuth's SAT solvers read."""

_CELL = re.compile(r"(\d+)a(\d+)\Z")


def time_code(t: int) -> str:
    """Return the code of time t; beyond 83, where Knuth's codes end, ``(t)``.

    >>> time_code(0), time_code(26), time_code(84)
    ('a', 'A', '(84)')
    """
    return TIME_CODES[t] if 0 <= t < len(TIME_CODES) else f"({t})"


def xty(x: int, y: int, t: int) -> str:
    """Return the name of the cell in row x and column y at time t."""
    return f"{x}{time_code(t)}{y}"


def is_negative(literal: str) -> bool:
    """Whether a literal is negated: only the FIRST tilde is a sign, since ``~`` is also a time.

    >>> is_negative("~3~4"), is_negative("3~4")
    (True, False)
    """
    return literal.startswith("~")


def first_cell(literal: str) -> tuple[int, int] | None:
    """Return (row, column) of a cell of time 0, or None for any other name.

    >>> first_cell("10a11"), first_cell("10a11A2"), first_cell("10b11")
    ((10, 11), None, None)
    """
    match = _CELL.match(literal)
    return (int(match[1]), int(match[2])) if match else None


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


# Clauses that several programs add to the transitions: equalities, differences, dead rows.


def dead(names: Iterable[str]) -> str:
    """Return clauses that make each of these false."""
    return "".join(f"~{name}\n" for name in names)


def some(names: Iterable[str]) -> str:
    """Return the clause that makes at least one of these true."""
    return "".join(f" {name}" for name in names) + "\n"


def equal(pairs: Iterable[tuple[str, str]]) -> str:
    """Return clauses that make the two of each pair equal."""
    return "".join(f"~{u} {v}\n{u} ~{v}\n" for u, v in pairs)


def witnesses(triples: Iterable[tuple[str, str, str]]) -> str:
    """Return clauses for triples (u, v, w): if the witness w is true, then u and v differ."""
    return "".join(f"{u} {v} ~{w}\n~{u} ~{v} ~{w}\n" for u, v, w in triples)


def no_smaller_period(cells: list[Cell], r: int) -> Iterator[Clauses]:
    """Yield clauses that make time 0 differ from time k, for every proper divisor k of r."""
    for k in range(1, r):
        if r % k == 0:
            code = time_code(k)
            triples = [(xty(x, y, 0), xty(x, y, k), f"{x}a{code}{y}") for x, y in cells]
            text = witnesses(triples) + some(w for _, _, w in triples)
            yield Clauses(f"period is not {k}", text)
