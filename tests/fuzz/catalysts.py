"""Catalysts whose outcome is open, against brute force: every still life, followed by itself.

Each of a few hundred inputs meets every still life of a small region in a simulation written for
that.  What satlife lists must be what is restored there, and a certificate of the list must not be
had for another list, nor be valid for another question.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from satlife import Box, Finding, Pattern, Problem, Restored, find_all, prove
from satlife.certificates import Reactions, certify, check_certificate, draw
from satlife.engine.contacts import search_contacts
from satlife.engine.reactions import mark_what_matters
from satlife.errors import InternalError, UsageError
from satlife.kinds import Drawing, perturbation
from satlife.kinds.catalyst import list_contacts
from satlife.problem.reaction import follow_reaction
from satlife.verifier.verify import complaints
from tests.fuzz.checks import Differs
from tests.reference.restoring import Cells, Meeting, follow, grow, still_lifes

GLIDER = frozenset({(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)})
BLINKER = frozenset({(0, 0), (1, 0), (2, 0)})
MOST_FOLLOWED = 60
"""Generations in which an input near a region has met it, or never does."""
BGOLLY = shutil.which("bgolly")
PROVED = 4
"""Catalysts in a list whose certificate is tried to be forged, at most."""


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
    ever: int | None = None
    seed: str = ""

    @classmethod
    def read(cls, text: str, seed: str) -> Drawn:
        return replace(msgspec.json.decode(text, type=cls), seed=seed)

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
        ever = chance.choice((None, None, None, 3, 8))
        return cls(coming, width, height, places, recover, hold, most, active, ever)

    @property
    def is_satisfiable(self) -> bool:
        return bool(self.good)

    @property
    def families(self) -> list[str]:
        return ["counting"]

    @property
    def detail(self) -> str:
        return f"{self.width}x{self.height}"

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

    @cached_property
    def good(self) -> list[int]:
        """The generations of contact with a catalyst."""
        return [t for t in sorted({*self.meetings.values()}) if self.catalysts(t, t)]

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
            and each.is_restored(
                early, late, late + self.recover, self.hold, self.active, self.ever
            )
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
            ever_active=self.ever,
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


def run_golly(pattern: Pattern, generations: int) -> Pattern:
    """Return what Golly makes of a pattern, whose place it does not write."""
    assert BGOLLY is not None
    with tempfile.TemporaryDirectory() as place:
        start, end = Path(place) / "start.rle", Path(place) / "end.rle"
        start.write_text(pattern.to_rle() + "\n", encoding="utf-8")
        command = [BGOLLY, "-a", "QuickLife", "-m", str(generations), "-i", "1", "-q", "-q"]
        subprocess.run([*command, "-o", str(end), str(start)], check=True, capture_output=True)
        return Pattern.from_rle(end.read_text(encoding="utf-8").partition("\n")[2])


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
        if BGOLLY is not None:
            assert run_golly(finding.pattern, 200).normalized == finding.pattern[200].normalized
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


def compare_outcomes(drawn: Drawn, times: list[int]) -> None:
    """Compare what comes out, in the same generation for all, if contacts are asked for alone."""
    steps = list(
        search_contacts(
            lambda contact, recover: replace(drawn, recover=recover).ask(contact, contact),
            times,
            [drawn.recover],
            same="outcome",
        )
    )
    last = times[-1] + drawn.recover + drawn.hold
    found = [each.reaction.outcome for each in steps if each.reaction]
    there = {each.outcome(last) for t in times for each in drawn.catalysts(t, t)}
    assert all(each.complete for each in steps if each.finding is None)
    assert len(found) == len(there)
    assert {frozenset(map(tuple, each.coordinates.tolist())) for each in found} == there


def draw_catalyst(chance: random.Random) -> str:
    """Draw an input and a region, mostly such that there is a catalyst."""
    while True:
        drawn = Drawn.draw(chance)
        if drawn.good or chance.random() < 0.03:
            return msgspec.json.encode(drawn).decode()


def check_catalysts(drawn: Drawn, chance: random.Random) -> Counter[str]:
    """What is listed is what there is, by generations of contact and by a range of them."""
    met = {t for each, t in drawn.meetings.items() if drawn.comes_to(each, t)}
    try:
        times = list_contacts(Drawing(Pattern.from_cells(drawn.coming), drawn.places))
    except UsageError:
        times = []
    assert met <= set(times), (met, times)
    times = [t for t in times if t < MOST_FOLLOWED]
    some = sorted({*chance.sample(times, min(1, len(times))), *drawn.good[:1]})
    count = sum(compare(drawn, t, t, chance) for t in some)
    if some:
        compare_outcomes(drawn, some)
    if times:
        early = chance.choice(drawn.good or times)
        early = max(1, early - chance.randint(0, 2))
        count += compare(drawn, early, early + chance.randint(0, 5), chance)
    return Counter(catalysts=count)


def check_forgeries(drawn: Drawn, chance: random.Random) -> Counter[str]:
    """A list with one left out, twice or dead is not certified, nor is it for another question."""
    if not drawn.good:
        return Counter()
    t = chance.choice(drawn.good)
    problem = drawn.ask(t, t)
    found = tuple(draw(each) for each in find_all(problem, same="catalyst"))
    if len(found) > PROVED:
        return Counter(longer=1)
    one = chance.randrange(len(found))
    dead = tuple(tuple("." * len(row) for row in rows) for rows in found[one])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for forged in (
            (*found[:one], *found[one + 1 :]),
            (*found, found[one]),
            (*found[:one], dead, *found[one + 1 :]),
        ):
            try:
                certify(problem, Reactions(found=forged), folder / "forged")
            except InternalError:
                continue
            raise Differs(f"certified, though not true: {forged}")
        prove(problem, folder / "true", list_all=True)
        if told := check_certificate(folder / "true").complaints:
            raise Differs(f"the certificate is not valid: {told}")
        for other in _others(problem):
            (folder / "true" / "problem.json").write_bytes(other.to_json())
            if check_certificate(folder / "true").valid:
                raise Differs(f"valid for another problem: {other.to_json().decode()}")
    return Counter(certified=1, refused=3 + len(_others(problem)))


def _others(problem: Problem) -> list[Problem]:
    """Return the problem with another condition each."""
    (asked,) = (each for each in problem.constraints if isinstance(each, Restored))
    early, late = asked.contact
    bounds = tuple(each for each in problem.constraints if each is not asked)
    changes = (
        {"hold": asked.hold + 1},
        {"times": (asked.times[0], asked.times[1] - 1)},
        {"contact": (early - 1, late), "free": ()},
        {"active": (asked.active or 3) - 1},
        {"ever_active": (asked.ever_active or 3) - 1},
    )
    return [
        msgspec.structs.replace(
            problem, constraints=(*bounds, msgspec.structs.replace(asked, **change))
        )
        for change in changes
    ]
