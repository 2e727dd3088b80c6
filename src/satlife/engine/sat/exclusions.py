"""Clauses that exclude the classes of found solutions, and rejected objects.

:mod:`satlife.formula.classes` defines which solutions count as one.  Exactly those are excluded, so
that no copy is found again and nothing else is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np

from satlife.engine.engine import Run
from satlife.engine.reactions import ReactionExclusion, exclude_composites, exclude_reaction
from satlife.engine.wanted import RotorExclusion, Sieve, Wanted, find_code
from satlife.errors import FormatError
from satlife.formula.build import LEFT, TOP, reach
from satlife.formula.classes import History, images, is_determined, shifts_freely
from satlife.formula.placements import Placements, blocking_clauses, placements, solution_placements
from satlife.formula.spacetime import SpaceTime
from satlife.life import Pattern
from satlife.life.identity import find_recurrence, from_apgcode
from satlife.life.identity.parts import parts
from satlife.life.transforms import TRANSFORMS
from satlife.problem import Problem
from satlife.problem.constraints import Population
from satlife.problem.exact import can_be_shifted
from satlife.sat import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import fold_clauses
from satlife.verifier.verify import complaints

EAGER = 20_000
"""Maximum placements of rejected objects that are excluded before the search begins."""
KNOWN = 300
"""Maximum number of known objects that are; others are excluded when they are found."""


class Exclusion:
    """The exclusions of a listing."""

    def __init__(self, problem: Problem, wanted: Wanted, run: Run) -> None:
        self.problem, self.wanted, self.run = problem, wanted, run
        self._sieve = Sieve(problem, wanted, run.skipped)
        self._rotors: RotorExclusion | None = None
        self._reactions: ReactionExclusion | None = None

    def hidden_empty(self, spacetime: SpaceTime) -> History | None:
        """Return the empty solution if the placement clauses exclude it."""
        if not self._is_placed:
            return None
        empty = tuple(np.zeros((box.height, box.width), np.uint8) for box in spacetime.boxes)
        known = any(not any(map(np.any, history)) for history in self.wanted.already_found)
        return None if known or any(complaints(self.problem, empty)) else empty

    @property
    def _is_placed(self) -> bool:
        """Whether every solution is required to touch the top and the left of the box."""
        return not self.wanted.raw and can_be_shifted(self.problem)

    def add_to(self, spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        """Exclude known solutions, rejected objects if their placements are few, and shifts."""
        if self._is_placed:
            reach(spacetime, builder, TOP, LEFT)
        if self.wanted.same == "rotor":
            self._rotors = RotorExclusion(spacetime, builder)
        if self.wanted.same == "outcome":
            self._reactions = ReactionExclusion.of(spacetime, builder)
        for history in self.wanted.already_found:
            builder.add("known", self.found_clauses(spacetime, history))
        patterns = [each for each in self.wanted.reject if isinstance(each, Pattern)]
        codes = [each for each in self.wanted.reject if isinstance(each, str)]
        near = sorted(filter(self._may_hold, codes), key=len)[:KNOWN]
        for code in near:
            with suppress(FormatError):  # what is not of two states is left to the sieve
                patterns.append(from_apgcode(code))
        for pattern in patterns:
            clauses = _part_clauses(spacetime, pattern, EAGER)
            if clauses is not None:
                builder.add("rejected", clauses)

    def _may_hold(self, code: str) -> bool:
        """Return whether solutions may have a part with this apgcode, by its kind and period."""
        kind, motion = code[1], self.problem.motion
        if motion is None or (kind == "q") != bool(motion.dx or motion.dy):
            return False
        # A motion with a turn is repeated up to four times before the pattern is itself again.
        period = motion.period * (1 if motion.transform == "identity" else 4)
        return kind == "s" or period % int(code[2:].split("_", 1)[0]) == 0

    def found_clauses(
        self, spacetime: SpaceTime, history: History, *, counted: bool = False
    ) -> IntArray:
        """Return clauses against the class of a wanted solution.

        Solutions with the same rotor are not counted, since their number is unknown.
        """
        if self._rotors is not None:
            return self._rotors.clauses(history)
        return self.clauses(spacetime, history, counted=counted)

    def clauses(self, spacetime: SpaceTime, history: History, *, counted: bool = False) -> IntArray:
        """Return a clause against each solution of a class; the copies may be counted."""
        if self._reactions is not None:
            return self._reactions.clauses(history, self.wanted.until)
        if self.wanted.by_reaction:
            return exclude_reaction(spacetime, history, self.wanted.until)
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
        if (exact := self._population) is not None:
            groups = tuple(group for group in groups if group.pattern.population == exact)
        if counted:
            self._count_placements(groups)
        # With a fixed population, a pattern that contains a solution equals it.
        return blocking_clauses(spacetime, groups, ring=None if exact is None else 0)

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
            self.run.skipped["copies"] += sum(map(len, groups)) - 1
            return
        boxes = self.problem.all_boxes
        self._count_copies(
            tuple(pattern[t].in_box(box) for t, box in enumerate(boxes))
            for group in groups
            for pattern in group
        )

    def _count_copies(self, alike: Iterable[History]) -> None:
        solutions = sum(not any(complaints(self.problem, image)) for image in alike)
        self.run.skipped["copies"] += solutions - 1

    def left_out_clauses(self, spacetime: SpaceTime, history: History) -> IntArray:
        """Return clauses against a solution that is left out, and others with the same reason."""
        if self.wanted.by_reaction and self.is_new(history):  # so it is made of parts
            return exclude_composites(spacetime, history)
        return self.clauses(spacetime, history, counted=True)

    def is_new(self, history: History) -> bool:
        """Return whether no solution before it counts as one with it."""
        return self._sieve.is_new(history)

    def unwanted(self, spacetime: SpaceTime, history: History) -> IntArray | None:
        """Return clauses against the object that makes it unwanted; None if it is wanted."""
        piece = self._sieve.leaves_out(history)
        if piece is False:
            return None
        clauses = None if piece is True else _part_clauses(spacetime, piece)
        return np.zeros(0, np.int32) if clauses is None else clauses


def _part_clauses(
    spacetime: SpaceTime, pattern: Pattern, most: int | None = None
) -> IntArray | None:
    """Return clauses against the object as a part, in any phase and place; None if too many.

    Two rings of dead cells in every generation isolate a part, so nothing else is lost; closer
    parts are left to the sieve of found solutions.
    """
    if spacetime.problem.boundary == "torus" or pattern.is_empty:
        return None
    there = pattern.with_rule(spacetime.rule)
    if pattern.rule != spacetime.rule and find_code(there) != find_code(pattern):
        return None  # by another rule, the same cells are another object
    recurrence = find_recurrence(there)
    groups = placements(there, spacetime.boxes, phases=recurrence.period if recurrence else 1)
    if most is not None and sum(map(len, groups)) > most:
        return None
    if recurrence is not None and len(parts(there)) > 1:
        # It is never a part of something else.
        return None
    return blocking_clauses(spacetime, groups, ring=2, generations=range(len(spacetime.boxes)))


def _history_clauses(spacetime: SpaceTime, histories: Sequence[History]) -> IntArray:
    """Return a clause against each history, or against generation 0 where that determines it."""
    generations = list(range(1 if is_determined(spacetime.problem) else len(spacetime.boxes)))
    generations += range(-1, -spacetime.ages - 1, -1)
    literals = np.concatenate([spacetime.generation(t).ravel() for t in generations])
    # A cell of generation 0 in state 3 is one that lived in generation -2.
    alive = [
        np.concatenate([history[max(t, 0)].ravel() == max(1, 1 - t) for t in generations])
        for history in histories
    ]
    return fold_clauses(np.where(np.stack(alive), -literals, literals))


def _images_are_solutions(problem: Problem) -> bool:
    """Whether every image of a solution in the boxes is a solution; if not, each is checked."""
    still = problem.motion is not None and problem.motion.period == 1
    return (
        problem.symmetry == "C1"
        and not problem.include_last
        and (still or not any(each.generations for each in problem.constraints))
        and all(map(problem.keeps_constraints, TRANSFORMS))
    )
