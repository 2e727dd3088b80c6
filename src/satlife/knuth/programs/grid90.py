"""sat-life-grid90: sat-life-grid for patterns that a quarter-turn does not change."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Part, steps
from satlife.knuth.program import Program, Refusal
from satlife.knuth.programs.grid import SIZE, STEPS, last_step
from satlife.knuth.transition import Board, Cell


def quarter_turn_board(n: int, *, corner: bool) -> Board:
    """Return the n by n board on which (x, y) and (n+1-y, x) are one cell.

    Of four equal cells the one in the top triangle gives the name.  The board with ``corner``
    prints the cells of the falling diagonal's far half as well, as sat-life-grid90 does.
    """

    def fold(x: int, y: int) -> Cell:
        while x > y or x + y > n + (x == y):
            x, y = n + 1 - y, x
        return x, y

    def limit(x: int, y: int) -> int:
        return n + 1 if corner else n + (x == y)

    scan = [
        (x, y) for x in range((n + 1) // 2 + 1) for y in range(x, n + 2) if x + y <= limit(x, y)
    ]
    return Board(rows=range(1, n + 1), columns=range(1, n + 1), scan=scan, fold=fold)


def require_square(m: int, n: int, *_: int) -> Refusal | None:
    """Refuse boards that are not square."""
    return None if m == n else Refusal(254, "This version requires m=n!")


def _parts(_m: int, n: int, r: int) -> Iterator[Part]:
    yield from steps(quarter_turn_board(n, corner=True), r, cage=" ~", cages=r - 1)


GRID90 = Program(
    name="sat-life-grid90",
    parameters=(*SIZE, STEPS),
    summary="r steps of Life with quarter-turn symmetry (C4) in an m by m grid",
    description="""\
Like sat-life-grid, with the cells (x, y) and (n+1-y, x) identified, which leaves about a quarter of
the variables and clauses.  m must equal n.""",
    example=(8, 8, 3),
    parts=_parts,
    refuses=require_square,
    last_time=last_step,
)
