"""What encoder, verifier and audit share, against oracles of its own.

It is the rule's table, the eight transforms, and the problem with its reader; the oracle is
tests/reference, which imports nothing of satlife.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from satlife import Problem
from satlife.audit.formula import SYMMETRIES as AUDITED
from satlife.audit.formula import TURNS
from satlife.errors import UsageError
from satlife.life import Rule
from satlife.life.neighbourhood import OFFSETS
from satlife.life.symmetry import SYMMETRIES, Symmetry
from satlife.life.transforms import TRANSFORMS
from satlife.verifier.generations import static_turns
from tests.fuzz.drawing import draw_raw, write
from tests.reference.asked import Asked
from tests.reference.symmetries import GROUPS, MAPS

CHANCE = random.Random(3)
RULES = [
    "B3/S23",
    *(
        f"B{''.join(d for d in '12345678' if CHANCE.random() < 0.4)}"
        f"/S{''.join(d for d in '012345678' if CHANCE.random() < 0.4)}"
        for _ in range(40)
    ),
]


@pytest.mark.parametrize("rule", RULES)
def test_the_table_of_a_rule_is_a_count_of_neighbours(rule: str) -> None:
    births, survivals = (set(map(int, part[1:])) for part in rule.split("/"))
    table = Rule(rule).table
    for index in range(512):
        alive = {offset for k, offset in enumerate(OFFSETS) if index >> (8 - k) & 1}
        count = len(alive - {(0, 0)})
        assert table[index] == (count in (survivals if (0, 0) in alive else births))


def test_the_nine_cells_are_in_reading_order_with_y_downward() -> None:
    assert tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)) == OFFSETS


def test_the_eight_transforms_are_those_of_the_reference() -> None:
    assert {g.name for g in TRANSFORMS} == set(MAPS) == set(TURNS)
    for g in TRANSFORMS:
        for x, y in ((1, 0), (0, 1), (3, -2)):
            assert g.apply_to_point(x, y) == MAPS[g.name](x, y) == TURNS[g.name](x, y)


@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=str)
def test_all_four_tables_of_symmetries_agree(symmetry: Symmetry) -> None:
    """The encoder's groups, the verifier's names, the audit's, and the reference's."""
    older = {"D2_+": "D2|", "D2_x": "D2\\", "D4_+": "D4+", "D4_x": "D4x"}
    for name, group in (
        (symmetry.static, symmetry.group),
        (symmetry.temporal, symmetry.full_group),
    ):
        plain = name.rstrip("124") if "_" in name else name
        turns = GROUPS[older.get(plain, plain.rstrip("_"))]
        assert {g.name for g in group} == turns == set(AUDITED[name])
        assert {"identity", *static_turns(name)} == turns


def test_problems_are_read_as_the_reference_reads_them() -> None:
    chance = random.Random(11)
    for number in range(300):
        try:
            problem = Problem.from_json(write(draw_raw(chance, ("planted", "wild")[number % 2])))
        except UsageError:
            continue  # its parts do not fit
        asked = Asked(problem.to_json())
        assert asked.generations == problem.generations
        assert asked.steps == problem.steps
        assert [(b.x, b.y, b.width, b.height) for b in asked.boxes] == [
            (b.x, b.y, b.width, b.height) for b in problem.all_boxes
        ]
        space = problem.parsed.space
        least = problem.parsed.rule if space is None else space.least
        assert asked.rules.states == least.states
        assert len(asked.rules.tables) == (1 if space is None else space.size)
        assert np.array_equal(asked.rules.tables[0], least.table)
        assert (asked.boundary, (asked.down, asked.right)) == (problem.boundary, problem.wrap)
        known = {
            ((x, y), each.t): ".oBCDEFGHIJKLMNOPQRSTUVWXYZ".index(state)
            for each in problem.known
            for y, row in enumerate(each.rows, each.y)
            for x, state in enumerate(row, each.x)
            if state != "?"
        }
        assert asked.known == known
        assert asked.exempt == {((x, y), t) for x, y, t in problem.exempt}
