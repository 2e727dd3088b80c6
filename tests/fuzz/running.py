"""The loop: draw, check, count; by one process or by several."""

from __future__ import annotations

import json
import random
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice

from satlife.errors import UsageError
from satlife.search import Problem
from tests.fuzz.checks import LIMITATIONS, Case, Differs
from tests.fuzz.drawing import MOST, draw_raw, name_family, write
from tests.fuzz.kindred import NAMES, draw_kind
from tests.fuzz.mutants import mutants
from tests.fuzz.objects import draw_object
from tests.fuzz.proofs import CHECKS
from tests.reference import TooLarge, refused
from tests.reference.asked import NoCell

SORTS = (*["planted"] * 6, *["kind"] * 4, *["object"] * 2, "wild")
BATCH = 20
REFUSALS = (
    "is given in two states",
    "is given alive and dead",  # known cells that contradict each other
    "it goes with a motion that only shifts",  # a time operation and a turn: which comes first?
    "more is not supported yet",  # dying cells and strobing backgrounds with some other parts
    "search does not support rules with B0 yet",  # of a background that stays alive
)
"""What satlife refuses though it has a meaning, or would have one."""


@dataclass
class Failure:
    """A check that failed."""

    number: int
    check: str
    problem: str
    seed: str
    words: str


@dataclass
class Tally:
    """What was done."""

    problems: int = 0
    satisfiable: int = 0
    processor: float = 0.0
    sorts: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    not_drawn: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.problems += other.problems
        self.satisfiable += other.satisfiable
        self.processor += other.processor
        for name in ("sorts", "rules", "checks", "seconds", "not_drawn"):
            getattr(self, name).update(getattr(other, name))
        self.failures += other.failures


def run_number(seed: int, number: int) -> Tally:
    """Draw the problem of a number, and check it."""
    tally = Tally()
    started, begun = time.process_time(), time.perf_counter()
    case = draw_case(seed, number, tally)
    tally.seconds["drawing"] += time.perf_counter() - begun
    tally.problems += 1
    tally.satisfiable += bool(case.found)
    tally.sorts[case.sort] += 1
    tally.rules[name_family(case.problem.rule)] += 1
    for name, (_, share) in CHECKS.items():
        if random.Random(f"{case.seed} {name}?").random() < share:
            begun = time.perf_counter()
            words = try_check(name, case)
            tally.seconds[name] += time.perf_counter() - begun
            tally.checks[name] += 1
            if words is not None:
                text = case.text.decode()
                tally.failures.append(Failure(number, name, text, case.seed, words))
    tally.processor = time.process_time() - started
    return tally


def try_check(name: str, case: Case) -> str | None:
    """Return what is wrong, or None."""
    try:
        with _own_folder():
            CHECKS[name][0](case, random.Random(f"{case.seed} {name}"))
    except Differs as difference:
        return str(difference)
    except UsageError as error:
        if any(str(error).startswith(words) for words in LIMITATIONS):
            return None
        return f"{type(error).__name__}: {error}"
    except Exception as error:  # whatever it is: it is a finding
        return describe_error(error)
    return None


def describe_error(error: Exception) -> str:
    """Return what was raised, and where."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{last.filename.rpartition('satlife/')[2]}:{last.lineno}"
    return f"{type(error).__name__}: {error} ({place})"


@contextmanager
def _own_folder() -> Iterator[None]:
    """Let temporary files be gone afterwards: a wrong model leaves its formula behind."""
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = before


def draw_case(seed: int, number: int, tally: Tally | None = None) -> Case:
    """Draw until there is a problem that satlife takes, and that is small enough."""
    tally = tally or Tally()
    for attempt in count():
        chance = random.Random(f"{seed} {number} {attempt}")
        sort = chance.choice(SORTS)
        try:
            if sort == "kind":
                sort = chance.choice(NAMES)
                problem = draw_kind(chance, sort)
            else:
                text = write(draw_object(chance) if sort == "object" else draw_raw(chance, sort))
                tally.checks["refusal"] += 1
                if words := compare_refusals(text):
                    tally.failures.append(Failure(number, "refusal", text, "", words))
                _check_mutants(chance, number, text, tally)
                problem = Problem.from_json(text)
                sort = f"{sort} {problem.boundary}"
            most = MOST * (16 if chance.random() < 0.05 else 1)
            return Case.of(problem, f"{seed} {number} {attempt}", sort, most)
        except UsageError as error:
            tally.not_drawn[f"refused: {str(error).removeprefix('not a problem: ')[:60]}"] += 1
        except (TooLarge, NoCell) as error:
            tally.not_drawn[type(error).__name__] += 1
    raise AssertionError


def _check_mutants(chance: random.Random, number: int, text: str, tally: Tally) -> None:
    """Look whether problems that differ in one place are refused or have a meaning."""
    others = list(mutants(json.loads(text)))
    for other in chance.sample(others, 3):
        tally.checks["refusal of mutants"] += 1
        if words := compare_refusals(json.dumps(other), well_formed=False):
            tally.failures.append(Failure(number, "refusal", json.dumps(other), "", words))


def compare_refusals(text: str, well_formed: bool = True) -> str | None:
    """Return what is wrong if satlife takes what has no meaning, or refuses what has one."""
    try:
        reason = refused(Problem.from_json(text).to_json())
    except UsageError as error:
        announced = any(words in str(error) for words in REFUSALS) or not well_formed
        return None if announced or refused(text) else f"satlife refuses it: {error}"
    except Exception as error:
        return describe_error(error)
    return f"satlife takes it, but: {reason}" if reason else None


def run_batch(seed: int, numbers: list[int]) -> Tally:
    """Run several numbers."""
    tally = Tally()
    for number in numbers:
        tally.add(run_number(seed, number))
    return tally


def run(seed: int, problems: int | None, minutes: float | None, jobs: int) -> Iterator[Tally]:
    """Yield the tallies of batches until there are enough problems, or the time is up."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    numbers = iter(range(problems)) if problems is not None else count()
    batches = iter(lambda: list(islice(numbers, BATCH)), [])
    if jobs == 1:
        for batch in batches:
            yield run_batch(seed, batch)
            if end is not None and time.monotonic() > end:
                return
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(run_batch, seed, batch) for batch in islice(batches, 2 * jobs)]
        while waiting:
            yield waiting.pop(0).result()
            if end is None or time.monotonic() < end:
                waiting += [pool.submit(run_batch, seed, batch) for batch in islice(batches, 1)]
