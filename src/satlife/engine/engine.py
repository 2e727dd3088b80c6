"""The interface of search engines: options, runs, events, and the base class.

An engine yields solutions as bare histories.  :mod:`satlife.engine.session` verifies and reports
them and handles stops, in the same way for all engines.  To add an engine, write its file with a
subclass of :class:`Engine` and add it to ``ENGINES``.
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

from msgspec import Struct, structs

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
from satlife.sat.answer import Reason
from satlife.sat.formula import FormulaTooLargeError, limit_building
from satlife.sat.solver import Solver
from satlife.sat.solvers.memory import limit_growth
from satlife.verifier.constraints import evaluate

# Events of a running search, in order.
#
# Each verified pattern is an event too, a :class:`~satlife.problem.outcome.Found`.  The last event
# is :class:`Finished`, with the value that ``result()`` returns.


Details = Mapping[str, Any]
"""Named values; the names depend on the engine."""

Result = Found | Impossible | Undecided | Listed | Best
"""The possible results of a search."""


class Started(Struct, frozen=True):
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
    """The source: one of several racing solvers, or the engine itself."""
    seconds: float
    """Seconds since the search began."""
    details: Details = field(default_factory=dict)
    """For SAT: ``conflicts`` (or ``processor_seconds``), ``memory_bytes``, ``boxes`` done."""


class Improved(Struct, frozen=True):
    """A better solution than any before."""

    best: Best


class Finished(Struct, frozen=True):
    """The search is over."""

    result: Result


Event = Started | Built | Progress | Improved | Found | Finished


# Default listing and optimisation, for any engine that can enumerate solutions.
#
# SAT does not use them: it excludes and bounds solutions by adding clauses.


Solutions = Generator[History, None, str]


def filter_classes(
    solutions: Solutions, problem: Problem, wanted: Wanted, sieve: Sieve, skipped: Counter[str]
) -> Solutions:
    """Yield the first wanted solution of each class; a raw class is a single solution."""
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
            skipped["copies"] += not by_rotor  # by rotor, copies cannot be counted
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


WORK_LIMIT: Final = "work limit"
"""The reason of an engine that has done the nominal work that it was given."""


class GaveUp(Exception):  # noqa: N818 - an answer on its way, not an error
    """The engine stops without an answer; the message is the reason."""


def _accept(types: Types, name: str, read: Callable[[Any], Any] | None = None) -> dict[str, object]:
    """Return the metadata of an option: its types, their name for a person, and its parser."""
    return {"types": types, "name": name, "read": read}


def _read_time(given: str | float | Deadline) -> float | Deadline:
    if isinstance(given, Deadline):
        return given
    return TIME.parse(given) if isinstance(given, str) else float(given)


def _read_size(given: str | float) -> int:
    size = int(SIZE.parse(given))
    if not size:
        raise UsageError("a search needs memory: give a size such as '4G', or no limit")
    return size


@contextmanager
def limit_memory(memory: int | None) -> Iterator[None]:
    """Give up while building a formula once this process has grown by more than that."""
    try:
        with limit_building(limit_growth(memory)):
            yield
    except FormulaTooLargeError:
        raise GaveUp(f"{Reason.MEMORY_LIMIT}, while the formula was built") from None


_NUMBER: Final = "a whole number"
_CHOICE: Final = "True, False or None"


@dataclass(frozen=True, kw_only=True)
class Options:
    """Search options, which never change the problem; None leaves the choice to the engine."""

    solver: str | Solver | None = field(
        default=None, metadata=_accept((str, Solver), "the name of a solver, such as 'cadical'")
    )
    """The SAT solver."""
    encoding: str | None = field(
        default=None, metadata=_accept(str, "the name of an encoding, such as 'columns'")
    )
    """The encoding of the rule as clauses."""
    break_symmetry: bool | None = field(default=None, metadata=_accept(bool, _CHOICE))
    """Whether to search only one of several symmetric images."""
    restrictions: bool | None = field(default=None, metadata=_accept(bool, _CHOICE))
    """Whether to try smaller boxes and more symmetry beside the whole problem."""
    jobs: int = field(default=1, metadata=_accept(int, _NUMBER))
    """Number of processors: solvers race in a hunt, and share the cases of a refutation."""
    seed: int | None = field(default=None, metadata=_accept(int, _NUMBER))
    """Random seed, for another first answer; the same seed gives the same answer again."""
    timeout: float | Deadline | None = field(
        default=None,
        metadata=_accept(
            (float, str, Deadline), "a number of seconds, or a time such as '10m'", _read_time
        ),
    )
    """Time limit in seconds of wall-clock time, or the shared deadline of a larger task."""
    memory: int | None = field(
        default=None,
        metadata=_accept((float, str), "a number of bytes, or a size such as '4G'", _read_size),
    )
    """Memory limit in bytes: by how much this process may grow while it builds a formula, and what
    each solver may take after that; not 0."""
    conflicts: int | None = field(default=None, metadata=_accept(int, _NUMBER))
    """Conflict limit of a SAT solver."""
    save: Path | None = field(
        default=None, metadata=_accept((str, Path), "the name of a file", Path)
    )
    """File in which the search is saved; if it exists, the search resumes from it."""
    partials: int = field(default=0, metadata=_accept(int, _NUMBER))
    """Number of the longest partial ships that the row engine reports at its end."""
    extend: Pattern | None = field(
        default=None, metadata=_accept(Pattern, "a Pattern; satlife.read reads one")
    )
    """The front of a ship: the row engine searches only for ships that begin with it."""

    @classmethod
    def of(cls, **given: Unpack[Keywords]) -> Options:
        """Parse options as users write them: ``timeout="10m"``, ``memory="4G"``, a file's name.

        >>> Options.of(timeout="10m", memory="4G").limits()
        Limits(seconds=600.0, conflicts=None, memory_bytes=4294967296)
        """
        return cls(**cast("dict[str, Any]", given))

    def __post_init__(self) -> None:
        for each in fields(self):
            value, accepted = getattr(self, each.name), each.metadata
            if value is None and each.default is None:
                continue
            check_type(value, accepted["types"], each.name, accepted["name"])
            if accepted["read"]:
                object.__setattr__(self, each.name, accepted["read"](value))
        if self.jobs < 1:
            raise UsageError(f"a search needs at least one job, got {self.jobs}")
        if self.partials < 0:
            raise UsageError(f"partials is a number of partial ships, got {self.partials}")
        self.limits()

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the options set to other values than their defaults."""
        return tuple(each.name for each in fields(self) if getattr(self, each.name) != each.default)

    def deadline(self) -> Deadline:
        """Return the deadline of a search that begins now."""
        given = self.timeout
        return given if isinstance(given, Deadline) else Deadline.after(given)

    def starting_now(self) -> Options:
        """Return options for the parts of a task that begins now; they share its time limit."""
        return self if self.timeout is None else replace(self, timeout=self.deadline())

    def limits(self) -> Limits:
        """Return the limits of a solver that begins now."""
        left = self.timeout.left if isinstance(self.timeout, Deadline) else self.timeout
        return Limits(seconds=left, memory_bytes=self.memory, conflicts=self.conflicts)


