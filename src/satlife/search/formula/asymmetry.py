"""Clauses that forbid a symmetry: about every centre, some cell differs from an image of it.

A finite pattern with a symmetry has its centre in its own box, so the centres in the problem's box
are enough; on a torus all of its centres count.  Each centre is a clause, and each pair of cells
that it compares a variable, shared with other centres.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from satlife.life.symmetry import Symmetry
from satlife.sat.builder import FormulaBuilder
from satlife.sat.logic import FALSE, add_clauses, number_rows
from satlife.search.formula.isometry import Isometry
from satlife.search.formula.periods import differences
from satlife.search.formula.spacetime import SpaceTime, places
from satlife.search.problem.constraints import Lacks

ORIGIN = "forbidden symmetry"


def add_lacking(spacetime: SpaceTime, builder: FormulaBuilder, it: Lacks) -> None:
    """Require generation 0 not to have the symmetry."""
    x, y = places(spacetime.boxes[0])
    cells = spacetime.generation(0).ravel()
    if not len(cells):  # nothing is there, and it has every symmetry
        add_clauses(builder, ORIGIN, np.array([FALSE], np.int32))
        return
    images = [
        np.concatenate([spacetime.literals(*g.points(x, y), 0) for g in maps])
        for maps in dict.fromkeys(_about_centres(spacetime, it.symmetry))
    ]
    rows = np.stack(images)
    first, _ = number_rows(rows)
    rows = rows[first]
    now = np.tile(cells, rows.shape[1] // len(cells))
    witnesses = differences(builder, np.broadcast_to(now, rows.shape), rows, ORIGIN)
    add_clauses(builder, ORIGIN, witnesses)


def _about_centres(spacetime: SpaceTime, symmetry: str) -> Iterator[tuple[Isometry, ...]]:
    """Yield the maps of the symmetry about each centre, given by its doubled coordinates."""
    box, torus = spacetime.boxes[0], spacetime.problem.boundary == "torus"
    across, down = (2 * n if torus else 2 * n - 1 for n in (box.width, box.height))
    turns = [g for g in sorted(Symmetry(symmetry).group, key=str) if g.name != "identity"]
    for u, v in product(range(2 * box.x, 2 * box.x + across), range(2 * box.y, 2 * box.y + down)):
        shifts = [(u - i, v - j) for i, j in (g.apply_to_point(u, v) for g in turns)]
        if all(dx % 2 == dy % 2 == 0 for dx, dy in shifts):
            yield tuple(
                Isometry(g, dx // 2, dy // 2) for g, (dx, dy) in zip(turns, shifts, strict=True)
            )
