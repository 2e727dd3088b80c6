"""sat-life-grid-cycle: oscillators in an m by n grid."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Clauses, Part, no_smaller_period, some, steps, xty
from satlife.knuth.program import Program
from satlife.knuth.programs.grid import SIZE
from satlife.knuth.programs.grid90_cycle import PERIOD, last_phase
from satlife.knuth.transition import rectangle


def _parts(m: int, n: int, r: int) -> Iterator[Part]:
    cells = [(x, y) for x in range(1, m + 1) for y in range(1, n + 1)]
    yield Clauses("not empty", some(xty(x, y, 0) for x, y in cells))
    yield from steps(rectangle(m, n), r, cage="~", cages=r, period=r)
    yield from no_smaller_period(cells, r)


GRID_CYCLE = Program(
    name="sat-life-grid-cycle",
    parameters=(*SIZE, PERIOD),
    summary="oscillators of period r in an m by n grid",
    description="""\
Times are counted modulo r, generation 0 is not empty, every generation stays in the grid, and
generation 0 differs from generation k for each proper divisor k of r.  A pattern may be composed of
parts with smaller periods.""",
    example=(6, 6, 4),
    parts=_parts,
    last_time=last_phase,
)
