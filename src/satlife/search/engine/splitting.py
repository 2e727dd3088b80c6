"""Splitting a problem into cases by look-ahead, on cells of generation 0.

The decisions form a complete tree: every inner node splits on one cell both ways.  A cell of which
one value fails at once is not decided, because its other half would be no work; a solver finds that
by itself.  So no case needs to be left out, and the cases cover the problem whatever is chosen.

>>> from satlife.search.kinds import oscillator
>>> cases = split_problem(oscillator(3, box="5x5"), levels=2)
>>> len(cases), {len(case) for case in cases}
(4, {2})
"""

from __future__ import annotations

from typing import Final

from satlife.sat.dividing.lookahead import Look, Lookahead
from satlife.sat.logic import TRUE
from satlife.search.engine.auto import choose
from satlife.search.engine.engine import Options
from satlife.search.formula.build import build
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Problem

LEVELS: Final = 4
"""Decisions of a case; with few of them much time goes into the tries of inner nodes."""

Cells = tuple[tuple[int, int, bool], ...]
"""x, y and whether the cell is alive, in the order of the decisions."""


def split_problem(problem: Problem, levels: int = LEVELS) -> tuple[Cells, ...] | None:
    """Return the cases of a problem: () if it cannot be split, None if look-ahead refutes it."""
    spacetime = SpaceTime(problem)
    if spacetime.clash:
        return None
    cells = _free_cells(spacetime)
    # Cases are problems of their own, which have few symmetries to break.
    encoding = choose(spacetime, Options(), once=False).encoding
    built = build(spacetime, encoding, break_symmetry=False)
    with Lookahead(built.formula, cells) as lookahead:
        look = lookahead.look(())
        if look is None:
            return None
        leaves = _grow(lookahead, look, (), levels)
    if len(leaves) < 2:
        return ()
    return tuple(tuple(_name(literal, cells) for literal in leaf) for leaf in leaves)


def _grow(
    lookahead: Lookahead, look: Look, decided: tuple[int, ...], levels: int
) -> list[tuple[int, ...]]:
    """Return the decisions of the leaves below a node."""
    while levels and look.ranking:
        variable = look.ranking[0]
        halves = [lookahead.look((*look.decisions, each), look) for each in (variable, -variable)]
        alive, dead = halves
        if alive is not None and dead is not None:
            return [
                *_grow(lookahead, alive, (*decided, variable), levels - 1),
                *_grow(lookahead, dead, (*decided, -variable), levels - 1),
            ]
        half = alive or dead
        if half is None:
            break
        look = half
    return [decided]


def _free_cells(spacetime: SpaceTime) -> dict[int, tuple[int, int, bool]]:
    """Return a cell of generation 0 for each variable, and its state where that is true."""
    box = spacetime.boxes[0]
    found: dict[int, tuple[int, int, bool]] = {}
    for y, row in enumerate(spacetime.generation(0).tolist(), box.y):
        for x, literal in enumerate(row, box.x):
            if abs(literal) != TRUE:
                found.setdefault(abs(literal), (x, y, literal > 0))
    return found


def _name(literal: int, cells: dict[int, tuple[int, int, bool]]) -> tuple[int, int, bool]:
    x, y, alive = cells[abs(literal)]
    return x, y, alive == (literal > 0)
