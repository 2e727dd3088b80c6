"""sat-life-grid-spaceships-sym: spaceships with left-right mirror symmetry."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Part, steps
from satlife.knuth.program import Program
from satlife.knuth.programs.grid import SIZE, last_step
from satlife.knuth.programs.grid_spaceships import (
    PERIOD,
    SHIFT,
    check_shift,
    require_time,
    ship_clauses,
)
from satlife.knuth.transition import Board


def _parts(m: int, n: int, r: int, s: int) -> Iterator[Part]:
    half = (n + 1) // 2
    board = Board(
        rows=range(1, m + 1),
        columns=range(1, n + 1),
        scan=[(x, y) for x in range(m + 2) for y in range(half + 1)],
        fold=lambda x, y: (x, min(y, n + 1 - y)),
    )
    yield from steps(board, r, cage="~", cages=r - 1)
    yield from ship_clauses(m, range(1, half + 1), [0], r, s)


GRID_SPACESHIPS_SYM = Program(
    name="sat-life-grid-spaceships-sym",
    parameters=(*SIZE, PERIOD, SHIFT),
    summary="ships with left-right mirror symmetry",
    description="""\
Like sat-life-grid-spaceships, with the columns y and n+1-y identified, which halves the variables
and clauses.""",
    example=(14, 12, 3, 1),
    parts=_parts,
    refuses=require_time,
    check=check_shift,
    last_time=last_step,
)
