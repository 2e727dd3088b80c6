"""Maps of a width: every rule has the answer of a search of its own, and of the reference.

Maps are stopped, what a kill may leave is put behind their files, and they go on; limits for the
states of a search are so low that entries must be fixed, or so high that none is.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from unittest import mock

from satlife import Found, Problem, find, ship
from satlife.rulemaps import Region, RuleMap, make_map, read_map
from satlife.rulemaps.folder import REGIONS, STATES, add_region, begin_map
from satlife.rulemaps.map_check import judge_map
from tests.fuzz.checks import Differs
from tests.reference import TooLarge, is_solution
from tests.reference.narrow import Rows, with_height
from tests.reference.unbounded import has_ship

STRIPS = (
    ("c/2", "C1", 3, "B3/S235 B35/S0235 B368/S2357"),
    ("c/2", "C1", 3, "B3/S235 B2/S03 B34/S12"),
    ("c/2", "C1", 4, "B35/S02357 B36/S135"),
    ("c/2", "D2|", 5, "B3/S235 B36/S035 B357/S0236"),
    ("c/2", "D2|", 6, "B34/S0357 B3457/S245 B346/S03578"),
    ("c/3", "C1", 3, "B246/S0247 B2467/S0246"),
    ("c/3", "D2|", 5, "B2468/S0246 B3468/S13478 B357/S24567"),
    ("c/4", "D2|", 3, "B3/S135 B34/S0235"),
    ("2c/3", "C1", 2, "B2/S0 B34/S23"),
    ("2c/5", "D2|", 3, "B2/S0 B3/S23"),
)
"""Speed, symmetry, width, and rules, most of which have a ship."""
LETTERS = (
    "B2-a[2a]3/S[2i]35",
    "B3[4c]/S2-a[2a]35",
    "B[2c]3/S[1c]23-q[3q]5",
    "B3[5r]/S[0]2[3a]3-a5",
)
LIMITS = (20, 300, 20_000)
"""States of a search for several rules."""
KILLS = 3


class Killed(Exception):  # noqa: N818 - not an error
    """The map is stopped."""


@dataclass(frozen=True, eq=False)
class Mapped:
    """A width and a set of rules."""

    text: str
    seed: str
    problem: Problem

    @classmethod
    def of(cls, text: str, seed: str) -> Mapped:
        return cls(text, seed, Problem.from_json(text))

    @cached_property
    def rules(self) -> dict[str, bool]:
        """Each rule of the set, and whether the reference has a ship by it, if it knows."""
        space = self.problem.parsed.space
        assert space is not None
        known = {}
        for rule in space.rules():
            try:
                known[str(rule)] = _has_ship(self.problem.with_rule(str(rule)).to_json().decode())
            except TooLarge:
                continue
        return known

    @property
    def is_satisfiable(self) -> bool:
        return any(self.rules.values())

    @property
    def families(self) -> list[str]:
        space = self.problem.parsed.space
        return ["counting" if space and space.is_outer_totalistic else "arranging"]

    @property
    def detail(self) -> str:
        return ""


def _has_ship(text: str) -> bool:
    if json.loads(text)["motion"]["dy"] == -1:
        return has_ship(text)
    return Rows(text).find() is not None


def draw_mapped(chance: random.Random) -> str:
    """Draw a width, and a set of a few rules around one that may have a ship."""
    speed, symmetry, width, rules = chance.choice(STRIPS)
    births, survivals = (set(half[1:]) for half in chance.choice(rules.split()).split("/"))
    free = chance.sample([("B", n) for n in "2345678"] + [("S", n) for n in "012345678"], 6)
    free = free[: chance.randint(1, 5)]
    halves = []
    for half, counts in (("B", births), ("S", survivals)):
        forms = {n: f"[{n}]" if (half, n) in free else n for n in "12345678" if n in counts}
        forms |= {n: f"[{n}]" for letter, n in free if letter == half}
        halves.append(half + "".join(forms[n] for n in sorted(forms)))
    rule = "/".join(halves)
    if (speed, width) == ("c/2", 3) and chance.random() < 0.3:
        rule = chance.choice(LETTERS)
    return ship(speed, box=f"{width}x*", symmetry=symmetry, rule=rule).to_json().decode()


def check_mapped(mapped: Mapped, chance: random.Random) -> Counter[str]:
    """A map says of every rule what is true, is valid, and goes on wherever it was stopped."""
    notes: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as place,
        mock.patch("satlife.rulemaps.width_maker.LIMIT", chance.choice(LIMITS)),
    ):
        folder = Path(place, "map")
        for kills in range(KILLS, -1, -1):
            try:
                _make(mapped.problem, folder, chance.randrange(1, 6) if kills else None)
                break
            except Killed:
                notes["kills"] += 1
                _leave(folder, chance)
        made, judged = read_map(folder), judge_map(folder)
        if not judged.valid:
            raise Differs(f"the map is {judged}")
    for rule in made.space.rules():
        _compare(mapped, made, str(rule), notes, by_rows=chance.random() < 0.5)
    notes["regions"] += len(made.regions)
    return notes


def _make(problem: Problem, folder: Path, last: int | None) -> None:
    """Make a map, or stop after some regions."""
    made = 0

    def keep(region: Region, left: int) -> None:
        nonlocal made
        add_region(folder, region)
        made += 1
        if made == last and left:
            raise Killed

    make_map(problem, begin_map(problem, folder).regions, keep)


def _leave(folder: Path, chance: random.Random) -> None:
    """Leave what a kill may leave: half a line, or states without their line."""
    name, text = chance.choice(((REGIONS, b'{"rules":"B3/'), (STATES, b"\xfd7zXZ\x00 and more")))
    with (folder / name).open("ab") as file:
        file.write(text)


def _compare(
    mapped: Mapped, made: RuleMap, rule: str, notes: Counter[str], *, by_rows: bool
) -> None:
    """Compare the answer for one rule with the reference, and with a search of its own."""
    region, known = made.look_up(rule), mapped.rules.get(rule)
    if region is None:
        raise Differs(f"the map has no answer for {rule}")
    said, problem = region.pattern is not None, mapped.problem.with_rule(rule)
    if known is not None and known != said:
        raise Differs(f"{rule}: the map says {said}, and the reference {known}")
    notes["rules by the reference"] += known is not None
    if by_rows:
        notes["rules by rows"] += 1
        if isinstance(find(problem, engine="rows"), Found) != said:
            raise Differs(f"{rule}: the map says {said}, and the search by rows does not")
    if region.pattern is not None:
        now, film = region.pattern.with_rule(rule), []
        for _ in range(problem.generations):
            film.append(now)
            now = now[1]
        height = max(each.box.bottom for each in film)
        closed = problem.with_height(height)
        history = tuple(each.in_box(closed.all_boxes[0]) for each in film)
        if not is_solution(with_height(problem.to_json(), height), history):
            raise Differs(f"{rule}: what the map has is no ship: {region.pattern.to_rle()}")
