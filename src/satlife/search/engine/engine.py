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
from dataclasses import dataclass, field
from pathlib import Path

from satlife.errors import UsageError
from satlife.sat import Limits
from satlife.sat.solver import Solver
from satlife.search.engine.defaults import Solutions, filter_classes, keep_better
from satlife.search.engine.events import Built, Progress
from satlife.search.engine.goals import Goal
from satlife.search.engine.wanting import Sieve, Wanted
from satlife.search.problem import Problem


class GaveUp(Exception):  # noqa: N818 - an answer on its way, not an error
    """The engine stops without an answer; the message is the reason."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to search; none of it changes what is asked.  None leaves the choice to the engine."""

    solver: str | Solver | None = None
    """The SAT solver."""
    encoding: str | None = None
    """How the rule becomes clauses."""
    break_symmetry: bool | None = None
    """Whether to look at one of several mirror images only."""
    jobs: int = 1
    """How many solvers, encodings and seeds race against each other."""
    seed: int | None = None
    """For another first answer; the same seed gives the same one again."""
    timeout: float | None = None
    """Seconds after which to give up."""
    memory: int | None = None
    """Bytes beyond which to give up."""
    conflicts: int | None = None
    """Conflicts of a SAT solver after which to give up."""

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise UsageError(f"a search needs at least one job, got {self.jobs}")
        self.limits()

    def limits(self) -> Limits:
        """Return the limits as a solver takes them."""
        return Limits(seconds=self.timeout, memory_bytes=self.memory, conflicts=self.conflicts)


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
        """Tell that the engine is ready; the details become part of the provenance."""
        self.details |= details
        self.tell(Built(engine, self.seconds, details))

    def stop(self) -> None:
        """Ask the engine to stop; to be called again and again until it has."""
        self.stopped.set()
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
