"""What the tests of encodings share: plain boxes, small solvers, and the truth by brute force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
from pysat.solvers import Solver

from satlife.formula.encodings import Encoding
from satlife.formula.transitions import Transitions
from satlife.life.rule import Rule
from satlife.sat.formula import Formula, FormulaBuilder, IntArray
from satlife.sat.logic import FALSE, TRUE

RULES = (
    "B3/S23",
    "B36/S23",
    "B2/S",
    "B3678/S34678",
    "B1357/S1357",
    "B1357/S02468",
    "B2/S0",
    "B45678/S2345",
    "B8/S8",
    "B1/S012345678",
)


def plain_box(width: int, height: int, steps: int, ring: bool = True) -> tuple[Transitions, int]:
    """All transitions of a box in a dead outside, and the number of variables.

    Cells are numbered in scan order, generation by generation; the cells just outside must stay
    dead, unless there is no ring.
    """
    cells = np.full((steps + 1, height + 4, width + 4), FALSE, np.int32)
    count = (steps + 1) * height * width
    cells[:, 2:-2, 2:-2] = np.arange(1, count + 1).reshape(steps + 1, height, width)
    margin = 1 if ring else 2
    t, y, x = (
        axis.reshape(-1)
        for axis in np.meshgrid(
            np.arange(steps),
            np.arange(margin, height + 4 - margin),
            np.arange(margin, width + 4 - margin),
            indexing="ij",
        )
    )
    offsets = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    rows = np.stack([cells[t, y + dy, x + dx] for dx, dy in offsets], axis=1)
    return Transitions(rows, cells[t + 1, y, x], np.stack([x - 2, y - 2, t], axis=1)), count


def torus(width: int, height: int, steps: int = 1) -> tuple[Transitions, int]:
    """All transitions of a torus, and the number of variables."""
    count = (steps + 1) * height * width
    cells = np.arange(1, count + 1, dtype=np.int32).reshape(steps + 1, height, width)
    around = [np.roll(cells[:-1], (-dy, -dx), (1, 2)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    t, y, x = np.indices((steps, height, width)).reshape(3, -1)
    rows = np.stack(around, axis=-1).reshape(-1, 9)
    return Transitions(rows, cells[1:].reshape(-1), np.stack([x, y, t], axis=1)), count


def any_table(seed: int) -> Rule:
    return Rule.from_table(np.random.default_rng(seed).integers(0, 2, 512))


FAMILIES = ("outer-totalistic", "isotropic", "hexagonal", "von-neumann", "map")


def random_rule(family: str, seed: int) -> Rule:
    """A random rule of a family: classes of neighbourhoods with one fate, drawn by lot."""
    random = np.random.default_rng(seed)
    bits = np.arange(512)[:, None] >> np.arange(8, -1, -1) & 1
    centre = 9 * bits[:, 4]
    if family == "map":
        classes = np.arange(512)
    elif family == "isotropic":
        grids = bits.reshape(512, 3, 3)
        turned = [np.rot90(each, k, (1, 2)) for each in (grids, grids[:, ::-1]) for k in range(4)]
        weights = 1 << np.arange(8, -1, -1)
        classes = np.min([each.reshape(512, 9) @ weights for each in turned], axis=0)
    else:
        around = {
            "outer-totalistic": (0, 1, 2, 3, 5, 6, 7, 8),
            "hexagonal": (0, 1, 3, 5, 7, 8),
            "von-neumann": (1, 3, 5, 7),
        }[family]
        classes = centre + bits[:, around].sum(axis=1)
    return Rule.from_table(random.integers(0, 2, 512)[classes])


def one_row(cells: Sequence[int], successor: int, place: Sequence[int] = (0, 0, 0)) -> Transitions:
    """A table of a single transition."""
    return Transitions(
        np.array([cells], np.int32), np.array([successor], np.int32), np.array([place], np.int32)
    )


def encode(encoding: Encoding, transitions: Transitions, rule: Rule, variables: int) -> Formula:
    builder = FormulaBuilder(variables=variables)
    encoding.encode(transitions, rule, builder)
    return builder.build()


def propagated(encoding: Encoding, rule: Rule) -> list[int]:
    """What unit propagation makes of all 512 neighbourhoods, -1 where it does not decide.

    All cases are propagated at once: an array of values for each variable, 0 while unknown.
    """
    formula = encode(encoding, one_row(range(1, 10), 10), rule, variables=10)
    values = np.zeros((formula.variables + 1, 512), np.int8)
    values[1:10] = 2 * (np.arange(512) >> np.arange(8, -1, -1)[:, None] & 1) - 1
    clauses = [np.array(clause) for clause in formula]
    known = -1
    while known != (known := np.count_nonzero(values)):
        for clause in clauses:
            seen = values[np.abs(clause)] * np.sign(clause)[:, None]
            unit = ((seen == 0).sum(axis=0) == 1) & (seen < 1).all(axis=0)
            assert not (seen == -1).all(axis=0).any()
            which = np.argmax(seen == 0, axis=0)
            cases = np.flatnonzero(unit)
            values[np.abs(clause[which[cases]]), cases] = np.sign(clause[which[cases]])
    return [{1: 1, -1: 0, 0: -1}[value] for value in values[10].tolist()]


def open_solver(formula: Formula) -> Solver:
    return Solver(name="minisat22", bootstrap_with=[list(clause) for clause in formula])


def models(formula: Formula, over: Iterable[int]) -> set[tuple[int, ...]]:
    """All solutions of a small formula, projected on some of its variables."""
    wanted = list(over)
    found = set()
    with open_solver(formula) as solver:
        while solver.solve():
            model = set(solver.get_model())
            seen = tuple(v if v in model else -v for v in wanted)
            if seen in found:
                raise AssertionError("a solution twice")
            found.add(seen)
            if not wanted:
                break
            solver.add_clause([-literal for literal in seen])
    return found


def evaluate(literals: IntArray, values: Sequence[int]) -> list[int]:
    """The values of literals, when variable v has the value values[v - 1]."""

    def value(literal: int) -> int:
        if abs(literal) == TRUE:
            return int(literal > 0)
        return values[abs(literal) - 1] ^ int(literal < 0)

    return [value(int(literal)) for literal in literals]


def true_models(transitions: Transitions, rule: Rule, variables: int) -> set[tuple[int, ...]]:
    """What the transitions allow, by trying everything."""

    def keeps(values: tuple[int, ...]) -> bool:
        return all(
            rule.table[int("".join(map(str, evaluate(cells, values))), 2)]
            == evaluate(successor, values)[0]
            for cells, successor in zip(
                transitions.cells, transitions.successors[:, None], strict=True
            )
        )

    return {
        tuple(v if value else -v for v, value in enumerate(values, 1))
        for values in product((0, 1), repeat=variables)
        if keeps(values)
    }
