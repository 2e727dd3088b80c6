"""Catalysts whose outcome is open, against brute force: every still life, followed by itself."""

from __future__ import annotations

import json
import random
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from satlife import Box, Finding, Found, Known, Motion, Pattern, Problem, Restored, find, find_all
from satlife.certificates import NoneExists, Proved, check, make_statement, prove
from satlife.cli.group import cli
from satlife.engine.contacts import search_contacts
from satlife.engine.reactions import mark_what_matters
from satlife.errors import UsageError
from satlife.kinds import Drawing, perturbation
from satlife.kinds.catalyst import list_contacts
from satlife.problem.reaction import follow_reaction
from satlife.verifier.verify import complaints
from tests.fuzz.mutants import mutants
from tests.fuzz.running import run_batch
from tests.fuzz.shrinking import as_test, shrink
from tests.reference.restoring import Cells, Meeting, follow, grow, still_lifes

GLIDER = frozenset({(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)})
BLINKER = frozenset({(0, 0), (1, 0), (2, 0)})
MOST_FOLLOWED = 60
"""Generations in which an input near a region has met it, or never does."""


def move(cells: Cells, dx: int, dy: int) -> Cells:
    return frozenset((x + dx, y + dy) for x, y in cells)


def turn(cells: Cells, chance: random.Random) -> Cells:
    for _ in range(chance.randrange(4)):
        cells = frozenset((-y, x) for x, y in cells)
    return frozenset((-x, y) for x, y in cells) if chance.random() < 0.5 else cells


def draw_input(chance: random.Random, width: int, height: int) -> Cells:
    """Draw a glider, a blinker or a few cells, near a region with the corner (0, 0)."""
    share = chance.random()
    if share < 0.45:
        cells = follow(GLIDER, 4)[chance.randrange(4)]
    elif share < 0.55:
        cells = BLINKER
    else:
        i, j = chance.randint(3, 4), chance.randint(3, 4)
        cells = frozenset((x, y) for x in range(i) for y in range(j) if chance.random() < 0.5)
    cells = move(turn(cells, chance), chance.randint(-8, width + 7), chance.randint(-8, height + 7))
    if share < 0.08:  # another glider, which may come much later
        other = turn(follow(GLIDER, 4)[chance.randrange(4)], chance)
        cells |= move(other, chance.randint(-16, width + 15), chance.randint(-16, height + 15))
    return cells


@dataclass(frozen=True)
class Drawn:
    """An input, and where the still life may be."""

    coming: Cells
    width: int
    height: int
    places: Cells
    recover: int
    hold: int
    most: int
    active: int | None = None

    @classmethod
    def draw(cls, chance: random.Random) -> Drawn:
        width, height = chance.choice(((4, 4), (4, 4), (5, 4), (4, 5), (3, 5), (6, 3)))
        places = frozenset((x, y) for y in range(height) for x in range(width))
        if chance.random() < 0.2:
            places -= {*chance.sample(sorted(places), 3)}
        coming = frozenset[tuple[int, int]]()
        while not coming:
            coming = draw_input(chance, width, height)
        most = chance.choice((width * height,) * 3 + (6,))
        recover, hold = chance.choice((4, 9, 16)), chance.choice((0, 2, 6))
        active = chance.choice((None, None, 2, 4, 8))
        return cls(coming, width, height, places, recover, hold, most, active)

    @cached_property
    def flight(self) -> list[Cells]:
        return follow(self.coming, MOST_FOLLOWED)

    @cached_property
    def meetings(self) -> dict[Meeting, int]:
        """Every still life that is disturbed, though not at once, and its contact."""
        near = frozenset[tuple[int, int]]().union(*map(grow, self.flight))
        found = {}
        for alone in still_lifes(self.width, self.height):
            meeting = Meeting.of(alone, self.coming)
            fits = len(alone) <= self.most and alone <= self.places and meeting.zone & near
            if fits and (contact := meeting.find_contact(MOST_FOLLOWED)):
                found[meeting] = contact
        return found

    def comes_to(self, meeting: Meeting, generation: int) -> bool:
        """Whether the input comes so far as if there were no still life, and beside it."""
        return all(self.flight[t].isdisjoint(meeting.zone) for t in range(generation))

    def catalysts(self, early: int, late: int) -> list[Meeting]:
        """Return all that are first disturbed in these generations, and restored."""
        return [
            each
            for each, contact in self.meetings.items()
            if early <= contact <= late
            and self.comes_to(each, early)
            and each.is_restored(early, late, late + self.recover, self.hold, self.active)
        ]

    def ask(self, early: int, late: int) -> Problem:
        whole = len(self.places) == self.width * self.height
        region = Box(0, 0, self.width, self.height)
        bound: dict[str, Any] = {}
        if self.most < self.width * self.height:
            bound["population"] = f"<={self.most}"
        return perturbation(
            Pattern.from_cells(self.coming),
            region=region if whole else Pattern.from_cells(self.places),
            contact=(early, late),
            recover=self.recover,
            hold=self.hold,
            active=self.active,
            **bound,
        )


