"""The core of an orphan or of a forced patch: cells none of which can be left out.

The cells are assumptions, so one incremental solver is enough.  If the other cells of an orphan
still have no parent, the cell is dropped, and so is every cell that the refutation did not use; if
they have one, the cell stays, and the parent is kept as the reason.

A patch that forces itself loses a cell from what is given and from what follows.  What follows has
a literal for each cell, true only if the cell differs, and those of dropped cells are assumed to be
false.  A reason for a cell is a parent that differs in another cell of the patch; if that one is
dropped later, the cell is tried again.  The last live cell is never dropped.

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

from satlife.certificates.claims import (
    Core,
    Forced,
    Needed,
    forces_itself,
    is_orphan_question,
    known_places,
)
from satlife.certificates.obligations import without
from satlife.engine.engine import GaveUp, Options, Run, limit_memory
from satlife.engine.sat.attempt import Attempt, attempt
from satlife.errors import InternalError, UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.life import PartialPattern
from satlife.life.cells import ALIVE, DEAD, UNKNOWN, Cells
from satlife.problem import Place, Problem
from satlife.problem.outcome import Drawing, Undecided, draw_states
from satlife.sat.formula import Block, FormulaBuilder

ROUNDS = 3
"""Number of orders in which cells are left out; the smallest core counts."""


@dataclass(frozen=True)
class ShrinkStep:
    """One cell that was tried."""

    place: Place
    kept: bool
    """True: the others have a parent, or another one.  False: they have none."""
    also: tuple[Place, ...] = ()
    """Other cells that the same refutation did not use."""


@dataclass(frozen=True)
class Shrunk:
    """An orphan, or a patch that forces itself, reduced to a core."""

    problem: Problem
    claim: Core | Forced
    steps: tuple[ShrinkStep, ...]

    @property
    def pattern(self) -> PartialPattern:
        """The needed cells; the others are unknown."""
        return given_pattern(self.problem)

    def encode_steps(self) -> bytes:
        """Write the steps, a line for each cell that was tried."""
        return b"".join(msgspec.json.encode(step) + b"\n" for step in self.steps)


def given_pattern(problem: Problem) -> PartialPattern:
    """Return the given cells of a problem, in place; the others are unknown."""
    (known,) = problem.known
    letters = {".": DEAD, "o": ALIVE, "?": UNKNOWN}
    states = [[letters[state] for state in row] for row in known.rows]
    return PartialPattern(states, known.x, known.y, problem.rule)


def shrink(problem: Problem, run: Run | None = None) -> Shrunk | Undecided | None:
    """Return the smallest core of several orders; None if there is a parent, or another one.

    The run reports the size of each core.  When a limit is reached or the solver dies, the smallest
    core so far is returned; if there is none, Undecided.  None also means that a patch has no
    parent at all, so that it forces nothing.
    """
    run = run or Run()
    _check(problem)
    best: _Round | None = None
    try:
        with limit_memory(run.options.memory):
            for current in _shrink_again_and_again(problem, run):
                if current is None:
                    return None
                run.progress("core", cells=len(current.core))
                if best is None or len(current.core) < len(best.core):
                    best = current
    except GaveUp as reason:
        if best is None:
            return Undecided(problem, str(reason))
    if best is None:
        raise InternalError("a problem was shrunk in no round at all")
    places = known_places(problem)
    gone = [place for place in places if place not in best.core]
    needed = tuple(
        Needed(x=x, y=y, parent=best.parents[x, y, t])
        for x, y, t in places
        if (x, y, t) in best.core and (x, y, t) in best.parents
    )
    parent = best.cells.parent
    claim = Core(needed=needed) if parent is None else Forced(parent=parent, needed=needed)
    return Shrunk(without(problem, *gone), claim, tuple(best.steps))


def _check(problem: Problem) -> None:
    if not (is_orphan_question(problem) or forces_itself(problem)):
        raise UsageError("only an orphan, or a patch that forces itself, can be shrunk")
    if problem.shows_dying:
        raise UsageError(
            f"an orphan in a rule with dying cells ({problem.rule}) cannot be shrunk yet"
        )
    if problem.constraints and not any(known.alive for known in problem.known):
        raise UsageError("a live cell is kept when a patch is shrunk, and no cell of it is alive")


class _Cells:
    """The given cells, as literals, and what a forced patch has besides."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.is_forced = problem, bool(problem.constraints)
        alive = {(x, y, known.t) for known in problem.known for x, y in known.alive}
        self.alive = alive if self.is_forced else set[Place]()
        """Cells of which one is kept."""
        self.given: dict[Place, int] = {}
        """Whether a cell has its given state."""
        self.differs: dict[Place, int] = {}
        """True only if the cell has another state in generation 0."""
        self.free = 0
        """True if no cell needs to differ."""
        self.parent: Drawing | None = None

    def add(self, spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        """Take the literals; of a forced patch, a cell differs."""
        self.given = _literals(spacetime, self.problem, self.problem.steps)
        if self.is_forced:
            same = _literals(spacetime, self.problem, 0)
            *chosen, self.free = builder.new_variables(len(same) + 1).tolist()
            self.differs = dict(zip(same, chosen, strict=True))
            each = ((-self.differs[place], -literal) for place, literal in same.items())
            clauses: list[tuple[int, ...]] = [(*chosen, self.free), *each]
            builder.add("different", Block.from_clauses("different", clauses))

    def find_others(self, first: Cells) -> set[Place]:
        """Return the cells that differ from a generation 0."""
        box, t = self.problem.all_boxes[0], self.problem.steps
        lives = {(x, y, t) for x, y, _ in self.given if first[y - box.y, x - box.x]}
        return (lives ^ self.alive) & self.given.keys()


def _shrink_again_and_again(problem: Problem, run: Run) -> Iterator[_Round | None]:
    """Yield a core for each of several orders; None if there is none."""
    spacetime = SpaceTime(replace(problem, known=(), constraints=()))
    cells = _Cells(problem)
    options = Options(solver="cadical", encoding="direct", seed=run.options.seed)
    with attempt(
        spacetime, run, options=options, also=cells.add, may_break=False, again=True
    ) as trial:
        if cells.is_forced:
            if (found := trial.solve([*cells.given.values(), cells.free])) is None:
                yield None  # an orphan forces nothing
                return
            cells.parent = draw_states(found[0])
        for number in range(ROUNDS):
            current = _Round(trial, cells, random.Random(number))
            yield current if current.run() else None


def _literals(spacetime: SpaceTime, problem: Problem, t: int) -> dict[Place, int]:
    """Return, for each given cell, the literal that it has its given state in a generation."""
    box, cells = problem.all_boxes[t], spacetime.generation(t)
    return {
        (x, y, problem.steps): int(cells[y - box.y, x - box.x]) * (1 if state == "o" else -1)
        for known in problem.known
        for (x, y), state in known.cells.items()
    }


class _Round:
    """One order in which cells are left out."""

    def __init__(self, trial: Attempt, cells: _Cells, chance: random.Random) -> None:
        self.trial, self.cells, self.chance = trial, cells, chance
        self.core: set[Place] = set(cells.given)
        self.parents: dict[Place, Drawing] = {}
        self.others: dict[Place, set[Place]] = {}
        """The cells in which the parent that is kept for a cell differs."""
        self.steps: list[ShrinkStep] = []

    def run(self) -> bool:
        """Find a core; False if there is none, because there is a parent, or another one."""
        if (used := self._refute(self.core)) is None:
            return False
        self.core = used
        while order := [place for place in self.core if self._is_open(place)]:
            self.chance.shuffle(order)
            for place in order:
                if place in self.core and self._is_open(place):
                    self._try(place)
        self.parents = {place: each for place, each in self.parents.items() if place in self.core}
        return True

    def _is_open(self, place: Place) -> bool:
        """Whether it is not known yet that a cell of the core must stay."""
        if self.cells.alive & self.core == {place}:
            return False
        return place not in self.parents or not self._still_differs(place)

    def _still_differs(self, place: Place) -> bool:
        return not self.cells.is_forced or bool(self.others[place] & (self.core - {place}))

    def _try(self, place: Place) -> None:
        used = self._refute(self.core - {place}, place)
        if used is None:
            self.steps.append(ShrinkStep(place, kept=True))
            return
        also = tuple(sorted(self.core - used - {place}))
        self.steps.append(ShrinkStep(place, kept=False, also=also))
        self.core = used

    def _refute(self, places: set[Place], without: Place | None = None) -> set[Place] | None:
        """Return the cells that a refutation uses; or keep the parent and return None."""
        order = list(places)
        self.chance.shuffle(order)
        by_literal = {self.cells.given[place]: place for place in order}
        # What is left out need not differ, and something else must.
        dropped = [literal for place, literal in self.cells.differs.items() if place not in places]
        left = [-literal for literal in (*dropped, self.cells.free) if literal]
        parent = self.trial.solve([*by_literal, *left])
        if parent is None:
            core = self.trial.core() or by_literal
            used = {by_literal[each] for each in core if each in by_literal}
            # Between what is used and what was given, every set of cells forces itself.
            if self.cells.alive and not used & self.cells.alive:
                used.add(min(self.cells.alive & places))
            return used
        if without is not None:
            self.parents[without] = draw_states(parent[0])
            self.others[without] = self.cells.find_others(parent[0])
        return None
