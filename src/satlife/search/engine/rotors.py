"""Solutions with the same rotor as one: what changes counts, and what stands still does not.

The rotor of an oscillator is its cells that change, with their states in all generations.  Two
rotors are the same if a shift, a symmetry of the rule and a change of phase map one to the other.
So an oscillator and its variants, with another stator or with a block beside it, are one.

>>> from satlife.search.kinds import oscillator
>>> problem = oscillator(2, box="3x3")
>>> blinker = (np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], np.uint8),
...            np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]], np.uint8))
>>> find_rotor(problem, blinker)[0].tolist()
[[2, 0, 2], [1, 2, 1], [2, 0, 2]]
>>> len(list(rotor_images(problem, find_rotor(problem, blinker))))
2
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.life import Rule
from satlife.sat import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import FALSE, fold_clauses
from satlife.search.formula.classes import History, shifts_freely
from satlife.search.formula.measures.terms import cell_histories, changing_cells, frame
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Problem
from satlife.search.problem.constraints import Rotor
from satlife.search.problem.slow import read_slow

Film = npt.NDArray[np.uint8]
"""States by (t, y, x), in the smallest box that holds all cells that change."""

STILL: Final = 2
"""The state of a cell that does not change."""


def check_rotors(problem: Problem) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless solutions have rotors to compare."""
    moved = problem.motion
    if moved is None or moved.period == 1 or moved.dx or moved.dy:
        raise UsageError("the same rotor is a matter of oscillators, of period 2 or more")
    rule = Rule(problem.rule)
    if rule.states > 2 or rule.is_strobing:
        raise UsageError(f"rotors are compared where cells are alive or dead, not in {rule}")
    if problem.has_open_height:
        raise UsageError("rotors are compared in a box with a height")
    if read_slow(problem) is not None:
        raise UsageError(f"rotors are not compared in {problem.rule}; use --same object")
    if not shifts_freely(problem):
        raise UsageError("rotors are compared in a plane without given cells; use --same object")


def find_rotor(problem: Problem, history: History) -> Film:
    """Return the states of the cells that change; the others are ``STILL``."""
    boxes = problem.all_boxes
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    width, height = max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top
    film = np.zeros((len(boxes), height, width), np.uint8)
    for t, (box, states) in enumerate(zip(boxes, history, strict=True)):
        film[t, box.y - top : box.bottom - top, box.x - left : box.right - left] = states
    changes = (film != film[0]).any(axis=0)
    film[:, ~changes] = STILL
    if not changes.any():
        return film[:, :0, :0]
    rows, columns = np.flatnonzero(changes.any(axis=1)), np.flatnonzero(changes.any(axis=0))
    return film[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def rotor_images(problem: Problem, rotor: Film) -> Iterator[Film]:
    """Yield the rotor in all phases, turned and mirrored as the rule allows, each once."""
    seen: set[tuple[tuple[int, ...], bytes]] = set()
    for phase, turn in product(range(len(rotor)), Rule(problem.rule).symmetries):
        later = np.roll(rotor, -phase, axis=0)
        image = np.stack([turn.apply_to_array(states) for states in later])
        key = image.shape, image.tobytes()
        if key not in seen:
            seen.add(key)
            yield image


def name_rotor(problem: Problem, history: History) -> tuple[tuple[int, ...], bytes]:
    """Return a key that is equal for equal rotors."""
    images = rotor_images(problem, find_rotor(problem, history))
    return min((image.shape, image.tobytes()) for image in images)


class RotorExclusion:
    """Clauses against all solutions with a given rotor."""

    def __init__(self, spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        self._problem = spacetime.problem
        box = frame(spacetime)
        shape = box.height, box.width
        self._changes = changing_cells(spacetime, builder, Rotor()).reshape(shape)
        self._states = cell_histories(spacetime).reshape(*shape, -1)

    def clauses(self, history: History) -> IntArray:
        """Return a clause for each image of the rotor in each place.

        A solution has that rotor there if its cells have those states and no other cell changes.
        """
        rotor = find_rotor(self._problem, history)
        rows = [row for image in rotor_images(self._problem, rotor) for row in self._rows(image)]
        return fold_clauses(np.stack(rows))

    def _rows(self, image: Film) -> Iterator[IntArray]:
        _, height, width = image.shape
        y, x = np.nonzero(image[0] != STILL)
        states = image[:, y, x].T
        for top in range(self._changes.shape[0] - height + 1):
            for left in range(self._changes.shape[1] - width + 1):
                others = self._changes.copy()
                others[y + top, x + left] = FALSE
                own = self._states[y + top, x + left]
                differs = np.where(states == 1, -own, own)
                yield np.concatenate([differs.ravel(), others.ravel()])
