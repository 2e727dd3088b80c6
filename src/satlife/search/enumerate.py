"""All solutions, each class once: up to translation, the rule's symmetries, and phase.

One incremental solver process finds them; when one is found, all of its images in the box are
blocked at once, so that no copy is ever found again.  Objects can be rejected: those that are on a
list, or that are made of independent parts; what was left out, and why, is counted.

>>> from satlife.search.kinds import still_life
>>> search = Enumeration(still_life(box="3x3"))
>>> sorted(finding.pattern.population for finding in search)
[4, 4, 5, 6]
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.life.cells import Cells
from satlife.life.identity import apgcode, find_recurrence
from satlife.life.parts import parts
from satlife.life.stepping import step_by_table
from satlife.sat import Answer, FormulaBuilder, Refuted, Satisfied, find_solver
from satlife.sat.formula import IntArray
from satlife.sat.solver import OpenSolver
from satlife.search.auto import choose
from satlife.search.build import Built, build
from satlife.search.constraints import Population
from satlife.search.edges import LEFT, TOP, can_be_shifted, reach
from satlife.search.find import check, make_provenance
from satlife.search.how import How
from satlife.search.outcome import Finding
from satlife.search.placements import (
    blocking_clauses,
    fold_clauses,
    placements,
    solution_placements,
)
from satlife.search.problem import Problem
from satlife.search.spacetime import SpaceTime

EAGER = 20_000
"""Up to so many placements of rejected objects are excluded before the search begins."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which of the solutions are wanted."""

    raw: bool = False
    """Every model by itself, copies and phases too."""
    reject: tuple[Pattern, ...] = ()
    """Objects that no solution may be, or hold as a separate part."""
    only_connected: bool = False
    """No solution made of independent parts."""
    known: tuple[Pattern, ...] = ()
    """Solutions found before, to go on after them."""


@dataclass
class Report:
    """What became of the search so far."""

    found: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """Why solutions were left out, and how many."""
    ending: Answer | None = None
    """Refuted: these were all.  Undecided: there may be more.  None: not at the end yet."""
    clash: str | None = None

    @property
    def complete(self) -> bool:
        """Whether all solutions have been found."""
        return self.clash is not None or isinstance(self.ending, Refuted)


