"""The generation with which the best solution begins, where its population is counted in another.

What is shown of a solution is its generation 0, but the population that is least (or most) may be
that of a later one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from satlife.engine.goals import Goal, evaluate_goals
from satlife.formula.classes import History
from satlife.problem import Problem
from satlife.problem.constraints import Population
from satlife.problem.outcome import Finding
from satlife.verifier.constraints import populations
from satlife.verifier.generations import VerificationError
from satlife.verifier.verify import verify


def begin_with_best(finding: Finding, goals: Sequence[Goal], values: tuple[int, ...]) -> Finding:
    """Return the solution from the generation on that has the best population, if it is one."""
    best = [
        value
        for goal, value in zip(goals, values, strict=True)
        if isinstance(what := goal.measure.what, Population)
        and what.generation in ("least", "most")
    ]
    numbers = populations(finding.history)
    if not best or numbers[0] == best[0]:
        return finding
    for first, number in enumerate(numbers):
        if number == best[0]:
            for history in _begin_later(finding.problem, finding.history, first):
                with contextlib.suppress(VerificationError):
                    verify(finding.problem, history)
                    if evaluate_goals(finding.problem, history, goals) == values:
                        return replace(finding, history=history)
    return finding


def _begin_later(problem: Problem, history: History, first: int) -> Iterator[History]:
    """Yield histories that begin with a later generation, which may be solutions or not."""
    motion = problem.motion
    if motion is None or not motion.only_shifts or len(problem.boxes) > 1:
        return
    # On a torus, cells that leave on one side come in on the other; else there is room for them.
    room = 0 if problem.boundary == "torus" else max(abs(motion.dx), abs(motion.dy))
    roomy = [np.pad(states, room) for states in history]
    shift = (motion.dy, motion.dx)
    film = (*roomy[first:], *(np.roll(states, shift, (0, 1)) for states in roomy[:first]))
    height, width = history[0].shape
    corners = product(range(2 * room + 1), repeat=2)
    for y, x in sorted(corners, key=lambda corner: sum(abs(each - room) for each in corner)):
        cut = tuple(states[y : y + height, x : x + width] for states in film)
        if all(np.count_nonzero(a) == np.count_nonzero(b) for a, b in zip(cut, film, strict=True)):
            yield cut
