"""The row engine: ships of any length, found row by row in the quotient of space-time.

It takes boxes of open height, and boxes with a height if they are narrow.  When it runs dry, the
width has no ship at all; until that is checked independently, the answer reads "exhausted".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from satlife.errors import UsageError
from satlife.life import Rule
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.rows import MISSING, is_available
from satlife.rows.quotient import Fold, Quotient
from satlife.search.engine.defaults import Solutions
from satlife.search.engine.engine import Engine, GaveUp, Run
from satlife.search.engine.finishing import Finisher
from satlife.search.engine.goals import Goal
from satlife.search.engine.partials import begin, draw, keeping
from satlife.search.engine.wanting import Sieve, Wanted
from satlife.search.formula.classes import History
from satlife.search.problem import Movement, Problem
from satlife.search.problem.constraints import FullPeriod, NotEmpty, PatternPeriod

if TYPE_CHECKING:
    from satlife.rows.hunt import Hunt, Ship

WIDEST = 10
"""Free cells of a row."""
_INTERVAL = 0.1
"""Seconds between two events of progress."""
_MIRROR = Transform("flip-left-right")
_DRY = "the search by rows has run dry"


class RowEngine(Engine):
    """Rows one after the other, breadth-first, with probes in depth."""

    name = "rows"
    title = "ships of any length, row by row (needs numba)"
    takes = ("jobs", "timeout", "memory", "save", "partials", "extend")

    def __init__(
        self, limit: int | None = None, on_end: Callable[[Hunt], None] = lambda hunt: None
    ) -> None:
        self.limit = limit
        """Nodes of a level, beyond which they are probed."""
        self.on_end = on_end
        """Is given the hunt that has run dry."""

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what is not a ship to the north, what is too wide, and bounds on numbers."""
        return next((why for wrong, why in _reasons(problem) if wrong), None) or (
            None if is_available() else MISSING
        )

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield ships, the shortest first as a rule; equal states are merged."""
        return (yield from self._hunt(problem, run, merge=True))

    def classes(self, problem: Problem, run: Run, wanted: Wanted) -> Solutions:
        """Yield each ship once: phases, shifts and mirror images are the same ship."""
        if wanted.raw:
            raise UsageError(
                "the engine rows lists every ship once; --raw goes with the engine sat"
            )
        quotient = make_quotient(problem)
        seen = {_key(quotient, _rows(quotient, each)) for each in wanted.already_found}
        solutions = self._hunt(problem, run, merge=False)
        while True:
            try:
                history = next(solutions)
            except StopIteration as end:
                return str(end.value)
            key = _key(quotient, _rows(quotient, history))
            if key in seen:
                run.skipped["copies"] += 1
                continue
            seen.add(key)
            if not Sieve(problem.with_height(len(history[0])), wanted, run.skipped).leaves_out(
                history
            ):
                yield history

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Refuse: the first ship by rows is not the best by any measure."""
        raise UsageError(
            "the engine rows does not optimise; write a height and take the engine sat"
        )

    def _hunt(self, problem: Problem, run: Run, *, merge: bool) -> Solutions:
        from satlife.rows.hunt import LIMIT, Hunt  # noqa: PLC0415 - needs numba, and compiles

        quotient = make_quotient(problem)
        limit = LIMIT if self.limit is None else self.limit
        hunt = Hunt(quotient, limit=limit, merge=merge, threads=run.options.jobs)
        begin(hunt, problem, run)
        run.built(self.name, cells=quotient.width)
        height = None if problem.has_open_height else problem.all_boxes[0].height
        unfit = 0
        finisher = Finisher(problem, quotient, run if merge else None)
        with keeping(hunt, problem, run) as keep, closing(finisher):
            for ship in _run(hunt, run, height, keep, finisher):
                history = _fit(quotient, ship, problem.width, height)
                if history is None:
                    unfit += 1
                else:
                    yield history
        if unfit:
            raise GaveUp("every ship found of this width is longer than the box")
        if run.options.extend is not None:
            raise GaveUp("no ship of this width begins with the given rows")
        run.details["exhausted"] = True
        self.on_end(hunt)
        return _DRY


ROWS = RowEngine()


