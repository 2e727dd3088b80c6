"""sat-life: one step of Life from the cells of a given pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satlife.knuth.parts import TIME_CODES, Part, one_step
from satlife.knuth.program import Argument, Program, Refusal
from satlife.knuth.transition import Board, Cell

_LAST = len(TIME_CODES) - 2  # the step from t to t+1 needs two codes


def _parts(t: int, cells: Iterable[Cell]) -> Iterator[Part]:
    alive = frozenset(cells)
    if not alive:
        return
    rows, columns = ([cell[axis] for cell in alive] for axis in (0, 1))
    top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)
    board = Board(
        rows=range(top, bottom + 1),
        columns=range(left, right + 1),
        scan=[(x, y) for x in range(top - 1, bottom + 2) for y in range(left - 1, right + 2)],
        lives=lambda x, y: (x, y) in alive,
    )
    yield one_step(board, t)


def _refuses(t: int) -> Refusal | None:
    if 0 <= t <= _LAST:
        return None
    return Refusal(254, f"The time should be between 0 and {_LAST} (not {t})!")


LIFE = Program(
    name="sat-life",
    parameters=(Argument("t", "the time of the pattern", least=0),),
    summary="one step of Life from time t, for a pattern given on standard input",
    description="""\
The pattern has a line for each row: * for a cell that may be alive at time t, . for a cell that is
dead.  The clauses define the cells of time t+1 near it from those of time t.  Steps for different
times can be joined to one formula with cat.""",
    example=(0,),
    parts=_parts,
    refuses=_refuses,
    last_time=lambda t: t + 1,
    reads_pattern=True,
)
