"""Classes of solutions: the images of a solution, which an enumeration excludes together.

Two solutions are in one class if a shift, a symmetry of the rule and a change of phase map one
history to the other.  The box may change.  If the problem names cells by their place (known or
linked cells, exempt cells, a drawing), or the outside is free, only maps that preserve all of that
count, and the phase is fixed.  On a torus the maps are those of the torus.

>>> from satlife.kinds import parent
>>> from satlife.life import Pattern
>>> [turn.name for turn in kept_turns(parent(Pattern.from_rle("3o!")))]
['identity', 'half-turn', 'flip-left-right', 'flip-top-bottom']
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

from satlife.formula.isometry import Isometry
from satlife.formula.spacetime import SpaceTime, find_motion, places
from satlife.life.box import Box
from satlife.life.transforms import Transform
from satlife.problem import Place, Problem
from satlife.problem.background import make_film
from satlife.problem.fit import keeps_background

History = tuple[npt.NDArray[np.uint8], ...]
Index = npt.NDArray[np.intp]


def is_determined(problem: Problem) -> bool:
    """Whether generation 0 determines all others."""
    # With a motion, other generations show which cells are dying in generation 0.
    dying = problem.states > 2 and not problem.shows_dying
    return problem.boundary != "free" and not problem.exempt and not dying


def names_places(problem: Problem) -> bool:
    """Whether the problem names cells by their place, so that maps must preserve them."""
    drawn = any(each.drawn_as for each in problem.constraints)
    named = problem.known or problem.links or problem.exempt or drawn
    return bool(named) or problem.boundary in ("free", "agar")


def shifts_freely(problem: Problem) -> bool:
    """Whether the problem is in the plane, names no places, and its motion does not turn.

    Its solutions then are the shifted phases of a pattern, which the rule alone carries on; not so
    with dying cells or a strobing background.
    """
    turned = problem.motion is not None and not problem.motion.only_shifts
    plain = problem.boundary == "dead" and problem.slow_rule is None
    return plain and not names_places(problem) and not turned


def images(spacetime: SpaceTime, history: History) -> Iterator[History]:
    """Yield the images of a solution that fit the boxes, itself first, each once.

    Where :func:`shifts_freely` holds, ``placements`` finds them faster.
    """
    seen: set[bytes] = set()
    if spacetime.problem.boundary == "torus":
        candidates = _torus_images(spacetime, history)
    elif names_places(spacetime.problem):
        candidates = _turned(spacetime, history)
    else:
        candidates = _carried(spacetime, history)
    for image in (history, *candidates):
        key = history_key(image)
        if key not in seen:
            seen.add(key)
            yield image


def history_key(history: History) -> bytes:
    """Return a key that is different for each history of a problem."""
    return b"".join(np.asarray(states, np.uint8).tobytes() for states in history)


def kept_turns(problem: Problem) -> list[Transform]:
    """Return the turns about the boxes' centre that preserve a problem that names places."""
    boxes = problem.all_boxes
    turns = []
    film = make_film(problem.background, problem.rule, 0) if problem.background else ()
    for g in problem.parsed.rule.symmetries:
        if g.swaps_axes and boxes[0].width != boxes[0].height:
            continue
        about = Isometry.about(boxes[0], g)
        # A rule with the symmetry keeps a background that has it: the first generation is enough.
        if film and not keeps_background(film[0], g, boxes[0]):
            continue
        if all(about.box(box) == box for box in boxes) and _keeps(problem, about, None):
            turns.append(g)
    return turns


def _turned(spacetime: SpaceTime, history: History) -> Iterator[History]:
    """Yield the images by turns that preserve every box: arrays are turned in place."""
    for g in kept_turns(spacetime.problem):
        yield tuple(np.ascontiguousarray(g.apply_to_array(states)) for states in history)


def _keeps(problem: Problem, g: Isometry, torus: SpaceTime | None) -> bool:
    """Whether a map preserves all cells that are named by their place."""

    def carry(place: Place) -> Place:
        return _home(torus, g.point(*place))

    known = {
        (*place, each.t): state for each in problem.known for place, state in each.cells.items()
    }
    links = {(frozenset((link.first, link.second)), link.opposite) for link in problem.links}
    carried = {
        (frozenset((carry(link.first), carry(link.second))), link.opposite)
        for link in problem.links
    }
    drawings = [each.drawings for each in problem.constraints]
    return (
        {carry(place): state for place, state in known.items()} == known
        and links == carried
        and set(map(carry, problem.exempt)) == set(problem.exempt)
        and all(
            {frozenset((carry(place), state) for place, state in cells) for cells in several}
            == several
            for several in drawings
        )
    )


