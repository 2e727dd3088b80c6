"""Clauses of constraints: a function for each, in the table ``ADDERS``.

Bounds share one, which counts; a new bound is a line of a table in :mod:`.measures`.

A pattern of period p has a smaller period if and only if it has period p/q for some q that divides
p; a ship would move by d/q in that time.  A *difference* is a new variable that can be true only if
two cells differ, so it is a witness.

``FullPeriod`` requires a single cell with the whole period: there is a selector for each cell, at
least one selector is true, and a selected cell differs, for every q, from itself p/q later in some
generation.  ``PatternPeriod`` only requires generation 0 to differ from generation p/q somewhere,
for every q: octagon 2 beside a blinker then has period 10.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from satlife.formula.isometry import Coordinates, Isometry
from satlife.formula.measures import add_measured
from satlife.formula.spacetime import SpaceTime, places
from satlife.life.symmetry import Symmetry
from satlife.problem.constraints import (
    BOUNDS,
    Arrival,
    FullPeriod,
    Gutter,
    Lacks,
    NotEmpty,
    PatternPeriod,
    Restored,
)
from satlife.sat.formula import FormulaBuilder, IntArray
from satlife.sat.logic import FALSE, TRUE, add_bound, add_clauses, number_rows

PERIOD = "period"


def prime_factors(number: int) -> list[int]:
    """Return the primes that divide the number.

    >>> prime_factors(12), prime_factors(1)
    ([2, 3], [])
    """
    return [q for q in range(2, number + 1) if number % q == 0 and all(q % d for d in range(2, q))]


def excluded_parts(spacetime: SpaceTime) -> list[int]:
    """Return the q for which a period p/q is possible and must be excluded.

    Primes are enough for a pattern that does not move and whose generations determine each other.
    In a moving pattern a cell is compared with another one, and with exempt cells generation p/4
    does not determine p/2.
    """
    motion = spacetime.problem.motion
    if motion is None or not motion.only_shifts:
        return []
    every = motion.dx or motion.dy or spacetime.problem.exempt or spacetime.rule.is_strobing
    every = every or spacetime.problem.boundary == "agar"  # the box is only a part of it
    parts = range(2, motion.period + 1) if every else prime_factors(motion.period)
    # On a strobing background only an even number of generations is a period.
    beats = len(spacetime.tables)
    return [q for q in parts if motion.period % (q * beats) == motion.dx % q == motion.dy % q == 0]


def add_full_period(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
    """Require a cell with the full period."""
    parts = excluded_parts(spacetime)
    motion = spacetime.problem.motion
    if not parts or motion is None:
        add_not_empty(spacetime, builder, 0)
        return
    x, y = _frame(spacetime)
    # The history of a cell, its literals in all generations, is compared with p/q later.
    times = range(motion.period)
    history = np.stack([spacetime.literals(x, y, t) for t in times], axis=1)
    later = [np.stack([_moved(spacetime, x, y, q, t) for t in times], axis=1) for q in parts]
    rows = np.concatenate([history, *later], axis=1)
    first, _ = number_rows(rows)  # symmetric cells need one selector
    history = history[first]
    selectors = builder.new_variables(len(history))
    builder.add(PERIOD, np.append(selectors, 0).astype(np.int32))
    for each in later:
        witnesses = differences(builder, history, each[first])
        add_clauses(builder, PERIOD, -selectors, witnesses, keep_order=True)


def add_pattern_period(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
    """Require generation 0 as a whole to differ from generation p/q, for every q."""
    parts = excluded_parts(spacetime)
    motion = spacetime.problem.motion
    if not parts or motion is None:
        add_not_empty(spacetime, builder, 0)
        return
    x, y = _frame(spacetime)
    # The generations before show which cells are dying; if none differs, none ever will.
    times = range(0, 1 - spacetime.rule.states, -1)
    for q in parts:
        now = np.concatenate([spacetime.literals(x, y, t) for t in times])
        then = np.concatenate([_moved(spacetime, x, y, q, t) for t in times])
        first, _ = number_rows(np.stack([now, then], axis=1))
        witnesses = differences(builder, now[first][:, None], then[first][:, None])
        add_clauses(builder, PERIOD, witnesses.reshape(1, -1), keep_order=True)


def add_not_empty(spacetime: SpaceTime, builder: FormulaBuilder, t: int) -> None:
    """Require a live cell in generation t."""
    add_clauses(builder, "not empty", spacetime.generation(t).reshape(1, -1))


def _frame(spacetime: SpaceTime) -> tuple[Coordinates, Coordinates]:
    """Return all places where a cell, or its image in a smaller period, can live."""
    frame = spacetime.boxes[0]
    for box in spacetime.boxes:
        frame |= box
    motion = spacetime.problem.motion
    if motion is not None and spacetime.problem.boundary == "dead":
        frame = frame.grow(max(abs(motion.dx), abs(motion.dy)))
    return places(frame)


def _moved(spacetime: SpaceTime, x: Coordinates, y: Coordinates, q: int, t: int) -> IntArray:
    motion = spacetime.problem.motion
    if motion is None:
        raise AssertionError("only a motion has parts")
    return spacetime.literals(x + motion.dx // q, y + motion.dy // q, t + motion.period // q)


def differences(
    builder: FormulaBuilder, one: IntArray, other: IntArray, origin: str = PERIOD
) -> IntArray:
    """Return literals that are true only if two cells differ; constants where that is known."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    result = np.full(one.shape, FALSE, np.int32)
    result[low == -high] = TRUE
    # The difference from a constant is the cell itself, or its negation.
    known, constant = np.abs(one) == TRUE, np.abs(other) == TRUE
    result[known & ~constant] = np.where(one == TRUE, -other, other)[known & ~constant]
    result[constant & ~known] = np.where(other == TRUE, -one, one)[constant & ~known]
    open_ = ~known & ~constant & (low != high) & (low != -high)
    pairs = np.stack([low[open_], high[open_]], axis=1)
    if len(pairs):
        first, number = number_rows(pairs)
        u, v = pairs[first].T
        d = builder.new_variables(len(first))
        builder.add(origin, np.stack([u, v, -d], axis=1))
        builder.add(origin, np.stack([-u, -v, -d], axis=1))
        result[open_] = d[number]
    return result


