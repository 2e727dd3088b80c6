"""What forgeries are made of: valid folders, and problems to lend them to; made once for a seed."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import count, islice
from pathlib import Path

from satlife import Problem
from satlife.certificates.claims import estimate_clauses
from satlife.errors import UsageError
from satlife.problem.outcome import draw_states
from tests.forge.folders import (
    Folder,
    write_folder,
)
from tests.forge.judging import judge
from tests.fuzz.checks import Case
from tests.fuzz.drawing import draw_raw, write
from tests.fuzz.kindred import NAMES, draw_kind
from tests.reference import History, TooLarge
from tests.reference.asked import NoCell

LARGEST = 5000
"""Clauses of a formula: a check then takes some hundredths of a second."""
MOST = 2**11
"""Fillings that are tried of a problem."""


Make = Callable[[random.Random, "Pool"], Iterator[Folder]]
"""Yields valid folders of a kind."""
Forge = Callable[[random.Random, "Pool", Folder], Folder]
"""Makes another folder of a valid one."""


class Pool:
    """All that forgeries are made of; each part is made when it is first asked for."""

    def __init__(self, seed: int, size: int, makers: Mapping[str, Make]) -> None:
        self.seed, self.size, self.makers = seed, size, makers
        self.folders = Folders(self)

    @cached_property
    def cases(self) -> list[Case]:
        """Problems with what the brute force knows of them; most have solutions."""
        return list(_draw_cases(self.seed, 12 * self.size))

    @cached_property
    def solved(self) -> list[Case]:
        """Those with solutions."""
        return [case for case in self.cases if case.found]


class Folders(dict[str, list[Folder]]):
    """The valid folders of each kind."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self.pool = pool

    def __missing__(self, kind: str) -> list[Folder]:
        made = self.pool.makers[kind](random.Random(f"{self.pool.seed} {kind}"), self.pool)
        self[kind] = list(islice((each for each in made if _is_valid(kind, each)), self.pool.size))
        return self[kind]


def _is_valid(kind: str, folder: Folder) -> bool:
    with tempfile.TemporaryDirectory() as place:
        write_folder(folder, Path(place, kind))
        return judge(Path(place, kind), kind).word == "valid"


def _draw_cases(seed: int, number: int) -> Iterator[Case]:
    drawn = 0
    for i in count():
        chance = random.Random(f"{seed} {i}")
        try:
            if chance.random() < 0.5:
                problem = draw_kind(chance, chance.choice(NAMES))
            else:
                sort = chance.choice(("planted", "planted", "wild"))
                problem = Problem.from_json(write(draw_raw(chance, sort)))
            if estimate_clauses(problem) <= LARGEST:
                yield Case.of(problem, f"{seed} {i}", largest=MOST)
                drawn += 1
        except (UsageError, TooLarge, NoCell):
            continue
        if drawn == number:
            return


def draw(history: History) -> tuple[tuple[str, ...], ...]:
    """Draw the generations of a history."""
    return tuple(draw_states(states) for states in history)
