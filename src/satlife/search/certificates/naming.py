"""What the patterns that a problem asks for are called, in the title of a statement."""

from __future__ import annotations

from math import gcd

from satlife.life.motion import Motion
from satlife.search.kinds import kind_of
from satlife.search.problem import Problem
from satlife.search.problem.constraints import FullPeriod


def name_solutions(problem: Problem) -> str:
    """Return what such patterns are called, without an article.

    >>> from satlife.search.kinds import oscillator
    >>> name_solutions(oscillator(3, box="6x6"))
    'oscillator of period 3'
    """
    motion = problem.motion
    if motion is None or motion.transform != "identity":
        return f"such {kind_of(problem).noun}"
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
