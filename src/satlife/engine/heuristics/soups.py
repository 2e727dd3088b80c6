"""Soup search: run small random seeds, mostly symmetric, until one becomes a solution.

Many oscillators and ships are left by small symmetric seeds, and a simulator that steps thousands
of seeds at once finds them sooner than a solver does.  A seed that recurs as the motion requires is
a candidate; the verifier decides.

>>> from satlife.kinds import ship
>>> found = next(each for each in soups(ship("c/4d", box="12x12")) if each.history)
>>> found.where, int(found.history[0].sum())
('soups of 5x5', 5)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satlife.engine.heuristics.restrictions import is_object, is_twin, kept_transforms
from satlife.formula.classes import History
from satlife.life import Rule
from satlife.life.symmetry import OLDER_NAMES, Symmetry, needs_square
from satlife.life.universe import Plane, build_step, can_step
from satlife.problem import Problem
from satlife.verifier.verify import complaints

SEEDS: Final = 2048
"""Seeds in a batch; each row of a seed is a word."""
SIDES: Final = range(5, 13)
"""Sides of the seeds."""
DENSITIES: Final = (0.25, 0.35, 0.5)
LOOKS: Final = (0, 12, 36, 84, 180)
"""Generations at which the seeds are examined."""
LARGEST: Final = 40
"""Maximum side of the arena; a row is a word of 64 bits, with dead columns beside it."""
CANDIDATES: Final = 20
"""Maximum seeds to verify at each examination; further ones are mostly the same object."""
WORD_SECONDS: Final = 1.1e-8
"""Nominal time to step a word by a generation."""

_Cells: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True)
class Batch:
    """The result of a batch of seeds."""

    where: str
    seconds: float
    """Work, in nominal seconds: the same on every machine."""
    history: History | None = None


def soups(problem: Problem) -> Iterator[Batch]:
    """Yield batches of seeds, any of which may hold a solution; nothing if soups do not apply."""
    motion, rule = problem.motion, problem.parsed.rule
    if motion is None or problem.has_open_rule or not motion.only_shifts or motion.period == 1:
        return
    if not (is_object(problem) and can_step(rule)):
        return
    arena, random = Arena(problem, rule), np.random.default_rng(0)
    shapes = list(_shapes(problem, arena))
    for _ in count() if shapes else ():
        for symmetry, width, height in shapes:
            seeds = _draw(random, symmetry, width, height)
            suffix = "" if symmetry == Symmetry("C1") else f" with {symmetry}"
            yield arena.run(f"soups of {width}x{height}{suffix}", seeds)


def _shapes(problem: Problem, arena: Arena) -> Iterator[tuple[Symmetry, int, int]]:
    """Yield the symmetries and sizes of seeds, with at least the problem's symmetry."""
    asked, kept = problem.parsed.symmetry, kept_transforms(problem)
    fitting: list[Symmetry] = []
    for symmetry in map(Symmetry, ("C1", *OLDER_NAMES)):
        new = not any(is_twin(symmetry, other, kept) for other in fitting)
        if asked.group <= symmetry.group <= kept and new:
            fitting.append(symmetry)
    centred = len(asked.full_group) > 1  # then the seed's centre must be the box's
    for symmetry in fitting:
        for side in SIDES:
            odd = centred and (arena.height - side) % 2
            height = side + 1 if odd else side
            fits = side <= arena.width and height <= arena.height
            if centred and (arena.width - side) % 2:
                continue
            if fits and (height == side or not needs_square(symmetry.group)):
                yield symmetry, side, height


def _draw(random: np.random.Generator, symmetry: Symmetry, width: int, height: int) -> _Cells:
    """Return random seeds with a symmetry, as ``[seed, y, x]``."""
    index = np.arange(width * height).reshape(height, width)
    images = [each.apply_to_array(index) for each in symmetry.group]
    leader = np.minimum.reduce(images)  # of its orbit: the group is closed
    density = random.choice(DENSITIES)
    cells: _Cells = (random.random((SEEDS, width * height)) < density)[:, leader]
    return cells


