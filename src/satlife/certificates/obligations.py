r"""The obligations of a claim: the formulas to refute, and the patterns to simulate.

The formulas are audit formulas with added clauses: for an optimum, a bound; for a complete list,
"not this one" for every image of the known solutions; for a leaf of a tree, its decisions.  Under
maps that leave these invariant, generation 0 may be required to be the least.  A proof by exact
boxes has a formula for each box of a range.

>>> from satlife.kinds import still_life
>>> problem = still_life(box="3x3")
>>> whole = obligations(problem, claims.NoneExists())
>>> [each.name for each in list_leaves(whole, "x1y1t0\nleaf\nleaf\n")]
['leaf-1', 'leaf-2']
>>> [each.name for each in obligations(problem, claims.NoneExists(), lowest="2x3")]
['box-2x3', 'box-3x3']
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from satlife.audit import reactions
from satlife.audit.formula import Map, audit_formula
from satlife.audit.images import Live, images, is_determined
from satlife.audit.invariance import Invariance
from satlife.audit.ranges import RangePart, list_parts
from satlife.audit.symmetries import require_least
from satlife.audit.tree import Case, read_tree
from satlife.certificates import claims
from satlife.engine.goals import Goal
from satlife.errors import FormatError, InternalError
from satlife.life.box import look_through
from satlife.life.steps import step_by_table
from satlife.problem import Known, Place, Problem
from satlife.problem.outcome import Drawing, History, read_drawing, read_history
from satlife.problem.problem import problem_comments
from satlife.sat.formula import Block, Formula
from satlife.verifier.constraints import evaluate
from satlife.verifier.generations import Cell, Generations
from satlife.verifier.verify import complaints

# Simulation of the patterns that a certificate shows, by the same verifier as for all findings.


def witness_complaints(problem: Problem, claim: claims.Claim) -> Iterator[str]:
    """Yield the errors in the patterns that a claim shows."""
    yield from _CHECKS[type(claim)](problem, claim)


def without(problem: Problem, *places: Place) -> Problem:
    """Return the problem with no condition on these cells, not even the rule.

    If generation 0 is compared with a drawing, it is so no more in these places.
    """
    known = tuple(_blank(drawing, places) for drawing in problem.known)
    asked = replace(problem, known=known, exempt=(*problem.exempt, *places))
    if not claims.is_forced_question(problem):
        return asked
    (differs,), box, gone = problem.constraints, problem.all_boxes[0], {p[:2] for p in places}
    kept = {p: state for p, state in claims.compared_cells(problem).items() if p not in gone}
    rows = (
        "".join(kept.get((x, y), "?") for x in range(box.x, box.right))
        for y in range(box.y, box.bottom)
    )
    return replace(asked, constraints=(replace(differs, x=box.x, y=box.y, rows=tuple(rows)),))


def _blank(known: Known, places: tuple[Place, ...]) -> Known:
    gone = {(x, y) for x, y, t in places if t == known.t}
    rows = [list(row) for row in known.rows]
    for j, row in enumerate(rows):
        for i in range(len(row)):
            if (known.x + i, known.y + j) in gone:
                row[i] = "?"
    return replace(known, rows=tuple(map("".join, rows)))


def _check_free(problem: Problem) -> Iterator[str]:
    """Complain if the outside is free: a drawing of the box then does not show a pattern."""
    if problem.boundary == "free":
        yield "patterns can be shown only where the outside is dead, or on a torus"


def _check_dying(problem: Problem, what: str) -> Iterator[str]:
    """Complain if there is no motion: the live cells then do not determine the dying ones."""
    if problem.shows_dying:
        yield f"{what} cannot be claimed in a rule with dying cells without a motion"


def _check_best(problem: Problem, claim: claims.BestClaim) -> Iterator[str]:
    yield from _check_free(problem)
    history = read_history(problem, claim.found)
    yield from complaints(problem, history)
    for words, value in zip(claim.goals, claim.values, strict=True):
        what = Goal.parse(*words.partition(" ")[::2]).measure.what
        number = evaluate(problem, history, what)
        if number != value:
            yield f"the pattern has not {value}, but {number}: {words}"


def _check_all(problem: Problem, claim: claims.Complete) -> Iterator[str]:
    yield from _check_free(problem)
    yield from _check_dying(problem, "a complete list")
    seen: set[Live] = set()
    for number, drawings in enumerate(claim.found, 1):
        history = read_history(problem, drawings)
        life = Generations(problem, history)
        if tuple(life.alive) in seen:
            yield f"pattern {number} is an image of one before it"
        seen.update(known_histories(problem, claim, life))
        for complaint in complaints(problem, history):
            yield f"pattern {number}: {complaint}"


def _check_reactions(problem: Problem, claim: claims.Reactions) -> Iterator[str]:
    asked = reactions.find_catalyst(problem)
    if asked is None or problem.states > 2:
        yield "only catalysts of two states that are disturbed and restored have reactions"
        return
    known = {cell for drawing in problem.known if drawing.t == 0 for cell in drawing.cells}
    for link in problem.links:
        (x, y, t), (u, v, later) = link.first, link.second
        if {t, later} == {0, asked.alone}:
            known.add((x, y) if t == 0 else (u, v))
    box = problem.all_boxes[0]
    if any((x, y) not in known for y in range(box.y, box.bottom) for x in range(box.x, box.right)):
        yield "the input is not known, so catalysts that agree where it matters may differ"
    seen: set[frozenset[tuple[Cell, bool]]] = set()
    for number, drawings in enumerate(claim.found, 1):
        history = read_history(problem, drawings)
        matters = reactions.list_what_matters(problem, Generations(problem, history), asked.alone)
        if frozenset(matters.items()) in seen:
            yield f"catalyst {number} agrees with one before it wherever it matters"
        seen.add(frozenset(matters.items()))
        for complaint in complaints(problem, history):
            yield f"catalyst {number}: {complaint}"


def known_histories(problem: Problem, claim: claims.Complete, life: Generations) -> Iterator[Live]:
    """Yield the histories that one listed solution stands for."""
    return images(problem, life) if claim.images else iter([tuple(life.alive)])


def _check_core(problem: Problem, claim: claims.Core) -> Iterator[str]:
    if refused := list(_check_dying(problem, "a core")):
        yield from refused
        return
    if not claims.is_orphan_question(problem):
        yield "only an orphan has a core"
        return
    yield from _check_needed(problem, claim.needed, claims.known_places(problem))


def _check_forced(problem: Problem, claim: claims.Forced) -> Iterator[str]:
    if not claims.is_forced_question(problem):
        yield "only what asks for another parent of some cells can be forced"
        return
    supposed = replace(problem, constraints=())
    for complaint in complaints(supposed, _follow(problem, claim.parent)):
        yield f"the parent: {complaint}"
    if claim.needed:
        asked = claims.droppable_places(problem, claim.needed)
        yield from _check_needed(problem, claim.needed, asked)


def _check_needed(
    problem: Problem, needed: tuple[claims.Needed, ...], asked: Iterable[Place]
) -> Iterator[str]:
    """Complain if not all of these cells are needed."""
    if sorted(asked) != sorted((each.x, each.y, problem.steps) for each in needed):
        yield "the cells that are shown to be needed are not those that are asked for"
    for each in needed:
        wanted = without(problem, (each.x, each.y, problem.steps))
        for complaint in complaints(wanted, _follow(problem, each.parent)):
            yield f"the parent without cell ({each.x}, {each.y}): {complaint}"


def _follow(problem: Problem, first: Drawing) -> History:
    """Return the generations of a pattern that is drawn in the first box, and dead outside."""
    box = problem.all_boxes[0]
    states = read_drawing(first, box.width, box.height)
    history = [states]
    for later in problem.all_boxes[1:]:
        states = step_by_table(states, problem.parsed.rule.table)
        box = box.grow(1)
        history.append(look_through(later, states, box))
    return tuple(history)


_CHECKS: dict[type, Callable[[Problem, Any], Iterator[str]]] = {
    claims.NoneExists: lambda *_: iter(()),  # it shows no pattern
    claims.BestClaim: _check_best,
    claims.Complete: _check_all,
    claims.Reactions: _check_reactions,
    claims.Core: _check_core,
    claims.Forced: _check_forced,
}


@dataclass(frozen=True)
class Obligation:
    """A formula that must have no model."""

    name: str
    title: str
    """The conclusion when it is refuted."""
    whole: Formula
    """The formula in the file."""
    stored: str = "formula"
    """The name of the formula's file."""
    case: Case | None = None
    """The literals of a leaf of a tree, added to the formula in the file."""
    problem: Problem | None = None
    """The problem of the formula, without the added clauses."""
    added: Block | None = None

    @property
    def formula(self) -> Formula:
        """The formula that must have no model."""
        if self.case is None:
            return self.whole
        units = [(literal,) for literal in self.case]
        return extend(self.whole, Block.from_clauses("decisions", units))

    @property
    def variables(self) -> dict[str, int]:
        """The named variables, by name."""
        names = [] if self.whole.names is None else self.whole.names.tolist()
        return {name.decode(): variable for variable, name in enumerate(names, 1) if name}

    @cached_property
    def said(self) -> Invariance:
        """The formula's clauses, for finding the maps that leave it invariant."""
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
    claim: claims.Claim,
    choose: Callable[[Obligation], Sequence[Map]] = lambda each: (),
    lowest: str | None = None,
) -> Iterator[Obligation]:
    """Yield the formulas that must be refuted.

    ``choose`` returns the maps under which the solution may be required to be the least, ``lowest``
    is the lowest box of a proof by exact boxes.
    """
    made = _MAKERS[type(claim)](problem, claim)
    if lowest is not None:
        if not isinstance(claim, claims.NoneExists):
            raise FormatError("only that there is no solution can be proved by exact boxes")
        made = map(refute_part, list_parts(problem, lowest))
    for each in made:
        yield each.with_least(choose(each))