class Keywords(TypedDict, total=False):
    """The fields of :class:`~satlife.Options` as keywords of ``start``, ``find`` and the like."""

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
    """One run of an engine: its options, its listener, and its stop flag."""

    options: Options = field(default_factory=Options)
    tell: Callable[[Built | Progress], None] = lambda event: None
    skipped: Counter[str] = field(default_factory=Counter)
    """Number of skipped solutions by reason."""
    details: dict[str, object] = field(default_factory=dict)
    """Provenance of a finding, beyond engine and seconds."""
    stopped: threading.Event = field(default_factory=threading.Event)
    keep_evidence: Callable[[Path], None] = lambda folder: None
    """Writes an engine's evidence about a solution that fails verification into a folder."""
    answered_by: str = ""
    """The name of the engine that has answered, where several search in turns."""
    _interrupts: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.deadline = self.options.deadline()
        self.begun = self.deadline.clock()

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return self.deadline.clock() - self.begun

    def make_part(self) -> Run:
        """Return a run for a part of this one, which has its limits and stops with it."""
        options = replace(self.options, timeout=self.deadline)
        part = replace(self, options=options, details={})
        part.begun = self.begun
        return part

    @property
    def limits(self) -> Limits:
        """The remaining limits."""
        return structs.replace(self.options.limits(), seconds=self.deadline.left)

    def check(self) -> None:
        """Raise :class:`~satlife.GaveUp` if the search was stopped or its time is up."""
        if self.stopped.is_set():
            raise GaveUp("stopped")
        if self.deadline.is_over:
            raise GaveUp("time limit")

    def progress(self, racer: str, **details: object) -> None:
        """Emit a progress event."""
        self.tell(Progress(racer, self.seconds, details))

    def built(self, engine: str, **details: object) -> None:
        """Emit a :class:`~satlife.Built` event; the details become part of the provenance."""
        self.details |= details
        self.tell(Built(engine, self.seconds, details))

    def stop(self) -> None:
        """Ask the engine to stop; call it repeatedly until the engine has stopped."""
        self.stopped.set()
        self._interrupt()

    def interrupt_until(self, over: threading.Event) -> None:
        """Interrupt the engine's solvers repeatedly until ``over`` is set; this is not a stop.

        Once is not enough: an interrupt just before a solver starts has no effect.
        """
        while not over.wait(0.02):
            self._interrupt()

    def _interrupt(self) -> None:
        for interrupt in tuple(self._interrupts):
            with suppress(Exception):  # a solver that is being closed needs no interrupt
                interrupt()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """In this context, a stop calls ``interrupt``, from another thread, maybe repeatedly."""
        self._interrupts.append(interrupt)
        try:
            yield
        finally:
            self._interrupts.remove(interrupt)


class Engine(ABC):
    """Base class of engines."""

    name: str
    title: str
    """A short description."""
    takes: tuple[str, ...] = ("timeout",)
    """The names of the options that it accepts; others are refused before the search starts."""

    def check_options(self, options: Options, spell: Callable[[str], str] = str) -> None:
        """Raise :class:`~satlife.errors.UsageError` at an option that it does not accept.

        ``spell`` returns how a person writes an option; one that nobody can write is not named.
        """
        for name in options.given:
            if name not in self.takes:
                known = ", ".join(filter(None, map(spell, self.takes)))
                raise UsageError(
                    f"the engine {self.name} does not take {spell(name)}; it takes {known}"
                )

    def refuses(self, problem: Problem) -> str | None:
        """Return why this engine cannot take the problem; None if it can."""
        return None

    @abstractmethod
    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield each solution once; return why there are no more, or raise ``GaveUp``."""

    def classes(self, problem: Problem, run: Run, wanted: Wanted) -> Solutions:
        """Yield one solution of each class, or with ``wanted.raw`` every solution."""
        sieve = Sieve(problem, wanted, run.skipped)
        return filter_classes(self.solutions(problem, run), problem, wanted, sieve, run.skipped)

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Yield ever better solutions; return when the last one is proved optimal."""
        return keep_better(self.solutions(problem, run), problem, goals)
