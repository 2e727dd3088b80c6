"""The core of an orphan: a minimal subset of its cells, found by leaving out one at a time.

The cells of the orphan are assumptions, so one incremental solver is enough.  If the other cells
still have no parent, the cell is dropped, and so is every cell that the refutation did not use; if
they have one, the cell stays, and the parent is kept as the reason.

>>> from satlife.life import Pattern
>>> from satlife.kinds import orphan
>>> shrink(orphan(Pattern.from_rle("3o!"))) is None  # it has a parent
True
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from satlife.certificates.claims import Core, Needed, known_places
from satlife.certificates.obligations import without
from satlife.engine.engine import GaveUp, Options, Run
from satlife.engine.sat.attempt import Attempt, attempt
from satlife.errors import InternalError, UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.life import PartialPattern
from satlife.problem import Place, Problem
from satlife.problem.outcome import Drawing, Undecided, draw_states

ROUNDS = 3
"""Number of orders in which cells are left out; the smallest core counts."""


@dataclass(frozen=True)
class ShrinkStep:
    """One cell that was tried."""

    place: Place
    kept: bool
    """True: the others have a parent.  False: they have none."""
    also: tuple[Place, ...] = ()
    """Other cells that the same refutation did not use."""


@dataclass(frozen=True)
class Shrunk:
    """An orphan reduced to a core."""

    problem: Problem
    claim: Core
    steps: tuple[ShrinkStep, ...]

    @property
    def pattern(self) -> PartialPattern:
        """The needed cells; the others are unknown."""
        (known,) = self.problem.known
        return PartialPattern.from_plaintext("\n".join(known.rows).replace("o", "O") + "\n")

    def encode_steps(self) -> bytes:
        """Write the steps, a line for each cell that was tried."""
        return b"".join(msgspec.json.encode(step) + b"\n" for step in self.steps)


def shrink(problem: Problem, run: Run | None = None) -> Shrunk | Undecided | None:
    """Return the smallest core of several orders; None if the pattern has a parent.

    The run reports the size of each core.  When a limit is reached or the solver dies, the smallest
    core so far is returned; if there is none, Undecided.
    """
    run = run or Run()
    places = known_places(problem)
    if problem.steps != 1 or problem.boundary != "free" or any(t != 1 for _, _, t in places):
        raise UsageError("only an orphan can be shrunk")
    if problem.shows_dying:
        raise UsageError(
            f"an orphan in a rule with dying cells ({problem.rule}) cannot be shrunk yet"
        )
    rounds = _shrink_again_and_again(problem, run)
    best: _Round | None = None
    try:
        for current in rounds:
            if current is None:
                return None
            run.progress("core", cells=len(current.core))
            if best is None or len(current.core) < len(best.core):
                best = current
    except GaveUp as reason:
        if best is None:
            return Undecided(problem, str(reason))
    if best is None:
        raise InternalError("an orphan was shrunk in no round at all")
    gone = [place for place in places if place not in best.core]
    needed = tuple(
        Needed(x=x, y=y, parent=best.parents[x, y, t])
        for x, y, t in places
        if (x, y, t) in best.core
    )
    return Shrunk(without(problem, *gone), Core(needed=needed), tuple(best.steps))


def _shrink_again_and_again(problem: Problem, run: Run) -> Iterator[_Round | None]:
    """Yield a core for each of several orders; None if the pattern has a parent."""
    spacetime = SpaceTime(replace(problem, known=()))
    wanted = _literals(spacetime, problem)
    options = Options(solver="cadical", encoding="direct", seed=run.options.seed)
    with attempt(spacetime, run, options=options, may_break=False, again=True) as trial:
        for number in range(ROUNDS):
            current = _Round(trial, wanted, random.Random(number))
            yield current if current.run() else None


def _literals(spacetime: SpaceTime, problem: Problem) -> dict[Place, int]:
    """Return, for each given cell, the literal that it has its given state."""
    box, later = problem.all_boxes[1], spacetime.generation(1)
    return {
        (x, y, 1): int(later[y - box.y, x - box.x]) * (1 if state == "o" else -1)
        for known in problem.known
        for (x, y), state in known.cells.items()
    }


class _Round:
    """One order in which cells are left out."""

    def __init__(self, trial: Attempt, wanted: dict[Place, int], chance: random.Random) -> None:
        self.trial, self.wanted, self.chance = trial, wanted, chance
        self.core: set[Place] = set(wanted)
        self.parents: dict[Place, Drawing] = {}
        self.steps: list[ShrinkStep] = []

    def run(self) -> bool:
        """Find a core; False if the pattern has a parent."""
        if (used := self._refute(self.core)) is None:
            return False
        self.core = used
        order = list(self.core)
        self.chance.shuffle(order)
        for place in order:
            if place not in self.core or place in self.parents:
                continue
            used = self._refute(self.core - {place}, place)
            if used is None:
                self.steps.append(ShrinkStep(place, kept=True))
            else:
                also = tuple(sorted(self.core - used - {place}))
                self.steps.append(ShrinkStep(place, kept=False, also=also))
                self.core = used
        return True

    def _refute(self, places: set[Place], without: Place | None = None) -> set[Place] | None:
        """Return the cells that a refutation uses; or keep the parent and return None."""
        order = list(places)
        self.chance.shuffle(order)
        by_literal = {self.wanted[place]: place for place in order}
        parent = self.trial.solve(list(by_literal))
        if parent is None:
            return {by_literal[literal] for literal in self.trial.core() or by_literal}
        if without is not None:
            self.parents[without] = draw_states(parent[0])
        return None