def refute_part(part: RangePart) -> Obligation:
    """Return the obligation of a box of a range."""
    asked = part.problem
    return Obligation(part.name, part.title, _formula(asked), part.name, problem=asked)


def list_leaves(made: Iterable[Obligation], tree: str) -> Iterator[Obligation]:
    """Yield the obligation of each leaf of a tree."""
    parts = list(made)  # unpacking would take a false symmetry for a wrong number of parts
    if len(parts) != 1:
        raise FormatError("only what is refuted at once can have a tree")
    yield from divide(parts[0], tree)


def divide(single: Obligation, tree: str, prefix: str = "") -> Iterator[Obligation]:
    """Yield the obligation of each leaf of the tree of an obligation."""
    leaves = read_tree(tree, single.variables)
    for number, case in enumerate(leaves, 1):
        words = f"in leaf {number} of {len(leaves)}"
        yield split_off(single, case, f"{prefix}leaf-{number}", words)


def split_off(single: Obligation, case: Case, name: str, words: str = "") -> Obligation:
    """Return the obligation of a case of an obligation."""
    title = f"{single.title}, {words}" if words else single.title
    return Obligation(name, title, single.whole, single.stored, case=case)


def _formula(problem: Problem) -> Formula:
    return audit_formula(problem, problem_comments(problem))


