"""What becomes some cells: satlife's answers, and the brute force's own reading of the words."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from satlife import Found, Problem, Proved, check, find, kinds, prove
from satlife.life import PartialPattern
from satlife.records import answers_yes
from tests.fuzz.checks import Differs
from tests.fuzz.drawing import Fields
from tests.reference.ancestry import Rows, has_ancestor, past_cells

RULES = ("B8/S", "B8/S8", "B78/S", "B/S78", "B78/S8", "B3/S23", "B36/S8", "B7/S0")
"""By most of them, few things have parents, and fewer have ancestors further back."""
SIZES = (
    *((width, height, 1) for width, height in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (2, 4))),
    *((1, 1, 2), (1, 1, 2), (2, 1, 2)),
)
"""Width, height and generations."""
PASTS = ((1, 1, 1), (2, 1, 1), (1, 2, 1), (2, 2, 1))
"""The same, small enough for a list of all parents."""
PROVED = 0.2
"""The share of what nothing becomes that is certified."""


@dataclass(frozen=True, eq=False)
class Ancestral:
    """Cells, and a question about what becomes them, with its answer by brute force."""

    text: str
    seed: str
    words: Fields
    problem: Problem
    is_satisfiable: bool
    """Whether something is found: an ancestor, or one that differs from another."""
    is_yes: bool

    @classmethod
    def of(cls, text: str, seed: str) -> Ancestral:
        words = json.loads(text)
        rule, rows, generations = words["rule"], tuple(words["rows"]), words["generations"]
        if words["unique"]:
            pasts = len(past_cells(rule, rows))
            return cls(text, seed, words, make_problem(words), pasts > 1, pasts == 1)
        known = has_ancestor(rule, rows, generations)
        return cls(text, seed, words, make_problem(words), known, not known)

    @property
    def families(self) -> list[str]:
        return ["counting"]

    @property
    def detail(self) -> str:
        return "unique" if self.words["unique"] else f"{self.words['generations']} back"


def make_problem(words: Fields) -> Problem:
    """Ask satlife, by its functions."""
    pattern = read_rows(tuple(words["rows"]), words["rule"])
    if words["unique"]:
        return kinds.parent(pattern, unique=True)
    return kinds.orphan(pattern, generations=words["generations"])


def read_rows(rows: Rows, rule: str) -> PartialPattern:
    """Return the cells as satlife takes them."""
    states = {".": 0, "o": 1, "?": 255}
    return PartialPattern([[states[cell] for cell in row] for row in rows], rule=rule)


def draw_ancestral(chance: random.Random) -> str:
    """Draw some cells; mostly all of them are known."""
    unique = chance.random() < 0.4
    width, height, generations = chance.choice(PASTS if unique else SIZES)
    unknown = chance.choice((0, 0, 0.2))
    rows = ["".join(chance.choices(".o?", (1, 1, unknown), k=width)) for _ in range(height)]
    words = {"rows": rows, "rule": chance.choice(RULES), "generations": generations}
    return json.dumps({**words, "unique": unique})


def check_ancestral(case: Ancestral, chance: random.Random) -> Counter[str]:
    """Something is found just if there is something, and none is certified just if there is not."""
    found = find(case.problem)
    if isinstance(found, Found) != case.is_satisfiable or answers_yes(found) != case.is_yes:
        raise Differs(f"satlife says {found}, but something is found: {case.is_satisfiable}")
    if case.is_satisfiable or chance.random() > PROVED:
        return Counter(found=case.is_satisfiable, yes=case.is_yes)
    with tempfile.TemporaryDirectory() as place:
        if not isinstance(prove(case.problem, Path(place) / "new"), Proved):
            raise Differs("nothing is found, and that is not certified")
        if complaints := check(Path(place) / "new").complaints:
            raise Differs(f"the certificate is not valid: {complaints}")
    return Counter(certified=1)
