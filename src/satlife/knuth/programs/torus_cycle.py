"""sat-life-torus-cycle: patterns of period r on an m by n torus."""

from __future__ import annotations

from collections.abc import Iterator

from satlife.knuth.parts import Clauses, Part, no_smaller_period, some, steps, witnesses, xty
from satlife.knuth.program import Program
from satlife.knuth.programs.grid import SIZE
from satlife.knuth.programs.grid90_cycle import PERIOD, last_phase
from satlife.knuth.programs.torus import torus_board


def _parts(m: int, n: int, r: int) -> Iterator[Part]:
    yield Clauses("cell (1,1) is alive", " 1a1\n")
    yield from steps(torus_board(m, n), r, cages=0, period=r)
    rows, columns = range(1, m + 1), range(1, n + 1)
    yield from no_smaller_period([(x, y) for x in rows for y in columns], r)
    for k in range(1, m):
        if m % k == 0:
            triples = [
                (xty(q, y, 0), xty(q + k, y, 0), f"{q},{q + k}:{y}")
                for q in range(1, m - k + 1)
                for y in columns
            ]
            yield Clauses(f"the rows do not repeat after {k}", _differ(triples))
    for k in range(1, n):
        if n % k == 0:
            triples = [
                (xty(x, q, 0), xty(x, q + k, 0), f"{x}:{q},{q + k}")
                for q in range(1, n - k + 1)
                for x in rows
            ]
            yield Clauses(f"the columns do not repeat after {k}", _differ(triples))


def _differ(triples: list[tuple[str, str, str]]) -> str:
    return witnesses(triples) + some(w for _, _, w in triples)


TORUS_CYCLE = Program(
    name="sat-life-torus-cycle",
    parameters=(*SIZE, PERIOD),
    summary="patterns of period r on an m by n torus (agars)",
    description="""\
Times are counted modulo r and cell (1,1) is alive at time 0.  Smaller periods are ruled out, and so
are patterns that repeat in a smaller torus, for each divisor of m and of n.""",
    example=(4, 4, 4),
    has_edges=False,
    parts=_parts,
    last_time=last_phase,
)
