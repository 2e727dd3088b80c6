"""The command that asks for a problem, where the options of its kind say all of it.

>>> from satlife.search.kinds import ship
>>> write_command(ship("c/3", box="16x6", symmetry="D2v", rule="HighLife"))
"satlife ship c/3 --box 16x6 --symmetry 'D2|' --rule B36/S23"
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from satlife.life.motion import Motion
from satlife.life.rule import LIFE
from satlife.search.problem.constraints import Constraint, FullPeriod, NotEmpty, PatternPeriod

if TYPE_CHECKING:
    from satlife.search.problem.problem import Movement, Problem


def write_command(problem: Problem) -> str | None:
    """Return the command; None if it takes a problem file (``satlife find``)."""
    motion = problem.motion
    if motion is None or not _is_plain(problem, motion):
        return None
    return shlex.join(["satlife", problem.kind, *_write_options(problem, motion)])


def _is_plain(problem: Problem, motion: Movement) -> bool:
    """Whether the problem asks what its kind asks, with one box and without bounds."""
    moves = bool(motion.dx or motion.dy)
    fits = {
        "still-life": not moves and motion.period == 1,
        "oscillator": not moves,
        "ship": moves and motion == _northward(motion),
        "agar": not moves or motion == _northward(motion),
    }
    return (
        fits.get(problem.kind, False)
        and motion.transform == "identity"
        and problem.boundary == ("torus" if problem.kind == "agar" else "dead")
        and len(problem.boxes) == 1
        and problem.boxes[0].replace("x", "", 1).isdecimal()
        and not (problem.known or problem.links or problem.exempt)
        and not (problem.include_last and problem.kind != "ship")
        and problem.constraints in _usual_constraints(problem.kind, motion.period)
    )


def _northward(motion: Movement) -> Movement:
    """Return the motion that the speed's notation means: to the north or north-west."""
    read = Motion(str(Motion.of(motion.period, motion.dx, motion.dy)))
    return msgspec.structs.replace(motion, period=read.period, dx=read.dx, dy=read.dy)


def _usual_constraints(kind: str, period: int) -> list[tuple[Constraint, ...]]:
    """Return what the kind asks, without and with ``--composite``."""
    if kind == "ship":
        return [(FullPeriod(), NotEmpty()), (PatternPeriod(), NotEmpty())]
    return [(NotEmpty(),)] if period == 1 else [(FullPeriod(),), (PatternPeriod(),)]


def _write_options(problem: Problem, motion: Movement) -> Iterator[str]:
    if problem.kind != "still-life":
        moves = motion.dx or motion.dy
        speed = str(Motion.of(motion.period, motion.dx, motion.dy))
        yield speed if moves else str(motion.period)
    yield from ("--box", problem.boxes[0])
    if any(problem.wrap):
        yield from ("--wrap", ",".join(map(str, problem.wrap)))
    if problem.symmetry != "C1":
        yield from ("--symmetry", problem.symmetry)
    if problem.rule != str(LIFE):
        yield from ("--rule", problem.rule)
    if problem.include_last:
        yield "--include-last"
    if any(isinstance(each, PatternPeriod) for each in problem.constraints):
        yield "--composite"
