"""sat-life-gridquad-cycle: oscillators with both mirror symmetries."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Part, no_smaller_period, steps
from satlife.knuth.program import Program
from satlife.knuth.programs.grid import SIZE
from satlife.knuth.programs.grid90_cycle import PERIOD, last_phase
from satlife.knuth.programs.gridquad import two_mirrors_board


def _parts(m: int, n: int, r: int) -> Iterator[Part]:
    yield from steps(two_mirrors_board(m, n), r, cage=" ~", cages=r, period=r)
    cells = [(x, y) for x in range(1, (m + 1) // 2 + 1) for y in range(1, (n + 1) // 2 + 1)]
    yield from no_smaller_period(cells, r)


GRIDQUAD_CYCLE = Program(
    name="sat-life-gridquad-cycle",
    parameters=(*SIZE, PERIOD),
    summary="oscillators of period r with both mirror symmetries (D4+)",
    description="""\
Like sat-life-gridquad, with times counted modulo r, every generation caged, and smaller periods
ruled out.  Period 1 does not exclude the empty grid.""",
    example=(7, 7, 4),
    parts=_parts,
    last_time=last_phase,
)
