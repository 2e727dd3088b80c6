"""sat-life-grid: r steps of Life inside an m by n grid."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Part, steps
from satlife.knuth.program import Argument, Program
from satlife.knuth.transition import rectangle

SIZE = (Argument("m", "the number of rows"), Argument("n", "the number of columns"))
STEPS = Argument("r", "the number of steps")


def _parts(m: int, n: int, r: int) -> Iterator[Part]:
    # The last generation may leave the grid: it needs no cage.
    yield from steps(rectangle(m, n), r, cage="~", cages=r - 1)


def last_step(*arguments: int) -> int:
    """Return r, the third argument."""
    return arguments[2]


GRID = Program(
    name="sat-life-grid",
    parameters=(*SIZE, STEPS),
    summary="r steps of Life; the live cells stay in an m by n grid before time r",
    description="""\
The clauses hold exactly when the cells of times 0 to r follow from each other by the rule of
Life.  Cells outside the m by n grid are dead at every time before r; at time r they may be born.

Add unit clauses for the cells of time r, and a solver finds an ancestor r generations back.""",
    example=(7, 15, 3),
    parts=_parts,
    last_time=last_step,
)
