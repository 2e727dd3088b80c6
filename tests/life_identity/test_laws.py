"""Laws: what holds for every object, tried on random ones."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from satlife.life import TRANSFORMS, Pattern
from satlife.life.identity import (
    apgcode,
    find_recurrence,
    find_symmetry,
    follow,
    from_apgcode,
    identify,
    spacetime_symmetries,
)
from satlife.life.identity.apgcode import decode_word, encode_cells
from tests.life_identity.golden import ENTRIES

RULES = ("B3/S23", "B36/S23", "B3678/S34678", "B35/S236", "B3/S12345")
SMALL = [entry for entry in ENTRIES if max(entry["envelope"]) <= 60 and entry["period"] <= 42]


@lru_cache(maxsize=512)
def settle(soup: bytes, width: int, rule: str) -> Pattern | None:
    """What a soup becomes, if that is one recurring pattern within 300 generations."""
    cells = np.frombuffer(soup, dtype=np.uint8).reshape(-1, width)
    pattern = Pattern(cells, rule=rule)
    fate = follow(pattern, generations=300, growth=60)
    return None if fate.outcome == "undecided" else pattern[fate.generation]


@st.composite
def random_objects(draw: st.DrawFn) -> Pattern:
    if draw(st.booleans()):
        return Pattern.from_rle(draw(st.sampled_from(SMALL))["rle"])
    width, height = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    bits = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    settled = settle(bytes(bits), width, draw(st.sampled_from(RULES)))
    return settled if settled is not None else Pattern.from_rle("3o!")


@given(random_objects(), st.sampled_from(TRANSFORMS), st.integers(0, 50), st.integers(-99, 99))
def test_a_code_does_not_depend_on_place_phase_or_orientation(pattern, transform, phase, dx):
    code = apgcode(pattern)
    assert apgcode(pattern.transformed(transform).shift(dx, 3 - dx)) == code
    assert apgcode(pattern[phase]) == code


@given(random_objects())
def test_a_code_reads_back(pattern):
    code = apgcode(pattern, unlimited=True)
    again = from_apgcode(code, pattern.rule)
    assert apgcode(again, unlimited=True) == code
    recurrence = find_recurrence(pattern)
    phases = [pattern[t] for t in range(recurrence.period)]
    turned = {p.transformed(g).normalized for p in phases for g in TRANSFORMS}
    assert again in turned


@given(random_objects())
def test_the_period_is_the_least(pattern):
    found = find_recurrence(pattern)
    assert pattern[found.period] == pattern.shift(*found.displacement)
    smaller = (pattern[t].normalized for t in range(1, found.period))
    assert pattern.normalized not in smaller


@given(random_objects(), st.integers(0, 50))
def test_the_static_symmetry_is_the_same_in_all_phases(pattern, phase):
    assert find_symmetry(pattern[phase]) == find_symmetry(pattern)


@given(random_objects())
def test_symmetries_in_time_are_true_and_form_a_group(pattern):
    found = spacetime_symmetries(pattern)
    for each in found:
        assert pattern.transformed(each.transform).shift(*each.shift) == pattern[each.phase]
    period = find_recurrence(pattern).period
    pairs = {(each.transform, each.phase) for each in found}
    for g, s in pairs:
        for h, t in pairs:
            assert (g * h, (s + t) % period) in pairs


@given(random_objects())
def test_cells_are_stator_or_rotor_and_full_period_cells_are_in_the_rotor(pattern):
    found = identify(pattern)
    if found.activity:
        ever = {tuple(point) for t in range(found.period) for point in pattern[t].coordinates}
        assert found.activity.stator + found.activity.rotor == len(ever)
        if found.period > 1:
            assert found.activity.full_period_cells <= found.activity.rotor


@given(
    st.integers(1, 90).flatmap(
        lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1)
    )
)
def test_every_array_is_a_word(rows):
    pattern = Pattern(np.array(rows, dtype=np.uint8))
    if pattern.is_empty:
        assert encode_cells(pattern.cells) == "0"
    else:
        assert np.array_equal(decode_word(encode_cells(pattern.cells)), pattern.cells)


@given(st.text(alphabet="0123456789abcdefghijklmnopqrstuvwx", max_size=40))
def test_words_of_one_strip_read_back_to_their_cells(word):
    cells = decode_word(word)
    assert np.array_equal(decode_word(encode_cells(cells)) if cells.size else cells, cells)
