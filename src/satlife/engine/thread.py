"""The thread of a search: its events, its end, and how it is stopped.

The owner of the search reads the events, or waits for the end, in another thread.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from satlife.engine.engine import Built, Event, Finished, Options, Progress, Result, Run, Started
from satlife.problem.outcome import Found

MOST_UNREAD: Final = 20
"""Unread events with which a listing waits for its reader; at a limit, it does not wait."""
POLL: Final = 0.1
"""Seconds between two looks at an engine that may have to be abandoned."""


class SearchThread:
    """Runs a search, and hands its events and its end to other threads.

    Unread progress is replaced by newer progress; finds are never dropped.
    """

    def __init__(self, options: Options) -> None:
        self.run = Run(options, self.put)
        self.changed = threading.Condition()
        """Held while an event and what it counts change together; an end comes before or after."""
        self.over = threading.Event()
        self.numbers: Mapping[str, Any] = {}
        """The latest numbers in the events, by name."""
        self.patience: tuple[float, float] | None = None
        """Seconds to wait for the engine beyond the limit, and after a stop; None: for ever."""
        self.why = ""
        """The reason that was given for a stop."""
        self._stopped_at = math.inf
        self._unread: deque[Event] = deque()
        self._readers = 0
        self._waits_for_readers = True
        """Until somebody waits for the end: then a reader may have stopped reading."""
        self._result: Result | BaseException | None = None

    def start(
        self, engine: str, search: Callable[[], Result], give_up: Callable[[str], Result]
    ) -> None:
        """Start the search; ``give_up`` returns its result if the engine has to be abandoned."""

        def work() -> None:
            try:
                result = search()
            except BaseException as error:
                self._end(error)
            else:
                self._end(result)

        self._give_up = give_up
        self.put(Started(engine))
        threading.Thread(target=work, name="satlife-search", daemon=True).start()

    # In the thread of the search.

    def put(self, event: Event) -> None:
        """Add an event; a slow reader delays the search, but not beyond its limits."""
        if isinstance(event, Built | Progress):
            self.numbers = {**self.numbers, **event.details}
        with self.changed:
            if self.over.is_set():
                return
            last = self._unread[-1] if self._unread else None
            if isinstance(event, Progress) and isinstance(last, Progress):
                self._unread.pop()
            self._unread.append(event)
            self.changed.notify_all()
            while isinstance(event, Found) and self._is_far_ahead():
                self.changed.wait(0.5)

    def _is_far_ahead(self) -> bool:
        has_readers = self._readers > 0 and self._waits_for_readers
        at_limit = self.run.stopped.is_set() or self.run.deadline.is_over
        return has_readers and len(self._unread) > MOST_UNREAD and not at_limit

    def _end(self, result: Result | BaseException) -> None:
        """End with a result or an error, unless it has ended."""
        with self.changed:
            if self.over.is_set():
                return
            self._result = result
            if not isinstance(result, BaseException):
                self.put(Finished(result))
            self.over.set()
            self.changed.notify_all()

    # In other threads.

    def events(self) -> Iterator[Event]:
        """Yield unread events until the search is over; raise its error."""
        with self.changed:
            self._readers += 1
        try:
            while True:
                with self.changed:
                    self._wait_until(lambda: bool(self._unread) or self.over.is_set())
                    if not self._unread:
                        break
                    event = self._unread.popleft()
                    self.changed.notify_all()
                yield event
        finally:
            with self.changed:
                self._readers -= 1
                self.changed.notify_all()
        if isinstance(self._result, BaseException):
            raise self._result

    def wait(self) -> Result:
        """Wait for the end and return the result, or raise the error; events need not be read."""
        with self.changed:
            self._waits_for_readers = False
            self.changed.notify_all()
            self._wait_until(self.over.is_set)
        if isinstance(self._result, BaseException):
            raise self._result
        if self._result is None:
            raise AssertionError("a search that is over has a result or an error")
        return self._result

    def _wait_until(self, is_true: Callable[[], bool]) -> None:
        """Wait, holding ``changed``, at most until the engine is abandoned."""
        while not is_true():
            self.changed.wait(None if self.patience is None else POLL)
            if self._is_lost() and not self.over.is_set():
                # The engine cannot be interrupted just now; its thread is abandoned.
                self.run.stopped.set()
                self._end(self._give_up("time limit"))

    def _is_lost(self) -> bool:
        if self.patience is None:
            return False
        (limit, stop), deadline = self.patience, self.run.deadline
        is_late = deadline.seconds is not None and deadline.spent > deadline.seconds + limit
        return is_late or time.monotonic() > self._stopped_at + stop

    def stop(self, why: str = "stopped") -> None:
        """Ask the search to stop soon."""
        self.why = self.why or why
        self._stopped_at = min(self._stopped_at, time.monotonic())
        self.run.stopped.set()
        with self.changed:
            self.changed.notify_all()
        insist, over = self.run.interrupt_until, self.over
        threading.Thread(target=insist, args=(over,), name="satlife-stop", daemon=True).start()
