"""Small problems at random, of every kind, constraint and family of rules; no solver is asked."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
import numpy as np

from satlife import Known, Link, Motion, Problem, kinds
from satlife.audit import formula
from satlife.errors import UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.life import PartialPattern, Pattern, Rule
from satlife.life.neighbourhood import IS_ALIVE, permute_states
from satlife.life.rules import RULE_FAMILIES
from satlife.life.transforms import TRANSFORMS
from satlife.problem.constraints import (
    BOUNDS,
    Arrival,
    Bound,
    Constraint,
    Difference,
    Gutter,
    Lacks,
    NotEmpty,
    Population,
    Still,
)
from satlife.sat import Formula


@cache
def neighbours(*without: int) -> Any:
    """How many of the eight neighbours live, but for those with these bits."""
    bits = [1 << k for k in range(9) if k != 4 and 1 << k not in without]
    return sum(((np.arange(512) & bit) != 0).astype(int) for bit in bits)


def make_rule(family: str, seed: int) -> str:
    """The notation of a random rule like those of this family, or of one that moves everything."""
    if family == "shift":  # each cell becomes as the neighbour with this bit is
        return str(Rule.from_table(np.arange(512) & seed != 0))
    random_bits = (np.random.default_rng(seed).random(512) < 0.35).astype(np.uint8)
    if family == "map":
        kind = np.arange(512)
    elif family == "isotropic":
        kind = np.min([permute_states(g) for g in TRANSFORMS], axis=0)
    else:
        corners = (64, 4) if family == "hexagonal" else (256, 64, 4, 1)
        kind = neighbours(*corners) + 16 * IS_ALIVE
    table = random_bits[kind]
    table[kind == kind[0]] = 0
    return str(Rule.from_table(table))


TABLES = {
    make_rule(family, seed): family
    for family in ("map", "isotropic", "hexagonal", "von-neumann")
    for seed in (1, 2)
}
"""Random rules of every sort of table, and which sort each is."""

KINDS = (*(kind.function.__name__ for kind in kinds.KINDS), "turn", "window", "links")
NOTATIONS = (
    *["B3/S23"] * 6,
    *("B36/S23", "B2/S", "B34/S34", "B1357/S1357", "B3678/S34678"),
    *(family.example for family in RULE_FAMILIES if Rule(family.example).states == 2),
    *TABLES,
)
SYMMETRIES = ("C2", "C4", "D2|", "D2-", "D2\\", "D2/", "D4+", "D4x", "D8")
GLIDES = ("C1:C2", "C1:D2|", "C1:D2\\", "C1:C4", "C2:C4", "D2|:D4+", "C2:D4+")
SPEEDS = ("c", "c/2", "c/3", "2c/4", "c/4d", "c/2d", "c/1d", "(2,1)c/3")
SHIFTS = (
    (make_rule("shift", 1), "c/1d"),
    (make_rule("shift", 2), "c"),
    (make_rule("shift", 2), "2c/2"),
)
"""Everything is a ship."""
TURNS = ("half-turn", "quarter-turn-clockwise", "flip-left-right", "flip-diagonal")


def draw(chance: random.Random, number: int) -> tuple[Problem, Formula]:
    """A small problem that the search and the audit take, and its plain formula.

    Kinds, rules and bounds take turns with the numbers, all else is left to chance.
    """
    turn = number + number // len(KINDS)
    kind, rule = KINDS[number % len(KINDS)], NOTATIONS[turn % len(NOTATIONS)]
    while True:
        try:
            problem = draw_kind(chance, kind, rule)
            more = [draw_bound(chance, problem, BOUNDS[number % len(BOUNDS)])]
            if chance.random() < 0.3:
                more = chance.choice(([], [*more, draw_bound(chance, problem, Population)]))
            constraints = (*problem.constraints, *more, *draw_asks(chance, problem))
            problem = msgspec.structs.replace(problem, constraints=constraints)
            SpaceTime(problem)
            return problem, formula.audit_formula(problem)
        except UsageError:
            number += len(KINDS) * len(NOTATIONS)  # another bound; on a torus there is no width


def draw_kind(chance: random.Random, kind: str, rule: str) -> Problem:  # noqa: PLR0911, PLR0912
    composite = chance.random() < 0.5
    symmetry = chance.choice((*["C1"] * 8, *SYMMETRIES, *GLIDES))
    box = chance.choice(("3x3", "3x3", "2x2", "4x2", "2x3", "3x4", "1x5"))
    common: dict[str, Any] = {"rule": rule, "box": box, "symmetry": symmetry}
    match kind:
        case "still_life":
            return kinds.still_life(**common)
        case "oscillator":
            period = chance.choice((2, 2, 3))
            return with_known(chance, kinds.oscillator(period, composite=composite, **common))
        case "ship":
            last, speed = chance.random() < 0.5, chance.choice(SPEEDS)
            if chance.random() < 0.5:
                common["rule"], speed = chance.choice(SHIFTS)
            ship = kinds.ship(speed, include_last=last, composite=composite, **common)
            return with_known(chance, ship)
        case "agar":
            wrap = chance.choice(((0, 0), (0, 0), (1, 0), (0, 1), (2, 0), (0, -1)))
            period = chance.choice((1, 2, 3, 4, "c/2", "c/2d"))
            return kinds.agar(period, wrap=wrap, composite=composite, **common)
        case "wick":
            small, slant = chance.choice(("2x2", "3x2", "2x1")), chance.choice((0, 0, 1))
            period = chance.choice((1, 2, "c/2"))
            return kinds.wick(period, slant=slant, composite=composite, **common | {"box": small})
        case "parent":
            generations = chance.choice((1, 2))
            target = Pattern(draw_rows(chance, 1, 3 - generations), rule=rule)
            return kinds.parent(target, generations=generations)
        case "orphan":
            return kinds.orphan(draw_partial(chance, 3, 2, rule))
        case "forced":
            width, height, generations = chance.choice(((3, 2, 1), (1, 1, 2)))
            patch = draw_partial(chance, width, height, rule)
            return kinds.forced(patch, generations=generations)
        case "complete":
            motion = chance.choice((None, "p2", "p3", "c/2", "c/2d"))
            return kinds.complete(
                draw_partial(chance, 3, 3, rule), motion=motion, symmetry=symmetry
            )
        case "eater" | "reaction" as word:
            x = chance.choice((2, 3, 3))  # a block is not moved by a dot at (3, 3)
            dot = Pattern([[1]], rule=chance.choice((rule, "B3/S23"))).shift(x, x)
            period, field = chance.choice((1, 1, 2)), "0..3,0..3"
            if word == "eater":
                within, approach = chance.choice(((1, 0), (2, 0), (2, 1)))
                placed = kinds.eater(
                    dot, at=(x, x), region="0..1,0..1", field=field,
                    within=within, approach=approach, period=period,
                )  # fmt: skip
                return placed if approach or chance.random() < 0.3 else open_lanes(chance, placed)
            after = Pattern(draw_rows(chance, 1, 2), rule=dot.rule)
            region = chance.choice(("0..1,0..1", Pattern([[1, 1], [0, 1]])))
            return kinds.reaction(dot, after, within=1, region=region, field=field, period=period)
        case "perturbation":
            x = chance.choice((2, 3, 3))
            dot = Pattern([[1]], rule=chance.choice((rule, "B3/S23"))).shift(x, x)
            return kinds.perturbation(dot, region="0..1,0..1", contact=1, recover=1, hold=0)
        case "turn":
            motion = Motion(
                period=chance.choice((1, 2)),
                dx=chance.choice((0, 0, 1)),
                dy=chance.choice((0, 0, -1)),
                transform=chance.choice(TURNS),
            )
            last, outside = chance.random() < 0.5, chance.choice(("dead", "torus"))
            last = last and outside == "dead"
            return Problem(
                boxes=(box,), rule=rule, motion=motion, boundary=outside, include_last=last
            )
        case "window":
            boxes = chance.choice((("4x4",), ("3x3",), ("3x3", "3x3+0+0"), ("5x4-1-1", "3x2")))
            return Problem(
                boxes=boxes, rule=rule, steps=1, boundary="free", symmetry=symmetry,
                constraints=(NotEmpty(1),),
            )  # fmt: skip
    return draw_links(chance, rule)


def draw_links(chance: random.Random, rule: str) -> Problem:
    """Cells that are linked, known or exempt, with any outside."""
    boundary = chance.choice(("dead", "torus", "free"))
    boxes = ("3x3", "4x3", "3x2-1+0") if boundary != "torus" and chance.random() < 0.5 else ("3x2",)
    places = [
        (chance.randint(-1, 3), chance.randint(-1, 3), chance.randint(0, 2)) for _ in range(7)
    ]
    links = [
        Link(first=places[k], second=places[k + 1], opposite=chance.random() < 0.5)
        for k in range(0, chance.choice((2, 4)), 2)
    ]
    known = Known(t=chance.randint(0, 2), rows=("".join(chance.choices("?.o?", k=3)),))
    exempt = tuple(places[4:]) if boundary != "torus" else ()
    return Problem(
        boxes=boxes,
        rule=rule,
        steps=2,
        boundary=boundary,
        links=tuple(links),
        known=(known,),
        exempt=exempt,
    )


def draw_rows(chance: random.Random, height: int, width: int) -> list[list[int]]:
    return [chance.choices((0, 1), k=width) for _ in range(height)]


def draw_partial(chance: random.Random, width: int, height: int, rule: str) -> PartialPattern:
    rows = [chance.choices((0, 1, 255, 255), k=width) for _ in range(height)]
    return PartialPattern(rows, rule=rule)


def with_known(chance: random.Random, problem: Problem) -> Problem:
    rows = tuple("".join(chance.choices("???.o", k=2)) for _ in range(2))
    known = (Known(t=chance.randint(0, problem.steps), rows=rows),) if chance.random() < 0.3 else ()
    return msgspec.structs.replace(problem, known=known)


def draw_asks(chance: random.Random, problem: Problem) -> list[Constraint]:
    """A symmetry that is forbidden, or a gutter; mostly neither."""
    asks: list[Constraint] = []
    if chance.random() < 0.1:
        asks.append(Lacks(symmetry=chance.choice(("C2", "D2|", "D2\\"))))
    if problem.symmetry.startswith("D") and chance.random() < 0.5:
        asks.append(Gutter())
    return asks


def open_lanes(chance: random.Random, problem: Problem) -> Problem:
    """The eater of a dot, without approach, with two lanes or times to choose from."""
    (alone,) = (each for each in problem.known if each.t)
    (dot,) = (each for each in problem.known if not each.t)
    here = Still(x=dot.x, y=dot.y, rows=dot.rows)
    other = Still(x=dot.x - 1, y=dot.y, rows=dot.rows)
    lanes, times, flight = chance.choice(
        (
            ((0, 1), (0, 0), (here,)), ((-1, 0), (0, 0), (here,)),
            ((0, 0), (0, 1), (other, here)), ((0, 1), (1, 2), (here, other)),
        )
    )  # fmt: skip
    across = chance.choice(("right", "down"))
    arrival = Arrival(flight=flight, across=across, lanes=lanes, times=times, alone=(alone.t,))
    links = tuple(link for link in problem.links if link.first[2])
    constraints = (*problem.constraints, arrival)
    return msgspec.structs.replace(problem, known=(), links=links, constraints=constraints)


def draw_bound(chance: random.Random, problem: Problem, kind: Any) -> Bound:
    most = chance.choice((None, chance.randint(0, 4), chance.randint(3, 9)))
    least = chance.choice((0, 0, 0, chance.randint(0, 4 if most is None else most)))
    numbers: dict[str, Any] = {"least": least, "most": most}
    if kind is Population:
        numbers["generation"] = chance.choice(("every", "least", "most", problem.generations - 1))
    if kind is Difference:
        rows = chance.choice(("o", "oo|oo", ".o.|o?o", "?", "..")).split("|")
        numbers |= {"rows": tuple(rows), "x": chance.randint(-2, 2), "y": chance.randint(-2, 2)}
        numbers["generation"] = chance.randrange(problem.generations)
    bound: Bound = kind(**numbers)
    return bound
