"""The notations of each family, against tables from Golly and lifelib, and their mistakes."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.errors import RuleError
from satlife.life import TRANSFORMS, Rule, Transform
from satlife.life.neighbourhood import BITS, permute_states
from satlife.life.rules import read_rule, write_rule
from satlife.life.rules.isotropic import SORTS

DATA = json.loads(
    (Path(__file__).parents[1] / "data" / "life" / "hensel.json").read_text(encoding="utf-8")
)
GOLDEN = [*DATA["rules"], *DATA["rules_b0"]]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["rule"])
def test_tables_and_spellings_of_golly_and_lifelib(golden):
    definition = read_rule(golden["rule"])
    table = np.unpackbits(np.frombuffer(bytes.fromhex(golden["hex"]), np.uint8))
    assert np.array_equal(definition.table, table)
    assert np.array_equal(read_rule(golden["map"]).table, table)
    _, notation = write_rule(definition)
    assert notation == (golden["golly_canonical"] or notation)
    assert notation.lower().replace("/", "") == golden["lifelib_canonical"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        # Golly's help gives these.
        ("B2cekin/S12", "B2-a/S12"),
        ("B2nic/S", "B2cin/S"),
        ("B2ceikn/S", "B2-a/S"),
        ("B4-qjrtwz/S", "B4aceikny/S"),
        ("B2aceikn3/S", "B23/S"),
        ("B2-aceikn3/S", "B3/S"),
        ("B3/2a34", "B3/S2a34"),
        ("B2-a_S12", "B2-a/S12"),
        ("b2-as12", "B2-a/S12"),
        ("S12/B2-a", "B2-a/S12"),
        ("12/2-a", "B2-a/S12"),
        ("2-i34q/3", "B3/S2-i34q"),
        ("tlife", "B3/S2-i34q"),
        ("b2s34h", "B2/S34H"),
        ("34/2H", "B2/S34H"),
        ("B/SH", "B/S"),
        ("B123456/S0123456H", "B123456/S0123456H"),
        ("B2/S013v", "B2/S013V"),
        ("013/2V", "B2/S013V"),
        ("mapAP//AA==", "MAPAP//AA"),
        ("MAP AP//AA", "MAPAP//AA"),
    ],
)
def test_canonical_spelling(text, canonical):
    assert str(Rule(text)) == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("B2a2c/S", "the rule B2a2c/S has the digit 2 twice in 2a2c"),
        ("B2aa/S", "has a twice in 2aa"),
        ("B2-/S12", "has a minus without letters after it"),
        ("B1a/S", "1a is not a neighbourhood of 1 cells; there are c, e"),
        ("B5z/S", "5z is not a neighbourhood of 5 cells; there are a, c, e, i, j, k, n, q, r, y"),
        ("B3/S8c", "8c is not a neighbourhood of 8 cells; none has letters"),
        ("B9c/S", "counts to 9, but a cell has 8 neighbours"),
        ("B7/S34H", "the rule B7/S34H counts to 7, but a cell has 6 neighbours"),
        ("B2/S05V", "the rule B2/S05V counts to 5, but a cell has 4 neighbours"),
        ("B22/S3H", "has the digit 2 twice in 22"),
        ("B2a/S3H", "'B2a/S3H' is not a rule"),
        ("MAPABC", "a MAP rule has 6, 22 or 86 base64 characters, got 3"),
        ("MAPAP_/AA", "'_' is not a base64 character"),
    ],
)
def test_refused_with_a_reason(text, reason):
    with pytest.raises(RuleError, match=reason):
        Rule(text)


def test_all_102_sorts_of_neighbourhoods():
    assert [len(sorts) for sorts in SORTS] == [1, 2, 6, 10, 13, 10, 6, 2, 1]
    for count, sorts in enumerate(SORTS):
        assert all(cells.bit_count() == count for cells in sorts.values())
    single = [
        Rule(f"B{count}{letter}/S").table
        for count, sorts in enumerate(SORTS)
        for letter in sorts
        if count
    ]
    assert (np.sum(single, axis=0) == Rule("B12345678/S").table).all()


@settings(deadline=None, max_examples=50)
@given(st.lists(st.booleans(), min_size=512, max_size=512))
def test_any_isotropic_rule_reads_back_and_has_all_symmetries(entries):
    kinds = np.min([permute_states(g) for g in TRANSFORMS], axis=0)
    rule = Rule.from_table(np.array([False, *entries[1:]])[kinds])
    assert Rule(str(rule)) == rule
    assert rule.symmetries == TRANSFORMS
    assert rule.family != "map"


def test_hexagonal_rules_have_four_of_the_eight_symmetries():
    names = ("identity", "half-turn", "flip-diagonal", "flip-antidiagonal")
    assert Rule("B2/S34H").symmetries == tuple(map(Transform, names))


@pytest.mark.parametrize(
    ("notation", "unseen"), [("B2/S34H", [(1, -1), (-1, 1)]), ("B2/S013V", [(1, 1), (1, -1)])]
)
def test_what_a_neighbourhood_does_not_see(notation, unseen):
    table = Rule(notation).table
    for offset in unseen:
        assert np.array_equal(table[np.arange(512) ^ BITS[offset]], table)


def test_shorter_maps():
    assert Rule("MAPIkAIAA").family == "map"
    table = np.arange(512) & (BITS[1, 1] | BITS[0, -1]) == BITS[0, -1]
    assert len(str(Rule.from_table(table))) == 3 + 86
    # S, SE, W, C, E, NW, N in Golly's QuickLife: alive if the north is, and not the south-east.
    entries = np.packbits([cells & 0b0100001 == 1 for cells in range(128)])
    code = base64.b64encode(entries.tobytes()).decode().rstrip("=")
    assert Rule(f"MAP{code}") == Rule(f"MAP{code}==") == Rule.from_table(table)


def test_generations_of_the_shorter_map_go_from_the_top():
    # NW, N, W, C, E, S, SE in Golly's Generations.
    table = np.arange(512) & (BITS[-1, -1] | BITS[1, 1]) == BITS[1, 1]
    entries = np.packbits([cells & 0b1000001 == 1 for cells in range(128)])
    code = base64.b64encode(entries.tobytes()).decode().rstrip("=")
    assert Rule(f"MAP{code}/4") == Rule.from_table(table, 4)
