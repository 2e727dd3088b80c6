"""Ships to the north in small boxes: the row engine against SAT, and against the brute force.

The boxes of the other draws are too small for most ships, so these are drawn apart.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from satlife import Finding, Found, Impossible, Problem, Undecided, find, find_all, ship
from satlife.engine.rows.engine import ROWS, compile_ahead
from satlife.engine.turns import PLAYERS, TURNS, Player, TurnsEngine
from satlife.life import Rule, Transform
from satlife.problem.outcome import Outcome
from satlife.rows import is_available
from satlife.sat import find_solver
from satlife.sat.solvers.pysat import InlineSolver
from tests.fuzz.checks import CLASSED, Case, Differs, compare_classes, compare_outcome

SHAPES = (
    ("c/2", "C1", 5, "B3/S1247 B36/S124"),
    ("c/3", "C1", 5, "B348/S347 B3467/S345"),
    ("c/4", "C1", 5, "B345/S126 B34/S013"),
    ("2c/3", "C1", 5, "B2/S0 B3/S23"),
    ("2c/4", "C1", 5, "B3/S1247 B34/S0146 B348/S014 B3/S23"),
    ("c/4d", "C1", 4, "B3/S23 B36/S245"),
    ("c/3d", "C1", 4, "B34/S34 B35/S234"),
    ("c/2d", "C1", 4, "B2/S0 B3/S1247"),
    ("c/2", "D2|", 8, "B36/S1247 B378/S345"),
    ("c/3", "D2|", 8, "B35/S124 B345/S03"),
    ("c/4", "D2|", 8, "B367/S0134 B35/S3478"),
    ("c/5", "D2|", 6, "B358/S124 B28/S35"),
    ("2c/4", "D2|", 8, "B36/S1247 B378/S345"),
    ("2c/4", "C1:D2|", 6, "B34/S0146 B348/S014 B3/S23 B36/S1247"),
    ("2c/6", "C1:D2|", 5, "B35/S234 B3578/S234"),
)
"""Speed, symmetry, the greatest width, and rules with such ships."""
CONFLICTS = 20_000
SECONDS = 30
LISTED = 30


def draw_northward(chance: random.Random) -> Problem:
    """Draw a ship that travels north, by a rule of any table that its symmetry allows."""
    speed, symmetry, widest, rules = chance.choice(SHAPES)
    highest = 4 if speed.endswith("d") else 8
    box = f"{chance.randint(3, widest)}x{chance.randint(4, highest)}"
    text = chance.choice(rules.split())
    if chance.random() < 0.6:  # births and survivals by many cells change little
        births, survivals = text[1:].split("/S")
        more = ["".join(str(n) for n in (7, 8) if chance.random() < 0.4) for _ in range(2)]
        text = f"B{births.rstrip('78')}{more[0]}/S{survivals.rstrip('78')}{more[1]}"
    rule = Rule(text)
    if chance.random() < 0.4:
        rule = _change(rule, chance, mirrored=symmetry != "C1" or chance.random() < 0.5)
    return ship(speed, box=box, symmetry=symmetry, rule=rule, composite=chance.random() < 0.2)


def _change(rule: Rule, chance: random.Random, mirrored: bool) -> Rule:
    """Return the rule with a few entries of its table changed; nothing is born from nothing."""
    table = np.array(rule.table)
    for _ in range(chance.randint(1, 6)):
        entry = chance.randrange(1, 512)
        # The nine cells are the bits of the number, the north-west one first.
        cells = [entry >> 8 - i & 1 for i in range(9)]
        turned = [cells[3 * (i // 3) + 2 - i % 3] for i in range(9)]
        image = sum(cell << 8 - i for i, cell in enumerate(turned))
        table[list({entry, image} if mirrored else {entry})] ^= 1
    return Rule.from_table(table)


def compare_with_sat(problem: Problem) -> str:
    """Raise :class:`Differs` unless rows and SAT agree; return how far they were compared."""
    compile_ahead(problem)  # before any time is measured
    solver = InlineSolver(find_solver("glucose"))
    found = find(problem, engine="rows", timeout=SECONDS)
    sat = find(problem, engine="sat", solver=solver, restrictions=False, conflicts=CONFLICTS)
    if isinstance(found, Undecided) or isinstance(sat, Undecided):
        return "undecided"
    if type(found) is not type(sat):
        raise Differs(f"rows: {found}; SAT: {sat}; {problem.to_json().decode()}")
    if isinstance(found, Impossible):
        return "none"
    listings = [
        find_all(problem, engine="rows", timeout=SECONDS, limit=LISTED),
        find_all(problem, engine="sat", solver=solver, conflicts=CONFLICTS, limit=LISTED),
    ]
    codes = [Counter(map(name_ship, listing)) for listing in listings]
    if any(not listing.complete for listing in listings):
        return "found"
    if codes[0] != codes[1]:
        raise Differs(f"rows lists {codes[0]}, SAT {codes[1]}: {problem.to_json().decode()}")
    return "listed"


def name_ship(finding: Finding) -> tuple[bytes, int]:
    """Return the same for phases, shifts and, where the rule has them, mirror images of a ship."""
    mirrored = Transform("flip-left-right") in finding.problem.parsed.rule.symmetries
    names = []
    for cells in finding.history:
        rows, columns = (np.flatnonzero(cells.any(axis=axis)) for axis in (1, 0))
        least = cells[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        images = (least, least[:, ::-1]) if mirrored else (least,)
        names += [(each.tobytes(), each.shape[1]) for each in images]
    return min(names)


def check_rows(case: Case, chance: random.Random) -> None:
    """The row engine finds a ship if there is one, and lists each ship once."""
    if not is_available():
        return
    compare_with_sat(draw_northward(chance))
    if ROWS.refuses(case.problem) is not None:
        return
    compare_outcome(case, find(case.problem, engine="rows"), "rows")
    if len(case.found) <= CLASSED:
        listing = find_all(case.problem, engine="rows")
        compare_classes(case, listing, set(range(len(case.classes))), "rows --all")


@dataclass(frozen=True, eq=False)
class Boxed:
    """A ship in a box that rows and SAT search in turns, and what SAT alone says."""

    text: str
    seed: str
    problem: Problem
    answer: str

    @classmethod
    def of(cls, text: str, seed: str) -> Boxed:
        problem = Problem.from_json(text.encode())
        solver = InlineSolver(find_solver("glucose"))
        alone = find(problem, engine="sat", solver=solver, restrictions=False, conflicts=CONFLICTS)
        return cls(text, seed, problem, _name_answer(alone))

    @property
    def is_satisfiable(self) -> bool:
        return self.answer == "found"

    @property
    def families(self) -> list[str]:
        return [self.problem.parsed.rule.family]

    @property
    def detail(self) -> str:
        return self.answer


def draw_boxed(chance: random.Random) -> str:
    """Draw a ship in a box that the rows accept."""
    problem = draw_northward(chance)
    if TURNS.refuses(problem) is not None:
        raise ValueError("the rows refuse it")
    return problem.to_json().decode()


def check_boxed(case: Boxed, chance: random.Random) -> Counter[str]:
    """Rows and SAT in turns say what SAT alone says, whoever plays and whatever the shares."""
    compile_ahead(case.problem)
    players = [_give_share(player, chance.choice((0.1, 1.0, 10.0))) for player in PLAYERS]
    chance.shuffle(players)
    only_rows = TurnsEngine([player for player in PLAYERS if player.name == "rows"])
    told: Counter[str] = Counter()
    for engine in (TURNS, only_rows, TurnsEngine(players)):
        answer = find(case.problem, engine=engine, timeout=SECONDS)
        name = _name_answer(answer)
        if "undecided" not in (name, case.answer) and name != case.answer:
            raise Differs(f"in turns: {answer}; SAT: {case.answer}; {case.text}")
        provenance = answer.finding.provenance if isinstance(answer, Found) else answer.provenance
        told[f"{name} by {provenance.engine if provenance else 'nobody'}"] += 1
    return told


def _give_share(player: Player, share: float) -> Player:
    return replace(player, share=lambda problem: share)


def _name_answer(answer: Outcome) -> str:
    if isinstance(answer, Undecided):
        return "undecided"
    return "none" if isinstance(answer, Impossible) else "found"
