"""What to try next when a search takes long, or has ended undecided.

A piece of advice changes a few parameters or options of the search.  All of it can be followed: the
changed problem has been built, and an engine takes it.  What helps most comes first.

>>> from satlife.kinds import oscillator
>>> def make(**changes):
...     return oscillator(5, **({"box": "12x12"} | changes))
>>> for advice in advise(make, Options(timeout=60), processors=4):
...     print(advice.changes, advice.why)
{'symmetry': 'C4', 'timeout': '3m'} 36 cells to choose instead of 144 in 12x12
{'jobs': '4'} 4 processors
{'save': 'saved.cases', 'timeout': '4m'} it goes on from the file each time
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Final

from satlife.engine import Options, pick_engine
from satlife.engine.estimates import count_orbits, estimate, is_measured
from satlife.engine.sat.attempt import look_at
from satlife.errors import UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.kinds import kind_of
from satlife.life.box import HIGHEST, Box, OpenBox
from satlife.life.rule import LIFE
from satlife.problem import Problem
from satlife.problem.constraints import FullPeriod, NotEmpty
from satlife.problem.exact import find_steps
from satlife.problem.words import find_asked_box, name_asked_box

Make = Callable[..., Problem]
"""Builds the problem, with some of its parameters changed."""

SYMMETRIES: Final = ("D2v", "D2b", "D2s", "C2", "C4", "D4+", "D8")
"""From a half of the cells to an eighth; ships can have the mirrors only."""
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
"""Estimated seconds: to try first, to take if another one would do, and at most."""

ESTIMATE_ERROR: Final = 6.0
"""By what factor an estimate may be wrong."""


@dataclass(frozen=True)
class Advice:
    """A change of the search, and what it brings."""

    changes: Mapping[str, str]
    """New values of parameters and options, by their names."""
    why: str
    seconds: float | None = None
    """The estimated time to refute it, where the estimate is within the range of its fit."""
    guess: float | None = None
    """The same, extrapolated: to choose by, and for a time limit, but not to be told."""


def advise(
    make: Make,
    how: Options,
    *,
    processors: int = 1,
    reason: str = "",
    single: bool = True,
    grows: bool = False,
) -> Iterator[Advice]:
    """Yield what may help, the best first.

    ``reason`` is why the search has ended, if it has.  A ``single`` solution is wanted, not all of
    them or the best.  Where the box ``grows``, the person has given none.
    """
    limit = how.deadline().seconds
    for advice in _list(make, how, processors, reason, single, grows):
        guess = advice.guess if single else None  # a list takes longer
        needed = 0.0 if guess is None else max(10.0, ESTIMATE_ERROR * guess)
        more = {"timeout": _write_time(needed)} if limit is not None and needed > limit else {}
        seconds = advice.seconds if single else None
        yield Advice({**advice.changes, **more}, advice.why, seconds, guess)


def _list(
    make: Make, how: Options, processors: int, reason: str, single: bool, grows: bool
) -> Iterator[Advice]:
    if grows:  # what helps in a box of some size helps before
        sizes = ("12x12", "11x11", "11x12", "12x11")
        sized = (partial(make, box=size) for size in sizes)
        make = next((each for each in sized if _build(each, how, {})), make)
        if not _build(make, how, {}):
            return
    problem, memory = make(), "memory" in reason and how.memory
    if single:  # all of them, or the best, is another question with a symmetry
        if problem.kind == "ship" and not problem.has_open_height:
            yield from _search_by_rows(make, how, problem, grows)
        smaller = [*_ask_for_symmetry(make, how, problem)]
        yield from smaller or ([] if grows else _shrink(make, how, problem))
        if processors > how.jobs and not memory:
            yield Advice({"jobs": str(min(processors, 64))}, f"{processors} processors")
    if memory:
        yield Advice({"memory": f"{math.ceil(memory / 2**18)}M"}, "four times the memory")
    limit = how.deadline().seconds
    longer = {} if limit is None else {"timeout": _write_time(4 * limit)}
    if single and not grows and how.save is None:
        yield Advice({"save": "saved.cases", **longer}, "it goes on from the file each time")
    elif longer:
        yield Advice(longer, "four times as long")


def _search_by_rows(make: Make, how: Options, problem: Problem, grows: bool) -> Iterator[Advice]:
    """Leave the height open, in the greatest width that takes no more than an hour.

    Without a symmetry it is worth a minute: most ships that people know of are symmetric.
    """
    if problem.motion is None or problem.motion.dx:  # its width would count other cells
        return
    free = problem.symmetry == "C1"
    symmetries = {"C1": MINUTE, "D2v": HOUR} if free else {problem.symmetry: HOUR}
    for width in range(12 if grows else problem.width, 1, -1):
        for symmetry, most in symmetries.items():
            changes = {"box": f"{width}x*"}
            changes |= {} if symmetry == problem.symmetry else {"symmetry": symmetry}
            box, motion = OpenBox(0, 0, width, HIGHEST), str(problem.motion)
            guess = estimate(box, symmetry, motion)
            if guess <= most and _build(make, how, changes):
                seconds = guess if is_measured(box, symmetry, motion) else None
                yield Advice(changes, "ships of any length", seconds, guess)
                return


def _ask_for_symmetry(make: Make, how: Options, problem: Problem) -> Iterator[Advice]:
    """Ask for the least symmetry with which it may take an hour, or for the greatest there is."""
    best = None
    for symmetry in SYMMETRIES if problem.symmetry == "C1" else ():
        changes = {"symmetry": symmetry}
        if kind_of(problem).takes("symmetry") and (changed := _build(make, how, changes)):
            best = _compare(problem, changed, changes)
            best = replace(best, why=f"{best.why} in {name_asked_box(changed)}")
            if best.guess is None or best.guess <= HOUR:
                break
    if best and (best.guess is None or best.guess <= DAY):
        yield best


def _shrink(make: Make, how: Options, problem: Problem) -> Iterator[Advice]:
    """Take the largest box of this shape and parity that may take an hour."""
    guess = _estimate(problem)
    if guess is None or guess <= HOUR or problem.has_open_height or not _is_fitted(problem):
        return
    box, (across, down) = find_asked_box(problem), find_steps(problem.parsed.symmetry)
    for step in count(1):
        width, height = box.width - step * across, box.height - step * down
        if min(width, height) < 1:
            return
        changes = {"box": f"{width}x{height}"}
        if changed := _build(make, how, changes):
            smaller = _compare(problem, changed, changes)
            if smaller.guess is not None and smaller.guess <= HOUR:
                yield smaller
                return


def _build(make: Make, how: Options, changes: Mapping[str, str]) -> Problem | None:
    """Return the changed problem if it exists, an engine takes it and its answer is not known."""
    try:
        problem = make(**changes)
        pick_engine(None, problem).check_options(how)
    except UsageError:
        return None
    is_boxed = bool(problem.known) and not problem.has_open_height
    if is_refuted(problem) or (is_boxed and SpaceTime(problem).clash):
        return None
    return problem


LEAST_AREAS: Final = {
    "p3": 36,
    "p4": 36,
    "p5": 30,
    "p6": 27,
    "p7": 25,
    "p8": 25,
    "2c/4": 30,
    "c/4d": 12,
    "c/5d": 27,
}
"""No oscillator or ship of Life fits a box of less area; docs/atlas has a certificate of each."""
LEAST_WIDTHS: Final = {
    ("c/2", "C1"): (10, 10),
    ("c/3", "C1"): (10, 10),
    ("c/4", "C1"): (9, 9),
    ("c/5", "C1"): (8, 8),
    ("c/2", "D2|"): (20, 19),
    ("c/3", "D2|"): (12, 15),
    ("c/4", "D2|"): (16, 13),
    ("c/5", "D2|"): (14, 15),
}
"""The least even and odd width of a ship that is not refuted there for any length, by symmetry."""
SMALL: Final = 4
"""Life has only periods 1 and 2 in boxes of this side, by brute force."""


def is_refuted(problem: Problem) -> bool:
    """Whether a bound that is known says already that there is no such oscillator or ship of Life.

    >>> from satlife.kinds import oscillator, ship
    >>> [is_refuted(oscillator(19, box=box)) for box in ("4x4", "12x12")]
    [True, False]
    >>> [is_refuted(ship("c/4", box=box)) for box in ("8x*", "8x30", "9x9")]
    [True, True, False]
    """
    motion, usual = problem.motion, problem.kind in ("oscillator", "ship")
    if problem.rule != str(LIFE) or not usual or motion is None or len(problem.boxes) > 1:
        return False
    limits = (LEAST_WIDTHS.get((str(motion), name), (0, 0)) for name in ("C1", problem.symmetry))
    if any(problem.width < least[problem.width % 2] for least in limits):
        return True
    if problem.has_open_height:
        return False
    box = problem.all_boxes[0]
    least = LEAST_AREAS.get(str(motion), 0)
    small = problem.kind == "oscillator" and motion.period > 2 and max(box.width, box.height)
    return box.area < least or bool(small and small <= SMALL)


def _estimate(problem: Problem) -> float | None:
    """Guess the seconds of a refutation; None where nothing like it was measured."""
    usual = all(isinstance(each, FullPeriod | NotEmpty) for each in problem.constraints)
    measured = problem.kind in ("oscillator", "ship") and usual and not problem.known
    if not measured or len(problem.boxes) > 1:
        return None
    return estimate(_find_box(problem), problem.symmetry, str(problem.motion))


def _is_fitted(problem: Problem) -> bool:
    """Whether problems of this motion were measured, in boxes of some size."""
    return is_measured(Box(0, 0, 1, 1), "C1", str(problem.motion))


def _find_box(problem: Problem) -> Box:
    is_open = problem.has_open_height
    return OpenBox(0, 0, problem.width, HIGHEST) if is_open else problem.all_boxes[0]


def _compare(problem: Problem, changed: Problem, changes: Mapping[str, str]) -> Advice:
    """Return the advice to make these changes."""
    before, after = (_count_cells(each) for each in (problem, changed))
    guess, motion = _estimate(changed), str(changed.motion)
    told = guess is not None and is_measured(_find_box(changed), changed.symmetry, motion)
    words = f"{after} cells to choose instead of {before}"
    return Advice(changes, words, guess if told else None, guess)


def _count_cells(problem: Problem) -> int:
    """Return the number of free cells of generation 0; of a row, if the height is open."""
    if problem.has_open_height:
        return round(count_orbits(Box(0, 0, problem.width, 1), problem.symmetry))
    box = problem.all_boxes[0]
    if not problem.known:
        return round(count_orbits(Box(0, 0, box.width, box.height), problem.symmetry))
    return look_at(SpaceTime(problem)).free_cells


def _write_time(seconds: float) -> str:
    units = {"s": 1, "m": 60, "h": 3600}
    name, size = next((each for each in units.items() if seconds < 120 * each[1]), ("h", 3600))
    return f"{math.ceil(seconds / size)}{name}"
