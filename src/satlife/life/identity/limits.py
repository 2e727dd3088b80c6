"""Default limits on watching a pattern before it is called unknown.

Long computations call ``check`` every few milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Final, TypeAlias

GENERATIONS: Final = 100_000
SECONDS: Final = 10.0
"""Of processor time: by the clock, the answer would depend on what else the machine does."""

Check: TypeAlias = Callable[[], None]
"""Raises :class:`LimitReached` if a limit is reached."""


class LimitReached(Exception):  # noqa: N818 - not an error: the answer is "unknown"
    """A limit was reached; the text says which."""


class WatchLimit:
    """A limit on the processor time of this thread, from now on; ``None`` means none."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else thread_time() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and thread_time() > self._end

    def check(self) -> None:
        """Raise ``LimitReached`` if the time is up."""
        if self.is_over:
            raise LimitReached(str(self))

    def __str__(self) -> str:
        plural = "" if self.seconds == 1 else "s"
        return f"within {self.seconds:g} second{plural} of processor time"


def go_on() -> None:
    """Check nothing: there is no limit."""
