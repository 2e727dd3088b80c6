"""Draw whatever can be shown, to bytes or to a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from satlife.errors import UsageError
from satlife.life.draw.svg import let_scroll
from satlife.life.partial import PartialPattern
from satlife.life.pattern import Pattern
from satlife.show.formats import find_picture_format
from satlife.show.formats.svg import write_svg
from satlife.show.scene import HasScene, Scene, Showable
from satlife.show.style import Style

Several = Showable | Iterable[Showable]


class Sheet(tuple[Showable, ...]):
    """Patterns and findings that a notebook shows as one picture.

    >>> glider = Pattern.from_rle("bo$2bo$3o!")
    >>> Sheet([glider, glider[2]])._repr_html_().count("glider")
    4
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return let_scroll(write_svg(make_scenes(self), Style()))


def draw(
    what: Several,
    format: str = "svg",  # noqa: A002 - public
    *,
    generations: int | None = None,
    **style: Any,
) -> bytes:
    r"""Draw a pattern or a finding, or several on one sheet; the keywords are those of ``Style``.

    >>> draw(Pattern.from_rle("3o!"), "text").decode()
    '▀▀▀\nblinker: oscillator, period 2, 3 cells, 3x1, B3/S23, xp2_7\n'
    """
    chosen = find_picture_format(format)
    return chosen.draw(make_scenes(what, generations=generations), Style(**style))


def save(what: Several, path: str | Path, *, generations: int | None = None, **style: Any) -> None:
    """Draw to a file; the name's suffix is the format: ``ship.gif``, ``ship.svg``."""
    drawn = draw(what, str(path), generations=generations, **style)
    Path(path).write_bytes(drawn)


def make_scenes(what: Several, *, generations: int | None = None) -> list[Scene]:
    """Return the scenes of one value, or of several; arrays are the generations of one."""
    if isinstance(what, str | bytes):
        raise UsageError("cannot draw a text; read it with Pattern.from_text first")
    if isinstance(what, Scene | Pattern | PartialPattern | HasScene | np.ndarray):
        return [Scene.of(what, generations=generations)]
    things: list[Any] = list(what)
    if not things:
        raise UsageError("nothing to draw: an empty list")
    if all(isinstance(each, np.ndarray) for each in things):
        return [Scene.of(things, generations=generations)]
    return [Scene.of(each, generations=generations) for each in things]