class Enumeration(Iterable[Finding]):
    """An iterable over the solutions of a problem; ``report`` says how it went."""

    def __init__(
        self, problem: Problem, wanted: Wanted | None = None, how: How | None = None
    ) -> None:
        self.problem = problem
        self.wanted = wanted or Wanted()
        self.how = how or How()
        self.report = Report()
        self._rejected = {code for each in self.wanted.reject if (code := _code(each))}

    def __iter__(self) -> Iterator[Finding]:
        begun = time.monotonic()
        spacetime = SpaceTime(self.problem)
        self.report = Report(clash=spacetime.clash)
        if spacetime.clash:
            return
        plan = choose(spacetime, self.how)
        solver = find_solver(plan.solver) if isinstance(plan.solver, str) else plan.solver
        if not solver.abilities.incremental:
            raise UsageError(f"{solver.name} starts anew for every solution; use cadical")
        # A broken symmetry would leave one image of each class, and then its copies are missed.
        built = build(spacetime, plan.encoding, also=self._exclude)
        built_after = time.monotonic() - begun
        if self.how.on_built:
            self.how.on_built(built)
        with solver.open(built.formula, seed=plan.seed, progress=self.how.progress) as opened:
            while True:
                answer = opened.solve(limits=self.how.limits.since(begun))
                if not isinstance(answer, Satisfied):
                    self.report.ending = answer
                    return
                provenance = make_provenance(built, plan, built_after, opened.statistics())
                finding = check(built, answer.model, provenance)
                self._block(built, opened, finding)
                if self._is_wanted(built, opened, finding):
                    self.report.found += 1
                    yield finding

    def _exclude(self, spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        """Exclude known solutions, rejected objects if their placements are few, and shifts."""
        if not self.wanted.raw and can_be_shifted(self.problem):
            reach(spacetime, builder, TOP, LEFT)
        for pattern in self.wanted.known:
            builder.add("known", self._class_clauses(spacetime, pattern))
        for pattern in self.wanted.reject:
            clauses = _part_clauses(spacetime, pattern, EAGER)
            if clauses is not None:
                builder.add("rejected", clauses)

    def _block(self, built: Built, solver: OpenSolver, finding: Finding) -> None:
        clauses = self._class_clauses(built.spacetime, finding.pattern)
        self.report.skipped["copies"] += int((clauses == 0).sum()) - 1
        solver.add(clauses)

    def _class_clauses(self, spacetime: SpaceTime, pattern: Pattern) -> IntArray:
        """Return a clause against each solution of the pattern's class."""
        problem = self.problem
        if self.wanted.raw or problem.motion is None or any(problem.wrap):
            box = spacetime.boxes[0]
            return _state_clauses(spacetime, [pattern.in_box(box)])
        if problem.boundary == "torus":
            return _state_clauses(spacetime, _torus_images(spacetime, pattern))
        # With a fixed population, what contains a solution is that solution.
        exact = any(
            isinstance(c, Population) and c.least == c.most and c.generation == 0
            for c in problem.constraints
        )
        images = solution_placements(spacetime, pattern)
        return blocking_clauses(spacetime, images, ring=0 if exact else None)

    def _is_wanted(self, built: Built, solver: OpenSolver, finding: Finding) -> bool:
        if not (self._rejected or self.wanted.only_connected):
            return True
        pieces = parts(finding.pattern)
        if self.wanted.only_connected and len(pieces) > 1:
            self.report.skipped["composites"] += 1
            return False
        for piece in pieces:
            if _code(piece) in self._rejected:
                self.report.skipped["rejected"] += 1
                clauses = _part_clauses(built.spacetime, piece)
                if clauses is not None:
                    solver.add(clauses)
                return False
        return True


def _code(pattern: Pattern) -> str | None:
    try:
        return apgcode(pattern)
    except UsageError:
        return None  # it does not come back, so no code can name it


def _part_clauses(
    spacetime: SpaceTime, pattern: Pattern, most: int | None = None
) -> IntArray | None:
    """Return clauses against the object as a part, in any phase and place; None if too many.

    Two rings of dead cells in every generation make it a part that nothing can touch, so nothing
    else is lost; closer parts are left to the look at what is found.
    """
    if spacetime.problem.boundary == "torus" or pattern.is_empty:
        return None
    recurrence = find_recurrence(pattern)
    groups = placements(
        pattern.with_rule(spacetime.rule),
        spacetime.boxes,
        phases=recurrence.period if recurrence else 1,
    )
    if most is not None and sum(map(len, groups)) > most:
        return None
    return blocking_clauses(spacetime, groups, ring=2, generations=range(len(spacetime.boxes)))


def _state_clauses(spacetime: SpaceTime, states: Sequence[Cells]) -> IntArray:
    """Return a clause against each of these states of generation 0."""
    literals = spacetime.generation(0).ravel()
    rows = [np.where(each.ravel() != 0, -literals, literals) for each in states]
    return fold_clauses(np.stack(rows))


def _torus_images(spacetime: SpaceTime, pattern: Pattern) -> list[Cells]:
    """Return all phases, turned and mirrored and moved around the torus, each once."""
    box = spacetime.boxes[0]
    motion = spacetime.problem.motion
    first = pattern.in_box(box)
    way = (motion.dx, motion.dy) if motion else (0, 0)
    images: dict[bytes, Cells] = {}
    for g in spacetime.rule.symmetries:
        fits = not g.swaps_axes or box.width == box.height
        if fits and g.apply_to_point(*way) == way:
            turned = g.apply_to_array(first)
            for _ in range(spacetime.problem.steps):
                for dy in range(box.height):
                    for dx in range(box.width):
                        image = np.roll(turned, (dy, dx), axis=(0, 1))
                        images.setdefault(image.tobytes(), image)
                turned = _torus_step(turned, spacetime)
    return list(images.values())


def _torus_step(states: Cells, spacetime: SpaceTime) -> Cells:
    wide = np.pad(states, 1, mode="wrap")
    return step_by_table(wide, spacetime.rule.table)[2:-2, 2:-2]
