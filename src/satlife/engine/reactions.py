"""Which cells of a catalyst matter in its reaction, and when two catalysts are the same.

A reaction depends on the catalyst only where it comes within two cells of something that is not as
it is alone: what a cell becomes depends on the cells next to it.  So two catalysts that agree there
react in the same way, and whatever else lies in the region does not matter.

Eaters are compared relative to what they eat, since the lane and the time of it may be open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.formula.classes import History
from satlife.formula.constraints import compare
from satlife.formula.spacetime import SpaceTime
from satlife.kinds import kind_of
from satlife.kinds._catalysts import list_arrivals, list_inputs
from satlife.life import Box, Pattern
from satlife.life.identity.flight import follow_ship
from satlife.life.identity.parts import parts
from satlife.problem import Problem
from satlife.problem.outcome import make_pattern
from satlife.problem.reaction import find_restored, need_restored
from satlife.sat import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import FALSE, TRUE, fold_clauses

Mask = npt.NDArray[np.bool_]


def check_reactions(problem: Problem, same: str) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless solutions can be the same in this way."""
    if find_restored(problem) is not None:
        return
    if same == "outcome" or not kind_of(problem).catalyst:
        others = "" if same == "outcome" else ", eater and reaction"
        raise UsageError(f"--same {same} is for satlife catalyst{others}")
    alone = find_alone(problem)
    is_still = any((link.first[2], link.second[2]) == (alone, alone + 1) for link in problem.links)
    if problem.boundary != "dead" or not is_still:
        raise UsageError(
            "--same catalyst compares still lifes that end where their region does; leave --period "
            "and --open out"
        )


def find_alone(problem: Problem) -> int:
    """Return the generation in which the catalyst is alone."""
    asked = find_restored(problem)
    alone = kind_of(problem).catalyst_generation(problem) if asked is None else asked.alone
    if alone is None:
        raise AssertionError("only solutions with a catalyst have reactions")
    return alone


def mark_what_matters(problem: Problem, history: History, until: int = 0) -> Mask:
    """Return the cells of the box of generation ``alone`` on which the reaction depends.

    That is the reaction as far as the problem asks for it; or with ``until``, all that happens on
    the plane before that generation, and before the last of the problem.
    """
    frame = problem.all_boxes[find_alone(problem)].grow(2)
    return _see(frame, _list_changes(problem, history, frame, until))


def _see(frame: Box, changes: Iterable[Mask]) -> Mask:
    """Return the cells within two cells of a change; the frame has two more on each side."""
    changed = np.zeros((frame.height, frame.width), bool)
    for each in changes:
        changed |= each
    return widen(widen(changed))[2:-2, 2:-2]


def _list_changes(problem: Problem, history: History, frame: Box, until: int) -> Iterator[Mask]:
    """Yield the cells of a frame that are not as they are in the catalyst alone."""
    last, boxes = find_alone(problem), problem.all_boxes
    alone = cut_cells(history[last] == 1, boxes[last], frame)
    if until:  # later boxes hold only what the problem asks for
        now = make_pattern(problem, history, 0)
        for _ in range(max(last, until)):
            yield (now.in_box(frame) == 1) != alone
            now = now[1]
        return
    for states, box in zip(history[:last], boxes, strict=False):
        changed = cut_cells(states == 1, box, frame) != alone
        yield changed & cut_cells(np.ones(states.shape, bool), box, frame)


def widen(cells: Mask) -> Mask:
    """Return the cells and their neighbours."""
    around = np.pad(cells, 1)
    height, width = cells.shape
    wide = np.zeros_like(cells)
    for y in range(3):
        for x in range(3):
            wide |= around[y : y + height, x : x + width]
    return wide


def cut_cells(cells: Mask, box: Box, frame: Box) -> Mask:
    """Return the cells of a frame, where those outside the box are false."""
    inner = box & frame
    cut = np.zeros((frame.height, frame.width), bool)
    cut[inner.y - frame.y : inner.bottom - frame.y, inner.x - frame.x : inner.right - frame.x] = (
        cells[inner.y - box.y : inner.bottom - box.y, inner.x - box.x : inner.right - box.x]
    )
    return cut


def exclude_reaction(spacetime: SpaceTime, history: History, until: int = 0) -> IntArray:
    """Return a clause against every catalyst that agrees with one where it matters.

    Where the lane or the time of the input is open, it comes as in the solution.
    """
    problem = spacetime.problem
    alone = find_alone(problem)
    matters = mark_what_matters(problem, history, until)
    literals = spacetime.generation(alone)[matters]
    states = history[alone][matters]
    for arrival in list_arrivals(problem):
        inputs, first = list_inputs(arrival, spacetime.rule), spacetime.boxes[0]
        x, y = np.unique(np.concatenate([each.coordinates for each in inputs]), axis=0).T
        literals = np.concatenate([literals, spacetime.literals(x, y, 0)])
        states = np.concatenate([states, history[0][y - first.y, x - first.x]])
    return fold_clauses(np.where(states == 1, -literals, literals).reshape(1, -1))


