"""sat-life-upper: how early can life reach a cell outside a quadrant?"""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Clauses, Part, one_step, xty
from satlife.knuth.program import Argument, Program, Refusal
from satlife.knuth.transition import Board


def earliest(x: int, y: int) -> int:
    """Return a lower bound on the first time that cell (x, y) lives (x to the right, y up).

    Only the quadrant x <= 0, y <= 0 is alive at time 0.
    """
    if x <= 0 and y <= 0:
        return 0
    if y < 0:
        return earliest(y, x)
    if x <= -y:
        return y
    return x + 2 * y if x <= 0 else 2 * (x + y)


def _parts(x0: int, y0: int) -> Iterator[Part]:
    r = _time(x0, y0)

    def bound(row: int, column: int) -> int:
        return earliest(column - 1 - r + x0, 1 + r + y0 - row)

    for t in range(r):
        board = Board(
            rows=range(1 + t, 2 * r + 2 - t),
            columns=range(1 + t, 2 * r + 2 - t),
            scan=[
                (x, y)
                for x in range(2 + t, 2 * r + 1 - t)
                for y in range(2 + t, 2 * r + 1 - t)
                if bound(x, y) <= t + 1
            ],
            lives=lambda x, y, t=t: bound(x, y) <= t,  # type: ignore[misc]  # t is bound now, not later
        )
        yield one_step(board, t)
    yield Clauses("the cell is alive at time r", f"{xty(r + 1, r + 1, r)}\n")


def _time(x0: int, y0: int) -> int:
    return 2 * (x0 + y0) if x0 > 0 else x0 + 2 * y0


def _refuses(x0: int, y0: int) -> Refusal | None:
    if y0 <= 0:
        return Refusal(254, "The value of y0 should be positive!")
    if x0 < -y0:
        return Refusal(253, "The value of x0 should be at least -y0!")
    return None


UPPER = Program(
    name="sat-life-upper",
    parameters=(
        Argument("x0", "the column of the cell, right of the quadrant's corner", least=-999),
        Argument("y0", "the row of the cell, above the quadrant's corner"),
    ),
    summary="can cell (x0, y0) live in the least conceivable time, from a quadrant?",
    description="""\
At time 0 only cells with x <= 0 and y <= 0 may be alive (here x grows to the right and y grows
upward).  The clauses say that cell (x0, y0) is alive at time r, the conjectured least time:
r = 2(x0 + y0) if x0 > 0, else x0 + 2 y0.  Only cells that can matter are on the boards, which
shrink by a ring with every step.""",
    example=(1, 1),
    parts=_parts,
    refuses=_refuses,
    last_time=_time,
)
