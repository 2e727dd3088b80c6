"""``--reject`` and ``--only-connected``: what is left out of a list, and nothing else."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field

from satlife import Problem, find_all, kinds
from satlife.errors import UsageError
from satlife.life import Pattern, Rule
from satlife.life.identity import apgcode
from tests.fuzz.checks import Case, Differs, compare_classes, key
from tests.fuzz.plans import PARTED
from tests.reference import Asked, TooLarge
from tests.reference.parting import (
    Cells,
    divisions,
    find_rejected,
    find_return,
    living,
    read_code,
    verdicts,
)
from tests.reference.rules import Table

BOXES = ("3x3", "4x3", "3x4", "5x2", "2x5", "6x2", "5x3", "4x4", "7x2", "1x9")
SPEEDS = ("c/2", "c", "c/4d", "c/2d", "c/3", "2c/4")
LARGEST, MOST = 2**16, 300
"""Fillings that are tried, and solutions that are divided into parts."""


@dataclass(frozen=True, eq=False)
class Wanted(Case):
    """A problem, its solutions, and which of them are wanted."""

    reject: tuple[str, ...] = ()
    only_connected: bool = False
    notes: Counter[str] = field(default_factory=Counter)

    @classmethod
    def read(cls, text: str, seed: str) -> Wanted:
        words = json.loads(text)
        problem = Problem.from_json(json.dumps(words["problem"]))
        case = Case.of(problem, seed, LARGEST)
        if len(case.found) > MOST:
            raise TooLarge(f"{len(case.found)} solutions to divide")
        return cls(problem, case.found, seed, text, tuple(words["reject"]), words["connected"])


def draw_rejected(chance: random.Random) -> str:
    """Draw a list from which something is left out: a part of one of its solutions, mostly."""
    return _draw(chance, connected=False)


def draw_connected(chance: random.Random) -> str:
    """Draw a list from which all that is made of several parts is left out."""
    return _draw(chance, connected=True)


def _draw(chance: random.Random, *, connected: bool) -> str:
    rule = chance.choice(PARTED)
    bounds = {"population": f"<={chance.randint(3, 7)}"} if chance.random() < 0.7 else {}
    box = chance.choice(BOXES)
    match chance.randrange(3):
        case 0:
            problem = kinds.still_life(box=box, rule=rule, **bounds)
        case 1:
            composite, period = chance.random() < 0.6, chance.choice((2, 2, 4))
            problem = kinds.oscillator(period, box=box, rule=rule, composite=composite, **bounds)
        case _:
            problem = kinds.ship(chance.choice(SPEEDS), box=box, rule=rule, **bounds)
    case = Case.of(problem, "", LARGEST)
    if len(case.found) > MOST:
        raise TooLarge(f"{len(case.found)} solutions to divide")
    reject = [] if connected else draw_codes(chance, case)
    if not connected and not reject:
        raise UsageError("there is nothing to reject")
    words = {
        "problem": json.loads(problem.to_json()), "reject": reject,
        "connected": connected or chance.random() < 0.2,
    }  # fmt: skip
    return json.dumps(words)


def draw_codes(chance: random.Random, case: Case) -> list[str]:
    """Return the codes of one or two objects, most of them parts of solutions."""
    codes = []
    for _ in range(chance.choice((1, 1, 2))):
        if not case.found or chance.random() < 0.1:
            codes.append(chance.choice(("xs4_33", "xp2_7", "xs1_1", "xs2_3", "xq4_153")))
            continue
        (table,) = Asked(case.text).rules.tables
        cells = living(chance.choice(case.found)[0])
        if cells and find_return(table, cells):
            part = chance.choice(chance.choice(divisions(table, cells)))
            if code := _code(part, case.problem.rule):
                codes.append(code)
    return codes


def _code(cells: Cells, rule: str) -> str | None:
    try:
        return apgcode(Pattern.from_cells(cells, Rule(rule)))
    except UsageError:
        return None


def check_wanted(case: Case, chance: random.Random) -> Counter[str] | None:
    """--reject and --only-connected leave out what they should, and nothing else."""
    problem = case.problem
    if problem.exempt or problem.boundary != "dead" or problem.motion is None:
        return None
    if len(case.found) > MOST or problem.has_open_rule or problem.slow_rule:
        return None
    try:
        if isinstance(case, Wanted):
            return compare_wanted(case, case.reject, case.only_connected, chance)
        codes = draw_codes(chance, case) if chance.random() < 0.6 else []
        return compare_wanted(case, tuple(codes), chance.random() < 0.5, chance)
    except TooLarge:
        return None


def compare_wanted(
    case: Case, codes: tuple[str, ...], connected: bool, chance: random.Random
) -> Counter[str] | None:
    """List what is wanted, and compare: classes, or every solution."""
    if not codes and not connected:
        return None
    rule = case.problem.parsed.rule
    (table,) = Asked(case.text).rules.tables
    rejected = find_rejected(table, codes)
    says = [_says(table, part[0][0], rejected, connected) for part in case.classes]
    sure = {i for i, each in enumerate(says) if each == {True}}
    may_be = {i for i, each in enumerate(says) if True in each}
    given = tuple(Pattern.from_cells(read_code(code)[1], rule) for code in codes)
    raw = chance.random() < 0.25
    listing = find_all(
        case.problem, reject=given, only_connected=connected, raw=raw, **case.how(chance)
    )
    name = " ".join(["--only-connected"] * connected + [f"--reject {code}" for code in codes])
    if raw:
        seen = Counter(key(finding.history) for finding in listing)
        least, most = ({key(h) for i in few for h in case.classes[i]} for few in (sure, may_be))
        if not least <= set(seen) <= most or max(seen.values(), default=1) > 1:
            right = f"{len(least)} to {len(most)}"
            raise Differs(f"{name} --raw: {seen.total()} listed, and {right} count")
    else:
        compare_classes(case, listing, sure, name, may_be - sure)
    left_out = len(says) - len(may_be)
    return Counter({"lists": 1, "classes left out": left_out, "classes kept": len(sure)})


def _says(table: Table, first: object, rejected: list[Cells], connected: bool) -> set[bool]:
    return verdicts(table, living(first), rejected, connected)  # type: ignore[arg-type]