class ReactionExclusion:
    """Clauses against all catalysts with the same reaction, however they differ otherwise.

    A reaction is what is not as it is in the catalyst alone, by cell and generation.  Two catalysts
    with the same input go on alike, on the whole plane, if they do so within a cell of where they
    may be: elsewhere, both are dead, and the next generation follows from what is alike.  After the
    last generation in which the catalyst has to hold, they go on alike as long as they agree within
    two cells of what is not as it is alone.
    """

    def __init__(self, spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        self._spacetime = spacetime
        asked = need_restored(spacetime.problem)
        self._alone, self._last = asked.alone, asked.times[1] + asked.hold
        home, literals = spacetime.boxes[asked.alone], spacetime.generation(asked.alone)
        near = widen(literals != FALSE)
        y, x = np.nonzero(near)
        self._x, self._y = x + home.x, y + home.y
        alone = literals[near]
        pairs = [
            np.stack([spacetime.literals(self._x, self._y, t), alone], 1)
            for t in range(self._last + 1)
        ]
        self._differs = compare(builder, np.concatenate(pairs))

    @classmethod
    def of(cls, spacetime: SpaceTime, builder: FormulaBuilder) -> ReactionExclusion | None:
        """Return the exclusion, or None if the problem does not say enough for it."""
        asked, boxes = need_restored(spacetime.problem), spacetime.boxes
        y, x = np.nonzero(spacetime.generation(asked.alone) != FALSE)
        if not x.size:
            return None
        left, top = int(x.min()) - 1, int(y.min()) - 1
        size = int(x.max()) + 2 - left, int(y.max()) + 2 - top
        near = Box(left, top, *size).shift(boxes[asked.alone].x, boxes[asked.alone].y)
        if not all(
            box.contains_box(near)
            for box in (boxes[asked.alone], *boxes[: asked.times[1] + asked.hold + 1])
        ):
            return None
        beside = ~cut_cells(np.ones((near.height, near.width), bool), near, boxes[0])
        is_known = np.abs(spacetime.generation(0)) == TRUE
        return cls(spacetime, builder) if is_known[beside].all() else None

    def clauses(self, history: History, until: int) -> IntArray:
        """Return a clause against the reaction of a solution, followed to a generation."""
        problem, alone = self._spacetime.problem, self._alone
        home = problem.all_boxes[alone]
        still = history[alone][self._y - home.y, self._x - home.x]
        differed = np.concatenate(
            [
                states[self._y - box.y, self._x - box.x] != still
                for states, box in zip(history, problem.all_boxes[: self._last + 1], strict=False)
            ]
        )
        row = np.where(differed, -self._differs, self._differs)
        frame = home.grow(2)
        changes = _list_changes(problem, history, frame, max(until, alone))
        matters = _see(frame, islice(changes, self._last, max(until, alone - 1)))
        literals = self._spacetime.generation(alone)[matters]
        later = np.where(history[alone][matters] == 1, -literals, literals)
        return fold_clauses(np.concatenate([row, later]).astype(np.int32).reshape(1, -1))


def exclude_composites(spacetime: SpaceTime, history: History) -> IntArray:
    """Return clauses against a catalyst that is made of parts, and against others that are, too.

    Those are all that have one of its parts, with two rings of dead cells around it, and a live
    cell elsewhere.  What agrees with it where it matters is not excluded: it may be in one piece.
    """
    t = find_alone(spacetime.problem)
    home, literals = spacetime.boxes[t], spacetime.generation(t)
    whole = np.where(history[t] == 1, -literals, literals)
    still = make_pattern(spacetime.problem, history, t)
    for part in parts(still):
        near = widen(widen(part.in_box(home) == 1))
        if not (near & (still.in_box(home) != part.in_box(home))).any():
            others = -literals[~near].reshape(-1, 1)
            return fold_clauses(np.hstack([np.tile(whole[near], (len(others), 1)), others]))
    return fold_clauses(whole.reshape(1, -1))


Key = tuple[tuple[tuple[int, ...], ...], ...]


def name_reaction(problem: Problem, history: History) -> Key:
    """Return a key that is equal for solutions with the same input, and the same where it matters.

    Both may be turned and moved together.  The input is by itself until the contact, so what lies
    near it before that does not matter; and a ship may be given at any age.

    >>> from satlife.engine import find
    >>> from satlife.kinds import eater
    >>> names = set()
    >>> for x, within in ((0, 8), (-1, 12)):
    ...     problem = eater(
    ...         "bo$2bo$3o!", at=(x, x), region="4..7,4..7", within=within, population=7
    ...     )
    ...     names.add(name_reaction(problem, find(problem).finding.history))
    >>> len(names)
    1
    """
    alone = find_alone(problem)
    start, still = (make_pattern(problem, history, t) for t in (0, alone))
    catalyst = _cells(still)
    incoming = Pattern.from_cells(_cells(start) - catalyst, start.rule)
    beside = [_cells(start[t]) ^ catalyst for t in range(alone)]
    met = next((t for t in range(alone) if beside[t] != _cells(incoming[t])), None)
    if met is None:  # without the catalyst, the same would happen
        return ()
    near = range(-2, 3)
    matters = {
        (x + i, y + j) for cells in beside[met - 1 :] for x, y in cells for i in near for j in near
    }
    flight = follow_ship(incoming)
    period = flight.recurrence.period if flight else 1
    inputs = [(flight or incoming)[age] for age in range(met - period, met)]
    keys: list[Key] = []
    for now in inputs:
        for turn in now.rule.symmetries:
            turned = [turn.apply_to_point(x, y) for x, y in _cells(now)]
            dx, dy = (min(place) for place in zip(*turned, strict=True))
            coming = sorted((x - dx, y - dy) for x, y in turned)
            places = ((*turn.apply_to_point(x, y), (x, y) in catalyst) for x, y in matters)
            keys.append((tuple(coming), tuple(sorted((x - dx, y - dy, z) for x, y, z in places))))
    return min(keys)


def _cells(pattern: Pattern) -> set[tuple[int, int]]:
    return {(x, y) for x, y in pattern.coordinates.tolist()}