class Arena:
    """The middle of a problem's box, where seeds run; cells that leave it are lost."""

    def __init__(self, problem: Problem, rule: Rule) -> None:
        box = problem.all_boxes[0]
        self.problem, self._step = problem, build_step(rule)
        # The centre stays the centre.
        self.width, self.height = (
            side - max(0, side - LARGEST + 1) // 2 * 2 for side in (box.width, box.height)
        )
        self.left, self.top = (box.width - self.width) // 2, (box.height - self.height) // 2
        self._inside = np.uint64(((1 << self.width) - 1) << 1)

    def run(self, where: str, seeds: _Cells) -> Batch:
        """Run seeds until one is a solution, all have settled, or the generations are used up."""
        motion = self.problem.motion
        if motion is None:
            raise AssertionError("soups are for problems with a motion")
        plane, now, words = self._place(seeds), 0, 0
        for look in LOOKS:
            while now < look:
                plane, now, words = self._advance(plane), now + 1, words + plane.size
            film = [plane]
            for _ in range(max(motion.period, 2)):
                film.append(self._advance(film[-1]))
                words += plane.size
            came = _move(film[motion.period], -motion.dx, -motion.dy)
            back, alive = (came == plane).all(0), plane.any(0)
            for number in np.flatnonzero(back & alive & ~self._is_slower(film))[:CANDIDATES]:
                history = self._history(film, int(number))
                if next(complaints(self.problem, history), None) is None:
                    return Batch(where, words * WORD_SECONDS, history)
            settled = back | (film[2] == plane).all(0)
            plane = np.ascontiguousarray(plane[:, alive & ~settled])
            if not plane.size:
                break
        return Batch(where, words * WORD_SECONDS)

    def _is_slower(self, film: list[Plane]) -> NDArray[np.bool_]:
        """Return which seeds recur with a smaller period."""
        motion, slower = self.problem.motion, np.zeros(film[0].shape[1], bool)
        if motion is not None and (motion.dx, motion.dy) == (0, 0):
            for part in range(1, motion.period):
                if motion.period % part == 0:
                    slower |= (film[part] == film[0]).all(0)
        return slower

    def _advance(self, plane: Plane) -> Plane:
        after = np.zeros_like(plane)
        after[1:-1] = self._step(plane) & self._inside
        return after

    def _place(self, seeds: _Cells) -> Plane:
        """Return the seeds in the middle of the arena, a word for each row of each seed."""
        number, height, width = seeds.shape
        plane = np.zeros((self.height + 2, number), np.uint64)
        left, top = 1 + (self.width - width) // 2, 1 + (self.height - height) // 2
        bits = np.uint64(1) << np.arange(left, left + width, dtype=np.uint64)
        plane[top : top + height] = (seeds * bits).sum(2, dtype=np.uint64).T
        return plane

    def _history(self, film: list[Plane], number: int) -> History:
        box, columns = self.problem.all_boxes[0], np.arange(1, self.width + 1, dtype=np.uint64)
        history = []
        for plane in film[: self.problem.generations]:
            whole = np.zeros((box.height, box.width), np.uint8)
            middle = np.s_[self.top : self.top + self.height, self.left : self.left + self.width]
            whole[middle] = plane[1:-1, number, None] >> columns & np.uint64(1)
            history.append(whole)
        return tuple(history)


def _move(plane: Plane, dx: int, dy: int) -> Plane:
    """Return the shifted plane; cells that leave it are lost."""
    moved = np.zeros_like(plane)
    height = len(plane)
    moved[max(dy, 0) : height + min(dy, 0)] = plane[max(-dy, 0) : height + min(-dy, 0)]
    return moved << np.uint64(dx) if dx >= 0 else moved >> np.uint64(-dx)