def extend(formula: Formula, block: Block) -> Formula:
    """Return the formula with an additional block."""
    return Formula((*formula.blocks, block), formula.variables, formula.names, formula.comments)


def _none(problem: Problem, claim: claims.Claim) -> Iterator[Obligation]:
    yield Obligation("proof", "there is no solution", _formula(problem), problem=problem)


def _better(problem: Problem, claim: claims.BestClaim) -> Iterator[Obligation]:
    """Yield the obligations of an optimum; a minimum of 0 needs none, as no count is negative."""
    for number, (goal, value) in enumerate(claims.read_goals(claim), 1):
        bound = goal.measure.bound
        if value or goal.maximize:
            better = bound(least=value + 1) if goal.maximize else bound(most=value - 1)
            asked = replace(problem, constraints=(*problem.constraints, better))
            name = f"better-{number}"
            title = f"there is no solution with {better}"
            yield Obligation(name, title, _formula(asked), name, problem=asked)
        kept = bound(least=value) if goal.maximize else bound(most=value)
        problem = replace(problem, constraints=(*problem.constraints, kept))


def _others(problem: Problem, claim: claims.Complete) -> Iterator[Obligation]:
    formula = _formula(problem)
    seen: dict[Live, None] = {}
    for drawings in claim.found:
        life = Generations(problem, read_history(problem, drawings))
        seen |= dict.fromkeys(known_histories(problem, claim, life))
    # Generation 0 is enough where it determines the others.
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


def _other_reactions(problem: Problem, claim: claims.Reactions) -> Iterator[Obligation]:
    asked, formula = reactions.find_catalyst(problem), _formula(problem)
    if asked is None:
        return  # there is a complaint about it
    clauses = []
    for drawings in claim.found:
        life = Generations(problem, read_history(problem, drawings))
        matters = reactions.list_what_matters(problem, life, asked.alone)
        cells = {(x, y): formula.variable(f"x{x}y{y}t{asked.alone}") for x, y in sorted(matters)}
        clauses.append([-cell if matters[place] else cell for place, cell in cells.items()])
    known = Block.from_clauses("it differs from each of the catalysts where it matters", clauses)
    whole = extend(formula, known)
    yield Obligation("proof", "there is no other reaction", whole, problem=problem, added=known)


_MAKERS: dict[type, Callable[[Problem, Any], Iterator[Obligation]]] = {
    claims.NoneExists: _none,
    claims.Core: _none,
    claims.Forced: _none,
    claims.BestClaim: _better,
    claims.Complete: _others,
    claims.Reactions: _other_reactions,
}
