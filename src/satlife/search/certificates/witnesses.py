"""The patterns that a certificate shows are simulated again, by the same check as all findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from satlife.life import Rule
from satlife.life.stepping import step_by_table
from satlife.search.certificates.claims import BestClaim, Claim, Complete, Core, NoneExists
from satlife.search.certificates.images import Live, images
from satlife.search.checking.evaluate import evaluate
from satlife.search.checking.verify import Generations, complaints
from satlife.search.engine.goals import Goal
from satlife.search.problem import Known, Place, Problem
from satlife.search.problem.drawing import read_drawing, read_history
from satlife.search.problem.slow import shows_dying


def witness_complaints(problem: Problem, claim: Claim) -> Iterator[str]:
    """Yield what is wrong with the patterns that a claim shows."""
    yield from _CHECKS[type(claim)](problem, claim)


def known_places(problem: Problem) -> tuple[Place, ...]:
    """Return the cells that are asked for."""
    return tuple(
        (x, y, known.t)
        for known in problem.known
        for y, row in enumerate(known.rows, known.y)
        for x, state in enumerate(row, known.x)
        if state != "?"
    )


def without(problem: Problem, *places: Place) -> Problem:
    """Return the problem that asks nothing of these cells, not even that they follow."""
    known = tuple(_blank(drawing, places) for drawing in problem.known)
    return replace(problem, known=known, exempt=(*problem.exempt, *places))


def _blank(known: Known, places: tuple[Place, ...]) -> Known:
    gone = {(x, y) for x, y, t in places if t == known.t}
    rows = [list(row) for row in known.rows]
    for j, row in enumerate(rows):
        for i in range(len(row)):
            if (known.x + i, known.y + j) in gone:
                row[i] = "?"
    return replace(known, rows=tuple(map("".join, rows)))


def _check_nothing(problem: Problem, claim: NoneExists) -> Iterator[str]:
    yield from ()


def is_orphan_question(problem: Problem) -> bool:
    """Whether it is asked, and nothing else, what becomes some cells in one step."""
    known = {known.t for known in problem.known} == {1}
    free = problem.boundary == "free" and problem.steps == 1 and problem.motion is None
    return known and free and not (problem.constraints or problem.links or problem.symmetry != "C1")


def _check_free(problem: Problem) -> Iterator[str]:
    """Where nothing is said of the outside, a drawing of the box shows no pattern."""
    if problem.boundary == "free":
        yield "patterns can be shown only where the outside is dead, or on a torus"


def _check_dying(problem: Problem, what: str) -> Iterator[str]:
    """Without a motion, the live cells of all generations do not say which cells are dying."""
    if shows_dying(problem):
        yield f"{what} cannot be claimed in a rule with dying cells without a motion"


def _check_best(problem: Problem, claim: BestClaim) -> Iterator[str]:
    yield from _check_free(problem)
    history = read_history(problem, claim.found)
    yield from complaints(problem, history)
    for words, value in zip(claim.goals, claim.values, strict=True):
        what = Goal.parse(*words.partition(" ")[::2]).measure.what
        number = evaluate(problem, history, what)
        if number != value:
            yield f"the pattern has not {value}, but {number}: {words}"


def _check_all(problem: Problem, claim: Complete) -> Iterator[str]:
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


def known_histories(problem: Problem, claim: Complete, life: Generations) -> Iterator[Live]:
    """Yield the histories for which one of those listed stands."""
    return images(problem, life) if claim.images else iter([tuple(life.alive)])


def _check_core(problem: Problem, claim: Core) -> Iterator[str]:
    asked = set(known_places(problem))
    box, later = problem.all_boxes[0], problem.all_boxes[-1]
    if refused := list(_check_dying(problem, "a core")):
        yield from refused
        return
    if not is_orphan_question(problem):
        yield "only an orphan has a core"
        return
    if asked != {(each.x, each.y, 1) for each in claim.needed}:
        yield "the cells that are shown to be needed are not those that are asked for"
    for each in claim.needed:
        parent = read_drawing(each.parent, box.width, box.height)
        wanted = without(problem, (each.x, each.y, 1))
        grown = step_by_table(parent, Rule(problem.rule).table)  # by one cell on each side
        top, left = later.y - box.y + 1, later.x - box.x + 1
        child = grown[top : top + later.height, left : left + later.width]
        for complaint in complaints(wanted, (parent, child)):
            yield f"the parent without cell ({each.x}, {each.y}): {complaint}"


_CHECKS: dict[type, Callable[[Problem, Any], Iterator[str]]] = {
    NoneExists: _check_nothing,
    BestClaim: _check_best,
    Complete: _check_all,
    Core: _check_core,
}
