"""Catalysts whose outcome is open, against brute force: every still life, followed by itself."""

from __future__ import annotations

import json
import random
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from satlife import (
    Found,
    Known,
    Motion,
    Pattern,
    Problem,
    Restored,
    catalyst,
    find,
    find_all,
)
from satlife.certificates import NoneExists, Proved, check, make_statement, prove
from satlife.cli.group import cli
from satlife.engine.contacts import search_contacts
from satlife.engine.reactions import mark_what_matters
from satlife.errors import UsageError
from satlife.kinds import Drawing, perturbation
from satlife.kinds.catalyst import list_contacts
from satlife.life.identity.parts import parts
from tests.fuzz.catalysts import (
    BLINKER,
    GLIDER,
    Drawn,
    check_forgeries,
    draw_catalyst,
    move,
    read_alone,
)
from tests.fuzz.mutants import mutants
from tests.fuzz.running import run_batch
from tests.fuzz.shrinking import as_test, shrink
from tests.reference.restoring import grow


@pytest.mark.parametrize("part", range(8))
def test_all_catalysts_of_a_reaction_are_found(part: int) -> None:
    tally = run_batch(2026, list(range(3 * part, 3 * part + 3)), ("catalyst",))
    assert not tally.failures, "\n\n".join(map(str, tally.failures[:3]))
    assert tally.notes["catalysts: catalysts"] > 0


def test_forged_lists_are_refused() -> None:
    chance = random.Random(5)
    drawn = Drawn.read(draw_catalyst(chance), "")
    assert check_forgeries(drawn, chance) == {"certified": 1, "refused": 8}


# The condition by itself: the searches, the verifier, the plain formula and certificates.


@pytest.mark.parametrize("part", range(4))
def test_problems_with_a_catalyst_are_answered_as_by_brute_force(part: int) -> None:
    tally = run_batch(2026, list(range(8 * part, 8 * part + 8)), ("restored",))
    assert not tally.failures, "\n\n".join(as_test(shrink(each)) for each in tally.failures[:3])
    assert tally.satisfiable >= 4
    assert {"found", "raw", "verifier"} <= tally.checks.keys()


def test_by_a_set_of_rules_nothing_follows_from_known_cells_alone() -> None:
    """This was refuted: what follows was worked out by the least rule of the set."""
    problem = Problem(
        boxes=("3x3",),
        rule="B3[4]5/S[1]47",
        steps=3,
        known=(Known(t=0, rows=("?oo", "o.o", "...")),),
        constraints=(Restored(alone=3, contact=(0, 1), times=(1, 3), hold=0),),
    )
    assert isinstance(find(problem), Found)


# The generations of contact.


def test_a_second_glider_may_come_much_later() -> None:
    """The first one misses what the second one meets."""
    later = move(GLIDER, -30, -30)
    both = move(GLIDER, -12, 0) | later
    places = frozenset((x, y) for x in range(4, 8) for y in range(4, 8))
    alone = list_contacts(Drawing(Pattern.from_cells(later), places))
    listed = list_contacts(Drawing(Pattern.from_cells(both), places))
    assert set(alone) <= set(listed)
    assert min(alone) > 100


def test_what_recurs_in_its_place_meets_something_at_once_or_never() -> None:
    places = frozenset((x, y) for x in range(4, 8) for y in range(-2, 3))
    assert set(list_contacts(Drawing(Pattern.from_cells(BLINKER), places))) <= {1, 2}


def test_generations_of_contact_together_find_what_each_does() -> None:
    glider = Pattern.from_cells(GLIDER)
    drawn = Drawn(move(GLIDER, -4, -4), 4, 4, frozenset(grow(frozenset({(1, 1)}))), 16, 6, 16)
    places = drawn.places
    coming = Pattern.from_cells(drawn.coming)
    assert glider.population == coming.population
    times = list_contacts(Drawing(coming, places))

    def make(contact: int, recover: int) -> Problem:
        return replace(drawn, recover=recover).ask(contact, contact)

    steps = list(search_contacts(make, times, [drawn.recover]))
    assert [each.contact for each in steps if each.complete] == times
    for t in times:
        there = {each.alone for each in drawn.catalysts(t, t)}
        found = {read_alone(each.finding) for each in steps if each.contact == t and each.finding}
        assert found <= there
        assert bool(found) == bool(there)
    with pytest.raises(UsageError, match="by catalyst or outcome, not by rotor"):
        next(search_contacts(make, times, [16], same="rotor"))


