"""sat-life-grid90-cycle: oscillators that a quarter-turn does not change."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Part, no_smaller_period, steps
from satlife.knuth.program import Argument, Program
from satlife.knuth.programs.grid import SIZE
from satlife.knuth.programs.grid90 import quarter_turn_board, require_square

PERIOD = Argument("r", "the period")


def last_phase(*arguments: int) -> int:
    """Return r - 1: time r is time 0 again."""
    return arguments[2] - 1


def _parts(_m: int, n: int, r: int) -> Iterator[Part]:
    board = quarter_turn_board(n, corner=False)
    yield from steps(board, r, cage=" ~", cages=r, period=r)
    inside = [(x, y) for x, y in board.scan if x >= 1]
    yield from no_smaller_period(inside, r)


GRID90_CYCLE = Program(
    name="sat-life-grid90-cycle",
    parameters=(*SIZE, PERIOD),
    summary="oscillators of period r with quarter-turn symmetry (C4) in an m by m grid",
    description="""\
Times are counted modulo r, so that generation r is generation 0 again, and every generation stays
in the grid.  For each proper divisor k of r, generation k differs from generation 0 in some cell.
Period 1 does not exclude the empty grid.""",
    example=(8, 8, 5),
    parts=_parts,
    refuses=require_square,
    last_time=last_phase,
)
