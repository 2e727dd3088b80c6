"""Which cells of a catalyst matter in its reaction, and when two catalysts are the same.

A reaction depends on the catalyst only where it comes within two cells of something that is not as
it is alone: what a cell becomes depends on the cells next to it.  So two catalysts that agree there
react in the same way, and whatever else lies in the region does not matter.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.formula.classes import History
from satlife.formula.spacetime import SpaceTime
from satlife.life import Box, Pattern
from satlife.life.identity.parts import parts
from satlife.problem import Problem
from satlife.problem.reaction import find_restored, need_restored
from satlife.sat.formula import IntArray
from satlife.sat.logic import fold_clauses
from satlife.verifier.verify import complaints

Mask = npt.NDArray[np.bool_]


def check_reactions(problem: Problem) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless solutions are restored catalysts."""
    if find_restored(problem) is None:
        raise UsageError("--same catalyst and --same outcome are for satlife catalyst")


def mark_what_matters(problem: Problem, history: History) -> Mask:
    """Return the cells of the box of generation ``alone`` on which the reaction depends."""
    asked = need_restored(problem)
    boxes = problem.all_boxes
    home = boxes[asked.alone]
    alone = history[asked.alone] == 1
    matters = np.zeros(alone.shape, bool)
    frame = home.grow(2)
    for t in range(asked.alone):
        changed = _cut(history[t] == 1, boxes[t], frame) != _cut(alone, home, frame)
        changed &= _cut(np.ones(history[t].shape, bool), boxes[t], frame)
        for dy in range(5):
            for dx in range(5):
                matters |= changed[dy : dy + home.height, dx : dx + home.width]
    return matters


def _cut(cells: Mask, box: Box, frame: Box) -> Mask:
    """Return the cells of a frame, where those outside the box are false."""
    inner = box & frame
    cut = np.zeros((frame.height, frame.width), bool)
    cut[inner.y - frame.y : inner.bottom - frame.y, inner.x - frame.x : inner.right - frame.x] = (
        cells[inner.y - box.y : inner.bottom - box.y, inner.x - box.x : inner.right - box.x]
    )
    return cut


def drop_bystanders(problem: Problem, history: History) -> History:
    """Return the solution without the parts of the catalyst that did not matter."""
    asked = need_restored(problem)
    home, matters = problem.all_boxes[asked.alone], mark_what_matters(problem, history)
    alone = Pattern(history[asked.alone], home.x, home.y, problem.parsed.rule)
    needless = [each for each in parts(alone) if not (each.in_box(home) & matters).any()]
    if not needless:
        return history
    idle = np.bitwise_or.reduce([each.in_box(home) for each in needless]).astype(bool)
    less = []
    for box, states in zip(problem.all_boxes, history, strict=True):
        left = states.copy()
        left[_cut(idle, home, box)] = 0
        less.append(left)
    return history if any(complaints(problem, tuple(less))) else tuple(less)


def exclude_reaction(spacetime: SpaceTime, history: History) -> IntArray:
    """Return a clause against every catalyst that agrees with one where it matters."""
    asked = need_restored(spacetime.problem)
    matters = mark_what_matters(spacetime.problem, history)
    literals = spacetime.generation(asked.alone)[matters]
    alive = history[asked.alone][matters] == 1
    return fold_clauses(np.where(alive, -literals, literals).reshape(1, -1))
