"""A problem in words, as a person would ask for it.

>>> from satlife.search.kinds import ship
>>> print(describe(ship("c/3", box="16x6")))
a pattern of B3/S23 that moves by (0, -1) in 3 generations; generations 0 to 2 are in a 16x6 box, \
all outside is dead; at least one cell has the full period; generation 0 is not empty
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.search.problem import Problem
from satlife.search.problem.constraints import FullPeriod, NotEmpty, PatternPeriod


def describe(problem: Problem) -> str:
    """Return everything that the problem asks, in one sentence without a full stop."""
    return "; ".join([f"a pattern of {problem.rule}{_motion(problem)}", *_clauses(problem)])


_NOUNS = {"eater": "eater", "reaction": "catalyst", "parent": "ancestor"}
"""What is looked for by kinds that have no motion; all others look for a pattern."""


def describe_motion(problem: Problem) -> str:
    """Return what such patterns are called, without an article.

    >>> from satlife.search.kinds import oscillator
    >>> describe_motion(oscillator(3, box="6x6"))
    'oscillator of period 3'
    """
    motion = problem.motion
    if motion is None or motion.transform != "identity":
        return f"such {_NOUNS.get(problem.kind, 'pattern')}"
    # A p2 beside a p3 has period 6, and no cell that has; such a pattern is not what is asked for.
    cell = any(isinstance(each, FullPeriod) for each in problem.constraints)
    mixed = "with a cell " if cell and has_several_roots(problem) else ""
    if motion.dx or motion.dy:
        speed = Motion.of(motion.period, motion.dx, motion.dy)
        return f"ship {mixed}of speed {speed} going {name_direction(motion.dx, motion.dy)}"
    return "still life" if motion.period == 1 else f"oscillator {mixed}of period {motion.period}"


def has_several_roots(problem: Problem) -> bool:
    """Whether patterns of different smaller motions can together have the whole one."""
    motion = problem.motion
    if motion is None or motion.transform != "identity":
        return False
    common = gcd(motion.period, motion.dx, motion.dy)
    primes = [
        q for q in range(2, common + 1) if common % q == 0 and all(q % d for d in range(2, q))
    ]
    return len(primes) > 1


def name_direction(dx: int, dy: int) -> str:
    """Return the direction of a move, which is not none.

    >>> name_direction(0, -1), name_direction(2, 2), name_direction(-1, -2)
    ('north', 'south-east', 'by (-1, -2)')
    """
    if dx and dy and abs(dx) != abs(dy):
        return f"by ({dx}, {dy})"
    upright = "south" if dy > 0 else "north" if dy else ""
    level = "east" if dx > 0 else "west" if dx else ""
    return "-".join(filter(None, [upright, level]))


def _motion(problem: Problem) -> str:
    motion = problem.motion
    if motion is None:
        return f" and its next {count_words(problem.steps, 'generation')}" if problem.steps else ""
    if motion.transform != "identity":
        return (
            f" that is itself after {motion.period} generations, but for a {motion.transform} "
            f"and a move by ({motion.dx}, {motion.dy})"
        )
    if motion.dx or motion.dy:
        return f" that moves by ({motion.dx}, {motion.dy}) in {motion.period} generations"
    return " that does not change" if motion.period == 1 else f" of period {motion.period}"


def _clauses(problem: Problem) -> Iterator[str]:
    yield f"{_boxes(problem)}, {_boundary(problem)}"
    if problem.include_last and problem.motion is not None:
        yield f"generation {problem.steps} is in the box too"
    if problem.symmetry != "C1":
        yield f"it has the symmetry {Symmetry(problem.symmetry).describe()}"
    for known in problem.known:
        cells = sum(state != "?" for row in known.rows for state in row)
        verb = "is" if cells == 1 else "are"
        yield f"{count_words(cells, 'cell')} of generation {known.t} {verb} known"
    if problem.links:
        yield f"{count_words(len(problem.links), 'pair')} of cells linked"
    if problem.exempt:
        yield f"{count_words(len(problem.exempt), 'cell')} exempt from the rule"
    turned = problem.motion is not None and problem.motion.transform != "identity"
    for constraint in problem.constraints:
        # Where the motion turns the pattern, no smaller period is excluded.
        period = isinstance(constraint, FullPeriod | PatternPeriod)
        yield str(NotEmpty() if turned and period else constraint)


def _boxes(problem: Problem) -> str:
    last = problem.generations - 1
    which = f"generations 0 to {last}" if last else "generation 0"
    if problem.boundary == "torus":
        return f"{'they live' if last else 'it lives'} on a torus of {problem.boxes[0]}"
    if len(problem.boxes) == 1:
        return f"{which} {'are' if last else 'is'} in a {problem.boxes[0]} box"
    return f"{which} are in the boxes {', '.join(problem.boxes)}"


def _boundary(problem: Problem) -> str:
    if problem.boundary == "torus":
        down, right = problem.wrap
        return f"twisted by {down} rows and {right} columns" if any(problem.wrap) else "untwisted"
    return (
        "all outside is dead" if problem.boundary == "dead" else "cells outside are unconstrained"
    )


def count_words(number: int, noun: str) -> str:
    """Return a number with its noun, as in "3 cells"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
