"""Default limits on watching a pattern before it is called unknown.

Long computations call ``check`` every few milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final, TypeAlias

GENERATIONS: Final = 100_000
SECONDS: Final = 10.0

Check: TypeAlias = Callable[[], None]
"""Raises :class:`LimitReached` if a limit is reached."""


class LimitReached(Exception):  # noqa: N818 - not an error: the answer is "unknown"
    """A limit was reached; the text says which."""


class WatchLimit:
    """A deadline, some seconds from now; ``None`` means none."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return self._end is not None and monotonic() > self._end

    def check(self) -> None:
        """Raise ``LimitReached`` past the deadline."""
        if self.is_over:
            raise LimitReached(str(self))

    def __str__(self) -> str:
        return f"within {self.seconds:g} seconds"


def go_on() -> None:
    """Check nothing: there is no limit."""
