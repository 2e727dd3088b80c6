"""Rules: notations, names, tables, symmetries, and the reasons for refusing."""

import pickle
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satlife.life.rules
from satlife.errors import RuleError, UsageError
from satlife.life import RULE_FAMILIES, TRANSFORMS, Rule, RuleFamily, Transform, find_rule_family
from satlife.life.neighbourhood import BITS, find_table_symmetries, permute_states
from satlife.life.rules import RULE_NAMES

LIFE_AS_MAP = (
    "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA"
)
neighbour_counts = st.frozensets(st.integers(0, 8))


@pytest.mark.parametrize(
    "text",
    ["B3/S23", "b3/s23", "b3s23", "B3S23", "B3/S32", "S23/B3", "23/3", "32/3", " B3 / S23 ", "Life",
     "life", "Conway's Game of Life"],
)  # fmt: skip
def test_notations_of_life(text):
    rule = Rule(text)
    assert rule == Rule("B3/S23")
    assert hash(rule) == hash(Rule("B3/S23"))
    assert (str(rule), repr(rule)) == ("B3/S23", "Rule('B3/S23')")
    assert (rule.births, rule.survivals, rule.states) == ({3}, {2, 3}, 2)
    assert rule.name == "Life"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("/2", "B2/S"), ("B2S", "B2/S"), ("/", "B/S"), ("bs", "B/S"), ("B36/S125", "B36/S125"),
     ("HighLife", "B36/S23"), ("Seeds", "B2/S"), ("Day & Night", "B3678/S34678"),
     ("day and night", "B3678/S34678"), ("34 Life", "B34/S34"), ("2x2", "B36/S125"),
     ("/3", "B3/S"), ("3/", "B/S3")],
)  # fmt: skip
def test_canonical_spelling(text, canonical):
    assert str(Rule(text)) == canonical


def test_every_name_is_a_rule_and_finds_its_way_back():
    for name, notation in RULE_NAMES.items():
        assert str(Rule(name)) == notation
        assert Rule(notation).name == name
    assert Rule("B3/S2").name is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("B33/S23", "the digit 3 twice in 33"),
        ("232/3", "the digit 2 twice in 232"),
        ("B9/S23", "the rule B9/S23 counts to 9, but a cell has 8 neighbours"),
        ("LifeHistory", "with tables of their own are not supported yet; write for example B3/S23"),
        ("B3/S23:T20,20", "a bounded grid is not part of a rule; write 'B3/S23'"),
        ("R5,C0,M1,S34..58,B34..45,NM", "larger range are not supported"),
        ("", "'' is not a rule; write for example B3/S23"),
        ("B3", "'B3' is not a rule"),
        ("3", "'3' is not a rule"),
        ("B3x/S23", "'B3x/S23' is not a rule"),
        ("highlive", "did you mean HighLife"),
    ],
)
def test_refused_with_a_reason(text, reason):
    with pytest.raises(RuleError, match=reason):
        Rule(text)


def test_not_even_a_text():
    with pytest.raises(RuleError, match="a rule is a text such as 'B3/S23', got 3"):
        Rule(3)


@settings(deadline=None)
@given(st.text(max_size=20) | st.text("bsBS/0123456789cekHV:-MAP_ ", max_size=12))
def test_any_text_is_a_rule_or_a_rule_error(text):
    try:
        rule = Rule(text)
    except RuleError:
        return
    assert Rule(str(rule)) == rule
    assert str(Rule(str(rule))) == str(rule)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1))
def test_any_table_is_a_rule_that_reads_back(seed):
    table = np.random.default_rng(seed).integers(0, 2, 512)
    rule = Rule.from_table(table)
    assert np.array_equal(rule.table, table)
    assert Rule(str(rule)) == rule
    assert rule.family == "map"
    assert rule.births is rule.survivals is rule.count_table is None


@pytest.mark.parametrize("table", [[], [0] * 511, np.zeros((2, 256)), [2] * 512, ["0"] * 512])
def test_what_is_not_a_table(table):
    with pytest.raises(RuleError, match="a rule's table has 512 entries, each of them 0 or 1"):
        Rule.from_table(table)


def test_life_written_as_map_is_life():
    life = Rule(LIFE_AS_MAP)
    assert life == Rule("B3/S23")
    assert (str(life), life.name, life.family) == ("B3/S23", "Life", "outer-totalistic")
    assert (life.births, life.survivals) == ({3}, {2, 3})
    assert life.symmetries == TRANSFORMS


@settings(deadline=None)
@given(neighbour_counts, neighbour_counts)
def test_table_counts_neighbours_in_the_order_of_map(births, survivals):
    text = f"B{''.join(map(str, births))}/S{''.join(map(str, survivals))}"
    rule = Rule(text)
    assert (rule.births, rule.survivals) == (births, survivals)
    assert rule.is_outer_totalistic
    for index in range(512):
        nw, n, ne, w, c, e, sw, s, se = (index >> bit & 1 for bit in range(8, -1, -1))
        count = nw + n + ne + w + e + sw + s + se
        assert rule.table[index] == (count in (survivals if c else births))
    assert rule.symmetries == TRANSFORMS


def test_equal_exactly_when_the_tables_are():
    rules = [Rule(f"B{b}/S{s}") for b, s in product(["", "3", "36"], ["", "23"])]
    assert len(set(rules)) == 6
    assert Rule("B3/S23") != "B3/S23"


def test_table_is_read_only_for_good():
    table = Rule("B3/S23").table
    assert (table.dtype, table.shape) == (np.uint8, (512,))
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        table.setflags(write=True)


def test_a_rule_is_frozen_and_can_be_pickled():
    rule = Rule("B36/S23")
    with pytest.raises(AttributeError):
        rule.notation = "B3/S23"
    copy = pickle.loads(pickle.dumps(rule))
    assert copy == rule
    assert not copy.table.flags.writeable


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sets(st.sampled_from(TRANSFORMS), max_size=2))
def test_symmetries_of_any_table_are_a_subgroup(seed, generators):
    table = np.random.default_rng(seed).integers(0, 2, 512, dtype=np.uint8)
    # Make it symmetric: an orbit takes the greatest of its entries, until nothing changes.
    while True:
        larger = table
        for g in generators:
            larger = np.maximum(larger, larger[permute_states(g)])
        if np.array_equal(larger, table):
            break
        table = larger
    found = find_table_symmetries(table)
    assert generators | {Transform("identity")} <= set(found)
    assert {g * h for g in found for h in found} == set(found)


def test_symmetries_of_a_table_that_sees_only_the_west():
    table = np.array([index & BITS[-1, 0] != 0 for index in range(512)], dtype=np.uint8)
    assert find_table_symmetries(table) == (
        Transform("identity"),
        Transform("flip-top-bottom"),
    )


def test_every_file_of_the_folder_is_in_the_tuple():
    folder = Path(satlife.life.rules.__file__).parent
    files = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    assert files == {family.name.replace("-", "_") for family in RULE_FAMILIES}
    for family in RULE_FAMILIES:
        assert isinstance(family, RuleFamily)
        assert find_rule_family(family.name) is family
        assert str(Rule(family.example)) == family.example


def test_family_that_is_none():
    with pytest.raises(UsageError, match="no family of rules 'magic'; one of outer-totalistic"):
        find_rule_family("magic")