def _reasons(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield what this engine cannot do, and whether the problem asks for it."""
    motion, symmetry = problem.motion, Symmetry(problem.symmetry)
    ship = motion is not None and motion.dx == 0 and motion.dy < 0
    yield not ship, "it finds ships that travel north"
    if motion is None or not ship:
        return
    named = problem.known or problem.links or problem.exempt or problem.include_last
    yield problem.boundary != "dead" or bool(named), "it takes no given cells and no torus"
    yield motion.transform != "identity", "it takes motions that only shift"
    yield len(problem.boxes) > 1, "it takes one box for all generations"
    yield (
        not symmetry.full_group <= {Transform("identity"), _MIRROR},
        f"it takes the symmetries C1, D2| and C1:D2|, not {symmetry}",
    )
    speed = gcd(motion.period, motion.dy) if symmetry.factor == 1 else _glide_divisor(motion)
    yield speed != 1, f"{-motion.dy} and {motion.period} have a common divisor"
    yield motion.period <= -motion.dy, "it takes speeds below the speed of light"
    rule = Rule(problem.rule)
    yield rule.states > 2, "it takes rules of two states"
    if rule.states > 2:
        return
    yield bool(rule.table[0]), "it takes rules without births from nothing"
    folded = len(symmetry.full_group) > 1
    yield folded and _MIRROR not in rule.symmetries, f"{rule} has no left-right mirror symmetry"
    allowed = NotEmpty | FullPeriod | PatternPeriod
    bounds = [each for each in problem.constraints if not isinstance(each, allowed)]
    yield bool(bounds), f"it takes no bounds ({', '.join(map(str, bounds))})"
    _, width = _fold(problem)
    yield width > WIDEST, f"rows of {width} free cells are too wide; {WIDEST} is the most"


def _glide_divisor(motion: Movement) -> int:
    return gcd(motion.period // 2, motion.dy // 2)


def _fold(problem: Problem) -> tuple[Fold, int]:
    """Return how rows are folded, and their free cells."""
    if len(Symmetry(problem.symmetry).group) == 1:
        return "none", problem.width
    return ("odd" if problem.width % 2 else "even"), (problem.width + 1) // 2


def make_quotient(problem: Problem) -> Quotient:
    """Return what the rows of a problem are."""
    motion, symmetry = problem.motion, Symmetry(problem.symmetry)
    if motion is None:
        raise UsageError("the engine rows finds ships")
    fold, width = _fold(problem)
    return Quotient(
        width=width,
        period=motion.period // symmetry.factor,
        step=-motion.dy // symmetry.factor,
        table=Rule(problem.rule).table.tobytes(),
        fold=fold,
        glide=symmetry.factor > 1,
    )


def _run(
    hunt: Hunt, run: Run, height: int | None, keep: Callable[[], None], finisher: Finisher
) -> Iterator[Ship]:
    """Yield ships while the search goes on; tell of its progress."""
    longest = None if height is None else (height + hunt.quotient.step) * hunt.quotient.period
    told, states = time.monotonic(), 0
    for ships in hunt.work():
        run.check()
        keep()
        yield from ships
        finisher.offer(hunt.best)
        if (finished := finisher.take()) is not None:
            run.details["finished"] = "by SAT"
            yield hunt.quotient.read(0, finished)
        now, counts = time.monotonic(), hunt.counts
        if run.options.memory is not None and hunt.memory > run.options.memory:
            raise GaveUp("memory limit")
        if now - told >= _INTERVAL:
            speed = round((counts.states - states) / (now - told))
            told, states = now, counts.states
            run.progress(
                "rows",
                level=counts.level,
                queue=counts.queue,
                deepest=counts.deepest,
                states=counts.states,
                **{"states/s": speed},
                partial=draw(hunt.quotient, hunt.best),
            )
        if longest is not None and hunt.level > longest + 2 * hunt.quotient.period:
            return


def _fit(quotient: Quotient, ship: Ship, width: int, height: int | None) -> History | None:
    """Return the generations in the least box, or in the box of a height; None if it is too low."""
    best: History | None = None
    for late in range(quotient.period):
        _, frames = quotient.unfold((0,) * late + ship)
        filled = np.flatnonzero(np.any([frame.any(axis=1) for frame in frames], axis=0))
        cut = tuple(frame[filled[0] : filled[-1] + 1] for frame in frames)
        if best is None or len(cut[0]) < len(best[0]):
            best = cut
    if best is None or height is None:
        return best
    rows = height - len(best[0])
    return None if rows < 0 else tuple(np.pad(cells, ((0, rows), (0, 0))) for cells in best)


def _rows(quotient: Quotient, history: History) -> Ship:
    return quotient.read(0, history)


def _key(quotient: Quotient, rows: Ship) -> Ship:
    """Return the same rows for shifts and, where the rule allows it, mirror images."""
    if quotient.fold != "none":
        return rows
    images = [rows]
    flipped = Rule.from_table(np.frombuffer(quotient.table, np.uint8)).symmetries
    if _MIRROR in flipped:
        images.append(tuple(int(f"{row:0{quotient.width}b}"[::-1], 2) for row in rows))
    low = [min((row & -row).bit_length() - 1 for row in image if row) for image in images]
    return min(
        tuple(row >> shift for row in image) for image, shift in zip(images, low, strict=True)
    )
