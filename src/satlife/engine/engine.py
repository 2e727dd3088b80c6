"""Engines: ways to search.  Each takes the same problems, and everything it finds is verified.

An engine yields solutions as bare histories.  Verifying them, telling of them and stopping is the
work of :mod:`satlife.engine.session`, the same for all.  To add an engine, write its file
with a subclass of :class:`Engine` and add it to ``ENGINES``.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack, cast

from satlife.deadline import Deadline
from satlife.engine.goals import Best, Goal
from satlife.engine.wanted import Sieve, Wanted, name_rotor
from satlife.errors import UsageError
from satlife.formula.classes import History, history_key, images
from satlife.formula.spacetime import SpaceTime
from satlife.given import Types, check_type
from satlife.life import Pattern
from satlife.problem import Problem
from satlife.problem.outcome import Found, Impossible, Listed, Undecided
from satlife.quantities import SIZE, TIME
from satlife.sat import Limits
from satlife.sat.solver import Solver
from satlife.verifier.constraints import evaluate

# What a running search tells: events, in the order in which they happen.
#
# A :class:`~satlife.problem.outcome.Found` is an event too: each verified pattern is one.  The
# last event is :class:`Finished`, with the same value that ``result()`` returns.


Details = Mapping[str, Any]
"""Numbers and words by name; which ones there are depends on the engine."""

Result = Found | Impossible | Undecided | Listed | Best
"""What a search can come to."""


@dataclass(frozen=True)
class Started:
    """The search has begun."""

    engine: str


@dataclass(frozen=True)
class Built:
    """The engine is ready: a formula is built, tables are made."""

    engine: str
    seconds: float
    details: Details = field(default_factory=dict)
    """For SAT: ``solver``, ``encoding``, ``variables``, ``clauses``."""


@dataclass(frozen=True)
class Progress:
    """Progress of a running search; a newer one replaces an unread one."""

    racer: str
    """Who speaks: one of several solvers that race, or the engine itself."""
    seconds: float
    """Since the search began."""
    details: Details = field(default_factory=dict)
    """For SAT: ``conflicts``, ``memory_bytes``."""


@dataclass(frozen=True)
class Improved:
    """A better solution than any before."""

    best: Best


@dataclass(frozen=True)
class Finished:
    """The search is over."""

    result: Result


Event = Started | Built | Progress | Improved | Found | Finished


# Listing and optimising by any engine that can list solutions: skip what is known, keep the best.
#
# An engine that can do better, as SAT can by adding clauses, does not use these.


Solutions = Generator[History, None, str]


def filter_classes(
    solutions: Solutions, problem: Problem, wanted: Wanted, sieve: Sieve, skipped: Counter[str]
) -> Solutions:
    """Yield the first of each class that is wanted; a raw class is one solution."""
    spacetime = SpaceTime(problem)

    def alike(history: History) -> Iterable[History]:
        return (history,) if wanted.raw else images(spacetime, history)

    by_rotor = wanted.same == "rotor"
    seen = {history_key(image) for each in wanted.already_found for image in alike(each)}
    rotors = {name_rotor(problem, each) for each in wanted.already_found} if by_rotor else set()
    while True:
        try:
            history = next(solutions)
        except StopIteration as end:
            return str(end.value or "")
        if history_key(history) in seen:
            skipped["copies"] += not by_rotor  # of the same rotor, nobody can count them
            continue
        rotor = name_rotor(problem, history) if by_rotor else None
        if rotor in rotors:
            continue
        seen.update(map(history_key, alike(history)))
        if sieve.leaves_out(history) is False:
            if rotor is not None:
                rotors.add(rotor)
            yield history


def keep_better(solutions: Solutions, problem: Problem, goals: Iterable[Goal]) -> Solutions:
    """Yield each solution that is better than all before; the last one is the best."""
    best: tuple[int, ...] | None = None
    wanted = [(goal.measure.what, -1 if goal.maximize else 1) for goal in goals]
    while True:
        try:
            history = next(solutions)
        except StopIteration as end:
            return str(end.value or "")
        values = tuple(sign * evaluate(problem, history, what) for what, sign in wanted)
        if best is None or values < best:
            best = values
            yield history


class GaveUp(Exception):  # noqa: N818 - an answer on its way, not an error
    """The engine stops without an answer; the message is the reason."""


def _means(types: Types, words: str, read: Callable[[Any], Any] | None = None) -> dict[str, object]:
    """Metadata of an option: its types, the words for them, and how it is read."""
    return {"types": types, "words": words, "read": read}


def _read_time(given: str | float | Deadline) -> float | Deadline:
    if isinstance(given, Deadline):
        return given
    return TIME.parse(given) if isinstance(given, str) else float(given)


def _read_size(given: str | float) -> int:
    return int(SIZE.parse(given))


_NUMBER: Final = "a whole number"
_CHOICE: Final = "True, False or None"


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to search; none of it changes what is asked.  None leaves the choice to the engine."""

    solver: str | Solver | None = field(
        default=None, metadata=_means((str, Solver), "the name of a solver, such as 'cadical'")
    )
    """The SAT solver."""
    encoding: str | None = field(
        default=None, metadata=_means(str, "the name of an encoding, such as 'columns'")
    )
    """How the rule becomes clauses."""
    break_symmetry: bool | None = field(default=None, metadata=_means(bool, _CHOICE))
    """Whether to look at one of several mirror images only."""
    restrictions: bool | None = field(default=None, metadata=_means(bool, _CHOICE))
    """Whether to try smaller boxes and more symmetry beside the whole problem."""
    jobs: int = field(default=1, metadata=_means(int, _NUMBER))
    """How many processors to use: solvers race in a hunt, and share the cases of a refutation."""
    seed: int | None = field(default=None, metadata=_means(int, _NUMBER))
    """For another first answer; the same seed gives the same one again."""
    timeout: float | Deadline | None = field(
        default=None,
        metadata=_means(
            (float, str, Deadline), "a number of seconds, or a time such as '10m'", _read_time
        ),
    )
    """Seconds by the clock after which to give up, or the deadline of the whole of which this is a
    part."""
    memory: int | None = field(
        default=None,
        metadata=_means((float, str), "a number of bytes, or a size such as '4G'", _read_size),
    )
    """Bytes beyond which to give up."""
    conflicts: int | None = field(default=None, metadata=_means(int, _NUMBER))
    """Conflicts of a SAT solver after which to give up."""
    save: Path | None = field(
        default=None, metadata=_means((str, Path), "the name of a file", Path)
    )
    """Where the search is saved; if the file exists, the search goes on from it."""
    partials: int = field(default=0, metadata=_means(int, _NUMBER))
    """How many of the longest partial ships the engine rows reports at its end."""
    extend: Pattern | None = field(
        default=None, metadata=_means(Pattern, "a Pattern; satlife.read reads one")
    )
    """The beginning of a ship: the engine rows searches only for ships that begin with it."""

    @classmethod
    def of(cls, **given: Unpack[Keywords]) -> Options:
        """Read options as people write them: ``timeout="10m"``, ``memory="4G"``, a file's name.

        >>> Options.of(timeout="10m", memory="4G").limits()
        Limits(seconds=600.0, conflicts=None, memory_bytes=4294967296)
        """
        return cls(**cast("dict[str, Any]", given))

    def __post_init__(self) -> None:
        for each in fields(self):
            value, means = getattr(self, each.name), each.metadata
            if value is None and each.default is None:
                continue
            check_type(value, means["types"], each.name, means["words"])
            if means["read"]:
                object.__setattr__(self, each.name, means["read"](value))
        if self.jobs < 1:
            raise UsageError(f"a search needs at least one job, got {self.jobs}")
        if self.partials < 0:
            raise UsageError(f"partials is a number of partial ships, got {self.partials}")
        self.limits()

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the options that do not have their default."""
        return tuple(each.name for each in fields(self) if getattr(self, each.name) != each.default)

    def deadline(self) -> Deadline:
        """Return when to give up, if this begins now."""
        given = self.timeout
        return given if isinstance(given, Deadline) else Deadline.after(given)

    def starting_now(self) -> Options:
        """Return options for the parts of something that begins now: their time is for all."""
        return self if self.timeout is None else replace(self, timeout=self.deadline())

    def limits(self) -> Limits:
        """Return the limits as a solver takes them, if it begins now."""
        left = self.timeout.left if isinstance(self.timeout, Deadline) else self.timeout
        return Limits(seconds=left, memory_bytes=self.memory, conflicts=self.conflicts)


class Keywords(TypedDict, total=False):
    """The fields of :class:`~satlife.Options` as keywords of ``start``, ``find`` and their kin."""

    solver: str | Solver | None
    encoding: str | None
    break_symmetry: bool | None
    restrictions: bool | None
    jobs: int
    seed: int | None
    timeout: float | str | Deadline | None
    memory: int | str | None
    conflicts: int | None
    save: Path | str | None
    partials: int
    extend: Pattern | None


@dataclass
class Run:
    """One run of an engine: its options, whom it tells, and whether it must stop."""

    options: Options = field(default_factory=Options)
    tell: Callable[[Built | Progress], None] = lambda event: None
    skipped: Counter[str] = field(default_factory=Counter)
    """Why solutions were left out, and how many."""
    details: dict[str, object] = field(default_factory=dict)
    """What a finding's provenance says beyond engine and seconds."""
    stopped: threading.Event = field(default_factory=threading.Event)
    keep_evidence: Callable[[Path], None] = lambda folder: None
    """Writes into a folder what an engine knows of a solution that fails its check."""
    _interrupts: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.deadline = self.options.deadline()
        self.begun = self.deadline.clock()

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return self.deadline.clock() - self.begun

    @property
    def limits(self) -> Limits:
        """What is left of the limits."""
        return replace(self.options.limits(), seconds=self.deadline.left)

    def check(self) -> None:
        """Raise :class:`~satlife.GaveUp` if the search was stopped, or its time is over."""
        if self.stopped.is_set():
            raise GaveUp("stopped")
        if self.deadline.is_over:
            raise GaveUp("time limit")

    def progress(self, racer: str, **details: object) -> None:
        """Emit an event of progress."""
        self.tell(Progress(racer, self.seconds, details))

    def built(self, engine: str, **details: object) -> None:
        """Emit the event that the engine is ready; the details become part of the provenance."""
        self.details |= details
        self.tell(Built(engine, self.seconds, details))

    def stop(self) -> None:
        """Ask the engine to stop; to be called again and again until it has."""
        self.stopped.set()
        self._interrupt()

    def interrupt_until(self, over: threading.Event) -> None:
        """Interrupt what the engine waits for, until it is over; by itself this is not a stop.

        Once is not enough: an interrupt just before a solver starts has no effect.
        """
        while not over.wait(0.02):
            self._interrupt()

    def _interrupt(self) -> None:
        for interrupt in tuple(self._interrupts):
            with suppress(Exception):  # what is being closed need not be interrupted
                interrupt()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """While this lasts, a stop calls ``interrupt``, from another thread, maybe repeatedly."""
        self._interrupts.append(interrupt)
        try:
            yield
        finally:
            self._interrupts.remove(interrupt)


class Engine(ABC):
    """A way to search."""

    name: str
    title: str
    """What it is, in a few words."""
    takes: tuple[str, ...] = ("timeout",)
    """The names of the options that it takes; others are refused before it starts."""

    def check_options(self, options: Options) -> None:
        """Raise :class:`~satlife.errors.UsageError` if an option is given that it does not take."""
        for name in options.given:
            if name not in self.takes:
                raise UsageError(
                    f"the engine {self.name} does not take {name}; it takes {', '.join(self.takes)}"
                )

    def refuses(self, problem: Problem) -> str | None:
        """Return why this engine cannot take the problem; None if it can."""
        return None

    @abstractmethod
    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield solutions, each once; return why there are no more, or raise ``GaveUp``."""

    def classes(self, problem: Problem, run: Run, wanted: Wanted) -> Solutions:
        """Yield one solution of each class, or with ``wanted.raw`` every solution."""
        sieve = Sieve(problem, wanted, run.skipped)
        return filter_classes(self.solutions(problem, run), problem, wanted, sieve, run.skipped)

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Yield better and better solutions; return when the last one is proved best."""
        return keep_better(self.solutions(problem, run), problem, goals)
