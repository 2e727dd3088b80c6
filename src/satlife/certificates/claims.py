"""The claims of certificates, and the estimated size of their audit formulas.

:mod:`satlife.certificates.obligations` lists the refutations and simulations that a claim needs;
:mod:`satlife.certificates.words` writes it in words.

The size of a claim's audit formulas is estimated from the problem, without building anything: a
problem of a few hundred bytes can require a formula that fills the memory.  The estimate follows
:mod:`satlife.audit.formula`, condition by condition; it is slightly too large, since
the formula omits tautologies.

>>> from satlife.kinds import ship
>>> estimate_clauses(ship("c/3", box="8x8"))
68531
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

import msgspec

from satlife.audit.places import list_places, read_drawing
from satlife.audit.ranges import list_parts
from satlife.audit.rule_clauses import rule_clauses
from satlife.engine.goals import Goal
from satlife.errors import FormatError
from satlife.life.rulespaces import read_rules
from satlife.problem import Place, Problem
from satlife.problem.constraints import Difference
from satlife.problem.documents import decode_json
from satlife.problem.outcome import Drawing


class NoneExists(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="none"):
    """The problem has no solution."""


class BestClaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="best"):
    """No solution is better than this one, by the goals in their order."""

    goals: tuple[str, ...]
    """``minimize population@0``, ``maximize rotor`` …; ``population`` alone is ``population@0``."""
    values: tuple[int, ...]
    found: tuple[Drawing, ...]
    """The generations of a solution that reaches the values."""


class Complete(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="all"):
    """Every solution is one of these, or counts as the same as one of them."""

    images: bool
    """Whether each stands for its class, or for itself alone."""
    found: tuple[tuple[Drawing, ...], ...]
    """The generations of each solution."""


class Reactions(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="reactions"
):
    """Every catalyst agrees with one of these where it matters, and so does the same."""

    found: tuple[tuple[Drawing, ...], ...]
    """The generations of each solution."""


class Needed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cell of an orphan or of a forced patch, and a solution for all the others without it."""

    x: int
    y: int
    parent: Drawing


class Core(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="core"):
    """A minimal orphan: without any one of its cells there is a parent."""

    needed: tuple[Needed, ...]


class Forced(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="forced"):
    """Every ancestor of a patch has the drawn cells in its place, and there is one."""

    parent: Drawing
    """Generation 0 of an ancestor, which need not differ."""
    needed: tuple[Needed, ...] = ()
    """If there are any: without any one of its cells the patch does not force itself."""


Claim = NoneExists | BestClaim | Complete | Reactions | Core | Forced


def encode_claim(claim: Claim) -> bytes:
    """Write a claim as canonical JSON."""
    return msgspec.json.format(msgspec.json.encode(claim, order="sorted"), indent=1) + b"\n"


def decode_claim(text: bytes) -> Claim:
    """Read a claim; raise :class:`FormatError` if it is invalid."""
    kind: Any = Claim  # a union, which no type of a type covers
    return cast("Claim", decode_json(text, kind, "a claim"))


def read_goals(claim: BestClaim) -> list[tuple[Goal, int]]:
    """Return the goals of an optimum with their values."""
    if len(claim.goals) != len(claim.values) or not claim.goals:
        raise FormatError("a best solution has one value for each goal")
    goals = (Goal.parse(*words.partition(" ")[::2]) for words in claim.goals)
    return list(zip(goals, claim.values, strict=True))


def known_places(problem: Problem) -> tuple[Place, ...]:
    """Return the places of the known cells."""
    return tuple((x, y, known.t) for known in problem.known for x, y in known.cells)


def is_orphan_question(problem: Problem) -> bool:
    """Whether the problem only asks for an ancestor of some cells of its last generation."""
    known = {known.t for known in problem.known} == {problem.steps} != {0}
    free = problem.boundary == "free" and problem.motion is None
    return known and free and not (problem.constraints or problem.links or problem.symmetry != "C1")


def compared_cells(problem: Problem) -> dict[tuple[int, int], str]:
    """Return the cells of generation 0 that are compared with a drawing, and how they are drawn."""
    compared: dict[tuple[int, int], str] = {}
    for each in problem.constraints:
        if isinstance(each, Difference) and each.generation == 0:
            drawn, box = read_drawing(each), list_places(problem.all_boxes[0])
            compared |= {place: drawn.get(place, ".") for place in box}
    return {place: state for place, state in compared.items() if state != "?"}


