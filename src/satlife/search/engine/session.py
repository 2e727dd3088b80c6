"""A search in your hands: start it, listen to it, stop it, take its result.

>>> from satlife.search.kinds import ship
>>> with start(ship("c/4d", box="4x4")) as search:
...     names = [type(event).__name__ for event in search]
>>> names[0], names[-2:], search.result().pattern.population
('Started', ['Found', 'Finished'], 5)

A search begins at once, in a thread of its own.  Iterating over it is optional: progress that
nobody reads is replaced by newer progress, finds are never dropped.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

from satlife.errors import UsageError
from satlife.search.engine.engine import Engine, Options
from satlife.search.engine.events import Event, Result
from satlife.search.engine.goals import Best, Goal
from satlife.search.engine.wanting import Wanted
from satlife.search.engine.work import Work
from satlife.search.formula.classes import History
from satlife.search.problem import Problem
from satlife.search.problem.outcome import (
    Finding,
    Found,
    Impossible,
    Listed,
    Outcome,
    Undecided,
)


class Search:
    """A running search: iterate over its events, ``stop()`` it, wait for its ``result()``.

    One that nobody holds any more is stopped.
    """

    def __init__(
        self,
        problem: Problem,
        engine: Engine,
        options: Options,
        *,
        wanted: Wanted | None = None,
        limit: int | None = None,
        goals: Sequence[Goal] = (),
    ) -> None:
        self.problem, self.engine = problem, engine
        self._work = Work(problem, engine, options, wanted, limit, tuple(goals))
        # The thread holds the work, not this handle, so that a forgotten handle can go.
        self._forgotten = weakref.finalize(self, self._work.stop)
        self._forgotten.atexit = False
        self._work.start()

    def __iter__(self) -> Iterator[Event]:
        """Yield events until the search is over; an error of the search is raised here."""
        yield from self._work.events()

    def stop(self) -> None:
        """Stop the search, from any thread.

        The result is then what had been reached: undecided, a list that is not complete, the best
        so far; or, if it came first, the answer.
        """
        self._work.stop()

    def result(self) -> Result:
        """Wait for the end, and return what the search came to."""
        try:
            return self._work.wait()
        except KeyboardInterrupt:
            self.close()
            raise

    @property
    def is_over(self) -> bool:
        """Whether the search has ended."""
        return self._work.over.is_set()

    def close(self) -> None:
        """Stop the search and wait for its end, for at most five seconds."""
        if not self.is_over:
            self._work.stop()
            self._work.over.wait(5)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"{self._work.seconds:.0f} s"
        return f"<Search by {self.engine.name}: {state}>"


class Listing:
    """Solutions as they are found; afterwards ``result`` says whether these were all."""

    def __init__(self, search: Search) -> None:
        self.search = search

    def __iter__(self) -> Iterator[Finding]:
        """Yield findings; a loop that is left stops the search."""
        try:
            for event in self.search:
                if isinstance(event, Found):
                    yield event.finding
        finally:
            self.search.close()

    @property
    def result(self) -> Listed:
        """Whether these were all, or why not; waits for the end."""
        result = self.search.result()
        if not isinstance(result, Listed):
            raise AssertionError("a listing ends as one")
        return result

    @property
    def complete(self) -> bool:
        """Whether these were all."""
        return self.result.complete


def start(
    problem: Problem,
    *,
    engine: str | Engine | None = None,
    wanted: Wanted | None = None,
    limit: int | None = None,
    goals: Sequence[Goal] = (),
    **options: Any,
) -> Search:
    """Start a search and return it at once.

    ``engine``, ``solver``, ``encoding``, ``break_symmetry``, ``jobs``, ``seed``, ``timeout``
    (seconds), ``memory`` (bytes) and ``conflicts`` say how to search; each may be left out.  With
    ``wanted`` all solutions are listed (``limit`` of them at most), with ``goals`` the best is
    looked for.
    """
    from satlife.search.engine import find_engine  # noqa: PLC0415 - the tuple needs this module

    chosen, how = find_engine(engine), make_options(options)
    reason = chosen.refuses(problem)
    if reason:
        raise UsageError(f"the engine {chosen.name} cannot search for this: {reason}")
    if wanted is not None:
        wanted.check(problem)
        if goals:
            raise UsageError("a search is for all solutions or for the best, not for both")
    if how.jobs > 1 and (goals or wanted is not None):
        raise UsageError("several jobs race for one solution; all and the best take one job")
    return Search(problem, chosen, how, wanted=wanted, limit=limit, goals=goals)


def make_options(options: dict[str, Any]) -> Options:
    """Make the options of a search of keywords; what is not one is a ``TypeError``."""
    return Options(**options)


def find(problem: Problem, *, engine: str | Engine | None = None, **options: Any) -> Outcome:
    """Find a pattern, or say that there is none, or that it could not be decided.

    The keywords are those of :func:`start`.
    """
    with start(problem, engine=engine, **options) as search:
        result = search.result()
    if not isinstance(result, Found | Impossible | Undecided):
        raise AssertionError("a plain search ends with an outcome")
    return result


def find_all(
    problem: Problem,
    *,
    raw: bool = False,
    reject: Sequence[Any] = (),
    only_connected: bool = False,
    already_found: Sequence[History] = (),
    limit: int | None = None,
    **options: Any,
) -> Listing:
    """List all solutions, each class once, or with ``raw`` each one; iterate over what it returns.

    >>> from satlife.search.kinds import still_life
    >>> listing = find_all(still_life(box="3x3"))
    >>> sorted(finding.pattern.population for finding in listing), listing.complete
    ([4, 4, 5, 6], True)
    """
    wanted = Wanted(
        raw=raw,
        reject=tuple(reject),
        only_connected=only_connected,
        already_found=tuple(already_found),
    )
    return Listing(start(problem, wanted=wanted, limit=limit, **options))


def find_best(
    problem: Problem,
    goals: Sequence[Goal] = (),
    *,
    minimize: str | Sequence[str] = (),
    maximize: str | Sequence[str] = (),
    **options: Any,
) -> Best | Impossible | Undecided:
    """Find the best solution by several goals in their order, or by measures of these names.

    >>> from satlife.search.kinds import still_life
    >>> best = find_best(still_life(box="4x4"), maximize="population")
    >>> best.values, best.proved
    ((8,), True)
    """
    goals = [
        *goals,
        *(
            Goal.parse(direction, name)
            for direction, names in (("minimize", minimize), ("maximize", maximize))
            for name in ([names] if isinstance(names, str) else names)
        ),
    ]
    if not goals:
        raise UsageError("there is nothing to optimise: give a measure")
    with start(problem, goals=goals, **options) as search:
        result = search.result()
    if not isinstance(result, Best | Impossible | Undecided):
        raise AssertionError("an optimum ends with a best or an outcome")
    return result