ACTIVE = """
OO.O
O.OO
OO..
O...
"""


def test_what_comes_out_is_the_same_until_it_is_compared() -> None:
    """A short reaction goes on until the last one is over, and meets other cells meanwhile."""
    coming = Pattern.from_plaintext(ACTIVE.strip()).shift(10, -2)
    places = frozenset((x, y) for x in range(4) for y in range(4))
    drawn = Drawn(frozenset(map(tuple, coming.coordinates.tolist())), 4, 4, places, 4, 0, 16)
    assert drawn.good == [10, 14]

    def make(contact: int, recover: int) -> Problem:
        return replace(drawn, recover=recover).ask(contact, contact)

    steps = list(search_contacts(make, drawn.good, [drawn.recover], same="outcome"))
    reactions = [each.reaction for each in steps if each.reaction]
    last = 14 + drawn.recover + drawn.hold
    there = {each.outcome(last) for t in drawn.good for each in drawn.catalysts(t, t)}
    found = [frozenset(map(tuple, each.outcome.coordinates.tolist())) for each in reactions]
    assert {each.generation for each in reactions} == {last}
    assert len(found) == len({*found}) == len(there) > 2
    assert {*found} == there


# Certificates.

SMALL = {"region": "4..6,4..6", "contact": 9, "recover": 2, "hold": 1}


def test_a_certificate_of_none_does_not_allow_less(tmp_path: Path) -> None:
    """The condition is part of what is proved: with any other one, the folder is not valid."""
    made = prove(perturbation(Pattern.from_cells(GLIDER), **SMALL), tmp_path / "none")
    assert isinstance(made, Proved)
    assert check(tmp_path / "none").valid
    file = tmp_path / "none" / "problem.json"
    asked = file.read_text(encoding="utf-8")
    fields = json.loads(asked)
    number = next(i for i, it in enumerate(fields["constraints"]) if it["type"] == "restored")
    others = [
        each
        for each in mutants(fields)
        if len(each["constraints"]) == len(fields["constraints"])
        and each["constraints"][number] != fields["constraints"][number]
        and each["constraints"][number]["type"] == "restored"
    ]
    assert len(others) == 12
    for each in others:
        file.write_text(json.dumps(each), encoding="utf-8")
        assert not check(tmp_path / "none").valid, each["constraints"][number]


def test_a_statement_says_what_disturbed_and_met_mean() -> None:
    said = make_statement(perturbation(Pattern.from_cells(GLIDER), **SMALL), NoneExists())
    assert "near the catalyst if it or one of its eight neighbours lives in generation 13" in said
    assert "met in a generation in which it is disturbed, or in which some cell near it" in said
    assert "restored in a generation R after one in which it is met" in said
    assert "These cells of generation 0 are the same as those of generation 13" in said