def is_forced_question(problem: Problem) -> bool:
    """Whether the problem only asks for an ancestor of some cells that is not as drawn there."""
    match problem.constraints:
        case (Difference(least=1, most=None, generation=0),):
            given = {(x, y) for x, y, _ in known_places(problem)}
            plain = not (problem.has_open_rule or problem.slow_rule)
            back = {known.t for known in problem.known} == {problem.steps} != {0}
            free = problem.boundary == "free" and problem.motion is None and not problem.links
            boxes = pairwise(problem.all_boxes)
            whole = all(before.contains_box(after.grow(1)) for before, after in boxes)
            asked = plain and back and free and whole and problem.symmetry == "C1"
            return asked and given == compared_cells(problem).keys()
    return False


def forces_itself(problem: Problem) -> bool:
    """Whether what is drawn in a question about forced cells is the patch itself."""
    given = {place: state for known in problem.known for place, state in known.cells.items()}
    return is_forced_question(problem) and given == compared_cells(problem)


def droppable_places(problem: Problem, needed: Sequence[Needed]) -> list[Place]:
    """Return the cells of a forced patch that must be shown to be needed.

    A single live cell may be left out of these: without it, nothing alive would be forced.
    """
    alive = {(x, y, known.t) for known in problem.known for x, y in known.alive}
    shown = {(each.x, each.y, problem.steps) for each in needed}
    exempt = alive - shown if len(alive) == 1 else set()
    return [place for place in known_places(problem) if place not in exempt]


MOST_CLAUSES = 5_000_000
"""Maximum size of a formula that is built for a check: about a minute and 2 GB.  The largest in the
gallery has 436,320."""

_USUAL_LENGTH = 10
"""Usual number of literals in a clause of the rule; longer clauses count as several."""


def estimate_claim(problem: Problem, claim: Claim) -> int:
    """Estimate the number of clauses, of usual length, in the formulas of a claim."""
    clauses = estimate_clauses(problem)
    match claim:
        case Complete(images=images, found=found):
            images_each = len(problem.parsed.rule.symmetries) * problem.generations
            box = problem.all_boxes[0]
            for drawings in found:
                places = _places(drawings[0], box.width, box.height) if drawings else 0
                count = places * images_each if images else 1
                clauses += count * (1 + box.area // _USUAL_LENGTH)
        case Reactions(found=found):
            clauses += len(found) * (1 + problem.all_boxes[-2].area // _USUAL_LENGTH)
        case BestClaim(goals=goals, values=values):
            for words, value in zip(goals, values, strict=False):
                goal = Goal.parse(*words.partition(" ")[::2])
                better = goal.measure.bound(least=max(0, value + 1))
                clauses += estimate_clauses(problem)
                clauses += better.plain_size(problem, *_frame(problem))
        case Core(needed=needed) | Forced(needed=needed):
            clauses += len(needed)
    return clauses


def estimate_range(problem: Problem, lowest: str, most: int) -> int:
    """Estimate the number of clauses of all boxes of a range; counting ends above ``most``."""
    clauses = 0
    for part in list_parts(problem, lowest):
        clauses += estimate_clauses(part.problem)
        if clauses > most:
            break
    return clauses


def estimate_clauses(problem: Problem) -> int:
    """Estimate the number of clauses in the audit formula of a problem."""
    width, height = _frame(problem)
    areas = [box.area for box in problem.all_boxes]
    if problem.boundary != "free":
        ring = 0 if problem.boundary == "torus" else 2
        areas = [(width + ring) * (height + ring)] * (problem.steps + 1)
    maps = len(problem.parsed.symmetry.group) - 1 + (problem.motion is not None)
    maps += len(problem.parsed.symmetry.group) if ":" in problem.symmetry else 0
    clauses = sum(areas[1:]) * sum(1 for _ in rule_clauses(read_rules(problem.rule)))
    clauses += sum(areas) * (1 + 4 * maps)
    clauses += sum(len(row) for known in problem.known for row in known.rows)
    clauses += 2 * len(problem.links)
    return clauses + sum(each.plain_size(problem, width, height) for each in problem.constraints)


def _frame(problem: Problem) -> tuple[int, int]:
    """Return the size of the box that holds all generations, including the last."""
    first, *others = problem.all_boxes
    for box in others:
        first |= box
    width, height = first.width, first.height
    if problem.motion is not None and problem.boundary == "dead":
        if not problem.motion.only_shifts:
            width = height = max(width, height)
        if not problem.include_last:
            width, height = width + abs(problem.motion.dx), height + abs(problem.motion.dy)
    return width, height


def _places(rows: Drawing, width: int, height: int) -> int:
    """Return the number of placements of a drawing's live cells in a box."""
    alive = [(x, y) for y, row in enumerate(rows) for x, state in enumerate(row) if state == "o"]
    if not alive:
        return 1
    wide, high = (max(p[k] for p in alive) - min(p[k] for p in alive) + 1 for k in (0, 1))
    # Turned, it has other placements.
    upright = max(0, width - wide + 1) * max(0, height - high + 1)
    return max(upright, max(0, width - high + 1) * max(0, height - wide + 1), 1)
