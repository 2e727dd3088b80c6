"""A generation of a solution as a pattern, with all the states that its rule has.

A solution says only which cells live (under a rule with B0: which differ from the background).
That is enough: a dying cell of a Generations rule is one that lived a few generations before, and
on a strobing background the generation says the phase.  Without a motion nothing was before
generation 0, so that generation has the states of all cells.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from satlife.life.box import Box
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule
from satlife.search.problem.problem import Problem

History = tuple[npt.NDArray[np.uint8], ...]


def make_pattern(problem: Problem, history: History, t: int, by: Rule | None = None) -> Pattern:
    """Return a generation at its place; dying cells may lie outside the box of live ones.

    If the rule of the problem is open, ``by`` is the one to take.
    """
    problem = problem.with_height(len(history[0]))
    rule, boxes = by or Rule(problem.rule), problem.all_boxes
    if rule.states > 2 and problem.motion is None:
        first = Pattern(history[0], boxes[0].x, boxes[0].y, rule)
        if problem.boundary == "dead":
            return first[t]
        return Pattern(_read_ages(problem, history, t, rule), boxes[t].x, boxes[t].y, rule)
    if rule.states == 2 or problem.motion is None:
        box = boxes[t]
        return Pattern(history[t], box.x, box.y, rule, t % len(rule.phases))
    motion, layers = problem.motion, list[tuple[npt.NDArray[np.uint8], Box]]()
    for age in range(rule.states - 1):
        turns, then = divmod(t - age, motion.period)
        layers.append((history[then], boxes[then].shift(turns * motion.dx, turns * motion.dy)))
    frame = layers[0][1]
    for _, box in layers:
        frame |= box
    states = np.zeros((frame.height, frame.width), np.uint8)
    for age, (alive, box) in reversed(list(enumerate(layers))):
        top, left = box.y - frame.y, box.x - frame.x
        part = states[top : top + box.height, left : left + box.width]
        part[alive != 0] = age + 1
    return Pattern(states, frame.x, frame.y, rule)


def _read_ages(problem: Problem, history: History, t: int, rule: Rule) -> npt.NDArray[np.uint8]:
    """Return the states of a generation's box, which lies in those before, by when cells lived."""
    box = problem.all_boxes[t]
    states = np.zeros((box.height, box.width), np.uint8)
    for age in reversed(range(rule.states - 1)):
        then = max(t - age, 0)
        frame = problem.all_boxes[then]
        lived = history[then] == max(1, age + 1 - t)  # before 0, generation 0 has the states
        top, left = box.y - frame.y, box.x - frame.x
        states[lived[top : top + box.height, left : left + box.width]] = age + 1
    return states
