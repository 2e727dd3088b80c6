"""A pool of child processes that solve tasks, replaced when they die or exceed their limits.

>>> from satlife import still_life
>>> with Pool(1) as pool:
...     pool.submit(Task(problem=still_life(box="2x2")), "a token")
...     while not (finished := pool.poll(1.0)):
...         pass
>>> [(each.token, type(each.result).__name__) for each in finished]
[('a token', 'FoundResult')]

A task's budget is a hard limit: a child that takes too long or too much memory is killed, and the
result is undecided.  The time of a task that may be split is processor time; only its child counts
that, and is killed after a multiple of it by the clock.

If a child dies by itself, the result is failed, with its last output, and another child takes its
place.  When this process dies, the children end by themselves.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import tempfile
import time
from collections import deque
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec

from satlife.campaign.local.child import READY, ChildTask
from satlife.campaign.local.task_solver import PATIENCE
from satlife.campaign.messages import (
    LONGEST_WORDS,
    AnyResult,
    FailedResult,
    Task,
    UndecidedResult,
    decode_result,
)
from satlife.closable import Closing
from satlife.errors import FormatError, SolverError
from satlife.machine import count_processors
from satlife.sat.solvers import memory
from satlife.sat.solvers.process import Held

# -P: nothing is imported from the current folder.
COMMAND = (sys.executable, "-P", "-m", "satlife.campaign.local.child")

GRACE = 1.0
"""Seconds after the time limit until a child that has not stopped by itself is killed."""
SPLITTING = 120.0
"""Seconds after the time limit for splitting a task."""
COMPILING = 120.0
"""Seconds after the time limit for compiling the search by rows, which happens once."""
_POLL_SECONDS = 0.5
"""Maximum seconds between checks of time and memory."""

_MAX_FAILED_STARTS = 5
"""Maximum number of consecutive children that end before they are ready."""


class FinishedTask(NamedTuple):
    """A task that has ended."""

    token: Hashable
    """The token that was submitted with the task."""
    result: AnyResult
    proof: Path | None
    """The proof of an impossibility, if one was asked for; the caller removes the file."""


class Pool(Closing):
    """Child processes, and a queue of tasks that wait for them."""

    def __init__(
        self,
        jobs: int | None,
        *,
        worker: str = "local",
        folder: Path | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        """Prepare a pool; children start with the first task.

        ``jobs`` is the number of children; None is one for each processor.  Proofs go into
        ``folder``, or into a temporary folder.
        """
        self.jobs = count_processors() if jobs is None else jobs
        self.worker = worker
        self._command = tuple(command or COMMAND)
        self._given_folder = folder
        self._own_folder: tempfile.TemporaryDirectory[str] | None = None
        self._proofs = 0
        self._failed_starts = 0
        self._waiting: deque[tuple[Task, Hashable]] = deque()
        self._children: list[_Child] = []
        self._inbox: queue.SimpleQueue[tuple[_Child, bytes]] = queue.SimpleQueue()

    @property
    def busy(self) -> int:
        """The number of tasks that are waiting or running."""
        return len(self._waiting) + sum(child.running is not None for child in self._children)

    @property
    def pids(self) -> list[int]:
        """The process ids of the children."""
        return [child.pid for child in self._children]

    def submit(self, task: Task, token: Hashable) -> None:
        """Add a task to the end of the queue."""
        self._waiting.append((task, token))
        self._feed()

    def poll(self, timeout: float) -> list[FinishedTask]:
        """Wait up to ``timeout`` seconds for results, and return them."""
        finished: list[FinishedTask] = []
        end = time.monotonic() + timeout
        while not finished:
            self._feed()
            left = end - time.monotonic()
            try:
                news = self._inbox.get(timeout=min(max(left, 0.0), _POLL_SECONDS))
            except queue.Empty:
                finished += self._watch()
                if left <= 0:
                    break
            else:
                finished += self._take(*news)
        while True:
            try:
                finished += self._take(*self._inbox.get_nowait())
            except queue.Empty:
                break
        finished += self._watch()
        self._feed()
        return finished

    def cancel(self, token: Hashable) -> bool:
        """End a task without a result; return False if it is not in the pool."""
        before = len(self._waiting)
        self._waiting = deque(each for each in self._waiting if each[1] != token)
        if len(self._waiting) < before:
            return True
        for child in self._children:
            if child.running is not None and child.running.token == token:
                self._discard(child)
                return True
        return False

    def close(self) -> None:
        """End all children and remove the temporary folder."""
        self._waiting.clear()
        for child in tuple(self._children):
            child.kill()
        for child in tuple(self._children):
            self._discard(child)
        if self._own_folder is not None:
            self._own_folder.cleanup()
            self._own_folder = None

    def _feed(self) -> None:
        while self._waiting:
            idle = next((child for child in self._children if child.running is None), None)
            if idle is None:
                if len(self._children) >= self.jobs:
                    return
                idle = _Child(self._command, self._inbox)
                self._children.append(idle)
            task, token = self._waiting.popleft()
            proof = self._proof_file() if task.prove else None
            # If an idle child has died, the end of its output shows it after this.
            idle.start(_Running(task, token, proof), self.worker)

    def _proof_file(self) -> Path:
        if self._given_folder is None and self._own_folder is None:
            self._own_folder = tempfile.TemporaryDirectory(prefix="satlife-proofs-")
        folder = self._given_folder or Path(cast("Any", self._own_folder).name)
        folder.mkdir(parents=True, exist_ok=True)
        self._proofs += 1
        return folder / f"{os.getpid()}-{self._proofs}.proof"

    def _take(self, child: _Child, line: bytes) -> list[FinishedTask]:
        """Handle a line from a child; an empty line is the end of its output."""
        if child not in self._children:
            return []
        if line == READY:
            child.is_ready, self._failed_starts = True, 0
            child.begun = time.monotonic()
            return []
        if not line:
            return self._on_exit(child)
        running = child.running
        if running is None:
            self._discard(child)
            return []
        try:
            result = decode_result(line)
        except FormatError as error:
            self._discard(child)
            return [self._failed(running, f"the child's answer is not a result: {error}")]
        child.running = None
        child.forget_complaints()
        proof = running.proof
        if proof is not None and not (proof.exists() and getattr(result, "proof_hash", None)):
            proof.unlink(missing_ok=True)
            proof = None
        return [FinishedTask(running.token, result, proof)]

    def _on_exit(self, child: _Child) -> list[FinishedTask]:
        """Handle the end of a child that was not killed by us."""
        how, output = child.last_words(LONGEST_WORDS)
        was_ready, running = child.is_ready, child.running
        self._discard(child)
        if running is None:
            return []
        if not was_ready:
            # It may have been killed from outside; children that never start are an error.
            self._failed_starts += 1
            if self._failed_starts >= _MAX_FAILED_STARTS:
                raise SolverError(
                    f"a child process does not start ({how}): {output or 'no output'}"
                )
            self._waiting.appendleft((running.task, running.token))
            return []
        limit = running.task.budget.memory_bytes
        if limit is not None and memory.ran_out(how, output):
            return [self._undecided(running, "memory limit")]
        return [self._failed(running, f"the child died: {how}\n{output}".strip())]

    def _watch(self) -> list[FinishedTask]:
        """Kill children that exceed the limits of their tasks."""
        finished = []
        for child in tuple(self._children):
            running = child.running
            if running is None or not child.is_ready:
                continue
            bounds = running.task.budget
            spent = time.monotonic() - child.begun
            most = _most_seconds(running.task)
            if most is not None and spent > most:
                self._discard(child)
                finished.append(self._undecided(running, "time limit", spent))
            elif memory.outgrown(child.pid, bounds.memory_bytes):
                self._discard(child)
                finished.append(self._undecided(running, "memory limit", spent))
        return finished

    def _discard(self, child: _Child) -> None:
        if child in self._children:
            self._children.remove(child)
        running = child.running
        child.close()
        if running is not None and running.proof is not None:
            running.proof.unlink(missing_ok=True)

    def _undecided(self, running: _Running, reason: str, seconds: float = 0.0) -> FinishedTask:
        task = running.task
        result = UndecidedResult(
            task=task.name,
            worker=self.worker,
            round=task.round,
            seconds=seconds,
            reason=reason,
            budget=task.budget,
        )
        return FinishedTask(running.token, result, None)

    def _failed(self, running: _Running, log: str) -> FinishedTask:
        task = running.task
        result = FailedResult(
            task=task.name, worker=self.worker, round=task.round, log=log[-LONGEST_WORDS:]
        )
        return FinishedTask(running.token, result, None)


class _Running(NamedTuple):
    """A task that a child is solving."""

    task: Task
    token: Hashable
    proof: Path | None


def _most_seconds(task: Task) -> float | None:
    """Return the seconds, by the clock, after which a child is killed; None is no limit.

    The limit of a task that may be split is processor time, which its child counts by itself.
    """
    if task.budget.seconds is None:
        return None
    splitting = SPLITTING if task.split or task.every else 0.0
    grace = GRACE + splitting + (COMPILING if task.problem.has_open_height else 0.0)
    return task.budget.seconds * (PATIENCE if task.split else 1.0) + grace


class _Child(Held):
    """A child process and the task that it is solving."""

    def __init__(
        self, command: Sequence[str], inbox: queue.SimpleQueue[tuple[_Child, bytes]]
    ) -> None:
        self.running: _Running | None = None
        self.is_ready = False
        self.begun = 0.0
        self._inbox = inbox
        super().__init__(command, self._read, "satlife-pool")

    def start(self, running: _Running, worker: str) -> None:
        """Send a task to the child; if the child is gone, its output ends."""
        self.running = running
        self.begun = time.monotonic()
        proof = None if running.proof is None else str(running.proof)
        self.tell(msgspec.json.encode(ChildTask(running.task, worker, proof, self.leash)), b"\n")

    def _read(self, pipe: BinaryIO) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := pipe.readline():
                self._inbox.put((self, line))
        self._inbox.put((self, b""))
