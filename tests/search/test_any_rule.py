"""Searches in rules of every family: how a rule is written does not matter."""

from __future__ import annotations

import pytest

from satlife import ENCODINGS, Found, find, oscillator, parent, ship
from satlife.errors import RuleError, UsageError
from satlife.life import RULE_FAMILIES, Pattern, Rule, RuleFamily
from tests.life.test_rule import LIFE_AS_MAP


def test_life_as_a_map_string_has_the_name_and_the_encodings_of_life() -> None:
    written, plain = (ship("c/4d", box="4x4", rule=rule) for rule in (LIFE_AS_MAP, "B3/S23"))
    assert (written, written.name) == (plain, plain.name)
    assert all(encoding.supports(Rule(LIFE_AS_MAP)) for encoding in ENCODINGS)


SEARCHED = [family for family in RULE_FAMILIES if Rule(family.example).states == 2]


@pytest.mark.parametrize("period", [1, 2])
@pytest.mark.parametrize("family", SEARCHED, ids=lambda family: family.name)
def test_both_engines_agree_in_every_family(family: RuleFamily, period: int) -> None:
    problem = oscillator(period, box="4x4", rule=family.example, composite=True)
    by_sat, by_brute = (find(problem, engine=engine) for engine in ("sat", "brute"))
    assert type(by_sat) is type(by_brute)


def test_the_t_of_tlife_is_a_ship() -> None:
    found = find(ship("c/5", box="5x5", rule="tlife"))
    assert isinstance(found, Found)
    assert found.finding.identity.speed == "c/5"


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("AntiLife", "cells that differ from it live by B3/S23: search in B3/S23"),
    ],
)
def test_what_searches_do_not_take_is_refused_by_name(rule: str, reason: str) -> None:
    with pytest.raises(RuleError, match=reason):
        ship("c/4d", box="4x4", rule=rule)
    with pytest.raises(RuleError, match=reason):
        parent(Pattern([[1, 1]], rule=rule))


def test_hexagonal_symmetries_are_refused_by_name() -> None:
    with pytest.raises(UsageError, match="C3 is a symmetry of the hexagonal grid"):
        oscillator(2, box="5x5", rule="B2/S34H", symmetry="C3")