# Clauses that forbid a symmetry: about every centre, some cell differs from an image of it.
#
# A finite pattern with a symmetry has its centre in its own box, so the centres in the problem's
# box are enough; on a torus all of its centres count. Each centre is a clause, and each pair of
# cells that it compares a variable, shared with other centres.


FORBIDDEN = "forbidden symmetry"


def add_lacking(spacetime: SpaceTime, builder: FormulaBuilder, it: Lacks) -> None:
    """Require generation 0 not to have the symmetry."""
    x, y = places(spacetime.boxes[0])
    cells = spacetime.generation(0).ravel()
    if not len(cells):  # nothing is there, and it has every symmetry
        add_clauses(builder, FORBIDDEN, np.array([FALSE], np.int32))
        return
    images = [
        np.concatenate([spacetime.literals(*g.points(x, y), 0) for g in maps])
        for maps in dict.fromkeys(_about_centres(spacetime, it.symmetry))
    ]
    rows = np.stack(images)
    first, _ = number_rows(rows)
    rows = rows[first]
    now = np.tile(cells, rows.shape[1] // len(cells))
    witnesses = differences(builder, np.broadcast_to(now, rows.shape), rows, FORBIDDEN)
    add_clauses(builder, FORBIDDEN, witnesses)


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


# Clauses for an input that comes in one of several lanes, at one of several times.
#
# Each arrival has a selector, and exactly one is true.  A cell that some arrival draws lives if and
# only if the selected one draws it or it lives without the input, and not both: two clauses for the
# cell, and two for each arrival that draws it.  All other cells are already the same as without the
# input: space-time has joined them.


ARRIVAL = "arrival"


def draw_inputs(arrival: Arrival) -> list[npt.NDArray[np.int64]]:
    """Return the live cells (x, y, t) of the input, for each lane and time of its arrival."""
    film = [np.array(still.cells, np.int64).reshape(-1, 2) for still in arrival.flight]
    way = np.array([1, 0] if arrival.across == "right" else [0, 1])
    (low, high), (early, late) = arrival.lanes, arrival.times
    drawn = []
    for lane, time in product(range(low, high + 1), range(early, late + 1)):
        parts = [
            np.insert(film[t + late - time] + lane * way, 2, t, axis=1)
            for t in range(len(arrival.alone))
        ]
        drawn.append(np.concatenate(parts))
    return drawn


def add_arrival(spacetime: SpaceTime, builder: FormulaBuilder, it: Arrival) -> None:
    """Require one of the arrivals."""
    drawn = draw_inputs(it)
    selectors = builder.new_variables(len(drawn))
    add_bound(builder, selectors, least=1, most=1, origin=ARRIVAL)
    by_cell = defaultdict(list)
    for selector, cells in zip(selectors, drawn, strict=True):
        for cell in map(tuple, cells.tolist()):
            by_cell[cell].append(selector)
    for (x, y, t), chosen in by_cell.items():
        place = np.array([x]), np.array([y])
        (now,), (alone,) = (spacetime.literals(*place, k) for k in (t, it.alone[t]))
        add_clauses(builder, ARRIVAL, np.array([[-now, alone, *chosen], [now, -alone, *chosen]]))
        pairs = [[-selector, literal] for selector in chosen for literal in (now, -alone)]
        add_clauses(builder, ARRIVAL, np.array(pairs, np.int32))


# Clauses for a catalyst that is disturbed and restored.
#
# A cell has a variable for whether it is in the zone: whether the catalyst has a live cell in the
# 3x3 around it. Two cells that are compared, one of some generation and the same one of the
# catalyst alone, have a variable for whether they differ, and a cell can differ only if one of the
# nine that it follows from did. This follows from the steps, but not by propagation while the
# catalyst is unknown: a listing of reactions of 8 generations takes 10 s in place of 17.
#
# A generation has a variable that makes all of the zone the same as alone; one of contact also has
# one that needs a cell of the zone that differs, or that is drawn. Each time at which the catalyst
# may be restored has one: it makes the zone the same for long enough, and needs a contact before.
# Bounds on what is active hold in the generations before that time: at once by a counter for each
# generation, ever by one counter of the cells.


RESTORED = "restored"


def add_restored(spacetime: SpaceTime, builder: FormulaBuilder, it: Restored) -> None:
    """Require the zone of the catalyst to be disturbed, and later to be as it is alone."""
    home = spacetime.boxes[it.alone]
    is_free = spacetime.problem.boundary == "free"
    x, y = places(home if is_free else home.grow(1))
    around = np.stack(
        [spacetime.literals(x + i, y + j, it.alone) for i, j in product((-1, 0, 1), (-1, 0, 1))], 1
    )
    zone, alone = builder.new_variables(len(x)), spacetime.literals(x, y, it.alone)
    add_clauses(builder, RESTORED, -zone, around)
    for literals in around.T:
        add_clauses(builder, RESTORED, zone, -literals)
    zones, pairs, placed = list[IntArray](), list[IntArray](), list[npt.NDArray[np.bool_]]()
    for t in it.compared:
        box, now = spacetime.boxes[t], spacetime.literals(x, y, t)
        inside = (x >= box.x) & (x < box.right) & (y >= box.y) & (y < box.bottom)
        asked = (now != alone) & (inside | (not is_free))
        placed.append(asked)
        zones.append(zone[asked])
        pairs.append(np.stack([now[asked], alone[asked]], 1))
    steps = [
        np.stack([now, then], 2)[now[:, -1] != then[:, -1]]
        for now, then in spacetime.steps_beside(it.alone)
    ]
    differ = compare(builder, np.concatenate([*pairs, *(each.reshape(-1, 2) for each in steps)]))
    compared, stepped = np.split(differ, [sum(map(len, pairs))])
    causes = stepped.reshape(-1, 10)
    add_clauses(builder, RESTORED, causes[:, :-1], -causes[:, -1])
    contacts = range(it.contact[0], it.contact[1] + 1)
    same, met, active = dict[int, int](), dict[int, int](), dict[int, int]()
    ever = builder.new_variables(0 if it.ever_active is None else len(x))
    if it.ever_active is not None:
        add_bound(builder, ever, most=it.ever_active, origin=RESTORED)
    ends = np.cumsum([len(each) for each in pairs])[:-1]
    compared_at = zip(it.compared, zones, placed, np.split(compared, ends), strict=True)
    for t, near, asked, apart in compared_at:
        (same[t],) = builder.new_variables(1)
        add_clauses(builder, RESTORED, np.full(len(near), -same[t], np.int32), -near, -apart)
        if it.active is not None or it.ever_active is not None:
            (active[t],) = builder.new_variables(1)  # as long as the catalyst may be active
            is_active = np.full(len(near), -active[t], np.int32)
        if it.active is not None:
            counted = builder.new_variables(len(near))
            add_clauses(builder, RESTORED, counted, is_active, -near, -apart)
            add_bound(builder, counted, most=it.active, origin=RESTORED)
        if it.ever_active is not None:
            add_clauses(builder, RESTORED, ever[asked], is_active, -near, -apart)
        if t in contacts:
            met[t] = _add_contact(spacetime, builder, it, t, near, apart)
    chosen = []
    for r, before in it.choices:
        (choice,) = builder.new_variables(1)
        chosen.append(choice)
        held = [[-choice, same[t]] for t in range(r, r + it.hold + 1)]
        held += [[-choice, active[t]] for t in range(it.contact[0], r) if active]
        add_clauses(builder, RESTORED, np.array(held, np.int32))
        contact = [[-choice, *(met[t] for t in before)]]
        add_clauses(builder, RESTORED, np.array(contact, np.int32))
    add_clauses(builder, RESTORED, np.array([chosen], np.int32))


def _add_contact(
    spacetime: SpaceTime,
    builder: FormulaBuilder,
    it: Restored,
    t: int,
    near: IntArray,
    apart: IntArray,
) -> int:
    """Return a literal that needs a cell of the zone that differs, or that is drawn."""
    (met,) = builder.new_variables(1)
    witnesses = builder.new_variables(len(near))
    add_clauses(builder, RESTORED, -witnesses, near)
    add_clauses(builder, RESTORED, -witnesses, apart)
    free = it.free[t - it.contact[0]].cells if it.free else []
    drawn = np.array(free, np.int64).reshape(-1, 2)
    beside = [
        spacetime.literals(drawn[:, 0] + i, drawn[:, 1] + j, it.alone)
        for i, j in product((-1, 0, 1), (-1, 0, 1))
    ]
    row = np.concatenate([witnesses, *beside, [-met]]).astype(np.int32)
    add_clauses(builder, RESTORED, row.reshape(1, -1))
    return int(met)


def compare(builder: FormulaBuilder, pairs: IntArray) -> IntArray:
    """Return for each pair of literals a literal that is true if they differ."""
    unique, which = np.unique(pairs, axis=0, return_inverse=True)
    one, other = unique.T
    differ = np.select(
        [one == other, one == -other, np.abs(other) == TRUE, np.abs(one) == TRUE],
        [FALSE, TRUE, one * -np.sign(other), other * -np.sign(one)],
    ).astype(np.int32)
    open_ = differ == 0
    differ[open_] = builder.new_variables(int(open_.sum()))
    one, other, new = one[open_], other[open_], differ[open_]
    add_clauses(builder, RESTORED, -new, one, other)
    add_clauses(builder, RESTORED, -new, -one, -other)
    add_clauses(builder, RESTORED, new, -one, other)
    add_clauses(builder, RESTORED, new, one, -other)
    literals: IntArray = differ[which.ravel()]
    return literals


ADDERS: dict[type[Any], Callable[[SpaceTime, FormulaBuilder, Any], None]] = {
    NotEmpty: lambda spacetime, builder, it: add_not_empty(spacetime, builder, it.t),
    FullPeriod: lambda spacetime, builder, _: add_full_period(spacetime, builder),
    PatternPeriod: lambda spacetime, builder, _: add_pattern_period(spacetime, builder),
    Lacks: add_lacking,
    Arrival: add_arrival,
    Restored: add_restored,
    Gutter: lambda *_: None,  # space-time has its cells as constants
    **dict.fromkeys(BOUNDS, add_measured),
}
"""How each kind of constraint becomes clauses."""
