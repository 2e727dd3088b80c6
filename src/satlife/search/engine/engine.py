"""Engines: ways to search.  Each takes the same problems, and everything it finds is verified.

An engine yields solutions as bare histories.  Verifying them, telling of them and stopping is the
work of :mod:`satlife.search.engine.session`, the same for all.  To add an engine, write its file
with a subclass of :class:`Engine` and add it to ``ENGINES``.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack, cast

from satlife.errors import UsageError
from satlife.given import Types, check_type
from satlife.life import Pattern
from satlife.quantities import SIZE, TIME
from satlife.sat import Limits
from satlife.sat.solver import Solver
from satlife.search.engine.defaults import Solutions, filter_classes, keep_better
from satlife.search.engine.events import Built, Progress
from satlife.search.engine.goals import Goal
from satlife.search.engine.wanting import Sieve, Wanted
from satlife.search.problem import Problem


class GaveUp(Exception):  # noqa: N818 - an answer on its way, not an error
    """The engine stops without an answer; the message is the reason."""


def _means(types: Types, words: str, read: Callable[[Any], Any] | None = None) -> dict[str, object]:
    """Tell of a field of :class:`Options` its types, the words for them, and how it is read."""
    return {"types": types, "words": words, "read": read}


def _read_time(given: str | float) -> float:
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
    timeout: float | None = field(
        default=None,
        metadata=_means((float, str), "a number of seconds, or a time such as '10m'", _read_time),
    )
    """Seconds after which to give up."""
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

    def limits(self) -> Limits:
        """Return the limits as a solver takes them."""
        return Limits(seconds=self.timeout, memory_bytes=self.memory, conflicts=self.conflicts)


class Keywords(TypedDict, total=False):
    """The fields of :class:`Options` as keywords of ``start``, ``find`` and their kin."""

    solver: str | Solver | None
    encoding: str | None
    break_symmetry: bool | None
    restrictions: bool | None
    jobs: int
    seed: int | None
    timeout: float | str | None
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
    begun: float = field(default_factory=time.monotonic)
    skipped: Counter[str] = field(default_factory=Counter)
    """Why solutions were left out, and how many."""
    details: dict[str, object] = field(default_factory=dict)
    """What a finding's provenance says beyond engine and seconds."""
    stopped: threading.Event = field(default_factory=threading.Event)
    keep_evidence: Callable[[Path], None] = lambda folder: None
    """Writes into a folder what an engine knows of a solution that fails its check."""
    _interrupts: list[Callable[[], None]] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self.begun

    @property
    def limits(self) -> Limits:
        """What is left of the limits."""
        return self.options.limits().since(self.begun)

    def check(self) -> None:
        """Raise :class:`GaveUp` if the search was stopped, or its time is over."""
        if self.stopped.is_set():
            raise GaveUp("stopped")
        if self.limits.seconds == 0:
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
        """Yield solutions, each once; return why there are no more, or raise :class:`GaveUp`."""

    def classes(self, problem: Problem, run: Run, wanted: Wanted) -> Solutions:
        """Yield one solution of each class, or with ``wanted.raw`` every solution."""
        sieve = Sieve(problem, wanted, run.skipped)
        return filter_classes(self.solutions(problem, run), problem, wanted, sieve, run.skipped)

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Yield better and better solutions; return when the last one is proved best."""
        return keep_better(self.solutions(problem, run), problem, goals)
