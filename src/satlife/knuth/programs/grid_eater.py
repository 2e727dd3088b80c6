"""sat-life-grid-eater: still lifes that swallow a glider."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import TIME_CODES, Clauses, Part, dead, equal, steps, xty
from satlife.knuth.program import Program, Refusal
from satlife.knuth.programs.grid import SIZE, STEPS, last_step
from satlife.knuth.transition import rectangle

GLIDER = ("***", "..*", ".*.")
"""The glider in the lower left corner at time 0; it moves north-east."""


def _parts(m: int, n: int, r: int) -> Iterator[Part]:
    cells = [(x, y) for x in range(1, m + 1) for y in range(1, n + 1)]
    corner = [(x, y) for x in range(m - 2, m + 1) for y in range(1, 4)]
    yield from steps(rectangle(m, n), r, cage="~", cages=r)
    still = equal((xty(x, y, r - 1), xty(x, y, r)) for x, y in cells)
    yield Clauses("a still life at the end", still)
    square = [(x, y) for x in range(m - 3, m + 1) for y in range(1, 5)]
    yield Clauses("dead near the corner", dead(xty(x, y, r) for x, y in square))
    yield Clauses("the glider had not met it before", _apart(m))
    outside = [cell for cell in cells if cell not in corner]
    unchanged = equal((xty(x, y, 0), xty(x, y, r)) for x, y in outside)
    yield Clauses("time 0 is the still life", unchanged)
    signs = [("" if GLIDER[x - m + 2][y - 1] == "*" else "~", x, y) for x, y in corner]
    glider = "".join(f"{sign}{xty(x, y, 0)}\n" for sign, x, y in signs)
    yield Clauses("and a glider", glider)


def _apart(m: int) -> str:
    """Return clauses that keep cells above and beside the corner from breeding in it."""
    u, v, w, z = (xty(m - 4, y, 0) for y in range(1, 5))
    a, b, c, d = (xty(x, 5, 0) for x in range(m - 3, m + 1))
    above = f"~{u} {v}\n{u} ~{v}\n{v} ~{w}\n~{w} {z}\n~{v} {w} ~{z}\n"
    return above + "".join(f"~{p} ~{q}\n" for p, q in ((a, b), (a, c), (b, d), (c, d)))


def _refuses(_m: int, _n: int, r: int) -> Refusal | None:
    if r >= 1:
        return None
    return Refusal(254, f"The time should be between 1 and {len(TIME_CODES) - 1} (not {r})!")


def _check(m: int, n: int, _r: int) -> str | None:
    return None if min(m, n) >= 5 else f"m and n should be at least 5, got {m} and {n}"


GRID_EATER = Program(
    name="sat-life-grid-eater",
    parameters=(*SIZE, STEPS),
    summary="still lifes in an m by n grid that eat a glider within r steps",
    description="""\
Time 0 is a still life and, in the lower left corner, a glider that moves north-east; at times r-1
and r only the still life is left, and it is what it was.  The still life keeps away from the lower
left 4 by 4 cells and from the glider's earlier phases.""",
    example=(8, 8, 5),
    parts=_parts,
    refuses=_refuses,
    check=_check,
    last_time=last_step,
)
