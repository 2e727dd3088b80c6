"""Patches that force themselves: satlife's answers, cores and certificates, against brute force."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from satlife import Impossible, Problem, Proved, check, find, kinds, prove
from satlife.certificates.make.shrink import Shrunk, shrink
from satlife.certificates.obligations import witness_complaints
from tests.fuzz.ancestral import read_rows
from tests.fuzz.checks import Differs
from tests.fuzz.drawing import Fields
from tests.reference.forcing import minimal, past

RULES = (
    *("B/S23", "B8/S012", "B8/S0123", "B78/S0123", "B78/S01", "B7/S0", "B8/S", "B3/S23"),
    "B5/S012345678",
)
"""In most of them little is born, so that a live cell says much about its past."""
SIZES = (
    *((width, height, 1) for width, height in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (2, 3))),
    *((1, 1, 2), (2, 1, 2)),
)
"""Width, height and generations."""
PROVED = 0.3
"""The share of what is forced, or an orphan, that is certified."""


@dataclass(frozen=True, eq=False)
class Forcing:
    """A patch, and whether it forces itself."""

    text: str
    seed: str
    words: Fields
    problem: Problem
    answer: str

    @classmethod
    def of(cls, text: str, seed: str) -> Forcing:
        words = json.loads(text)
        rows, rule, generations = tuple(words["rows"]), words["rule"], words["generations"]
        problem = kinds.forced(read_rows(rows, rule), generations=generations)
        return cls(text, seed, words, problem, past(rule, rows, generations))

    @property
    def is_satisfiable(self) -> bool:
        return self.answer == "other"

    @property
    def families(self) -> list[str]:
        return ["counting"]

    @property
    def detail(self) -> str:
        return self.answer


def draw_forcing(chance: random.Random) -> str:
    """Draw some cells, many of them alive."""
    width, height, generations = chance.choice(SIZES)
    unknown = chance.choice((0, 0.3, 0.6))
    rows = ["".join(chance.choices(".o?", (0.2, 1, unknown), k=width)) for _ in range(height)]
    rule = chance.choice(RULES)
    return json.dumps({"rows": rows, "rule": rule, "generations": generations})


def check_forcing(case: Forcing, chance: random.Random) -> Counter[str]:
    """The answer is right, a core is forced and minimal, and what is certified is valid."""
    found = find(case.problem)
    told = "other"
    if isinstance(found, Impossible):
        told = "orphan" if found.vacuous else "forced"
    if told != case.answer:
        raise Differs(f"satlife says {told}, but it is {case.answer}")
    if told == "other":
        return Counter(found=1)
    alive = "o" in "".join(case.words["rows"])
    if alive and told == "forced":
        _check_core(case)
    if chance.random() < PROVED:
        _check_certificate(case, shrinks=alive and chance.random() < 0.5)
    return Counter({told: 1})


def _check_core(case: Forcing) -> None:
    shrunk = shrink(case.problem)
    if not isinstance(shrunk, Shrunk):
        raise Differs("what forces itself has no core")
    if complaints := list(witness_complaints(shrunk.problem, shrunk.claim)):
        raise Differs(f"the core is not right: {complaints}")
    (known,) = shrunk.problem.known
    if not minimal(case.words["rule"], known.rows, case.words["generations"]):
        raise Differs(f"the core {known.rows} does not force itself, or is not minimal")


def _check_certificate(case: Forcing, *, shrinks: bool) -> None:
    with tempfile.TemporaryDirectory() as place:
        proved = prove(case.problem, Path(place) / "new", shrink=shrinks)
        if not isinstance(proved, Proved):
            raise Differs("it forces itself, or is an orphan, and that is not certified")
        if ("forces itself" in proved.statement) != (case.answer == "forced"):
            raise Differs(f"it is {case.answer}, but the statement says: {proved.statement}")
        if complaints := check(Path(place) / "new").complaints:
            raise Differs(f"the certificate is not valid: {complaints}")
