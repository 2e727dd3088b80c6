"""The loop: forge, judge, compare with the truth, count; by one process or by several."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.forge.certificates import MAKERS
from tests.forge.exports import forge_export, make_exports
from tests.forge.forging import forge_certificate
from tests.forge.judging import command_word, is_true, judge, remembering
from tests.forge.maps import forge_map, make_maps
from tests.forge.pool import Pool
from tests.forge.width_maps import forge_width_map, make_width_maps
from tests.forge.widths import forge_width, make_widths

SIZE = 14
"""Valid folders of each kind."""
COMMAND = 100
"""Every so many forgeries are judged by the command, too."""
BATCH = 250

SHARES = {"none": 3, "best": 3, "all": 3, "core": 2, "forced": 2, "tree": 3, "width": 4}
SHARES |= {"map": 3, "export": 3, "range": 4, "width-map": 4}

FORGERS: dict[str, Callable[[random.Random, Pool, str, Path], str]] = {
    **dict.fromkeys(MAKERS, forge_certificate),
    "width": forge_width,
    "map": forge_map,
    "export": forge_export,
    "width-map": forge_width_map,
}


@cache
def make_pool(seed: int, size: int) -> Pool:
    """Return the pool of a seed, with so many folders of each kind."""
    makers = {"width": make_widths, "map": make_maps, "width-map": make_width_maps}
    return Pool(seed, size, {**MAKERS, **makers, "export": make_exports})


@dataclass
class Finding:
    """A forgery that satlife takes although it is false, or that cannot be judged."""

    number: int
    kind: str
    name: str
    words: str
    folder: Path


@dataclass
class Tally:
    """What was done."""

    processor: float = 0.0
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By the kind of folder: refused, undecided, true, unknown, FALSE."""
    forged: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.processor += other.processor
        for name in ("answers", "forged", "seconds"):
            getattr(self, name).update(getattr(other, name))
        self.findings += other.findings

    def count(self, answer: str) -> int:
        """Return how many forgeries have an answer."""
        return sum(number for (_, each), number in self.answers.items() if each == answer)


def run_batch(
    seed: int,
    numbers: Iterable[int],
    keep: Path,
    size: int = SIZE,
    kinds: Iterable[str] = tuple(SHARES),
) -> Tally:
    """Make and judge the forgeries of some numbers, of some kinds."""
    tally, begun = Tally(), time.process_time()
    pool, memory = make_pool(seed, size), Path("/dev/shm")
    room = memory if memory.is_dir() else None
    with tempfile.TemporaryDirectory(dir=room) as place, remembering():
        for kind in kinds:
            assert pool.folders[kind], kind
        tally.seconds["bases"] = time.process_time() - begun
        for number in numbers:
            chance = random.Random(f"{seed} forgery {number}")
            kind = chance.choices(list(kinds), [SHARES[each] for each in kinds])[0]
            forge(chance, kind, number, pool, Path(place, "forged"), keep, tally)
    tally.processor = time.process_time() - begun
    return tally


def forge(
    chance: random.Random,
    kind: str,
    number: int,
    pool: Pool,
    place: Path,
    keep: Path,
    tally: Tally,
) -> None:
    """Make and judge one forgery."""
    times = [time.perf_counter()]
    name = FORGERS[kind](chance, pool, kind, place)
    times.append(time.perf_counter())
    try:
        verdict = judge(place, kind)
        times.append(time.perf_counter())
        answer = {"not valid": "refused", "not decided": "undecided"}.get(verdict.word)
        if answer is None:
            true = is_true(place, kind, verdict)
            answer = {True: "true", False: "FALSE", None: "unknown"}[true]
        words = verdict.reason
        if number % COMMAND == 0 and (said := command_word(place, kind)) != verdict.command:
            answer, words = "FALSE", f"the command says {said}, not {verdict.command}: {words}"
    except Exception as error:  # whatever it is: nothing that is read may raise it
        answer, words = "FALSE", f"{type(error).__name__}: {error}"
    times.append(time.perf_counter())
    tally.answers[kind, answer] += 1
    tally.forged[f"{kind}: {name}: {answer}"] += 1
    for what, spent in zip(("forging", "judging", "truth"), _differences(times), strict=False):
        tally.seconds[what] += spent
    if answer == "FALSE":
        kept = keep / f"{pool.seed}-{number}-{kind}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(place, kept)
        tally.findings.append(Finding(number, kind, name, words, kept))


def _differences(times: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(times)]


def run(seed: int, number: int, jobs: int, keep: Path, size: int = SIZE) -> Iterator[Tally]:
    """Yield the tallies of batches."""
    batches = [range(i, min(i + BATCH, number)) for i in range(0, number, BATCH)]
    if jobs == 1:
        yield from (run_batch(seed, batch, keep, size) for batch in batches)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(run_batch, seed, batch, keep, size) for batch in batches]
        yield from (each.result() for each in waiting)
