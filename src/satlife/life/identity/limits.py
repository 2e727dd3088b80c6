"""How long a pattern is watched before it is called unknown, unless one says otherwise.

Whatever takes long calls ``check`` again and again: between two calls there are milliseconds.
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
    """Something was to go on beyond its limits; its text says which."""


class WatchLimit:
    """A number of seconds from now, by the clock; ``None`` is never."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time has come."""
        return self._end is not None and monotonic() > self._end

    def check(self) -> None:
        """Raise ``LimitReached`` if the time is over."""
        if self.is_over:
            raise LimitReached(str(self))

    def __str__(self) -> str:
        return f"within {self.seconds:g} seconds"


def go_on() -> None:
    """Check nothing: there is no limit."""
