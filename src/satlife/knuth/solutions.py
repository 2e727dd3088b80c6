"""Solutions as Knuth's solvers print them, drawn as sat-life-filter draws them.

A solution is one line of literals, each preceded by a space; the cells of time 0 are drawn as ``*``
and ``.`` with a ring of one cell.

>>> draw_solution(" 1a1 ~1a2 2a1 2a2 1b1").split()
['....', '.*..', '.**.', '....']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from satlife.errors import FormatError
from satlife.knuth.parts import first_cell, is_negative

_NOT_SPACE = "".join(map(chr, range(33, 127)))
_TOO_LONG = re.compile(r"~?(\d{3}|\d+a\d{3})")


def draw_solution(line: str) -> str:
    """Draw the cells of time 0 in a line of literals."""
    alive = set()
    rows = columns = 0
    for literal in line.split():
        if _TOO_LONG.match(literal):
            raise FormatError("Eh? I found a number of more than two digits!")
        negative = is_negative(literal)
        cell = first_cell(literal[1:] if negative else literal)
        if cell:
            rows, columns = max(rows, cell[0]), max(columns, cell[1])
            if not negative:
                alive.add(cell)
    return "".join(
        "".join("*" if (x, y) in alive else "." for y in range(columns + 2)) + "\n"
        for x in range(rows + 2)
    )


def draw_solutions(lines: Iterable[str]) -> Iterator[str]:
    """Draw every solution, a blank line after each; an unfinished last line is left out.

    As in the original, a character where a space should be ends a solution too: the ``~`` that a
    solver prints for "unsatisfiable" draws two empty pictures.
    """
    for line in lines:
        body = line.lstrip(_NOT_SPACE)
        yield from [draw_solution("") + "\n"] * (len(line) - len(body))
        if body.endswith("\n"):
            yield draw_solution(body) + "\n"
