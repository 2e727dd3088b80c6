"""The loop: draw, check, count; by one process or by several."""

from __future__ import annotations

import json
import os
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

from satlife import Problem
from satlife.errors import UsageError
from tests.fuzz.checks import LIMITATIONS, Differs
from tests.fuzz.mutants import mutants
from tests.fuzz.sorts import SORTS, Sort, Subject, find_check, find_sorts
from tests.reference import TooLarge, refused
from tests.reference.asked import NoCell

BATCH = 10
LEFT = 0.25
"""The share that is left of draws without a solution, of a sort that has many of them."""
REFUSALS = (
    "is given in two states",
    "is given alive and dead",  # known cells that contradict each other
    "it needs a motion that only shifts",  # a time operation and a turn: which comes first?
    "more is not supported yet",  # dying cells and strobing backgrounds with some other parts
    "search does not support rules with B0 yet",  # of a background that stays alive
)
"""What satlife refuses though it has a meaning, or would have one."""


@dataclass
class Failure:
    """A check that failed."""

    number: int
    sort: str
    check: str
    problem: str
    """The text that was drawn."""
    seed: str
    words: str


@dataclass
class Tally:
    """What was done."""

    problems: int = 0
    satisfiable: int = 0
    processor: float = 0.0
    sorts: Counter[str] = field(default_factory=Counter)
    satisfied: Counter[str] = field(default_factory=Counter)
    """Of each sort, how many have a solution."""
    spent: Counter[str] = field(default_factory=Counter)
    """Seconds of a processor for each sort."""
    details: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    """What the checks tell of their work."""
    rules: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    not_drawn: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.problems += other.problems
        self.satisfiable += other.satisfiable
        self.processor += other.processor
        for name, value in vars(other).items():
            if isinstance(value, Counter):
                getattr(self, name).update(value)
        self.failures += other.failures


def run_number(seed: int, number: int, sorts: tuple[Sort, ...] = SORTS) -> Tally:
    """Draw the problem of a number, and check it."""
    tally = Tally()
    started, begun = processor_time(), time.perf_counter()
    sort, text, subject = draw_subject(seed, number, tally, sorts)
    tally.seconds["drawing"] += time.perf_counter() - begun
    tally.problems += 1
    tally.satisfiable += subject.is_satisfiable
    tally.sorts[sort.name] += 1
    tally.satisfied[sort.name] += subject.is_satisfiable
    tally.details[subject.detail] += 1
    tally.rules.update(subject.families)
    for name, (_, share) in sort.checks.items():
        if random.Random(f"{subject.seed} {name}?").random() < share:
            begun = time.perf_counter()
            words = try_check(name, subject, tally.notes)
            tally.seconds[name] += time.perf_counter() - begun
            tally.checks[name] += 1
            if words is not None:
                tally.failures.append(Failure(number, sort.name, name, text, subject.seed, words))
    tally.processor = tally.spent[sort.name] = processor_time() - started
    return tally


def processor_time() -> float:
    """Return the seconds of the processor so far, those of children that have ended included."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def try_check(name: str, subject: Subject, notes: Counter[str] | None = None) -> str | None:
    """Return what is wrong, or None; add numbers that are to be told."""
    try:
        with _own_folder():
            told = find_check(name)(subject, random.Random(f"{subject.seed} {name}"))
            if told and notes is not None:
                notes.update({f"{name}: {each}": number for each, number in told.items()})
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


def draw_subject(
    seed: int, number: int, tally: Tally | None = None, sorts: tuple[Sort, ...] = SORTS
) -> tuple[Sort, str, Subject]:
    """Draw until there is something that satlife takes, and that is small enough."""
    tally = tally or Tally()
    chance = random.Random(f"{seed} {number}")
    sort = chance.choices(sorts, [sort.weight for sort in sorts])[0]
    for attempt in count():
        chance = random.Random(f"{seed} {number} {attempt}")
        try:
            text = sort.draw(chance)
            if sort.is_raw:
                tally.checks["refusal"] += 1
                if words := compare_refusals(text):
                    failure = Failure(number, sort.name, "refusal", text, "", words)
                    tally.failures.append(failure)
                _check_mutants(chance, number, text, tally)
            subject = sort.read(text, f"{seed} {number} {attempt}")
            if sort.is_lucky or subject.is_satisfiable or chance.random() < LEFT:
                return sort, text, subject
            tally.not_drawn["nothing to find"] += 1
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
            tally.failures.append(Failure(number, "wild", "refusal", json.dumps(other), "", words))


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


def run_batch(seed: int, numbers: list[int], names: tuple[str, ...] = ()) -> Tally:
    """Run several numbers, of all sorts or of some."""
    tally, sorts = Tally(), find_sorts(names)
    for number in numbers:
        tally.add(run_number(seed, number, sorts))
    return tally


def run(
    seed: int,
    problems: int | None,
    minutes: float | None,
    jobs: int,
    names: tuple[str, ...] = (),
) -> Iterator[Tally]:
    """Yield the tallies of batches until there are enough problems, or the time is up."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    numbers = iter(range(problems)) if problems is not None else count()
    batches = iter(lambda: list(islice(numbers, BATCH)), [])
    if jobs == 1:
        for batch in batches:
            yield run_batch(seed, batch, names)
            if end is not None and time.monotonic() > end:
                return
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [
            pool.submit(run_batch, seed, batch, names) for batch in islice(batches, 2 * jobs)
        ]
        while waiting:
            yield waiting.pop(0).result()
            if end is None or time.monotonic() < end:
                waiting += [
                    pool.submit(run_batch, seed, batch, names) for batch in islice(batches, 1)
                ]
