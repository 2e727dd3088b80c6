"""The desk: searches that run, wait or are over, and the messages of each.

A job lives here and not in a connection.  Listeners can go and come back: messages have numbers,
and those after a number can be requested again.  A progress message replaces the last one if that
is progress too, so a job never holds many.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from satlife.errors import UsageError
from satlife.show.scene import Scene
from satlife.web.orders import Allowed, JobOrder

OVER: Final = frozenset(
    {"found", "impossible", "exhausted", "certified", "undecided", "stopped", "failed"}
)
"""The final states."""

PROGRESS: Final = "progress"


class QueueFullError(UsageError):
    """The queue is full."""


class Message(NamedTuple):
    """A message from a job."""

    number: int
    kind: str
    content: dict[str, Any]


@dataclass(eq=False)
class Job:
    """One search, from its question to its end."""

    order: JobOrder
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: str = "queued"
    created: float = field(default_factory=time.time)
    begun: float | None = None
    """Start time, by the monotonic clock."""
    seconds: float = 0.0
    """Duration of the search."""
    scenes: list[Scene] = field(default_factory=list)
    """Findings, as scenes to draw."""
    certificate: Path | None = None
    stopping: threading.Event = field(default_factory=threading.Event)
    _log: list[Message] = field(default_factory=list)
    _number: int = 0
    _listeners: list[Callable[[], None]] = field(default_factory=list)
    _stops: list[Callable[[], None]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def post(self, kind: str, **content: Any) -> None:
        """Add a message; remember a state, too."""
        with self._lock:
            if kind == PROGRESS and self._log and self._log[-1].kind == PROGRESS:
                self._log.pop()
            self._number += 1
            if kind == "state":
                self.state = content["state"]
                if self.is_over and self.begun is not None:
                    self.seconds = time.monotonic() - self.begun
                content["seconds"] = round(self.elapsed, 2)
            self._log.append(Message(self._number, kind, content))
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()

    def after(self, number: int) -> list[Message]:
        """Return the messages after a number."""
        with self._lock:
            return [message for message in self._log if message.number > number]

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.state in OVER

    @property
    def elapsed(self) -> float:
        """Seconds that it has run."""
        if self.begun is None or self.is_over:
            return self.seconds
        return time.monotonic() - self.begun

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call the listener, in any thread, for each new message, until the end of the block."""
        with self._lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)

    @contextmanager
    def stopped_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """Let a stop call this function, from another thread, until the end of the block."""
        with self._lock:
            self._stops.append(stop)
        try:
            if self.stopping.is_set():
                stop()
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)

    def stop(self) -> None:
        """Ask the job to stop."""
        self.stopping.set()
        with self._lock:
            stops = tuple(self._stops)
        for stop in stops:
            stop()

    def describe(self) -> dict[str, Any]:
        """Return a short description of the job."""
        return {
            "id": self.id,
            "state": self.state,
            "created": self.created,
            "seconds": round(self.elapsed, 2),
            "finds": len(self.scenes),
            **self.order.describe(),
        }


class JobDesk:
    """All jobs: some run, some wait, and the last ones that are over are kept."""

    def __init__(self, allowed: Allowed, work: Callable[[Job], None]) -> None:
        self.allowed = allowed
        self._work = work
        self._jobs: dict[str, Job] = {}
        self._waiting: deque[Job] = deque()
        self._running: set[str] = set()
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, order: JobOrder) -> Job:
        """Take an order; raise :class:`QueueFullError` if too many wait."""
        with self._lock:
            if len(self._waiting) >= self.allowed.waiting:
                raise QueueFullError(
                    f"{len(self._waiting)} searches are waiting already; stop one of them, or "
                    "wait until one is over"
                )
            job = Job(order)
            job.post("state", state="queued", ahead=len(self._waiting))
            self._jobs[job.id] = job
            self._waiting.append(job)
            self._forget()
        self._begin()
        return job

    def find(self, name: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(name)

    def jobs(self) -> list[Job]:
        """Return all jobs, the latest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def stop(self, job: Job) -> None:
        """Stop a job, whether it runs or waits."""
        with self._lock:
            waits = job in self._waiting
            if waits:
                self._waiting.remove(job)
        job.stop()
        if waits:
            job.post("state", state="stopped", title="Stopped", words="It had not begun.")

    def close(self) -> None:
        """Stop everything."""
        self._closed = True
        for job in self.jobs():
            if not job.is_over:
                self.stop(job)

    def _begin(self) -> None:
        with self._lock:
            while self._waiting and len(self._running) < self.allowed.running and not self._closed:
                job = self._waiting.popleft()
                self._running.add(job.id)
                threading.Thread(
                    target=self._run, args=(job,), name=f"satlife-{job.id}", daemon=True
                ).start()

    def _run(self, job: Job) -> None:
        try:
            job.begun = time.monotonic()
            self._work(job)
        finally:
            with self._lock:
                self._running.discard(job.id)
            self._begin()

    def _forget(self) -> None:
        """Forget the oldest jobs that are over."""
        over = [job for job in self._jobs.values() if job.is_over]
        for job in over[: max(0, len(over) - self.allowed.kept)]:
            del self._jobs[job.id]
            if job.certificate is not None:
                job.certificate.unlink(missing_ok=True)
