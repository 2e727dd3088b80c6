"""All solutions, each class once; :mod:`satlife.search.classes` says which count as one.

A solution is a history: the states of all cells in the boxes of all generations.  One incremental
solver process finds them; when one is found, exactly its images in the boxes are excluded, so that
no copy is ever found again.  Objects can be rejected: those that are on a
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
from satlife.life.identity import apgcode, find_recurrence
from satlife.life.parts import parts
from satlife.sat import Answer, FormulaBuilder, Refuted, Satisfied, find_solver
from satlife.sat.formula import IntArray
from satlife.sat.solver import OpenSolver
from satlife.search.auto import choose
from satlife.search.build import Built, build
from satlife.search.classes import History, images, is_determined, shifts_freely
from satlife.search.constraints import Height, Population, Width
from satlife.search.edges import LEFT, TOP, can_be_shifted, reach
from satlife.search.find import check, make_provenance
from satlife.search.how import How
from satlife.search.outcome import Finding
from satlife.search.placements import (
    Placements,
    blocking_clauses,
    fold_clauses,
    placements,
    solution_placements,
)
from satlife.search.problem import Problem
from satlife.search.spacetime import SpaceTime
from satlife.search.verify import complaints

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
    known: tuple[History, ...] = ()
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
            empty = self._empty_history(spacetime)
            if empty is not None:
                provenance = make_provenance(built, plan, built_after, opened.statistics())
                self.report.found += 1
                yield Finding(self.problem, empty, provenance)
            while True:
                answer = opened.solve(limits=self.how.limits.since(begun))
                if not isinstance(answer, Satisfied):
                    self.report.ending = answer
                    return
                provenance = make_provenance(built, plan, built_after, opened.statistics())
                finding = check(built, answer.model, provenance)
                opened.add(self._block(spacetime, finding.history, counted=True))
                if self._is_wanted(built, opened, finding):
                    self.report.found += 1
                    yield finding

    def _empty_history(self, spacetime: SpaceTime) -> History | None:
        """Return the empty solution if the clauses that place a pattern have hidden it."""
        if not self._is_placed:
            return None
        empty = tuple(np.zeros((box.height, box.width), np.uint8) for box in spacetime.boxes)
        known = any(not any(map(np.any, history)) for history in self.wanted.known)
        return None if known or any(complaints(self.problem, empty)) else empty

    @property
    def _is_placed(self) -> bool:
        """Whether every solution is asked to reach the top and the left of the box."""
        return not self.wanted.raw and can_be_shifted(self.problem)

    def _exclude(self, spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        """Exclude known solutions, rejected objects if their placements are few, and shifts."""
        if self._is_placed:
            reach(spacetime, builder, TOP, LEFT)
        for history in self.wanted.known:
            builder.add("known", self._block(spacetime, history))
        for pattern in self.wanted.reject:
            clauses = _part_clauses(spacetime, pattern, EAGER)
            if clauses is not None:
                builder.add("rejected", clauses)

    def _block(self, spacetime: SpaceTime, history: History, *, counted: bool = False) -> IntArray:
        """Return a clause against each solution of a class; the copies may be counted."""
        if self.wanted.raw or not any(map(np.any, history)):
            return _history_clauses(spacetime, [history])
        if not shifts_freely(self.problem):
            alike = list(images(spacetime, history))
            if counted:
                self._count_copies(alike)
            return _history_clauses(spacetime, alike)
        box, first = spacetime.boxes[0], history[0]
        groups = solution_placements(
            spacetime, Pattern.from_array(first, box.x, box.y, spacetime.rule)
        )
        groups = tuple(group for group in groups if self._may_solve(group.pattern.population))
        if counted:
            self._count_placements(groups)
        # Where the population is given, what contains a solution is that solution.
        return blocking_clauses(spacetime, groups, ring=None if self._population is None else 0)

    def _may_solve(self, population: int) -> bool:
        return self._population in (None, population)

    @property
    def _population(self) -> int | None:
        """The exact population of generation 0, if it is given."""
        return next(
            (
                bound.least
                for bound in self.problem.constraints
                if isinstance(bound, Population)
                and bound.least == bound.most
                and bound.generation in (0, "every")
            ),
            None,
        )

    def _count_placements(self, groups: tuple[Placements, ...]) -> None:
        if _images_are_solutions(self.problem):
            self.report.skipped["copies"] += sum(map(len, groups)) - 1
            return
        boxes = self.problem.all_boxes
        self._count_copies(
            tuple(pattern[t].in_box(box) for t, box in enumerate(boxes))
            for group in groups
            for pattern in group
        )

    def _count_copies(self, alike: Iterable[History]) -> None:
        solutions = sum(not any(complaints(self.problem, image)) for image in alike)
        self.report.skipped["copies"] += solutions - 1

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


def _history_clauses(spacetime: SpaceTime, histories: Sequence[History]) -> IntArray:
    """Return a clause against each of these histories, or what decides it: generation 0."""
    generations = range(1 if is_determined(spacetime.problem) else len(spacetime.boxes))
    literals = np.concatenate([spacetime.generation(t).ravel() for t in generations])
    states = [np.concatenate([history[t].ravel() for t in generations]) for history in histories]
    return fold_clauses(np.where(np.stack(states) != 0, -literals, literals))


def _images_are_solutions(problem: Problem) -> bool:
    """Whether every image of a solution that lies in the boxes is one; if not, each is checked."""
    still = problem.motion is not None and problem.motion.period == 1
    return (
        problem.symmetry == "C1"
        and not problem.include_last
        and not any(
            isinstance(each, Width | Height)
            or (not still and isinstance(getattr(each, "generation", getattr(each, "t", "")), int))
            for each in problem.constraints
        )
    )
