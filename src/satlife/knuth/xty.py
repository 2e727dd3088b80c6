"""Knuth's "xty codes": the names of cells in his sat-life programs.

Cell (x, y) at time t is named by the decimal row x, a code for t, and the decimal column y:
row 10, column 11 at time 0 is ``10a11``.  x is the ROW and y the COLUMN, both from 1; the ring
outside the board has row 0 and column 0.  Only ``satlife.knuth`` uses this order.

>>> xty(10, 11, 0), xty(3, 4, 83)
('10a11', '3~4')
"""

from __future__ import annotations

import re
from string import ascii_letters, punctuation

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