def _carried(spacetime: SpaceTime, history: History) -> Iterator[History]:
    """Yield the images where the motion turns the pattern."""
    motion = find_motion(spacetime.problem)
    cells = [_cells(states, box) for states, box in zip(history, spacetime.boxes, strict=True)]
    values = [states[states != 0] for states in history]
    if not any(map(len, cells)):
        return
    later = list(cells)  # as many periods as it takes for the pattern to return
    phases = motion.transform.order * len(cells) if motion is not None else 1
    while motion is not None and len(later) < phases + len(cells) - 1:
        x, y = motion.points(*later[len(later) - len(cells)].T)
        later.append(np.stack([x, y], axis=1))
    for g in spacetime.rule.symmetries:
        for phase in range(0, phases, len(spacetime.tables)):
            turned = [g.apply_to_points(each) for each in later[phase : phase + len(cells)]]
            for shift in _rooms(turned, spacetime.boxes):
                # States other than 1 are those of a generation 0 without a motion.
                shown = values if motion is None else [np.ones(1, np.uint8)] * len(cells)
                yield tuple(
                    _states(each + shift, box, value)
                    for each, box, value in zip(turned, spacetime.boxes, shown, strict=True)
                )


def _cells(states: npt.NDArray[np.uint8], box: Box) -> npt.NDArray[np.int64]:
    rows, columns = np.nonzero(states)
    return np.stack([columns + box.x, rows + box.y], axis=1).astype(np.int64)


def _states(
    cells: npt.NDArray[np.int64], box: Box, values: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    states = np.zeros((box.height, box.width), np.uint8)
    states[cells[:, 1] - box.y, cells[:, 0] - box.x] = values
    return states


def _rooms(
    turned: list[npt.NDArray[np.int64]], boxes: tuple[Box, ...]
) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the shifts that put every generation into its box."""
    low, high = np.full(2, -(2**40)), np.full(2, 2**40)
    for cells, box in zip(turned, boxes, strict=True):
        if len(cells):
            low = np.maximum(low, np.array([box.x, box.y]) - cells.min(axis=0))
            high = np.minimum(high, np.array([box.right, box.bottom]) - 1 - cells.max(axis=0))
    for dx, dy in product(range(low[0], high[0] + 1), range(low[1], high[1] + 1)):
        yield np.array([dx, dy])


def _torus_images(spacetime: SpaceTime, history: History) -> Iterator[History]:
    """Yield the images under the maps of the torus that preserve the named cells."""
    problem, box, motion = spacetime.problem, spacetime.boxes[0], find_motion(spacetime.problem)
    named = names_places(problem)
    film = [states.ravel() for states in history]
    if motion is not None and not named:
        back = _permutation(spacetime, motion.inverse)
        for t in range(len(film), (motion.transform.order + 1) * len(film)):
            film.append(film[t - len(film)][back])
    phases = len(film) - len(history) + 1
    for g in spacetime.rule.symmetries:
        if not _fits_torus(spacetime, g):
            continue
        for dx, dy in product(range(box.width), range(box.height)):
            carried = Isometry(g, dx, dy)
            if not _keeps(problem, carried, spacetime):
                continue
            back = _permutation(spacetime, carried.inverse)
            for phase in range(0, phases, len(spacetime.tables)):
                yield tuple(
                    film[phase + t][back].reshape(box.height, box.width)
                    for t in range(len(history))
                )


def _permutation(spacetime: SpaceTime, isometry: Isometry) -> Index:
    """Return the number of the image of each cell of the torus, row by row."""
    box = spacetime.boxes[0]
    x, y = spacetime.wrap(*isometry.points(*places(box)))
    return ((y - box.y) * box.width + x - box.x).astype(np.intp)


def _home(torus: SpaceTime | None, place: Place) -> Place:
    """Return a cell of the plane as a cell of the torus."""
    if torus is None:
        return place
    x, y = torus.wrap(np.array([place[0]]), np.array([place[1]]))
    return int(x[0]), int(y[0]), place[2]


def _fits_torus(spacetime: SpaceTime, g: Transform) -> bool:
    """Whether the turn maps copies of the torus's box to copies of it."""
    box, (down, right) = spacetime.boxes[0], spacetime.problem.wrap
    edges = ((0, 0), (box.width, down), (right, box.height))
    turned = (g.apply_to_point(*edge) for edge in edges)
    return len({_home(spacetime, (box.x + i, box.y + j, 0)) for i, j in turned}) == 1
