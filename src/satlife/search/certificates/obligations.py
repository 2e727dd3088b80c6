r"""What must be refuted to believe a claim: formulas, each with a name and a sentence.

All of them are audit formulas with nothing but clauses added: for the best, a bound; for all, "not
this one" for every image of those that are known; for a cube, its literals.  Through maps by which
all that is the same, generation 0 may be required to be the least.

>>> from satlife.search.kinds import still_life
>>> problem = still_life(box="3x3")
>>> [each.name for each in branch(obligations(problem, NoneExists()), "x1y1t0\nleaf\nleaf\n")]
['leaf-1', 'leaf-2']
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from satlife.errors import FormatError, InternalError
from satlife.sat.formula import Block, Formula
from satlife.search.certificates.audit import Map, audit_formula
from satlife.search.certificates.claims import BestClaim, Claim, Complete, Core, NoneExists
from satlife.search.certificates.images import Live, is_determined
from satlife.search.certificates.invariance import Invariance
from satlife.search.certificates.symmetries import require_least
from satlife.search.certificates.tree import Case, read_tree
from satlife.search.certificates.witnesses import known_histories
from satlife.search.checking.verify import Generations
from satlife.search.engine.goals import Goal
from satlife.search.problem import Problem
from satlife.search.problem.comments import problem_comments
from satlife.search.problem.drawing import read_history

Cube = tuple[int, ...]
"""Literals of the audit formula; a case of the whole."""


@dataclass(frozen=True)
class Obligation:
    """A formula that must have no model."""

    name: str
    title: str
    """What follows when it is refuted."""
    whole: Formula
    """The formula in the file."""
    stored: str = "formula"
    """The name of the formula's file."""
    units: Block | None = None
    """What a cube adds to the formula in the file."""
    case: Case | None = None
    """The same as decisions, if it is a leaf of a tree."""
    problem: Problem | None = None
    """What the formula asks, but for the clauses added."""
    added: Block | None = None

    @property
    def formula(self) -> Formula:
        """The formula that must have no model."""
        return extend(self.whole, self.units) if self.units else self.whole

    @cached_property
    def said(self) -> Invariance:
        """What the formula says, to see through which maps it says the same."""
        if self.problem is None:
            raise InternalError(f"{self.name} is not about a problem")
        return Invariance(self.problem, self.added or ())

    def with_least(self, maps: Sequence[Map]) -> Obligation:
        """Return the obligation for the least solution; raise if one of the maps is not allowed."""
        if not maps:
            return self
        return dataclasses.replace(self, whole=require_least(self.whole, self.said, maps))


def obligations(
    problem: Problem,
    claim: Claim,
    cubes: tuple[Cube, ...] = (),
    choose: Callable[[Obligation], Sequence[Map]] = lambda each: (),
) -> Iterator[Obligation]:
    """Yield what must be refuted; with cubes, each case, and that there is no other.

    ``choose`` returns the maps by which the solution sought may be the least.
    """
    made = (each.with_least(choose(each)) for each in _MAKERS[type(claim)](problem, claim))
    if not cubes:
        yield from made
        return
    parts = list(made)
    if len(parts) != 1:
        raise FormatError("only what is refuted at once can be cut into cubes")
    single = parts[0]
    for number, cube in enumerate(cubes, 1):
        if any(not 1 <= abs(literal) <= single.whole.variables for literal in cube):
            raise FormatError(f"cube {number} has a literal that is none of the formula's")
        title = f"{single.title}, in case {number} of {len(cubes)}"
        units = Block.from_clauses(f"cube {number}", [(literal,) for literal in cube])
        yield Obligation(f"cube-{number}", title, single.whole, units=units)
    clauses = [[-literal for literal in cube] for cube in cubes]
    cover = Formula((Block.from_clauses("not this cube", clauses),), single.whole.variables)
    yield Obligation("cover", "there is no case beside the cubes", cover, "cover")


def branch(made: Iterable[Obligation], tree: str) -> Iterator[Obligation]:
    """Yield for the leaves of a tree what must be refuted in each."""
    try:
        (single,) = made
    except ValueError:
        raise FormatError("only what is refuted at once can have a tree") from None
    names = [] if single.whole.names is None else single.whole.names.tolist()
    cells = {name.decode(): variable for variable, name in enumerate(names, 1) if name}
    leaves = read_tree(tree, cells)
    for number, case in enumerate(leaves, 1):
        yield split_off(single, case, f"leaf-{number}", f"in leaf {number} of {len(leaves)}")


def split_off(single: Obligation, case: Case, name: str, words: str = "") -> Obligation:
    """Return what must be refuted in a case of an obligation."""
    units = Block.from_clauses("decisions", [(literal,) for literal in case])
    title = f"{single.title}, {words}" if words else single.title
    return Obligation(name, title, single.whole, units=units, case=case)


def _formula(problem: Problem) -> Formula:
    return audit_formula(problem, problem_comments(problem))


def extend(formula: Formula, block: Block) -> Formula:
    """Return the formula with a block more."""
    return Formula((*formula.blocks, block), formula.variables, formula.names, formula.comments)


def _none(problem: Problem, claim: NoneExists | Core) -> Iterator[Obligation]:
    yield Obligation("proof", "there is no solution", _formula(problem), problem=problem)


def _better(problem: Problem, claim: BestClaim) -> Iterator[Obligation]:
    """No number is negative, so nothing must be shown of a least number that is 0."""
    for number, (goal, value) in enumerate(read_goals(claim), 1):
        bound = goal.measure.bound
        if value or goal.maximize:
            better = bound(least=value + 1) if goal.maximize else bound(most=value - 1)
            asked = replace(problem, constraints=(*problem.constraints, better))
            name = f"better-{number}"
            title = f"there is no solution with {better}"
            yield Obligation(name, title, _formula(asked), name, problem=asked)
        kept = bound(least=value) if goal.maximize else bound(most=value)
        problem = replace(problem, constraints=(*problem.constraints, kept))


def _others(problem: Problem, claim: Complete) -> Iterator[Obligation]:
    formula = _formula(problem)
    seen: dict[Live, None] = {}
    for drawings in claim.found:
        life = Generations(problem, read_history(problem, drawings))
        seen |= dict.fromkeys(known_histories(problem, claim, life))
    # Generation 0 is enough where it decides the others.
    boxes = problem.all_boxes[: 1 if is_determined(problem) else None]
    cells = {
        (x, y, t): formula.variable(f"x{x}y{y}t{t}")
        for t, box in enumerate(boxes)
        for y in range(box.y, box.bottom)
        for x in range(box.x, box.right)
    }
    clauses = (
        [-cell if (x, y) in life[t] else cell for (x, y, t), cell in cells.items()] for life in seen
    )
    known = Block.from_clauses("it is none of the known solutions", clauses)
    whole = extend(formula, known)
    yield Obligation("proof", "there is no other solution", whole, problem=problem, added=known)


def read_goals(claim: BestClaim) -> list[tuple[Goal, int]]:
    """Return the goals of an optimum with their values."""
    if len(claim.goals) != len(claim.values) or not claim.goals:
        raise FormatError("a best solution has one value for each goal")
    goals = (Goal.parse(*words.partition(" ")[::2]) for words in claim.goals)
    return list(zip(goals, claim.values, strict=True))


_MAKERS: dict[type, Callable[[Problem, Any], Iterator[Obligation]]] = {
    NoneExists: _none,
    Core: _none,
    BestClaim: _better,
    Complete: _others,
}
