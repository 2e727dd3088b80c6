"""Running searches: start a search, read its events, stop it, take its result.

>>> from satlife.kinds import ship
>>> with start(ship("c/4d", box="4x4")) as search:
...     names = [type(event).__name__ for event in search]
>>> names[0], names[-2:], search.result().pattern.population
('Started', ['Found', 'Finished'], 5)

A search begins at once, in a thread of its own.  Iterating over it is optional: unread progress is
replaced by newer progress, finds are never dropped.
"""

from __future__ import annotations

import contextlib
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Unpack

import numpy as np
from msgspec import structs

from satlife.closable import Closing
from satlife.engine.brute import BRUTE
from satlife.engine.engine import (
    Engine,
    Event,
    GaveUp,
    Improved,
    Keywords,
    Options,
    Result,
    Solutions,
    limit_memory,
)
from satlife.engine.goals import Best, Goal, evaluate_goals, name_goals, read_goals
from satlife.engine.journal import Journal
from satlife.engine.rows.engine import ROWS
from satlife.engine.rows.strips import STRIPS
from satlife.engine.sat.engine import SAT
from satlife.engine.thread import SearchThread
from satlife.engine.turns import TURNS
from satlife.engine.wanted import Same, Wanted, read_rejected
from satlife.errors import InternalError, UsageError
from satlife.formula.classes import History
from satlife.given import check_type
from satlife.kinds import kind_of
from satlife.life import Pattern
from satlife.problem import Problem, check_problem
from satlife.problem.outcome import (
    Finding,
    Found,
    Impossible,
    Listed,
    Outcome,
    Provenance,
    Undecided,
)
from satlife.verifier.generations import VerificationError
from satlife.verifier.verify import find_rules, verify

ENGINES: Final[tuple[Engine, ...]] = (TURNS, SAT, BRUTE, ROWS, STRIPS)
"""All engines; the first one that accepts a problem is its default."""


def pick_engine(engine: str | Engine | None, problem: Problem) -> Engine:
    """Return the requested engine, or for None the first that accepts the problem."""
    refusals = []
    if problem.has_open_height and engine is None:
        engine = STRIPS if problem.motion is not None and problem.motion.is_still else ROWS
    for each in ENGINES if engine is None else (find_engine(engine),):
        reason = each.refuses(problem)
        if reason is None:
            return each
        refusals.append(f"the engine {each.name} cannot search for this: {reason}")
    raise UsageError("; ".join(refusals))


def find_engine(engine: str | Engine) -> Engine:
    """Return the engine of that name; an engine is returned as it is."""
    if isinstance(engine, Engine):
        return engine
    for each in ENGINES:
        if each.name == engine:
            return each
    raise UsageError(f"no engine {engine!r}; there are {', '.join(e.name for e in ENGINES)}")


def suppose(problem: Problem) -> Problem | None:
    """Return the problem that must have a solution for the answer to this one to mean anything."""
    supposes = kind_of(problem).supposes
    return structs.replace(problem, kind=supposes, constraints=()) if supposes else None


def ask_other(problem: Problem, first: History) -> Problem:
    """Return the question for a solution that differs from the first, if that is what is asked."""
    asks_other = kind_of(problem).asks_other
    return problem if asks_other is None or problem.constraints else asks_other(problem, first[0])


