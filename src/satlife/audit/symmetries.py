"""The symmetries that a proof may use, as maps of cells.

None of this need be trusted: :mod:`.invariance` checks each map against the problem's clauses.

>>> from satlife.kinds import ship
>>> [name_map(g) for g in choose_maps(Invariance(ship("c/3", box="4x5")))]
['flip-left-right']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from satlife.audit.formula import TURNS, Map
from satlife.audit.gates import FALSE
from satlife.audit.invariance import Image, Invariance
from satlife.audit.places import list_places
from satlife.errors import FormatError
from satlife.sat.formula import Formula

MOST_MAPS = 64
"""Maximum number of maps in a proof; more would cost more than they save."""


def require_least(formula: Formula, invariance: Invariance, maps: Sequence[Map]) -> Formula:
    """Require, for each map, generation 0 to be not greater than its image; raise if not valid."""
    if len(maps) > MOST_MAPS:
        raise FormatError(f"a proof uses at most {MOST_MAPS} symmetries, and this one {len(maps)}")
    box, p = invariance.audit.frame, invariance.audit.move.period
    for g in maps:  # they may be from an untrusted folder: their numbers could be huge
        if g.turn not in TURNS or not 0 <= g.dt <= p or max(abs(g.dx), abs(g.dy)) > box.area:
            raise FormatError(f"there is no symmetry {g.turn[:40]!r} by ({g.dx}, {g.dy}, {g.dt})")
        formula = invariance.require_least(formula, show(invariance, g), name_map(g))
    return formula


def choose_maps(invariance: Invariance) -> tuple[Map, ...]:
    """Return the maps that leave a problem invariant, one for each image of generation 0."""
    places = [(x, y, 0) for x, y in list_places(invariance.audit.boxes[0])]
    cells, equal = [invariance.audit.at(*place) for place in places], _find_equal(invariance)
    seen = {tuple(equal.get(cell, cell) for cell in cells)}
    chosen: list[Map] = []
    for g in _list_candidates(invariance):
        image = _show_cells(invariance, g, places)
        looks = tuple(equal.get(image[cell], image[cell]) for cell in cells)
        if looks not in seen and invariance.keeps(show(invariance, g)):
            seen.add(looks)
            chosen.append(g)
            if len(chosen) == MOST_MAPS:
                break
    return tuple(chosen)


def show(invariance: Invariance, g: Map) -> Image:
    """Return the image of each cell under a map; 0 if it is unconstrained."""
    return _show_cells(invariance, g, invariance.audit.cells)


def _show_cells(invariance: Invariance, g: Map, places: Iterable[tuple[int, int, int]]) -> Image:
    audit, image = invariance.audit, {FALSE: FALSE}
    for x, y, t in places:
        cell = audit.cells[x, y, t]
        if invariance.same[cell] == cell:
            image[cell] = invariance.same.get(audit.at(*audit.carry(g, x, y), t + g.dt), 0)
    return image


def name_map(g: Map) -> str:
    """Return a map in words.

    >>> name_map(Map("half-turn", 1, 0, 2))
    'half-turn, moved by (1, 0), 2 generations later'
    """
    words = [g.turn] if g.turn != "identity" or not any(g[1:]) else []
    words += [f"moved by {g.dx, g.dy}"] if g.dx or g.dy else []
    words += [f"{g.dt} generation{'s' if g.dt > 1 else ''} later"] if g.dt else []
    return ", ".join(words)


def _list_candidates(invariance: Invariance) -> Iterator[Map]:
    problem, box = invariance.audit.problem, invariance.audit.boxes[0]
    times = range(problem.motion.period if problem.motion else 1)
    for dt, turn in product(times, TURNS):
        yield Map(turn, dt=dt)
    if problem.boundary == "torus":
        for dy, dx in product(range(box.height), range(box.width)):
            yield Map("identity", dx, dy)


def _find_equal(invariance: Invariance) -> dict[int, int]:
    """Return, for each cell that equals others by pairs of clauses, one of these."""
    equal: dict[int, int] = {}

    def find(cell: int) -> int:
        while cell in equal:
            cell = equal[cell]
        return cell

    for a, b in (clause for clause in invariance.clauses if len(clause) == 2):
        if a < 0 < b and tuple(sorted((-a, -b))) in invariance.clauses and find(-a) != find(b):
            equal[find(-a)] = find(b)
    return {cell: find(cell) for cell in equal}