def cut(problem: Problem, meeting: Meeting) -> tuple[Any, ...]:
    """Return a meeting as a history of the problem."""
    alone = problem.steps - 1
    film = [*map(meeting.at, range(alone)), meeting.alone, meeting.alone]
    history = []
    for cells, box in zip(film, problem.all_boxes, strict=True):
        states = np.zeros((box.height, box.width), np.uint8)
        for x, y in cells:
            if (x, y) in box:
                states[y - box.y, x - box.x] = 1
        history.append(states)
    return tuple(history)


def read_alone(finding: Finding) -> Cells:
    t = finding.problem.steps - 1
    box, states = finding.problem.all_boxes[t], finding.history[t]
    return frozenset((x + box.x, y + box.y) for y, x in np.argwhere(states == 1).tolist())


def list_what_matters(meeting: Meeting, last: int) -> Cells:
    """Return the cells on which it depends what is not as alone, and where that disturbs."""
    seen = (grow(grow(meeting.outcome(t))) for t in range(last))
    return grow(meeting.outcome(last)).union(*seen)


def compare(drawn: Drawn, early: int, late: int, chance: random.Random) -> int:
    """Compare what satlife finds with what there is; return how many catalysts there are."""
    problem = drawn.ask(early, late)
    there = drawn.catalysts(early, late)
    last = problem.steps - 2
    wanted = {each.alone: each for each in there}

    # The problem means what the brute force asks.
    others = [each for each in drawn.meetings if each.alone not in wanted]
    for each in (*there, *chance.sample(others, min(4, len(others)))):
        told = list(complaints(problem, cut(problem, each)))
        assert bool(told) == (each.alone not in wanted), (sorted(each.alone), told)

    # One of those that agree where it matters, and each of them.
    listing = find_all(problem, same="catalyst")
    listed = {}
    for finding in listing:
        alone = read_alone(finding)
        assert alone in wanted, sorted(alone)
        marked, home = mark_what_matters(problem, finding.history), problem.all_boxes[last + 1]
        listed[alone] = {(x + home.x, y + home.y) for y, x in np.argwhere(marked).tolist()}
        assert list_what_matters(wanted[alone], last) & drawn.places <= listed[alone]
    assert listing.complete
    for alone in wanted:
        same = [other for other, matters in listed.items() if alone & matters == other & matters]
        assert len(same) == 1, (sorted(alone), len(same))

    listing = find_all(problem, same="outcome")
    reactions = [follow_reaction(problem, each.history) for each in listing]
    outcomes = [frozenset(map(tuple, each.outcome.coordinates.tolist())) for each in reactions]
    assert listing.complete
    assert all(each.generation == last for each in reactions)
    assert len(outcomes) == len(set(outcomes))
    assert set(outcomes) == {each.outcome(last) for each in wanted.values()}
    return len(there)


def compare_reaction(seed: str) -> int:
    """Draw a reaction and compare it, by generations of contact and by a range of them."""
    chance = random.Random(seed)
    while True:
        drawn = Drawn.draw(chance)
        good = [t for t in sorted({*drawn.meetings.values()}) if drawn.catalysts(t, t)]
        if good or chance.random() < 0.03:
            break
    met = {t for each, t in drawn.meetings.items() if drawn.comes_to(each, t)}
    try:
        times = list_contacts(Drawing(Pattern.from_cells(drawn.coming), drawn.places))
    except UsageError:
        times = []
    assert met <= set(times), (met, times)
    times = [t for t in times if t < MOST_FOLLOWED]
    some = sorted({*chance.sample(times, min(1, len(times))), *good[:1]})
    count = sum(compare(drawn, t, t, chance) for t in some)
    if times:
        early = chance.choice(good or times)
        early = max(1, early - chance.randint(0, 2))
        count += compare(drawn, early, early + chance.randint(0, 5), chance)
    return count


@pytest.mark.parametrize("part", range(8))
def test_all_catalysts_of_a_reaction_are_found(part: int) -> None:
    assert sum(compare_reaction(f"reaction {part} {i}") for i in range(3)) > 0


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

    def make(contact: int) -> Problem:
        return drawn.ask(contact, contact)

    steps = list(search_contacts(make, times))
    assert [each.contact for each in steps if each.complete] == times
    for t in times:
        there = {each.alone for each in drawn.catalysts(t, t)}
        found = {read_alone(each.finding) for each in steps if each.contact == t and each.finding}
        assert found <= there
        assert bool(found) == bool(there)
    with pytest.raises(UsageError, match="by catalyst or outcome, not by rotor"):
        next(search_contacts(make, times, same="rotor"))


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


def test_a_statement_says_what_disturbed_means() -> None:
    said = make_statement(perturbation(Pattern.from_cells(GLIDER), **SMALL), NoneExists())
    assert "near the catalyst if it or one of its eight neighbours lives in generation 13" in said
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


@pytest.mark.parametrize(
    "line",
    [
        "catalyst 3o! --region 0..2,-1..1",
        "catalyst 3o! --region 3..6,-2..2 --contact 900",
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