class Work:
    """What a search does in its thread: ask the engine, verify its solutions, report them."""

    def __init__(
        self,
        problem: Problem,
        engine: Engine,
        thread: SearchThread,
        wanted: Wanted | None,
        limit: int | None,
        goals: tuple[Goal, ...],
        journal: Journal | None = None,
    ) -> None:
        self.problem, self.engine = problem, engine
        self._thread, self._run = thread, thread.run
        self._wanted, self._limit, self._goals = wanted, limit, goals
        self._journal = journal
        self._count = 0
        self._best: Best | None = None

    def search(self) -> Result:
        """Search, and return the result, which is partial if the engine gives up."""
        result: Result
        try:
            with limit_memory(self._run.options.memory):
                if self._goals:
                    result = self._climb()
                elif self._wanted is not None:
                    result = self._list(self._wanted)
                else:
                    result = self._find()
        except GaveUp as reason:
            result = self.give_up(str(reason))
        if self._journal is not None and isinstance(result, Listed):
            self._journal.close(result.complete)
        return result

    def give_up(self, reason: str) -> Result:
        """Return the partial result of a search without an answer."""
        reason = self._thread.why or reason
        if self._best is not None:
            return replace(self._best, reason=reason, provenance=self._provenance())
        if self._wanted is not None:
            return self._listed(False, reason)
        return Undecided(self.problem, reason, self._provenance())

    def _find(self) -> Found | Impossible:
        """Find a solution; if another one is asked for, after a first one that is not kept."""
        supposed = suppose(self.problem)
        asks_other = kind_of(self.problem).asks_other is not None and not self.problem.constraints
        if asks_other:
            if supposed is None:
                raise InternalError(f"{self.problem.kind} supposes nothing")
            if isinstance(first := self._solve_supposed(supposed), str):
                return Impossible(self.problem, first, self._provenance(), vacuous=True)
            self.problem = ask_other(self.problem, first)
        solutions = self._ask(lambda: self.engine.solutions(self.problem, self._run))
        with contextlib.closing(solutions):
            try:
                found = Found(self._check(next(solutions)))
            except StopIteration as end:
                answer = Impossible(self.problem, end.value, self._provenance())
                if supposed is None or asks_other:
                    return answer
                return replace(answer, vacuous=isinstance(self._solve_supposed(supposed), str))
        self._thread.put(found)
        return found

    def _solve_supposed(self, supposed: Problem) -> History | str:
        """Return a solution of what the question supposes, or why there is none."""
        run = self._run.make_part()
        run.options = replace(run.options, save=None)
        solutions = self._ask(lambda: self.engine.solutions(supposed, run))
        with contextlib.closing(solutions):
            try:
                history = next(solutions)
            except StopIteration as end:
                return str(end.value)
        verify(supposed, history)
        return history

    def _list(self, wanted: Wanted) -> Listed:
        solutions = self._ask(lambda: self.engine.classes(self.problem, self._run, wanted))
        with contextlib.closing(solutions):
            while self._limit is None or self._count < self._limit:
                try:
                    found = Found(self._check(next(solutions)))
                except StopIteration as end:
                    return self._listed(True, end.value)
                if self._journal is not None:
                    self._journal.add(found.finding)
                with self._thread.changed:  # every counted find is reported
                    self._count += 1
                    self._thread.put(found)
        return replace(
            self._listed(False, f"stopped at the limit of {self._limit}"), reached_limit=True
        )

    def _listed(self, complete: bool, reason: str) -> Listed:
        return Listed(
            self.problem,
            self._count,
            complete,
            reason,
            skipped=+self._run.skipped,  # without zero counts
            provenance=self._provenance(),
        )

    def _climb(self) -> Best | Impossible:
        from satlife.engine.phases import begin_with_best  # noqa: PLC0415 - few ask for the best

        solutions = self._ask(lambda: self.engine.climb(self.problem, self._run, self._goals))
        with contextlib.closing(solutions):
            while True:
                try:
                    finding = self._check(next(solutions))
                except StopIteration as end:
                    if self._best is None:
                        return Impossible(self.problem, end.value, self._provenance())
                    return replace(self._best, proved=True, reason="")
                values = evaluate_goals(self.problem, finding.history, self._goals)
                finding = begin_with_best(finding, self._goals, values)
                with self._thread.changed:  # the best is one that was reported
                    self._best = Best(
                        finding, self._goals, values, proved=False, reason="unfinished"
                    )
                    self._thread.put(Improved(self._best))

    def _ask(self, engine: Callable[[], Solutions]) -> Solutions:
        """Yield the engine's solutions; it starts with the first ``next``, and may raise there."""
        reason = (yield from engine()) or f"the engine {self.engine.name} found no more"
        saved = self._run.details.get("continued")
        return f"{reason}; this rests on the saved search {saved}" if saved else reason

    def _check(self, history: History) -> Finding:
        """Verify a solution: the one place for all engines."""
        try:
            verify(self.problem, history)
        except VerificationError as error:
            folder = Path(tempfile.mkdtemp(prefix="satlife-failed-"))
            (folder / "problem.json").write_bytes(self.problem.to_json())
            np.savez(folder / "history.npz", *history)
            self._run.keep_evidence(folder)
            raise VerificationError(f"{error} (kept in {folder})") from None
        rules = find_rules(self.problem, history) if self.problem.has_open_rule else None
        return Finding(self.problem, history, self._provenance(), rules)

    def _provenance(self) -> Provenance:
        engine = self._run.answered_by or self.engine.name
        return Provenance(engine, self._run.seconds, dict(self._run.details))