# What is refused.


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"region": "0..2,0..2"}, "the input never comes near the region"),
        ({"region": "-40..-38,-40..-38"}, "the input never comes near the region"),
        ({"region": "6..4,4..6"}, "is empty: the lower number comes first"),
        ({"region": Pattern.from_rle("b!")}, "the region is empty"),
        ({"incoming": Pattern.from_rle("b!")}, "the input is empty"),
        ({"contact": 0}, "contact"),
        ({"contact": (5, 3)}, "write the lower number first"),
        ({"contact": 99_999}, "too large a number"),
        ({"recover": 0}, "recover"),
        ({"hold": -1}, "hold"),
        ({"active": 0}, "active"),
        ({"ever_active": 0}, "ever_active"),
        ({"hold": 100_000}, "too large a number"),
        ({"incoming": "x = 3, y = 1, rule = /2/3\nABA!"}, "no catalyst|never comes|dying|linked"),
        ({"incoming": "x = 3, y = 3, rule = 3/2/4\n2A$2B!", "region": "3..5,0..1"}, "dying cells"),
        ({"incoming": "x = 3, y = 3, rule = B03/S23\n3o$3o!"}, "strobing background"),
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any], words: str) -> None:
    asked: dict[str, Any] = {"incoming": Pattern.from_cells(GLIDER), "region": "4..6,4..6"}
    with pytest.raises(UsageError, match=words) as refusal:
        perturbation(**asked | changes)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"contact": (3, 2)}, "write the lower one first"),
        ({"times": (-1, 2)}, "write the lower one first"),
        ({"hold": -1}, "cannot hold for -1 generations"),
        ({"active": 0}, "at least one cell of a catalyst is active"),
        ({"ever_active": 0}, "at least one cell of a catalyst is active"),
        ({"contact": (2, 2), "times": (1, 2)}, "after the contact, not before"),
        ({"hold": 5}, "there is no generation"),
        ({"alone": 9}, "there is no generation"),
    ],
)
def test_a_condition_that_makes_no_sense_is_refused(changes: dict[str, Any], words: str) -> None:
    asked: dict[str, Any] = {"alone": 4, "contact": (0, 1), "times": (1, 3), "hold": 1}
    with pytest.raises(UsageError, match=words):
        Problem(boxes=("4x4",), steps=4, constraints=(Restored(**asked | changes),))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"boundary": "torus"}, "where the outside is dead or free"),
        ({"boundary": "agar", "background": (".",)}, "where the outside is dead or free"),
        ({"motion": Motion(period=4)}, "without a motion"),
        ({"rule": "/2/3"}, "no catalyst can be restored"),
        ({"rule": "B03/S23"}, "more is not supported yet"),
    ],
)
def test_a_problem_that_no_catalyst_fits_is_refused(fields: dict[str, Any], words: str) -> None:
    asked = Restored(alone=3, contact=(0, 1), times=(1, 2), hold=0)
    with pytest.raises(UsageError, match=words):
        Problem(**{"boxes": ("4x4",), "steps": 4, "constraints": (asked,)} | fields)


def test_only_connected_lists_what_agrees_with_a_composite_where_it_matters() -> None:
    asked = {"region": "4..9,4..9", "contact": 3, "recover": 6, "hold": 4, "population": "=11"}
    problem = perturbation(Pattern.from_cells(GLIDER), **asked)
    whole = [
        each for each in find_all(problem, raw=True, limit=400) if len(parts(catalyst(each))) == 1
    ]
    listing = find_all(problem, same="catalyst", only_connected=True)
    listed = list(listing)
    assert listing.complete
    assert all(len(parts(catalyst(each))) == 1 for each in listed)
    for each in whole:
        alike = [
            other
            for other in listed
            for matters in [mark_what_matters(problem, other.history)]
            if np.array_equal(other.history[-2][matters], each.history[-2][matters])
        ]
        assert len(alike) == 1


@pytest.mark.parametrize(
    "line",
    [
        "catalyst 3o! --region 0..2,-1..1",
        "catalyst 3o! --region 3..6,-2..2 --contact 900",
        "catalyst 3o! --region 3..6,-2..2 --contact 9..3",
        "catalyst 3o! --region 3..6,-2..2 --contact 99999999999",
        "catalyst 3o! --region 3..6,-2..2 --population '<=5@sum'",
        "eater --input glider --region 4..8,4..8 --within 8 --population '<=5@every'",
        "catalyst 3o! --region 3..6,-2..2 --all --same rotor",
        "catalyst 3o! --region 3..6,-2..2 --turn sideways",
        "still-life --box 4x4 --all --same catalyst",
        "eater --input glider --region 4..8,4..8 --within 8 --all --same outcome",
    ],
)
def test_the_command_refuses_in_a_sentence(line: str) -> None:
    done = CliRunner().invoke(cli, shlex.split(line))
    assert done.exit_code == 2
    assert isinstance(done.exception, SystemExit)
    assert len(done.stderr.strip().splitlines()) == 1
