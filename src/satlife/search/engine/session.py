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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from satlife.closing import Closing
from satlife.errors import UsageError
from satlife.given import check_type
from satlife.life import Pattern
from satlife.search.engine.engine import Engine, Keywords, Options
from satlife.search.engine.engines import pick_engine
from satlife.search.engine.events import Event, Result
from satlife.search.engine.goals import Best, Goal, name_goals, read_goals
from satlife.search.engine.journal import Journal
from satlife.search.engine.wanting import Same, Wanted, read_rejected
from satlife.search.engine.work import Work
from satlife.search.formula.classes import History
from satlife.search.problem import Problem, check_problem
from satlife.search.problem.outcome import (
    Finding,
    Found,
    Impossible,
    Listed,
    Outcome,
    Undecided,
)


class Search(Closing):
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
        journal: Journal | None = None,
    ) -> None:
        self.problem, self.engine = problem, engine
        self._work = Work(problem, engine, options, wanted, limit, tuple(goals), journal)
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

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, for at most this many seconds; return whether it has come."""
        return self._work.over.wait(timeout)

    @property
    def is_over(self) -> bool:
        """Whether the search has ended."""
        return self._work.over.is_set()

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return self._work.seconds

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The latest numbers by name, such as ``clauses`` and ``conflicts``; see the events."""
        return self._work.numbers

    def close(self) -> None:
        """Stop the search and wait for its end, for at most five seconds."""
        if not self.is_over:
            self._work.stop()
            self._work.over.wait(5)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show a notebook how far it is, with a button that stops it (the extra ``notebook``)."""
        from satlife.show.widget import has_widgets  # noqa: PLC0415 - only when shown

        if not has_widgets():
            return {"text/plain": repr(self)}
        from satlife.search.engine.watching import watch  # noqa: PLC0415 - an extra

        bundle = watch(self)._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        data["text/plain"] = repr(self)
        return bundle

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
    journal: Journal | Path | str | None = None,
    **options: Unpack[Keywords],
) -> Search:
    """Start a search and return it at once.

    With ``wanted`` all solutions are listed (``limit`` of them at most), with ``goals`` the best is
    looked for; otherwise the first solution ends the search.  A ``journal`` is a file for a
    listing: what is found is kept there, and what is there already is not found again.

    ``engine`` and the other keywords say how to search, and each may be left out: ``solver``,
    ``encoding``, ``break_symmetry``, ``restrictions``, ``jobs``, ``seed``, ``timeout`` (seconds, or
    ``"10m"``), ``memory`` (bytes, or ``"4G"``) and ``conflicts``; see :class:`Options`.  An option
    that the engine does not take is refused.
    """
    check_problem(problem)
    how = Options.of(**options)
    chosen = pick_engine(engine, problem)
    chosen.check_options(how)
    if wanted is None and journal is not None:
        raise UsageError("a journal goes with a listing; use find_all")
    if limit is not None and check_type(limit, int, "limit", "a whole number") < 1:
        raise UsageError(f"limit is at least 1, got {limit}; leave it out to find all")
    goals = read_goals(goals)
    if wanted is not None:
        wanted.check(problem)
        if goals:
            raise UsageError("a search is for all solutions or for the best, not for both")
    if how.jobs > 1 and (goals or wanted is not None):
        raise UsageError("several jobs race for one solution; all and the best take one job")
    if wanted is not None and journal is not None:
        journal = journal if isinstance(journal, Journal) else Journal(journal, problem)
        wanted = replace(wanted, already_found=(*wanted.already_found, *journal.found))
        return Search(problem, chosen, how, wanted=wanted, limit=limit, journal=journal)
    return Search(problem, chosen, how, wanted=wanted, limit=limit, goals=goals)


def find(
    problem: Problem, *, engine: str | Engine | None = None, **options: Unpack[Keywords]
) -> Outcome:
    """Find a pattern, or that there is none, or that it could not be decided.

    The keywords are those of :func:`start`: ``satlife.find(problem, timeout=60, jobs=2)``.
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
    same: Same = "object",
    reject: Pattern | str | Sequence[Pattern | str] = (),
    only_connected: bool = False,
    already_found: Sequence[History] = (),
    limit: int | None = None,
    journal: Journal | Path | str | None = None,
    engine: str | Engine | None = None,
    **options: Unpack[Keywords],
) -> Listing:
    """List all solutions, one of each class, or with ``raw`` each one; iterate over the result.

    With ``same="rotor"`` oscillators whose changing cells do the same count as one, whatever stands
    still around them.  ``reject`` leaves out a pattern, an apgcode, a file, everything that is
    ``"known"``, or several of them.  The other keywords are those of :func:`start`.

    >>> from satlife.search.kinds import still_life
    >>> listing = find_all(still_life(box="3x3"))
    >>> sorted(finding.pattern.population for finding in listing), listing.complete
    ([4, 4, 5, 6], True)
    """
    wanted = Wanted(
        raw=raw,
        same=same,
        reject=read_rejected(reject),
        only_connected=only_connected,
        already_found=tuple(already_found),
    )
    search = start(problem, engine=engine, wanted=wanted, limit=limit, journal=journal, **options)
    return Listing(search)


def find_best(
    problem: Problem,
    goals: Goal | Sequence[Goal] = (),
    *,
    minimize: str | Sequence[str] = (),
    maximize: str | Sequence[str] = (),
    engine: str | Engine | None = None,
    **options: Unpack[Keywords],
) -> Best | Impossible | Undecided:
    """Find the best solution by one or more goals, in their order.

    ``minimize`` and ``maximize`` name measures: population, rotor, stator, width, height, area.
    The other keywords are those of :func:`start`.

    >>> from satlife.search.kinds import still_life
    >>> best = find_best(still_life(box="4x4"), maximize="population")
    >>> best.values, best.proved
    ((8,), True)
    """
    check_problem(problem)
    goals = [*read_goals(goals), *name_goals(problem, minimize, maximize)]
    if not goals:
        raise UsageError("there is nothing to optimise; give a measure, minimize='population'")
    with start(problem, engine=engine, goals=goals, **options) as search:
        result = search.result()
    if not isinstance(result, Best | Impossible | Undecided):
        raise AssertionError("an optimum ends with a best or an outcome")
    return result
