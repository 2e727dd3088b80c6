"""What a format of pictures is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from satlife.show.scene import Scene
from satlife.show.style import Style


def _need_nothing() -> None:
    """Most formats need nothing but NumPy."""


@dataclass(frozen=True)
class PictureFormat:
    """A kind of file that scenes can be drawn to."""

    name: str
    title: str
    """What it shows, in a few words."""
    suffixes: tuple[str, ...]
    """How file names end, the usual one first."""
    draw: Callable[[Sequence[Scene], Style], bytes]
    """Return the file that shows one scene, or several on a sheet."""
    check: Callable[[], None] = _need_nothing
    """Raise a :class:`~satlife.errors.UsageError` if something is not installed."""
