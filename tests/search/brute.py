"""Brute force over all patterns of a small box, all at once; shares no code with the search."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from satlife import FullPeriod, NotEmpty, PatternPeriod, Problem
from satlife.life import Rule
from satlife.life.box import Box
from satlife.problem.constraints import Bound
from tests.search.brute_bounds import holds

States = npt.NDArray[np.uint8]


def count_solutions(problem: Problem) -> int:
    """How many patterns of generation 0 solve a problem (of which generation 0 decides all)."""
    boxes = problem.all_boxes
    first = boxes[0]
    n = first.area
    bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    start = bits.reshape(-1, first.height, first.width).astype(np.uint8)
    rule = problem.parsed.rule
    if problem.boundary == "torus":
        return int(_torus(problem, start, rule).sum())
    if problem.boundary == "free":
        return int(_free(problem, start, rule).sum())
    margin = problem.steps + 2
    frame = first
    for box in boxes:
        frame |= box
    frame = frame.grow(margin)
    world = np.zeros((2**n, frame.height, frame.width), np.uint8)
    world[(slice(None), *_slices(first, frame))] = start
    generations = [world]
    for _ in range(problem.steps):
        generations.append(_step(generations[-1], rule))
    good = np.ones(2**n, bool)
    for t, box in enumerate(boxes):
        outside = generations[t].copy()
        outside[(slice(None), *_slices(box, frame))] = 0
        good &= ~outside.any(axis=(1, 2))
    if problem.motion is not None:
        m = problem.motion
        moved = np.roll(world, (m.dy, m.dx), axis=(1, 2))
        good &= (generations[problem.steps] == moved).all(axis=(1, 2))
        if problem.include_last:
            outside = moved.copy()
            outside[(slice(None), *_slices(first, frame))] = 0
            good &= ~outside.any(axis=(1, 2))
    for known in problem.known:
        for y, row in enumerate(known.rows, known.y):
            for x, state in enumerate(row, known.x):
                if state != "?":
                    cell = generations[known.t][:, y - frame.y, x - frame.x]
                    good &= cell == (state == "o")
    good &= _symmetric(problem, start)
    good &= _constraints(problem, generations, frame)
    return int(good.sum())


def _slices(box: Box, frame: Box) -> tuple[slice, slice]:
    return (
        slice(box.y - frame.y, box.bottom - frame.y),
        slice(box.x - frame.x, box.right - frame.x),
    )


def _step(world: States, rule: Rule) -> States:
    counts = sum(
        np.roll(world, (dy, dx), axis=(1, 2)).astype(int)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if dx or dy
    )
    assert rule.births is not None
    assert rule.survivals is not None
    born = np.isin(counts, list(rule.births))
    stays = np.isin(counts, list(rule.survivals))
    return np.where(world, stays, born).astype(np.uint8)


SPATIAL = {
    "C1": (),
    "C2": (lambda a: a[:, ::-1, ::-1],),
    "C4": (lambda a: np.rot90(a, axes=(1, 2)),),
    "D2|": (lambda a: a[:, :, ::-1],),
    "D2-": (lambda a: a[:, ::-1, :],),
    "D2\\": (lambda a: a.swapaxes(1, 2),),
    "D4+": (lambda a: a[:, :, ::-1], lambda a: a[:, ::-1, :]),
    "D8": (lambda a: a[:, :, ::-1], lambda a: a.swapaxes(1, 2)),
}


def _symmetric(problem: Problem, start: States) -> npt.NDArray[np.bool_]:
    good = np.ones(len(start), bool)
    for turn in SPATIAL[problem.symmetry]:
        good &= (start == turn(start)).all(axis=(1, 2))
    return good


def _constraints(problem: Problem, generations: list[States], frame: Box) -> npt.NDArray[np.bool_]:
    good = np.ones(len(generations[0]), bool)
    p = problem.steps
    for constraint in problem.constraints:
        match constraint:
            case NotEmpty(t):
                good &= generations[t].any(axis=(1, 2))
            case Bound():
                good &= holds(problem, generations, constraint, frame)
            case PatternPeriod():
                good &= generations[0].any(axis=(1, 2))
                for k, shift in _parts(problem):
                    image = np.roll(generations[0], shift, axis=(1, 2))
                    good &= (image != generations[k]).any(axis=(1, 2))
            case FullPeriod():
                good &= generations[0].any(axis=(1, 2))
                full = np.ones_like(generations[0], bool)
                for k, shift in _parts(problem):
                    later = generations[:p] + [_moved(problem, g) for g in generations[:p]]
                    differs = np.zeros_like(full)
                    for t in range(p):
                        back = (-shift[0], -shift[1])
                        differs |= generations[t] != np.roll(later[t + k], back, axis=(1, 2))
                    full &= differs
                good &= full.any(axis=(1, 2))
    return good


def _moved(problem: Problem, world: States) -> States:
    assert problem.motion is not None
    return np.roll(world, (problem.motion.dy, problem.motion.dx), axis=(1, 2))


def _parts(problem: Problem) -> list[tuple[int, tuple[int, int]]]:
    m = problem.motion
    assert m is not None
    return [
        (m.period // q, (m.dy // q, m.dx // q))
        for q in range(2, m.period + 1)
        if m.period % q == m.dx % q == m.dy % q == 0
    ]


def _torus(problem: Problem, start: States, rule: Rule) -> npt.NDArray[np.bool_]:
    generations = [start]
    for _ in range(problem.steps):
        generations.append(_step(generations[-1], rule))
    good = (generations[-1] == _moved(problem, start)).all(axis=(1, 2))
    return (
        good & _symmetric(problem, start) & _constraints(problem, generations, problem.all_boxes[0])
    )


def _free(problem: Problem, start: States, rule: Rule) -> npt.NDArray[np.bool_]:
    """Parents of a pattern, all of whose neighbours are in the first box."""
    first = problem.all_boxes[0]
    stepped = _step(np.pad(start, ((0, 0), (1, 1), (1, 1))), rule)[:, 1:-1, 1:-1]
    good = np.ones(len(start), bool)
    for known in problem.known:
        for y, row in enumerate(known.rows, known.y):
            for x, state in enumerate(row, known.x):
                if state != "?":
                    good &= stepped[:, y - first.y, x - first.x] == (state == "o")
    return good
