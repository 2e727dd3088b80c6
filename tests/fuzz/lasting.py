"""Oscillators of any height: the search by rows against plain walks, and against SAT in boxes."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import numpy as np

from satlife import Found, Impossible, Problem, Undecided, find, oscillator
from satlife.life import Rule
from satlife.sat import find_solver
from satlife.sat.solvers.pysat import InlineSolver
from tests.fuzz.checks import Differs
from tests.reference import is_solution
from tests.reference.lasting import find_least_height
from tests.reference.narrow import with_height

SHAPES = (
    *(((p, "C1"), most) for p, most in ((1, 5), (2, 4), (2, 4), (3, 3), (3, 3), (4, 2), (5, 2))),
    *(((p, "D2|"), most) for p, most in ((1, 9), (2, 7), (3, 6), (4, 5), (5, 3), (6, 3))),
    *(((p, "C1:D2|"), most) for p, most in ((2, 5), (4, 4), (6, 3))),
)
"""Period, symmetry, and the greatest width for the reference."""
HIGHEST = 8
"""Rows of the boxes for SAT."""
SECONDS = 20.0


@dataclass(frozen=True, eq=False)
class Lasting:
    """A problem of any height, and the height of its lowest oscillator."""

    text: str
    seed: str
    problem: Problem
    height: int | None

    @classmethod
    def of(cls, text: str, seed: str) -> Lasting:
        return cls(text, seed, Problem.from_json(text), find_least_height(text))

    @property
    def is_satisfiable(self) -> bool:
        return self.height is not None

    @property
    def families(self) -> list[str]:
        return ["any table"]

    @property
    def detail(self) -> str:
        return f"period {self.problem.motion.period}" if self.problem.motion else ""


def draw_lasting(chance: random.Random) -> str:
    """Draw a width, and a rule with or without the symmetries that the search uses."""
    (period, symmetry), most = chance.choice(SHAPES)
    width = chance.choice((most, most, chance.randint(1, most)))
    return (
        oscillator(
            period,
            box=f"{width}x*",
            symmetry=symmetry,
            rule=_draw_rule(chance, symmetry),
            composite=chance.random() < 0.3,
            gutter=symmetry == "D2|" and width % 2 > 0 and width > 1 and chance.random() < 0.3,
        )
        .to_json()
        .decode()
    )


def _draw_rule(chance: random.Random, symmetry: str) -> Rule:
    """Draw a rule of counts, an isotropic one, or one that keeps a mirror, or nothing."""
    if chance.random() < 0.5:
        births, survivals = (
            "".join(n for n in digits if chance.random() < 0.4)
            for digits in ("2345678", "012345678")
        )
        return Rule(f"B{births}/S{survivals}")
    share, grid = chance.choice((0.2, 0.35, 0.5, 0.7)), np.arange(9).reshape(3, 3)
    numbers = np.arange(512).reshape([2] * 9)
    turned = (np.rot90(each, k).ravel() for each in (grid, grid.T) for k in range(4))
    least = np.minimum.reduce([numbers.transpose(axes).ravel() for axes in turned])
    table = np.array([chance.random() < share for _ in range(512)], np.uint8)[least]
    if chance.random() < 0.7:  # it depends on the direction
        table[chance.sample(range(1, 512), chance.choice((5, 60)))] ^= 1
    cells = table.reshape([2] * 9)
    if symmetry != "C1" or chance.random() < 0.3:
        cells = np.maximum(cells, cells.transpose(2, 1, 0, 5, 4, 3, 8, 7, 6))
    elif chance.random() < 0.3:
        cells = np.maximum(cells, cells.transpose(6, 7, 8, 3, 4, 5, 0, 1, 2))
    table = cells.ravel()
    table[0] = 0
    return Rule.from_table(table)


def check_lasting(drawn: Lasting, chance: random.Random) -> Counter[str]:
    """The lowest oscillator is as high as the reference says, and SAT finds none in a lower box."""
    outcome = find(drawn.problem, timeout=SECONDS)
    if isinstance(outcome, Undecided):
        return Counter(undecided=1)
    found = len(outcome.finding.history[0]) if isinstance(outcome, Found) else None
    if found != drawn.height:
        raise Differs(f"the lowest has {drawn.height} rows, and by rows {found}")
    if isinstance(outcome, Found):
        history = outcome.finding.history
        if not is_solution(with_height(drawn.text, len(history[0])), history):
            raise Differs("what is found by rows is not a solution")
    notes = Counter([f"height {found}"])
    solver = InlineSolver(find_solver("glucose"))
    heights = (HIGHEST,) if found is None else (found, found - 1)
    for height in (each for each in heights if 0 < each <= HIGHEST):
        boxed = Problem.from_json(with_height(drawn.text, height))
        other = find(boxed, engine="sat", solver=solver, timeout=SECONDS)
        wrong = Impossible if height == found else Found
        if isinstance(other, wrong):
            raise Differs(f"by SAT, {height} rows: {type(other).__name__}")
        notes[f"by SAT {type(other).__name__.lower()}"] += 1
    return notes
