"""Generations and B0: patterns with dying cells, and on backgrounds that are alive or flash."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.errors import FormatError, RuleError, UsageError
from satlife.life import (
    FORMATS,
    UNKNOWN,
    Box,
    PartialPattern,
    Pattern,
    Rule,
    Transform,
    draw_text,
    from_apgcode,
    identify,
    read_pattern,
)
from satlife.life.identity import find_recurrence, spacetime_symmetries
from satlife.life.identity.parts import parts

DATA = Path(__file__).parents[1] / "data" / "life" / "apgcodes.json"
OBJECTS = json.loads(DATA.read_text(encoding="utf-8"))["objects"]
STROBING = "B03/S23"
SHIP = "x = 2, y = 2, rule = /2/3\nBA$BA!"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("345/2/4", "345/2/4"), ("B2/S345/4", "345/2/4"), ("b2s345/C4", "345/2/4"),
     ("B2/S345/G4", "345/2/4"), ("4/B2/S345", "345/2/4"), ("g4b2s345", "345/2/4"),
     ("Star Wars", "345/2/4"), ("B2/S/3", "/2/3"), ("/2/3", "/2/3"), ("Brian's Brain", "/2/3"),
     ("23/3/2", "B3/S23"), ("23/3/4", "23/3/4"), ("34/2/5H", "34/2/5H"), ("B2/S34H/5", "34/2/5H"),
     ("g5b2s34h", "34/2/5H"), ("013/2/3V", "013/2/3V"), ("12/2-a/3", "12/2-a/3"),
     ("MAPAP//AA/3", "MAPAP//AA/3"), ("MAPAP//AA==/3", "MAPAP//AA/3")],
)  # fmt: skip
def test_notations_of_generations(text, canonical):
    rule = Rule(text)
    assert str(rule) == canonical
    assert Rule(canonical) == Rule(rule.slug) == pickle.loads(pickle.dumps(rule)) == rule


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("345/2/1", "has 1 states; there may be 2 to 254"),
        ("345/2/255", "has 255 states; there may be 2 to 254"),
        ("345/22/4", "the digit 2 twice in 22"),
        ("345/9/4", "counts to 9, but a cell has 8 neighbours"),
        ("345/02/4", "the rule 345/02/4 has B0 and 4 states; as in Golly, a rule with B0 has two"),
        ("MAPgAAAAA/3", "has B0 and 3 states"),
    ],
)
def test_refused_with_a_reason(text, reason):
    with pytest.raises(RuleError, match=reason):
        Rule(text)


def test_a_rule_is_its_table_and_its_states():
    rules = [Rule.from_table(Rule("B2/S").table, states) for states in (2, 3, 4)]
    assert list(map(str, rules)) == ["B2/S", "/2/3", "/2/4"]
    assert len({*rules, Rule("/2/3")}) == 3
    with pytest.raises(RuleError, match="a rule has 2 to 254 states, got 1"):
        Rule.from_table(Rule("B2/S").table, 1)


def test_cells_die_state_by_state():
    dot = Pattern([[1]], rule="/2/5")
    assert [dot[t].cells.tolist() for t in range(5)] == [[[1]], [[2]], [[3]], [[4]], []]
    assert [dot[t].population for t in range(3)] == [1, 0, 0]
    assert not dot[1].is_empty
    assert (0, 0) in dot
    assert (0, 0) not in dot[1]
    assert dot[1].coordinates.tolist() == []


def test_a_dying_cell_is_not_counted_and_not_born():
    # Two neighbours, where there is nobody: born. Where the centre is dying: not.
    assert (1, 1) in Pattern([[1, 0, 1], [0, 0, 0]], rule="/2/3")[1]
    assert (1, 1) not in Pattern([[1, 0, 1], [0, 2, 0]], rule="/2/4")[1]
    assert (1, 1) not in Pattern([[1, 0, 2], [0, 0, 0]], rule="/2/3")[1]


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["/2/3", "345/2/4", "3/2-a/30", "34/2/5H"]))
def test_formats_keep_the_states_or_refuse(seed, rule):
    cells = np.random.default_rng(seed).integers(0, Rule(rule).states, (5, 7))
    pattern = Pattern(cells, -3, 4, rule)
    assert Pattern.from_rle(pattern.to_rle()) == pattern
    assert str(pattern).count("\n") == pattern.box.height - 1
    assert pattern == pickle.loads(pickle.dumps(pattern))
    for format_ in FORMATS:
        if not format_.keeps_states and (pattern.cells > 1).any():
            with pytest.raises(UsageError, match="holds cells that are dead or alive only; use"):
                pattern.to_text(format_)


def test_rle_of_many_states():
    pattern = Pattern([[0, 1, 2], [3, 25, 30]], rule="3/2/31")
    assert pattern.to_rle() == "x = 3, y = 2, rule = 3/2/31\n.AB$CpApF!"
    assert str(pattern) == ".AB\nCpApF"
    assert repr(Pattern.from_rle(SHIP)) == "Pattern.from_rle('x = 2, y = 2, rule = /2/3\\nBA$BA!')"
    # Golly reads b and o in any rule.
    assert Pattern.from_rle("x = 2, y = 2, rule = /2/3\nBo$BA!") == Pattern.from_rle(SHIP)
    with pytest.raises(FormatError, match="C is state 3, but the rule /2/3 has 3 states"):
        Pattern.from_rle("x = 1, y = 1, rule = /2/3\nC!")


def test_partial_patterns_of_many_states():
    partial = PartialPattern([[2, UNKNOWN], [1, 0]], rule="/2/3")
    assert PartialPattern.from_rle(partial.to_rle()) == partial
    assert read_pattern(partial.to_rle()) == partial
    with pytest.raises(UsageError, match="a cell's state is one of 0, 1, 2, 255, got 3"):
        PartialPattern([[3]], rule="/2/3")


def test_states_that_a_rule_does_not_have():
    with pytest.raises(UsageError, match="a cell's state is one of 0, 1, got 2"):
        Pattern([[2]])
    with pytest.raises(UsageError, match="a cell's state is one of 0, 1, got 2"):
        Pattern.from_rle(SHIP).with_rule("B3/S23")
    with pytest.raises(UsageError, match="a cell's state is one of 0 to 29, got 30"):
        Pattern([[30]], rule="/2/30")


def test_joining_patterns():
    one, other = Pattern([[1, 2]], rule="/2/3"), Pattern([[2, 1]], 2, 0, "/2/3")
    assert (one | other).cells.tolist() == [[1, 2, 2, 1]]
    with pytest.raises(UsageError, match=r"cannot join: \(0, 0\) is 1 in one, 2 in the other"):
        one | other.shift(-2, 0)


def test_drawings():
    assert draw_text(Pattern([[1, 2], [0, 3]], rule="/2/4")) == "██▓▓\n ·▒▒"


def test_brians_brain_ship_and_its_words():
    ship = Pattern.from_rle(SHIP)
    assert ship[1] == ship.shift(1, 0)
    assert str(identify(ship)) == "xq1_03_3: spaceship c, 2 cells, 2x2, D2_+2"
    assert ship.transformed(Transform("half-turn"))[1].shift(1, 0) == ship.transformed(
        Transform("half-turn")
    )


@pytest.mark.parametrize("known", OBJECTS, ids=lambda known: known["apgcode"])
def test_apgcodes_of_lifelib_in_hexagonal_rules_and_generations(known):
    rule = Rule(known["rule"])
    pattern = Pattern.from_rle(f"x = 1, y = 1, rule = {rule}\n{known['rle']}")
    identity = identify(pattern)
    assert identity.apgcode == known["apgcode"]
    assert (identity.period, list(identity.displacement)) == (
        known["period"],
        known["displacement"],
    )
    assert identify(from_apgcode(known["apgcode"], rule)).apgcode == known["apgcode"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [("xq1_3_3", "the layers do not fit 3 states"), ("xq1_0_0_1", "'_' has no meaning")],
)
def test_layers_that_do_not_fit(code, reason):
    with pytest.raises(FormatError, match=reason):
        from_apgcode(code, "/2/3")


@pytest.mark.parametrize("rule", ["/2/3", "345/2/4", "B03/S23", "AntiLife", "B024/S13H"])
def test_soups_that_do_not_recur_are_identified_too(rule):
    soup = Pattern(np.random.default_rng(2).random((12, 12)) < 0.4, rule=rule)
    identity = identify(soup, generations=60)
    assert identity.kind in ("dies", "settles", "unknown")
    assert str(identity).startswith("no apgcode: ")


def test_a_dying_dot():
    assert str(identify(Pattern([[1]], rule="/2/5"))) == "no apgcode: dies in generation 4"


# --- B0 -----------------------------------------------------------------------------------------


def test_backgrounds():
    assert [p.background for p in Rule("B3/S23").phases] == [0]
    assert [p.background for p in Rule("AntiLife").phases] == [1]
    assert [p.background for p in Rule(STROBING).phases] == [0, 1]
    assert [Rule(each).is_strobing for each in ("B3/S23", "AntiLife", STROBING)] == [0, 0, 1]
    for rule in map(Rule, ("B3/S23", "AntiLife", STROBING, "B0/S", "MAPgAAAAA", "B02/S34H")):
        assert all(phase.table[0] == 0 for phase in rule.phases)


def test_antilife_is_life_on_a_living_background():
    glider = Pattern.from_rle("bo$2bo$3o!")
    anti = glider.with_rule("AntiLife")
    for t in (1, 2, 3, 50):
        assert np.array_equal(anti[t].cells, glider[t].cells)
    assert identify(anti).name == "glider"


def step_torus(cells: np.ndarray, rule: Rule) -> np.ndarray:
    """Step the cells themselves, not their differences from any background, by the definition."""
    index = np.zeros(cells.shape, int)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            index = 2 * index + np.roll(cells, (-dy, -dx), (0, 1))
    return rule.table[index]


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.sampled_from([STROBING, "AntiLife", "B01e2-ak/S2n3", "B0/S8"]))
def test_patterns_are_differences_from_the_background(seed, notation):
    rule = Rule(notation)
    soup = Pattern(np.random.default_rng(seed).integers(0, 2, (6, 6)), rule=rule)
    frame = Box(-8, -8, 22, 22)  # nothing reaches its edge in six generations
    cells = soup.in_box(frame) ^ rule.phases[0].background
    for t in range(7):
        background = rule.phases[t % len(rule.phases)].background
        assert np.array_equal(cells, soup[t].in_box(frame) ^ background)
        cells = step_torus(cells, rule)


def test_the_phase_goes_with_the_generations():
    soup = Pattern([[1, 1, 0], [0, 1, 1]], rule=STROBING)
    assert [soup[t].phase for t in range(4)] == [0, 1, 0, 1]
    assert soup[3] == soup[1][2] == soup[2][1]
    for same in (
        soup[1].shift(2, 3).shift(-2, -3),
        soup[1].transformed(Transform("half-turn")).transformed(Transform("half-turn")),
        soup[1].crop(soup[1].box),
        soup[1] | soup[1],
        pickle.loads(pickle.dumps(soup[1])),
        Pattern.from_rle(soup[1].to_rle()),
        eval(repr(soup[1])),
    ):
        assert same == soup[1]
    assert Pattern(soup[1].cells, soup[1].x, soup[1].y, STROBING) != soup[1]
    assert soup[1].with_rule("B3/S23").phase == 0


def test_what_odd_generations_cannot_do():
    soup = Pattern([[1, 1, 1]], rule=STROBING)
    with pytest.raises(UsageError, match="cannot join patterns of even and of odd generations"):
        soup | soup[1]
    with pytest.raises(UsageError, match="plaintext cannot hold an odd generation of B03/S23; use"):
        soup[1].to_plaintext()
    with pytest.raises(UsageError, match="a phase of B3/S23 is 0, got 1"):
        Pattern([[1]], phase=1)
    with pytest.raises(UsageError, match="a phase of B03/S23 is 0 or 1, got 2"):
        Pattern([[1]], rule=STROBING, phase=2)
    with pytest.raises(FormatError, match="a partial pattern begins in an even generation"):
        PartialPattern.from_rle("#CXRLE Gen=3\nx = 1, y = 1, rule = B03/S23\n?!")


def test_the_generation_in_a_file_matters_to_strobing_rules_only():
    text = "#CXRLE Pos=2,3 Gen=7\nx = 1, y = 1, rule = {}\no!"
    assert Pattern.from_rle(text.format(STROBING)) == Pattern([[1]], 2, 3, STROBING, 1)
    assert Pattern.from_rle(text.format("B3/S23")) == Pattern([[1]], 2, 3)
    assert Pattern.from_rle(text.format(STROBING)).to_rle().startswith("#CXRLE Pos=2,3 Gen=1\n")


@pytest.mark.parametrize("cells", [[[1]], [[1, 1], [1, 1]], [[1, 1, 1]], [[0, 1], [1, 1]]])
def test_recurrence_in_a_strobing_rule_takes_an_even_number_of_generations(cells):
    pattern = Pattern(cells, rule="B0123567/S3")
    recurrence = find_recurrence(pattern, generations=200)
    if recurrence is not None:
        assert recurrence.period % 2 == 0
        assert pattern[recurrence.period] == pattern.shift(*recurrence.displacement)
        assert all(each.phase % 2 == 0 for each in spacetime_symmetries(pattern))


def test_the_empty_pattern_of_a_strobing_rule_has_period_2():
    assert identify(Pattern([], rule=STROBING)).period == 2


@pytest.mark.parametrize("rule", [STROBING, "/2/3"])
def test_parts_are_refused_by_name(rule):
    with pytest.raises(UsageError, match="parts are not known in rules"):
        parts(Pattern([[1]], rule=rule), 1)
