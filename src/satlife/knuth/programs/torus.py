"""sat-life-torus: r steps of Life on an m by n torus."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Part, steps
from satlife.knuth.program import Program
from satlife.knuth.programs.grid import SIZE, STEPS, last_step
from satlife.knuth.transition import Board


def torus_board(m: int, n: int) -> Board:
    """Return the board whose opposite edges meet."""
    return Board(
        # Nothing is outside: neighbours and helpers of the last rows reach up to two rows further.
        rows=range(-1, m + 4),
        columns=range(-1, n + 4),
        scan=[(x, y) for x in range(1, m + 1) for y in range(1, n + 1)],
        fold=lambda x, y: ((x - 1) % m + 1, (y - 1) % n + 1),
        folds_helpers=True,
    )


def _parts(m: int, n: int, r: int) -> Iterator[Part]:
    yield from steps(torus_board(m, n), r, cages=0)


TORUS = Program(
    name="sat-life-torus",
    parameters=(*SIZE, STEPS),
    summary="r steps of Life on an m by n torus",
    description="""\
Row 0 is row m, row m+1 is row 1, and the same for columns: nothing lies outside, so nothing is
caged.""",
    example=(8, 8, 2),
    has_edges=False,
    parts=_parts,
    last_time=last_step,
)
