"""sat-life-grid-spaceships: patterns that move s rows up in r steps."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import TIME_CODES, Clauses, Part, dead, equal, some, steps, xty
from satlife.knuth.program import Argument, Program, Refusal
from satlife.knuth.programs.grid import SIZE, last_step
from satlife.knuth.transition import rectangle

PERIOD = Argument("r", "the period, in steps")
SHIFT = Argument("s", "the number of rows that the ship moves up in r steps")


def ship_clauses(m: int, columns: range, sides: list[int], r: int, s: int) -> Iterator[Clauses]:
    """Yield the clauses that make time r a copy of time 0, s rows higher.

    A ship may be assumed to enter a new row at the very last step, so the top row is empty before.
    """
    empty = [xty(1, y, t) for t in range(r) for y in columns]
    yield Clauses("top row is empty before time r", dead(empty))
    yield Clauses("top row is not empty at time r", some(xty(1, y, r) for y in columns))
    skipped = [xty(x, y, 0) for x in range(2, s + 1) for y in columns]
    yield Clauses("rows that the ship leaves empty", dead(skipped))
    pairs = [(xty(x, y, 0), xty(x - s, y, r)) for x in range(s + 1, m + 1) for y in columns]
    yield Clauses("time r is time 0 moved up", equal(pairs))
    outside = [xty(x, y, r) for x in range(1, m + 2 - s) for y in sides]
    yield Clauses("time r stays between the sides", dead(outside))
    yield Clauses("time r stays below the top", dead(xty(0, y, r) for y in columns))
    left_over = [xty(m + 1 - x, y, r) for x in range(1, s + 1) for y in columns]
    yield Clauses("bottom rows are empty at time r", dead(left_over))


def _parts(m: int, n: int, r: int, s: int) -> Iterator[Part]:
    yield from steps(rectangle(m, n), r, cage="~", cages=r - 1)
    yield from ship_clauses(m, range(1, n + 1), [0, n + 1], r, s)


def require_time(*arguments: int) -> Refusal | None:
    """Refuse a negative period, for which the original prints arbitrary time codes."""
    r = arguments[2]
    if r >= 0:
        return None
    return Refusal(254, f"The time should be between 0 and {len(TIME_CODES) - 1} (not {r})!")


def check_shift(m: int, _n: int, _r: int, s: int) -> str | None:
    """Return why a shift makes no sense, None if it does."""
    return f"s should be at most m = {m}, got {s}" if s > m else None


GRID_SPACESHIPS = Program(
    name="sat-life-grid-spaceships",
    parameters=(*SIZE, PERIOD, SHIFT),
    summary="ships that move s rows up in r steps, in an m by n grid",
    description="""\
The cells of time r are those of time 0 moved up by s rows.  The top row is empty before time r and
not empty at time r, which loses no ship: some generation is the first to enter a new row.""",
    example=(7, 16, 3, 1),
    parts=_parts,
    refuses=require_time,
    check=check_shift,
    last_time=last_step,
)
