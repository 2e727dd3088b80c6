"""Ships of any length with few live cells, or with given ones: the reference, and SAT in boxes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from satlife import Found, Impossible, Problem, Undecided, find, ship
from satlife.engine.rows.engine import RowEngine
from satlife.problem.constraints import Population
from satlife.problem.problem import Known
from satlife.sat import find_solver
from satlife.sat.solvers.pysat import InlineSolver
from tests.fuzz.checks import Differs, draw
from tests.fuzz.killed import DIAGONALS, LIMITS, SECONDS, STRIPS
from tests.reference import TooLarge, is_solution
from tests.reference.conditions import Conditioned
from tests.reference.narrow import with_height

MORE = (
    ("2c/3", "C1", 3, "B2/S0 B2/S03"),
    ("2c/3", "D2|", 5, "B2/S0 B2/S03"),
    ("2c/4", "C1", 4, "B3/S1247 B34/S0146 B348/S014"),
    ("2c/4", "C1", 5, "B3/S23 B34/S0146"),
    ("2c/4", "D2|", 6, "B3/S1247 B34/S0146 B348/S014"),
    ("2c/4", "C1:D2|", 4, "B34/S0146 B348/S014 B3/S1247"),
    ("c/2d", "C1", 4, "B2/S0 B3/S1247"),
    ("c/3", "D2|", 5, "B35/S124 B345/S03"),
)
"""Speed, symmetry, width and rules as in ``STRIPS``, with motions that can be divided."""
HIGHEST, CONFLICTS = 7, 3_000
WHICH = (0, 0, "least", "every", "most", "sum", 1)


def draw_conditioned(chance: random.Random) -> str:
    """Draw a width with bounds and given cells, as a ship has them or nearly so."""
    speed, symmetry, width, rules = chance.choice(STRIPS + DIAGONALS + MORE)
    rule = chance.choice(rules.split())
    plain = ship(speed, box=f"{width}x*", symmetry=symmetry, rule=rule)
    outcome = find(plain, timeout=SECONDS)
    history = outcome.finding.history if isinstance(outcome, Found) else None
    with_cells = chance.random() < 0.6 and not plain.has_slanted_width
    known = tuple(_draw_cells(chance, plain, history)) if with_cells else ()
    bounds = tuple(_draw_bounds(chance, plain, history, bool(known)))
    constraints = (
        *plain.constraints,
        *(bounds if bounds and (chance.random() < 0.8 or not known) else ()),
    )
    return msgspec.structs.replace(plain, known=known, constraints=constraints).to_json().decode()


def _draw_cells(chance: random.Random, problem: Problem, history: Any) -> Iterator[Known]:
    """Yield some cells of a ship, which may lie lower; one of them may be wrong."""
    late, low = chance.randrange(problem.generations), chance.choice((0, 0, 0, 1, 2))
    wrong = chance.random() < 0.4
    seen: dict[tuple[int, int, int], str] = {}
    for number in range(chance.randint(1, 6)):
        t, x = chance.randrange(problem.generations), chance.randrange(problem.width)
        y = chance.randrange(0 if chance.random() < 0.95 else -2, 5)
        state = chance.choice("o..")
        if history is not None and 0 <= y - low < len(history[0]) and not (wrong and not number):
            # Later generations have moved up; the box has room for that above.
            turn, at = divmod(t + late, len(history))
            row = y - low + turn * -problem.motion.dy if problem.motion else 0
            inside = 0 <= row < len(history[0])
            state = ".o"[int(inside and history[at][row, x])]
        if chance.random() < 0.05:
            t, x = problem.generations, chance.randint(-1, problem.width)
        seen[x, y, t] = state
    for (x, y, t), state in seen.items():
        yield Known(t=t, x=x, y=y, rows=(state,))


def _draw_bounds(
    chance: random.Random, problem: Problem, history: Any, is_given: bool
) -> Iterator[Population]:
    """Yield bounds near what a ship has."""
    numbers = [int(np.count_nonzero(each)) for each in history] if history is not None else [9, 12]
    for _ in range(chance.choice((1, 1, 2))):
        which = chance.choice(WHICH[2:-1] if is_given else WHICH)
        most = {"least": min(numbers), "sum": sum(numbers)}.get(str(which), max(numbers))
        most = numbers[chance.randrange(len(numbers))] if isinstance(which, int) else most
        yield Population(
            most=max(0, most + chance.choice((-6, -2, -1, -1, 0, 0, 1))), generation=which
        )


@dataclass(frozen=True, eq=False)
class ConditionedWidth:
    """A problem of any height with conditions."""

    text: str
    seed: str
    problem: Problem

    @classmethod
    def of(cls, text: str, seed: str) -> ConditionedWidth:
        return cls(text, seed, Problem.from_json(text))

    @cached_property
    def known(self) -> bool | None:
        """Whether the reference has a solution; None if it does not know."""
        speed = self.problem.motion
        if speed is None or speed.period % -speed.dy == 0 != speed.dy + 1:
            return None  # its ships may have a part of the period
        try:
            return Conditioned(self.text).has_solution()
        except TooLarge:
            return None

    @cached_property
    def boxed(self) -> list[bool]:
        """Whether SAT has a solution in a box of each height, as far as it is quick."""
        solver = InlineSolver(find_solver("glucose"))
        found = []
        for height in range(1, HIGHEST + 1):
            box = self.problem.with_height(height)
            outcome = find(
                box, engine="sat", solver=solver, restrictions=False, conflicts=CONFLICTS
            )
            if isinstance(outcome, Undecided):
                break
            found.append(isinstance(outcome, Found))
        return found

    @property
    def is_satisfiable(self) -> bool:
        return bool(self.known) or (not self.problem.has_slanted_width and any(self.boxed))

    @property
    def families(self) -> list[str]:
        return ["counting"]

    @property
    def detail(self) -> str:
        given = "given " * bool(self.problem.known)
        return given + ", ".join(
            str(each.generation)
            for each in self.problem.constraints
            if isinstance(each, Population)
        )


def check_conditioned(width: ConditionedWidth, chance: random.Random) -> Counter[str]:
    """The answer of the rows is that of the reference, and no box that SAT fills contradicts it."""
    notes = Counter({f"reference {width.known}": 1})
    engine = RowEngine(limit=chance.choice(LIMITS))
    outcome = find(width.problem, engine=engine, timeout=SECONDS)
    boxed = [] if width.problem.has_slanted_width else width.boxed
    notes["boxes"] += len(boxed)
    match outcome:
        case Found(finding):
            history = finding.history
            if not is_solution(with_height(width.text, len(history[0])), history):
                raise Differs(f"what was found is no solution:\n{draw(history)}")
            if width.known is False:
                raise Differs(f"the reference has none, and this is one:\n{draw(history)}")
            if len(history[0]) <= len(boxed) and not boxed[len(history[0]) - 1]:
                raise Differs(f"SAT has none so high, and this is one:\n{draw(history)}")
            notes["found"] += 1
        case Impossible(reason=reason):
            if width.known or any(boxed):
                raise Differs(f"there is one (boxes: {boxed}), and it says: {reason}")
            notes["none"] += 1
        case _:
            notes["undecided"] += 1
    return notes