class Search(Closing):
    """A running search: iterate over its events, ``stop()`` it, wait for its ``result()``.

    A search to which no reference is left is stopped.
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
        self._thread = SearchThread(options)
        work = Work(problem, engine, self._thread, wanted, limit, tuple(goals), journal)
        # The thread refers to the work, not to this handle, so that the handle can be collected.
        self._forgotten = weakref.finalize(self, self._thread.stop)
        self._forgotten.atexit = False
        self._thread.start(engine.name, work.search, work.give_up)

    def __iter__(self) -> Iterator[Event]:
        """Yield events until the search is over; an error of the search is raised here."""
        try:
            yield from self._thread.events()
        finally:
            self._let_go()

    def stop(self, why: str = "stopped") -> None:
        """Stop the search, from any thread.

        The result is then partial, with ``why`` as the reason: undecided, an incomplete list, or
        the best so far; or it is the answer, if that came first.
        """
        self._thread.stop(why)

    def leave_after(self, *, limit: float, stop: float) -> None:
        """Wait for the engine at most some seconds beyond the time limit, or after a stop.

        An engine may be busy with something that cannot be interrupted, such as building a large
        formula.  Its thread is then abandoned, so this is for programs that end afterwards.
        """
        self._thread.patience = limit, stop

    def result(self) -> Result:
        """Wait for the end, and return the result."""
        try:
            return self._thread.wait()
        except KeyboardInterrupt:
            self.close()
            raise
        finally:
            self._let_go()

    def _let_go(self) -> None:
        """Drop the finalizer of a search that is over: its error refers to this handle."""
        if self.is_over:
            self._forgotten.detach()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait at most ``timeout`` seconds for the end; return whether the search has ended."""
        return self._thread.over.wait(timeout)

    @property
    def is_over(self) -> bool:
        """Whether the search has ended."""
        return self._thread.over.is_set()

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return self._thread.run.seconds

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The latest numbers by name, such as ``clauses`` and ``conflicts``; see the events."""
        return self._thread.numbers

    def close(self) -> None:
        """Stop the search and wait for its end, for at most five seconds."""
        if not self.is_over:
            was_asked = self._thread.run.stopped.is_set()
            self._thread.stop()
            self._thread.over.wait(0.5 if was_asked else 5)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show progress in a notebook, with a stop button (the extra ``notebook``)."""
        from satlife.show.widget import has_widgets  # noqa: PLC0415 - only when shown

        if not has_widgets():
            return {"text/plain": repr(self)}
        from satlife.show.monitor import watch  # noqa: PLC0415 - an extra

        bundle = watch(self)._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        data["text/plain"] = repr(self)
        return bundle

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"{self._thread.run.seconds:.0f} s"
        return f"<Search by {self.engine.name}: {state}>"


class Listing:
    """Solutions as they are found; afterwards ``result`` says whether the list is complete."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self._found: list[Finding] = []

    def __iter__(self) -> Iterator[Finding]:
        """Yield findings, also those of an earlier loop; leaving the loop stops the search."""
        try:
            yield from self._found
            for event in self.search:
                if isinstance(event, Found):
                    self._found.append(event.finding)
                    yield event.finding
        finally:
            self.search.close()

    @property
    def result(self) -> Listed:
        """The list, complete or with the reason why not; waits for the end."""
        result = self.search.result()
        if not isinstance(result, Listed):
            raise AssertionError("a listing ends as one")
        return result

    @property
    def complete(self) -> bool:
        """Whether the list is complete."""
        return self.result.complete

    def __repr__(self) -> str:
        so_far = f"{len(self._found)} found so far" if self._found else "iterate over it"
        return f"<Listing by {self.search.engine.name}: {so_far}>"

    def _repr_html_(self) -> str:
        """Wait for the end, and show a contact sheet of all."""
        found = [*self]
        return self.result._repr_html_(found)


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

    With ``wanted``, all solutions are listed (at most ``limit`` of them); with ``goals``, the best
    is searched for; otherwise the first solution ends the search.  A ``journal`` is the file of a
    listing: solutions are saved there, and those already there are not found again.

    ``engine`` and the other keywords are options of the search, all optional: ``solver``,
    ``encoding``, ``break_symmetry``, ``restrictions``, ``jobs``, ``seed``, ``timeout`` (seconds, or
    ``"10m"``), ``memory`` (bytes, or ``"4G"``) and ``conflicts``; see :class:`Options`.  An option
    that the engine does not take is refused.
    """
    check_problem(problem)
    how = Options.of(**options)
    chosen = pick_engine(engine, problem)
    chosen.check_options(how)
    if wanted is None and journal is not None:
        raise UsageError("a journal needs a listing; use find_all")
    if limit is not None and check_type(limit, int, "limit", "a whole number") < 1:
        raise UsageError(f"limit is at least 1, got {limit}; leave it out to find all")
    goals = read_goals(goals)
    if kind_of(problem).supposes and (goals or wanted is not None):
        raise UsageError(f"{problem.kind} asks for a yes or a no, not for all or for the best")
    if wanted is not None:
        wanted.check(problem)
        if goals:
            raise UsageError("a search is for all solutions or for the best, not for both")
    if how.jobs > 1 and (goals or wanted is not None):
        raise UsageError("several jobs race for one solution; all and the best take one job")
    if wanted is not None and journal is not None:
        journal = journal if isinstance(journal, Journal) else Journal(journal, problem)
        wanted = structs.replace(wanted, already_found=(*wanted.already_found, *journal.found))
        return Search(problem, chosen, how, wanted=wanted, limit=limit, journal=journal)
    return Search(problem, chosen, how, wanted=wanted, limit=limit, goals=goals)


def find(
    problem: Problem, *, engine: str | Engine | None = None, **options: Unpack[Keywords]
) -> Outcome:
    """Find a pattern; the outcome is that pattern, impossible, or undecided.

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
    """List all solutions, one of each class, or with ``raw`` every one; iterate over the result.

    With ``same="rotor"``, oscillators with the same rotor count as one, whatever their stators.
    ``reject`` leaves out a pattern, an apgcode, a file, everything that is ``"known"``, or several
    of them.  The other keywords are those of :func:`start`.

    >>> from satlife.kinds import still_life
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

    >>> from satlife.kinds import still_life
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
