"""Reactions and backgrounds: questions in a person's words, and the brute force's own reading.

The problems that satlife makes of the words go through all checks; here the words themselves are
read a second time, from the documentation, and must have the same solutions.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from satlife import Found, Problem, catalyst, find, kinds
from satlife.errors import UsageError
from satlife.life import Pattern
from tests.fuzz.checks import Case, Differs, draw, key
from tests.fuzz.drawing import STATIC, Fields
from tests.reference import solutions
from tests.reference.asked import Asked, Place
from tests.reference.parting import Cells, follow, living, move
from tests.reference.reacting import catalysts
from tests.reference.rules import read_rules

ATTEMPTS = 400
RULES = ("B3/S23", "B3/S23", "B3/S012", "B36/S23", "B34/S02", "B3/S12", "B2/S0", "B3/S0123")
TILES = (
    *(["o."], ["o", "."], ["oo..", "oo..", "....", "...."], ["o.", ".o"], ["o"], ["."]),
    *(["oo.", "oo.", "..."], ["oo", "..", ".."], [".o.", "ooo"], ["o..", "...", "..."]),
    *(["ooo.", "....", "....", "...."], ["o...", "....", "..o.", "...."], ["oo.."], ["o.", ".."]),
)


@dataclass(frozen=True, eq=False)
class Worded(Case):
    """A problem that satlife made of words."""

    @property
    def words(self) -> Fields:
        fields: Fields = json.loads(self.drawn)
        return fields

    @classmethod
    def read(cls, text: str, seed: str) -> Worded:
        problem = make_problem(json.loads(text))
        return cls(problem, Case.of(problem, seed).found, seed, text)


def make_problem(words: Fields) -> Problem:
    """Ask satlife, by its functions."""
    how = dict(words)
    kind = how.pop("kind")
    if kind == "reaction":
        rule = how.pop("rule")
        before, after = (_pattern(how.pop(name), rule) for name in ("before", "after"))
        if not isinstance(how["region"], str):
            how["region"] = _pattern(how["region"], rule)
        return kinds.reaction(before, after, **how)
    tile = how.pop("tile")
    rows = "$".join(row.replace(".", "b") for row in tile)
    how["background"] = f"x = {len(tile[0])}, y = {len(tile)}, rule = {how['rule']}\n{rows}!"
    if kind == "still-life":
        return kinds.still_life(**how)
    return kinds.oscillator(how.pop("period"), **how)


def _pattern(cells: list[list[int]], rule: str) -> Pattern:
    return Pattern.from_cells([(x, y) for x, y in cells], rule)


# Reactions


def draw_reaction(chance: random.Random) -> str:
    """Draw a reaction around a catalyst that takes part in it; sometimes what comes is another."""
    rule, period = chance.choice(RULES), chance.choice((1, 1, 1, 2))
    (table,) = read_rules(rule).tables
    width, height = chance.choice(((2, 2), (3, 2), (2, 3), (3, 3), (3, 3), (4, 2)))
    x, y = chance.randint(-2, 2), chance.randint(-2, 2)
    region = set(product(range(x, x + width), range(y, y + height)))
    if chance.random() < 0.3:
        region -= set(chance.sample(sorted(region), 1))
    field = set(product(range(x - 3, x + width + 3), range(y - 3, y + height + 3)))
    objects = list(_objects(rule, frozenset(region), period))
    if not objects:
        raise UsageError("the region has no catalyst by itself")
    near = set(product(range(x - 2, x + width + 2), range(y - 2, y + height + 2)))
    words: Fields | None = None
    for _ in range(ATTEMPTS):
        alone = follow(table, chance.choice(objects), period)
        free = sorted(near - alone[0])
        before = frozenset(chance.sample(free, chance.randint(1, 4)))
        within = chance.choice((1, 2, 2, 3, 4))
        film, last = follow(table, alone[0] | before, within), alone[within % period]
        undisturbed = follow(table, before, within)[-1]
        if not last <= film[-1] or not all(now <= field for now in film):
            continue
        after = film[-1] - last
        window = ((min(v[i] for v in region), max(v[i] for v in region)) for i in (0, 1))
        edges = ((min(v[i] for v in field), max(v[i] for v in field)) for i in (0, 1))
        is_whole = len(region) == width * height
        words = {
            "kind": "reaction", "rule": rule, "before": sorted(before), "after": sorted(after),
            "within": within, "period": period,
            "region": ",".join(f"{a}..{b}" for a, b in window) if is_whole else sorted(region),
            "field": ",".join(f"{a}..{b}" for a, b in edges),
        }  # fmt: skip
        if undisturbed != after:  # the catalyst takes part
            break
    if words is None:
        raise UsageError("no reaction leaves a catalyst as it was")
    if chance.random() < 0.25:
        words["after"] = sorted(move(map(tuple, words["after"]), *chance.choice(((1, 0), (0, -1)))))
    if chance.random() < 0.3:
        words["population"] = f"<={chance.randint(1, 5)}"
    return json.dumps(words)


def _objects(rule: str, region: Cells, period: int) -> Iterator[Cells]:
    """Yield what stays in the region and is itself again after the period."""
    (table,) = read_rules(rule).tables
    for size in range(1, len(region) + 1):
        for chosen in combinations(sorted(region), size):
            film = follow(table, frozenset(chosen), period)
            if film[-1] == film[0] and all(now <= region for now in film):
                yield film[0]


def check_reaction(case: Worded, chance: random.Random) -> Counter[str]:
    """The catalysts are those that a definition without any problem finds."""
    words = case.words
    before = _cells(words["before"])
    found = catalysts(
        read_rules(words["rule"]).tables[0],
        before,
        _cells(words["after"]),
        within=words["within"],
        region=_places(words["region"]),
        field=_places(words["field"]),
        period=words["period"],
        most=int(words["population"][2:]) if "population" in words else None,
    )
    right = set(found)
    box = Asked(case.text).boxes[0]
    told = {move(living(history[0]), box.x, box.y) - before for history in case.found}
    if told != right:
        missing = [sorted(each) for each in right - told]
        wrong = [sorted(each) for each in told - right]
        raise Differs(f"{len(right)} catalysts; {missing} are missing, and {wrong} are wrong")
    outcome = find(case.problem, **case.how(chance))
    if isinstance(outcome, Found):
        alone = frozenset((int(x), int(y)) for x, y in catalyst(outcome.finding).coordinates)
        if alone not in right:
            raise Differs(f"{sorted(alone)} is not a catalyst:\n{draw(outcome.finding.history)}")
    return Counter({"catalysts": len(right)})


def _cells(listed: list[list[int]]) -> Cells:
    return frozenset((x, y) for x, y in listed)


def _places(given: str | list[list[int]]) -> list[Place]:
    """Return the places of a window of columns and rows, ends included, or of a list."""
    if not isinstance(given, str):
        return sorted(_cells(given))
    columns, rows = (map(int, each.split("..")) for each in given.split(","))
    (left, right), (top, bottom) = columns, rows
    return list(product(range(left, right + 1), range(top, bottom + 1)))


# Backgrounds


def draw_background(chance: random.Random) -> str:
    """Draw a box in an agar."""
    rule = chance.choice(("B3/S23", *RULES, "B34/S34", "B3/S012345678", "B1357/S1357"))
    tile = chance.choice(TILES)
    if chance.random() < 0.3:
        wide, high = chance.choice(((2, 2), (3, 2), (2, 3), (3, 3)))
        tile = ["".join(chance.choices("o.", k=wide)) for _ in range(high)]
    words: Fields = {"kind": chance.choice(("still-life", "oscillator")), "rule": rule}
    words |= {"tile": tile, "box": chance.choice(("3x3", "2x2", "4x3", "3x4", "3x2", "1x4", "5x2"))}
    if words["kind"] == "oscillator":
        words["period"] = chance.choice((1, 2, 2, 2, 3, 4))
        words["composite"] = chance.random() < 0.3
    if chance.random() < 0.25:
        words["symmetry"] = chance.choice(STATIC)
    if chance.random() < 0.3:
        words["population"] = chance.choice(
            (f"<={chance.randint(1, 5)}", f">={chance.randint(1, 5)}")
        )
    return json.dumps(words)


def read_background(words: Fields) -> str:
    """Read the words: outside of the box is the agar, and something in the box differs from it."""
    width, height = map(int, words["box"].split("x"))
    tile: list[str] = words["tile"]
    around = [
        "".join(tile[y % len(tile)][x % len(tile[0])] for x in range(width)) for y in range(height)
    ]
    period = words.get("period", 1)
    constraints: list[dict[str, Any]] = [{"type": "difference", "rows": around, "least": 1}]
    if period > 1:
        constraints += [{"type": "pattern-period" if words.get("composite") else "full-period"}]
    if bound := words.get("population"):
        constraints += [
            {"type": "population", ("most" if "<" in bound else "least"): int(bound[2:])}
        ]
    fields = {
        "rule": words["rule"], "boxes": [words["box"]], "boundary": "agar", "background": tile,
        "motion": {"period": period}, "constraints": constraints,
        "symmetry": words.get("symmetry", "C1"),
    }  # fmt: skip
    return json.dumps(fields)


def check_background(case: Worded, chance: random.Random) -> Counter[str]:
    """The words mean the same to the brute force and to satlife."""
    right = {key(history) for history in solutions(read_background(case.words))}
    if right != set(case.keys):
        raise Differs(f"{len(case.keys)} solutions, and the words have {len(right)}")
    return Counter({"solutions": len(right)})
