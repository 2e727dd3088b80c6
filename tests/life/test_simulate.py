"""The simulator against other programs' results, known objects, and itself by another way."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from satlife.errors import UsageError
from satlife.life import TRANSFORMS, Motion, Pattern, Rule, Transform, advance
from satlife.life.neighbourhood import find_table_symmetries
from satlife.life.simulate import exceeds_limit
from satlife.life.steps import step_by_count, step_by_table

DATA = Path(__file__).parents[1] / "data" / "life" / "simulate.json"
SOUPS = json.loads(DATA.read_text(encoding="utf-8"))["soups"]

soups = arrays(
    np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.integers(0, 1)
)
rules = st.builds(
    lambda b, s: Rule(f"B{''.join(map(str, b))}/S{''.join(map(str, s))}"),
    st.frozensets(st.integers(1, 8)),
    st.frozensets(st.integers(0, 8)),
)


def digest(cells: np.ndarray) -> str:
    text = "\n".join("".join(".O"[state] for state in row) for row in cells.tolist())
    return hashlib.sha256(text.encode()).hexdigest()


def name(soup) -> str:
    return f"{soup['id']}-{soup['rule'][:12]}"


@pytest.mark.parametrize("soup", SOUPS, ids=name)
def test_soup_as_golly_runs_it(soup):
    pattern = Pattern.from_rle(soup["rle"])
    assert digest(pattern.cells) == soup["sha256_start"]
    generation = 0
    for n, expected in sorted((int(n), after) for n, after in soup["after"].items()):
        pattern, generation = advance(pattern, generations=n - generation), n
        assert pattern.population == expected["population"]
        assert [pattern.box.width, pattern.box.height] == expected["bbox"]
        assert digest(pattern.cells) == expected["sha256"]


@settings(deadline=None)
@given(soups, rules)
def test_counting_agrees_with_the_table(cells, rule):
    assert np.array_equal(step_by_count(cells, rule.count_table), step_by_table(cells, rule.table))


@settings(deadline=None)
@given(soups, rules, st.sampled_from(TRANSFORMS), st.integers(0, 4))
def test_transform_then_run_is_run_then_transform(cells, rule, g, n):
    assert g in rule.symmetries
    pattern = Pattern(cells, 2, -3, rule)
    assert pattern.transformed(g)[n] == pattern[n].transformed(g)


@settings(deadline=None)
@given(soups, st.integers(0, 2**32 - 1), st.sampled_from(TRANSFORMS))
def test_transforms_outside_of_a_tables_symmetries_do_not_commute(cells, seed, g):
    table = np.random.default_rng(seed).integers(0, 2, 512, dtype=np.uint8)
    if g in find_table_symmetries(table):
        here = step_by_table(g.apply_to_array(cells), table)
        assert np.array_equal(here, g.apply_to_array(step_by_table(cells, table)))
    else:
        # some neighbourhood of the 512 shows it
        every = [np.array([[i >> b & 1 for b in range(9)]]).reshape(3, 3) for i in range(512)]
        assert any(
            not np.array_equal(
                step_by_table(g.apply_to_array(each), table),
                g.apply_to_array(step_by_table(each, table)),
            )
            for each in np.array(every, dtype=np.uint8)
        )


@settings(deadline=None)
@given(soups, rules, st.integers(0, 4), st.integers(0, 4), st.integers(-9, 9))
def test_generations_add_up_and_shifts_do_not_matter(cells, rule, m, n, dx):
    pattern = Pattern(cells, rule=rule)
    assert pattern[m][n] == pattern[m + n]
    assert pattern.shift(dx, 1)[n] == pattern[n].shift(dx, 1)


GLIDER = Pattern.from_plaintext("""\
.O.
..O
OOO""")


@pytest.mark.parametrize(
    ("g", "displacement"),
    [
        ("identity", (1, 1)),
        ("quarter-turn-clockwise", (-1, 1)),
        ("half-turn", (-1, -1)),
        ("flip-left-right", (-1, 1)),
    ],
)
def test_glider_moves_one_cell_diagonally_in_four_generations(g, displacement):
    glider = GLIDER.transformed(Transform(g))
    assert glider[4] == glider.shift(*displacement)
    assert glider[400] == glider.shift(100 * displacement[0], 100 * displacement[1])
    assert all(glider[t].population == 5 for t in range(4))


def test_lightweight_spaceship():
    ship = Pattern.from_plaintext("""\
.O..O
O....
O...O
OOOO.""")
    assert ship[4] == ship.shift(-2, 0)


def test_blinker_in_all_its_phases():
    horizontal = Pattern.from_plaintext("OOO")
    vertical = Pattern.from_plaintext("O\nO\nO").shift(1, -1)
    assert horizontal[1] == vertical
    assert horizontal[2] == horizontal


def test_still_life_and_a_death():
    block = Pattern.from_plaintext("OO\nOO")
    assert block[7] == block
    assert Pattern.from_plaintext("OO")[1].is_empty


def test_replicator_of_highlife():
    replicator = Pattern.from_plaintext("""\
..OOO
.O..O
O...O
O..O.
OOO..""").with_rule("HighLife")
    one = replicator[12]
    assert one.population == 2 * replicator.population
    assert one == replicator.shift(2, 2) | replicator.shift(-2, -2)


def test_advance_takes_arrays_and_other_rules():
    assert advance([[1, 1, 1]], "B3/S23", 2) == Pattern([[1, 1, 1]])
    assert advance(np.ones((1, 2))) == Pattern([])
    seeds = advance(Pattern([[1, 1]]), "Seeds")
    assert seeds == Pattern([[1, 1], [0, 0], [1, 1]], 0, -1, "B2/S")


def test_growth_has_a_limit(monkeypatch):
    monkeypatch.setattr("satlife.life.cells.AREA_LIMIT", 1000)
    with pytest.raises(UsageError, match="too large"):
        Pattern([[1]], rule="B12345678/S012345678")[100]


@settings(deadline=None)
@given(soups, st.sampled_from(["B3/S23", "B36/S23", "B3/S", "B34578/S0123", "B38/S238"]))
def test_where_speed_is_limited_no_soup_goes_further(cells, rule):
    """Two generations, one diagonal; and each corner of a soup begins on some diagonal."""
    assert exceeds_limit(Motion.parse("2c/3"), rule)
    pattern = Pattern(cells, rule=rule)
    later = pattern[2]
    if not (pattern.is_empty or later.is_empty):
        for way in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            assert (later.coordinates @ way).max() <= (pattern.coordinates @ way).max() + 1


def test_the_limit_is_that_of_conway():
    slow = ("c/2", "2c/4", "c/4d", "(2,1)c/6", "c/3", "p1", "17c/45")
    fast = ("c", "2c/3", "4c/6", "c/3d", "c/2d", "(2,1)c/5", "9c/17")
    assert not any(exceeds_limit(Motion.parse(speed)) for speed in slow)
    assert all(exceeds_limit(Motion.parse(speed)) for speed in fast)
    assert exceeds_limit(Motion(3, 0, 2))
    assert exceeds_limit(Motion(3, 1, -1))


@pytest.mark.parametrize("rule", ["B2/S", "B34/S456", "B2/S2/3", "B1/S", "B3/S23/4", "B0123/S"])
def test_no_limit_is_claimed_where_it_was_not_shown(rule):
    assert not exceeds_limit(Motion.parse("2c/3"), rule)
