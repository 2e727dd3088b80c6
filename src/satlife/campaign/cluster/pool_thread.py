"""A pool of child processes for asynchronous code: a thread waits for them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Hashable
from typing import Protocol

from satlife.campaign.local.pool import Finished
from satlife.campaign.messages import Task

_BUSY, _ROOM = 0.05, 0.005
"""Seconds between looks for new orders: if all children have work, and if some have none."""


class Solving(Protocol):
    """The part of :class:`~satlife.campaign.local.pool.Pool` that a worker uses."""

    jobs: int

    @property
    def busy(self) -> int:
        """How many tasks are waiting or running."""

    def submit(self, task: Task, token: Hashable) -> None:
        """Add a task to the end of the line."""

    def poll(self, timeout: float) -> list[Finished]:
        """Wait for results."""

    def cancel(self, token: Hashable) -> bool:
        """End a task without a result."""

    def close(self) -> None:
        """End all children."""


class PoolThread:
    """A thread that runs a pool; ``tell`` is called in it with results, or with a fatal error."""

    def __init__(
        self, pool: Solving, tell: Callable[[list[Finished] | BaseException], None]
    ) -> None:
        self.pool = pool
        self._tell = tell
        self._orders: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="satlife-solvers", daemon=True)
        self._thread.start()

    def submit(self, task: Task, token: Hashable) -> None:
        """Solve a task."""
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
        """Carry out orders, waiting for one if the pool is idle; return False at the end."""
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
