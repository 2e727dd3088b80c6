"""Single cells that are asked to be alive or dead, as people write them: ``3,0@2``.

>>> given_cells({"on": "3,0@2", "off": ["0..4,1"]}, 3)
(Known(t=2, x=3, y=0, rows=('o',)), Known(t=0, x=0, y=1, rows=('.....',)))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from satlife.errors import UsageError
from satlife.given import check_several
from satlife.life.numbers import check_number, parse_integer, shorten
from satlife.search.problem import LARGEST, Known

if TYPE_CHECKING:
    from satlife.search.kinds._common import Bounds

_SPAN = r"(-?\d+)(?:\.\.(-?\d+))?"
_CELLS = re.compile(rf"{_SPAN},{_SPAN}(?:@(\d+|every))?", re.ASCII)
_WORDS = "cells such as '3,0@2' (column, row, generation), or several"


def given_cells(asked: Bounds, generations: int) -> tuple[Known, ...]:
    """Return the cells that are ``on`` and ``off``; ``@every`` is one of so many generations."""
    states = {"on": "o", "off": "."}
    return tuple(
        known
        for name, state in states.items()
        for known in _read(asked.get(name), name, state, generations)
    )


def _read(given: Any, name: str, state: str, generations: int) -> Iterator[Known]:
    for text in () if given is None else check_several(given, str, name, _WORDS):
        match = _CELLS.fullmatch(text.replace(" ", ""))
        if not match:
            raise UsageError(
                f"{shorten(text)!r} is not a cell; write column,row@generation, for example "
                "3,0@2, or 0..4,0@every"
            )
        x, right = (parse_integer(each) for each in (match[1], match[2] or match[1]))
        y, bottom = (parse_integer(each) for each in (match[3], match[4] or match[3]))
        if right < x or bottom < y:
            raise UsageError(f"the range {text} is empty; write the lower number first")
        check_number(max(abs(x), abs(right), abs(y), abs(bottom)), LARGEST, "places")
        which = match[5] or "0"
        times = range(generations) if which == "every" else (parse_integer(which),)
        cells = (right - x + 1) * (bottom - y + 1) * len(times)
        check_number(cells, LARGEST, "the cells of a range")
        rows = (state * (right - x + 1),) * (bottom - y + 1)
        for t in times:
            yield Known(t=t, x=x, y=y, rows=rows)
