"""sat-life-gridquad: sat-life-grid for patterns with both mirror symmetries."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Part, steps
from satlife.knuth.program import Program
from satlife.knuth.programs.grid import SIZE, STEPS, last_step
from satlife.knuth.transition import Board


def two_mirrors_board(m: int, n: int) -> Board:
    """Return the m by n board on which rows x, m+1-x and columns y, n+1-y are the same."""
    half_rows, half_columns = (m + 1) // 2, (n + 1) // 2
    return Board(
        rows=range(1, m + 1),
        columns=range(1, n + 1),
        scan=[(x, y) for x in range(half_rows + 1) for y in range(half_columns + 1)],
        fold=lambda x, y: (min(x, m + 1 - x), min(y, n + 1 - y)),
    )


def _parts(m: int, n: int, r: int) -> Iterator[Part]:
    yield from steps(two_mirrors_board(m, n), r, cage=" ~", cages=r - 1)


GRIDQUAD = Program(
    name="sat-life-gridquad",
    parameters=(*SIZE, STEPS),
    summary="r steps of Life with both mirror symmetries (D4+) in an m by n grid",
    description="""\
Like sat-life-grid, with the rows x and m+1-x and the columns y and n+1-y identified, which leaves
about a quarter of the variables and clauses.""",
    example=(9, 8, 3),
    parts=_parts,
    last_time=last_step,
)
