"""What happens in the thread of a search: run the engine, verify what it finds, report it.

Whoever holds the search reads what was told, in another thread, or waits for the end.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from satlife.search.checking.evaluate import evaluate
from satlife.search.checking.verify import VerificationError, find_rules, verify
from satlife.search.engine.defaults import Solutions
from satlife.search.engine.engine import Engine, GaveUp, Options, Run
from satlife.search.engine.events import Built, Event, Finished, Improved, Progress, Result, Started
from satlife.search.engine.goals import Best, Goal
from satlife.search.engine.journal import Journal
from satlife.search.engine.wanting import Wanted
from satlife.search.formula.classes import History
from satlife.search.problem import Problem
from satlife.search.problem.open_rule import is_open
from satlife.search.problem.outcome import (
    Finding,
    Found,
    Impossible,
    Listed,
    Provenance,
    Undecided,
)

_AHEAD = 1000
"""Finds that may wait for a reader before a listing waits for it."""


class Work:
    """A search at work, and what it has told so far."""

    def __init__(
        self,
        problem: Problem,
        engine: Engine,
        options: Options,
        wanted: Wanted | None,
        limit: int | None,
        goals: tuple[Goal, ...],
        journal: Journal | None = None,
    ) -> None:
        self.problem, self.engine = problem, engine
        self._wanted, self._limit, self._goals = wanted, limit, goals
        self._journal = journal
        self._run = Run(options, self._put)
        self._news: deque[Event] = deque()
        self._changed = threading.Condition()
        self._readers = 0
        self._result: Result | None = None
        self._error: BaseException | None = None
        self.over = threading.Event()
        self.numbers: Mapping[str, Any] = {}

    def start(self) -> None:
        """Begin, in a thread."""
        self._put(Started(self.engine.name))
        threading.Thread(target=self._work, name="satlife-search", daemon=True).start()

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return self._run.seconds

    def events(self) -> Iterator[Event]:
        """Yield what was told and nobody has read, until it is over."""
        with self._changed:
            self._readers += 1
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._news or self.over.is_set())
                    if not self._news:
                        break
                    event = self._news.popleft()
                    self._changed.notify_all()
                yield event
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()
        if self._error is not None:
            raise self._error

    def wait(self) -> Result:
        """Wait for the end; whoever waits for it need not read the events."""
        with self._changed:
            self._readers = -(10**9)
            self._changed.notify_all()
        self.over.wait()
        if self._error is not None:
            raise self._error
        if self._result is None:
            raise AssertionError("a search that is over has a result or an error")
        return self._result

    def stop(self) -> None:
        """Stop, soon."""
        self._run.stopped.set()
        with self._changed:
            self._changed.notify_all()
        insist, over = self._run.interrupt_until, self.over
        threading.Thread(target=insist, args=(over,), name="satlife-stop", daemon=True).start()

    def _put(self, event: Event) -> None:
        if isinstance(event, Built | Progress):
            self.numbers = {**self.numbers, **event.details}
        with self._changed:
            if isinstance(event, Progress) and self._news and isinstance(self._news[-1], Progress):
                self._news.pop()
            self._news.append(event)
            self._changed.notify_all()
            # A reader that is slower than the search holds it up, but not beyond its limits.
            while isinstance(event, Found) and self._is_far_ahead():
                self._changed.wait(0.5)

    def _is_far_ahead(self) -> bool:
        over = self._run.stopped.is_set() or self._run.limits.seconds == 0
        return self._readers > 0 and len(self._news) > _AHEAD and not over

    def _work(self) -> None:
        try:
            self._result = self._search()
            self._put(Finished(self._result))
        except BaseException as error:
            self._error = error
        finally:
            with self._changed:
                self.over.set()
                self._changed.notify_all()

    def _search(self) -> Result:
        if self._goals:
            return self._climb()
        if self._wanted is not None:
            listed = self._list(self._wanted)
            if self._journal is not None:
                self._journal.close(listed.complete)
            return listed
        solutions = self._ask(lambda: self.engine.solutions(self.problem, self._run))
        with contextlib.closing(solutions):
            try:
                found = Found(self._check(next(solutions)))
            except StopIteration as end:
                return Impossible(self.problem, end.value, self._provenance())
            except GaveUp as reason:
                return Undecided(self.problem, str(reason), self._provenance())
        self._put(found)
        return found

    def _ask(self, engine: Callable[[], Solutions]) -> Solutions:
        """Yield what the engine finds; it starts with the first ``next``, and may raise there."""
        reason = yield from engine()
        return reason or f"the engine {self.engine.name} found no more"

    def _list(self, wanted: Wanted) -> Listed:
        count = 0
        solutions = self._ask(lambda: self.engine.classes(self.problem, self._run, wanted))
        with contextlib.closing(solutions):
            while self._limit is None or count < self._limit:
                try:
                    found = Found(self._check(next(solutions)))
                except StopIteration as end:
                    return self._listed(count, True, end.value)
                except GaveUp as reason:
                    return self._listed(count, False, str(reason))
                count += 1
                if self._journal is not None:
                    self._journal.add(found.finding)
                self._put(found)
        return replace(
            self._listed(count, False, f"stopped at the limit of {self._limit}"),
            reached_limit=True,
        )

    def _listed(self, count: int, complete: bool, reason: str) -> Listed:
        skipped = +self._run.skipped  # without what was not skipped at all
        provenance = self._provenance()
        return Listed(self.problem, count, complete, reason, skipped=skipped, provenance=provenance)

    def _climb(self) -> Result:
        best: Best | None = None
        solutions = self._ask(lambda: self.engine.climb(self.problem, self._run, self._goals))
        with contextlib.closing(solutions):
            while True:
                try:
                    finding = self._check(next(solutions))
                except StopIteration as end:
                    if best is None:
                        return Impossible(self.problem, end.value, self._provenance())
                    return replace(best, proved=True, reason="")
                except GaveUp as reason:
                    if best is None:
                        return Undecided(self.problem, str(reason), self._provenance())
                    return replace(best, reason=str(reason))
                values = tuple(
                    evaluate(self.problem, finding.history, goal.measure.what)
                    for goal in self._goals
                )
                best = Best(finding, self._goals, values, proved=False, reason="unfinished")
                self._put(Improved(best))

    def _check(self, history: History) -> Finding:
        """Verify what an engine has found: the one place for all of them."""
        try:
            verify(self.problem.with_height(len(history[0])), history)
        except VerificationError as error:
            folder = Path(tempfile.mkdtemp(prefix="satlife-failed-"))
            (folder / "problem.json").write_bytes(self.problem.to_json())
            np.savez(folder / "history.npz", *history)
            self._run.keep_evidence(folder)
            raise VerificationError(f"{error} (kept in {folder})") from None
        rules = find_rules(self.problem, history) if is_open(self.problem) else None
        return Finding(self.problem, history, self._provenance(), rules)

    def _provenance(self) -> Provenance:
        return Provenance(self.engine.name, self._run.seconds, dict(self._run.details))
