"""Sets of rules: their notation, and the rules in which a pattern works."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.errors import RuleError, UsageError
from satlife.life import Pattern, Rule
from satlife.life.catalogue import catalogue, name_pattern
from satlife.life.cells import trim
from satlife.life.identity import find_recurrence
from satlife.life.rulespaces import CLASSES, OPEN, RuleSpace, read_rules, rules_of
from satlife.life.rulespaces.space import ARRANGEMENTS, COUNTS
from satlife.life.steps import step_by_table

READ = {
    "B3[45]/S2[3]": ("B3[4][5]/S2[3]", 8),
    "b3[4]s2[3]": ("B3[4]/S2[3]", 4),
    "S2[3]/B3[4]": ("B3[4]/S2[3]", 4),
    "2[3]/3[4]": ("B3[4]/S2[3]", 4),
    "B?/S?": ("B?/S?", 1 << 17),
    "outer-totalistic": ("B?/S?", 1 << 17),
    "isotropic": ("B1?2?3?4?5?6?7?[8]/S[0]1?2?3?4?5?6?7?[8]", 1 << 101),
    "B3/S2?3": ("B3/S2?3", 64),
    "B2-a[2a]3/S23": ("B2-a[2a]3/S23", 2),
    "B3[8]/S2-i34q": ("B3[8]/S2-i34q", 2),
    "B3-ai[3a]/S2?": ("B3-ai[3a]/S2?", 128),
    "B3ce[8]/S23": ("B3ce[8]/S23", 2),
    "B3[8]/S[0]23": ("B3[8]/S[0]23", 4),
    # Logic Life Search: 3a is there, 3c is not, the rest of what is listed is unknown.
    "pB3a-c/S23": ("B3a[3-ac]/S2?3?", 1 << 24),
    "pB3-c/S23": ("B[3-c]/S2?3?", 1 << 25),
    "pb3/s2aceikn8c": ("B3?/S28", 1 << 10),
    "B3/S23": ("B3/S23", 1),
    "Pedestrian Life": ("B38/S23", 1),
}


@pytest.mark.parametrize("text", READ)
def test_a_notation_and_its_canonical_spelling(text: str) -> None:
    space = RuleSpace(text)
    assert (str(space), space.size) == READ[text]
    assert RuleSpace(str(space)) == space
    assert pickle.loads(pickle.dumps(space)) == space


REFUSED = {
    "B[0]3/S23": "B0",
    "B0[3]/S2": "B0",
    "B3[]/S2": "brackets",
    "B3[4/S2": "brackets",
    "B3]4[/S2": "brackets",
    "B33/S[2]": "gives the same entries of 3 twice",
    "B3[3]/S2": "gives the same entries of 3 twice",
    "B3a[3a]/S2": "gives the same entries of 3 twice",
    "B9/S[2]": "counts to 9",
    "B3x[4]/S2": "3x is not a neighbourhood of 3 cells",
    "B[3?]/S2": "write [3] or 3?",
    "pB3ab/S2": "not a set of rules",
    "pB3a-a/S2": "before and after the minus",
    "pB33/S2": "twice",
    "[4]": "not a set of rules",
    "B2/S34H": "neither",
    "/2/3": "neither",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused_with_a_reason(text: str) -> None:
    with pytest.raises(RuleError) as error:
        RuleSpace(text)
    assert REFUSED[text] in str(error.value)


@st.composite
def _spaces(draw: st.DrawFn) -> RuleSpace:
    classes = draw(st.sampled_from(CLASSES))
    count = len(classes.names)
    entries = draw(st.lists(st.sampled_from([0, 1, OPEN]), min_size=count, max_size=count))
    return RuleSpace.from_entries(classes, [0, *entries[1:]])


@settings(max_examples=30)
@given(_spaces())
def test_reading_undoes_writing(space: RuleSpace) -> None:
    again = RuleSpace(str(space))
    assert again == space
    assert np.array_equal(again.entries, space.entries)
    assert again.least in space
    assert again.greatest in space
    assert np.array_equal(space.least.table, space.table == 1)


def test_the_rules_of_a_set_in_their_order() -> None:
    space = RuleSpace("B3[4]/S[2][3]")
    rules = list(space.rules())
    assert [space.index(rule) for rule in rules] == list(range(8))
    assert len(set(rules)) == 8
    assert Rule("B34/S2") in space
    assert Rule("B34/S24") not in space
    assert Rule("B3/S2-i") not in space


def test_a_text_is_a_rule_or_a_set_of_rules() -> None:
    assert read_rules("Life") == Rule("B3/S23")
    assert read_rules("B3[4]/S23") == RuleSpace("B3[4]/S23")
    assert read_rules("B[3-a]3a/S23").size == 512  # type: ignore[union-attr]


# LifeWiki's infoboxes have these ranges.
RANGES = {
    "glider": ("B3/S23", "B3678/S0235678"),
    "block": ("B/S3", "B345678/S012345678"),
}


@pytest.mark.parametrize("name", RANGES)
def test_known_ranges(name: str) -> None:
    found = rules_of(name_pattern(name))
    assert (str(found.least), str(found.greatest)) == RANGES[name]


def _fifty() -> list[str]:
    quick = [entry for entry in catalogue() if entry.period <= 12]
    step = len(quick) // 50
    return [entry.code for entry in quick[: 50 * step : step]]


def _evolves(generations: list[Pattern], table: np.ndarray) -> bool:
    """Return whether this table makes the generations, each of the one before it.

    It is not enough that the first one comes back: an oscillator may do so by another way.
    """
    for now, then in pairwise(generations):
        cells, x, y = trim(step_by_table(now.cells, table))
        corner = (now.x + x - 1, now.y + y - 1)
        if corner != (then.x, then.y) or not np.array_equal(cells, then.cells):
            return False
    return True


@pytest.mark.parametrize("code", _fifty())
def test_least_and_greatest_rule_make_the_generations_and_no_fixed_entry_can_be_flipped(
    code: str,
) -> None:
    pattern = name_pattern(code)
    recurrence = find_recurrence(pattern)
    assert recurrence is not None
    generations = [pattern[t] for t in range(recurrence.period + 1)]
    assert generations[-1] == pattern.shift(*recurrence.displacement)
    for classes in (COUNTS, ARRANGEMENTS):
        space = rules_of(pattern, family=classes.family)
        for rule in (space.least, space.greatest):
            assert _evolves(generations, rule.table)
        entries = space.entries_in(classes)
        assert entries is not None
        least = np.where(entries == OPEN, 0, entries)
        for place in np.flatnonzero(entries != OPEN)[1:]:  # B0 is another matter
            flipped = least.copy()
            flipped[place] ^= 1
            assert not _evolves(generations, flipped[classes.kinds]), classes.names[place]


def test_a_rule_that_does_not_count_gives_an_isotropic_range() -> None:
    pattern = Pattern.from_rle("2bo$obo$b2o!").with_rule("B3/S2-i34q")
    assert rules_of(pattern).family == "outer-totalistic"
    found = rules_of(pattern, family="isotropic")
    assert pattern.rule in found


@pytest.mark.parametrize(
    ("pattern", "motion", "words"),
    [
        (Pattern.from_rle("b2o$2o$bo!"), None, "does not recur"),
        (Pattern.from_rle("2o$2o!"), "c/3", "it is a still life"),
        (Pattern.from_rle("bo$2bo$3o!"), "c/4", "a spaceship of period 4 and speed c/4d"),
        (Pattern.from_rle("!"), None, "every rule"),
        (Pattern.from_rle("o!").with_rule("B03/S23"), None, "B0"),
        (Pattern.from_rle("o!").with_rule("/2/3"), None, "more than two states"),
    ],
)
def test_patterns_without_a_range(pattern: Pattern, motion: str | None, words: str) -> None:
    with pytest.raises(UsageError) as error:
        rules_of(pattern, motion)
    assert words in str(error.value)


def test_a_motion_may_be_several_periods() -> None:
    glider = name_pattern("glider")
    assert rules_of(glider, "2c/8d") == rules_of(glider)
