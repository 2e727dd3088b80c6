"""A pool of child processes for a program that must not wait: a thread does the waiting."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Hashable
from typing import Protocol

from satlife.campaign.messages import Task
from satlife.campaign.pool import Finished

_BUSY, _ROOM = 0.05, 0.005
"""Seconds until new orders are looked for: when all children have work, and when some have none."""


class Solving(Protocol):
    """What is needed of a :class:`~satlife.campaign.pool.Pool`; tests bring others."""

    jobs: int

    @property
    def busy(self) -> int:
        """How many tasks are waiting or running."""

    def submit(self, task: Task, token: Hashable) -> None:
        """Put a task at the end of the line."""

    def poll(self, timeout: float) -> list[Finished]:
        """Wait for results."""

    def cancel(self, token: Hashable) -> bool:
        """End a task without a result."""

    def close(self) -> None:
        """End all children."""


class Solvers:
    """The thread; ``tell`` is called in it, with results or with what went wrong for good."""

    def __init__(
        self, pool: Solving, tell: Callable[[list[Finished] | BaseException], None]
    ) -> None:
        self.pool = pool
        self._tell = tell
        self._orders: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="satlife-solvers", daemon=True)
        self._thread.start()

    def submit(self, task: Task, token: Hashable) -> None:
        """Have a task solved."""
        self._orders.put(lambda: self.pool.submit(task, token))

    def cancel(self, token: Hashable) -> None:
        """End a task without a result."""
        self._orders.put(lambda: self.pool.cancel(token))

    def close(self) -> None:
        """End all tasks and the thread."""
        self._orders.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            while self._obey():
                if self.pool.busy:
                    patience = _BUSY if self.pool.busy >= self.pool.jobs else _ROOM
                    finished = self.pool.poll(patience)
                    if finished:
                        self._tell(finished)
        except BaseException as error:
            self._tell(error)
        finally:
            self.pool.close()

    def _obey(self) -> bool:
        """Do what was ordered; wait for an order if there is nothing to do.  False at the end."""
        is_idle = not self.pool.busy
        while True:
            try:
                order = self._orders.get(block=is_idle)
            except queue.Empty:
                return True
            if order is None:
                return False
            order()
            is_idle = False
