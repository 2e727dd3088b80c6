"""Every encoding passes one kit: all neighbourhoods, any folding, the right number of solutions."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.errors import UsageError
from satlife.formula import encodings
from satlife.formula.encodings import ENCODINGS, Encoding, find_encoding
from satlife.formula.encodings.direct import direct_template
from satlife.formula.encodings.triples import find_structure
from satlife.formula.transitions import Transitions, distinct
from satlife.life.rule import LIFE, Rule
from satlife.sat.logic import FALSE, TRUE, define
from tests.search import kit

every_encoding = pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda e: e.name)
every_rule = pytest.mark.parametrize("notation", kit.RULES)
NINE = list(range(1, 10))


def check_all_neighbourhoods(encoding: Encoding, rule: Rule, place: tuple[int, int, int]) -> None:
    formula = kit.encode(encoding, kit.one_row(NINE, 10, place), rule, variables=10)
    with kit.open_solver(formula) as solver:
        for index, bits in enumerate(product((0, 1), repeat=9)):
            cells = [v if bit else -v for v, bit in zip(NINE, bits, strict=True)]
            successor = 10 if rule.table[index] else -10
            consistent, implied = solver.propagate(cells)
            assert consistent
            assert successor in implied, bits
            assert solver.solve([*cells, successor])
            assert not solver.propagate([*cells, -successor])[0]


@every_encoding
@every_rule
def test_all_neighbourhoods_by_unit_propagation(encoding: Encoding, notation: str) -> None:
    check_all_neighbourhoods(encoding, Rule(notation), (0, 0, 0))


@every_encoding
@pytest.mark.parametrize("place", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, -1, 0)])
def test_all_neighbourhoods_at_every_parity(
    encoding: Encoding, place: tuple[int, int, int]
) -> None:
    check_all_neighbourhoods(encoding, LIFE, place)


@pytest.mark.parametrize("seed", range(3))
def test_two_encodings_take_any_table_and_others_say_no(seed: int) -> None:
    rule = kit.any_table(seed)
    assert [e.name for e in ENCODINGS if e.supports(rule)] == ["triples", "direct"]
    with pytest.raises(UsageError, match="triples"):
        kit.encode(find_encoding("columns"), kit.one_row(NINE, 10), rule, variables=10)


VARIABLES = 5
folded_literals = st.sampled_from([TRUE, FALSE, *range(1, 6), *range(-5, 0)])
folded_rows = st.lists(
    st.tuples(*[folded_literals] * 10, st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=3
)


@every_encoding
@settings(max_examples=150)
@given(rows=folded_rows, notation=st.sampled_from(kit.RULES))
def test_folded_rows_have_the_solutions_of_brute_force(
    encoding: Encoding, rows: list[tuple[int, ...]], notation: str
) -> None:
    rule = Rule(notation)
    table = np.array(rows)
    places = np.column_stack([table[:, 10:], np.zeros(len(table), int)])
    transitions = Transitions(table[:, :9], table[:, 9], places)
    formula = kit.encode(encoding, transitions, rule, VARIABLES)
    found = kit.models(formula, range(1, VARIABLES + 1))
    assert found == kit.true_models(transitions, rule, VARIABLES)
    smaller = kit.encode(encoding, distinct(transitions, rule), rule, VARIABLES)
    assert kit.models(smaller, range(1, VARIABLES + 1)) == found


@pytest.mark.parametrize("family", kit.FAMILIES)
@pytest.mark.parametrize(("name", "count"), [("triples", 15), ("direct", 10)])
def test_all_neighbourhoods_of_random_tables_of_each_family(
    name: str, count: int, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whether a cover is the cheapest does not matter here, only that it is one.
    monkeypatch.setattr("satlife.sat.logic.cover._solve", lambda *_: None)
    monkeypatch.setattr("satlife.sat.logic.cover.ROUNDS", 0)
    for seed in range(count):
        rule = kit.random_rule(family, seed)
        assert kit.propagated(find_encoding(name), rule) == rule.table.tolist()
    find_structure.cache_clear()
    direct_template.cache_clear()


@pytest.mark.parametrize("name", ["triples", "direct"])
@given(rows=folded_rows, seed=st.integers(0, 1), family=st.sampled_from(kit.FAMILIES))
@settings(max_examples=25)
def test_folded_rows_of_any_table(
    name: str, rows: list[tuple[int, ...]], seed: int, family: str
) -> None:
    rule = kit.random_rule(family, seed)
    table = np.array(rows)
    transitions = Transitions(table[:, :9], table[:, 9], np.zeros((len(table), 3)))
    formula = kit.encode(find_encoding(name), transitions, rule, VARIABLES)
    expected = kit.true_models(transitions, rule, VARIABLES)
    assert kit.models(formula, range(1, VARIABLES + 1)) == expected


@every_encoding
@every_rule
def test_one_step_of_a_box_has_as_many_solutions_as_the_box_has_states(
    encoding: Encoding, notation: str
) -> None:
    transitions, variables = kit.plain_box(3, 3, 1, ring=False)
    formula = kit.encode(encoding, transitions, Rule(notation), variables)
    assert len(kit.models(formula, range(1, variables + 1))) == 512


@every_encoding
@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 2), (2, 4)], ids=str)
def test_a_step_of_a_small_torus_has_the_solutions_of_brute_force(
    encoding: Encoding, size: tuple[int, int]
) -> None:
    transitions, variables = kit.torus(*size)
    formula = kit.encode(encoding, transitions, LIFE, variables)
    found = kit.models(formula, range(1, variables + 1))
    assert found == kit.true_models(transitions, LIFE, variables)
    assert len(found) == 2 ** (variables // 2)


@every_encoding
def test_still_lifes_of_a_box_in_a_ring(encoding: Encoding) -> None:
    transitions, variables = kit.plain_box(4, 4, 1)
    cells = variables // 2
    still = Transitions(
        transitions.cells,
        np.where(transitions.successors > 0, transitions.successors - cells, FALSE),
        transitions.places,
    )
    formula = kit.encode(encoding, still, LIFE, cells)
    assert len(kit.models(formula, range(1, cells + 1))) == count_still_lifes(4)


def count_still_lifes(side: int) -> int:
    states = np.arange(2 ** (side * side))[:, None, None]
    bits = np.arange(side * side).reshape(side, side)
    grid = np.pad((states >> bits & 1).astype(np.int8), ((0, 0), (2, 2), (2, 2)))
    size = side + 2
    around = sum(
        grid[:, dy : dy + size, dx : dx + size]
        for dy, dx in product(range(3), repeat=2)
        if (dy, dx) != (1, 1)
    )
    centre = grid[:, 1:-1, 1:-1]
    after = (around == 3) | ((around == 2) & (centre == 1))
    return int((after == centre).all(axis=(1, 2)).sum())


@every_encoding
def test_a_contradiction_is_the_empty_clause(encoding: Encoding) -> None:
    dead = kit.one_row([FALSE] * 9, TRUE)
    assert list(kit.encode(encoding, dead, LIFE, 0)) == [()]


@every_encoding
def test_what_holds_anyway_needs_no_clause(encoding: Encoding) -> None:
    block = kit.one_row([TRUE, TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE], TRUE)
    formula = kit.encode(encoding, block, LIFE, 0)
    assert (formula.clauses, formula.variables) == (0, 0)


@every_encoding
def test_no_transitions_need_nothing(encoding: Encoding) -> None:
    nothing = Transitions(np.zeros((0, 9)), np.zeros(0), np.zeros((0, 3)))
    formula = kit.encode(encoding, nothing, LIFE, 7)
    assert (formula.clauses, formula.variables) == (0, 7)


@every_encoding
def test_a_longer_table_only_adds_clauses(encoding: Encoding) -> None:
    # New variables are numbered by the first row that needs them, so a beginning keeps its numbers.
    transitions, variables = kit.plain_box(6, 5, 2)
    whole = set(kit.encode(encoding, transitions, LIFE, variables))
    for count in (1, 20, 70):
        beginning = transitions.take(np.arange(count))
        assert set(kit.encode(encoding, beginning, LIFE, variables)) <= whole


@every_encoding
def test_no_clause_repeats_a_literal_or_contradicts_itself(encoding: Encoding) -> None:
    transitions, variables = kit.plain_box(4, 3, 1)
    for clause in kit.encode(encoding, transitions, Rule("B36/S23"), variables):
        assert len({abs(literal) for literal in clause}) == len(clause)


# Per transition of a torus, on which sharing is the same everywhere: as the docstrings say.
@pytest.mark.parametrize(
    ("name", "notation", "variables", "clauses"),
    [
        ("direct", "B3/S23", 0, 190),
        ("direct", "B1357/S02468", 0, 512),
        ("columns", "B3/S23", 3, 54),
        ("triples", "B3/S23", 5, 42),
        ("triples", "B2-a/S12", 5, 42),
        ("triples", "B3/S2-i34q", 5, 53),
        ("knuth", "B3/S23", 13, 62),
        ("adder", "B3/S23", 11, 65),
    ],
)
def test_documented_counts(name: str, notation: str, variables: int, clauses: int) -> None:
    transitions, cells = kit.torus(16, 16, 2)  # not small
    formula = kit.encode(find_encoding(name), transitions, Rule(notation), cells)
    rows = len(transitions)
    assert (formula.variables - cells, formula.clauses) == (variables * rows, clauses * rows)
    assert {block.origin for block in formula.blocks} == {"transition"}


def test_folder_and_tuple_agree() -> None:
    folder = Path(str(encodings.__file__)).parent
    files = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    assert files == {encoding.name for encoding in ENCODINGS}
    for encoding in ENCODINGS:
        assert find_encoding(encoding.name.upper()) is encoding


def test_an_unknown_encoding_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match=r"no encoding 'collumns'.*columns, triples, knuth, direct, adder"
    ):
        find_encoding("collumns")


@pytest.mark.parametrize(
    ("notation", "clauses"), [("B3/S23", 190), ("B1357/S1357", 256), ("B1357/S02468", 512)]
)
def test_known_covers(notation: str, clauses: int) -> None:
    assert len(define(Rule(notation).table.reshape((2,) * 9))) == clauses


def test_lengths_of_the_cover_of_life() -> None:
    lengths = np.count_nonzero(define(LIFE.table.reshape((2,) * 9)), axis=1)
    # Four alive; seven dead; six and the centre dead, or two alive, five dead and a live centre;
    # three alive and five dead: each with the successor.
    assert np.bincount(lengths).tolist() == [0, 0, 0, 0, 0, 70, 0, 0, 8 + 28, 28 + 56]
