"""Estimates of how long a refutation takes, from sizes alone, before any search.

The time of a refutation grows exponentially with the number of free cells (one of each orbit of the
symmetry); faster the longer the period, more slowly for ships.  The figures below are a fit to the
371 tasks of ``examples/small-symmetric``, each measured in seconds of one processor (periods 2 to
6, boxes up to 10x10), and to 56 of them with proofs.  A single task took up to six times more or
less than estimated, a question up to three times, all together a tenth.  Larger boxes are
extrapolated.

>>> from satlife.life.box import Box
>>> [round(estimate(Box.parse(size), "C4", "p6"), 2) for size in ("6x6", "9x9", "12x12")]
[0.02, 0.73, 128.04]
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from satlife.life.box import Box, OpenBox
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry

WORDS: Final = "from box, period and symmetry alone, by a fit to 371 measured tasks"
"""The method of the estimates, for display."""

_START: Final = 0.005
"""Seconds that any task takes."""
_BUILD: Final = 4e-5
"""Seconds for each cell of each generation, to build and read the formula."""
_SLOPE: Final = (0.08, 0.07)
"""Doublings per free cell: a constant, and a term for each generation of the period."""
_SHIP: Final = 0.7
"""Doublings of a ship, as a share of those of an oscillator of its period."""
_OFFSET: Final = 11.0
"""Doublings before a second is reached."""
_ROWS: Final = (2.5, 7.5)
"""By rows: doublings per free cell of a row, and the free cells of a second; the time of widths 4
to 8 at c/3, c/4 and 2c/5 differed by up to four times."""
_STRIPS: Final = (0.75, 26.0)
"""Oscillators by rows: doublings per free cell of all phases of a row, and those of a second; the
time of 20 to 30 of them at p5, p6 and p7 was up to four times less."""
_MOST_DOUBLINGS: Final = 40.0
_FILLING: Final = 3e-8
"""Seconds for each cell of each generation of a filling: brute force tried 2^16 fillings of 4x4 at
period 19 in 0.57 s."""
_MEASURED: Final = {"oscillator": (range(2, 7), 25), "ship": (range(2, 6), 50)}
"""The periods of the fit, and the most free cells, of boxes with a height."""
_MEASURED_ROWS: Final = (range(3, 6), 8)
"""The same by rows."""
_MEASURED_STRIPS: Final = (range(3, 8), 30)
"""The same of oscillators by rows, and free cells of all phases."""
_PROOF: Final = (0.2, 120.0, 6.0)
"""The cost of a proof and its check: seconds, times the building, times the search."""


def estimate(box: Box, symmetry: str, motion: str, *, prove: bool = False) -> float:
    """Estimate the seconds of a refutation, with a checked proof if one is wanted.

    A search by rows, in a box of any height, grows with the free cells of a row.

    >>> from satlife.life.box import HIGHEST
    >>> [round(estimate(OpenBox(0, 0, width, HIGHEST), "C1", "c/4"), 2) for width in (6, 8, 10)]
    [0.08, 2.38, 76.11]
    """
    if isinstance(box, OpenBox):
        free, moves = _count_row(box, symmetry, motion)
        slope, second = _ROWS if moves else _STRIPS
        return _START + math.exp2(min(slope * (free - second), _MOST_DOUBLINGS))
    period, moves = _read_motion(motion)
    return estimate_cells(box.area, count_orbits(box, symmetry), period, moves, prove=prove)


def estimate_cells(
    area: int, free: float, period: int, moves: bool, *, prove: bool = False
) -> float:
    """Estimate the seconds of a refutation from its cells and its free cells."""
    slope = (_SLOPE[0] + _SLOPE[1] * period) * (_SHIP if moves else 1.0)
    search = math.exp2(min(slope * free - _OFFSET, _MOST_DOUBLINGS))
    # No refutation takes longer than going through all fillings.
    search = min(search, _FILLING * area * period * math.exp2(min(free, 1000)))
    build = _BUILD * area * period
    plain = _START + build + search
    if not prove:
        return plain
    start, built, searched = _PROOF
    return plain + start + built * build + searched * search


def is_measured(box: Box, symmetry: str, motion: str) -> bool:
    """Whether an estimate is within the range of the fit, and no extrapolation.

    >>> [is_measured(Box.parse(size), "C4", "p6") for size in ("9x9", "12x12")]
    [True, False]
    """
    period, moves = _read_motion(motion)
    if isinstance(box, OpenBox):
        periods, most = _MEASURED_ROWS if moves else _MEASURED_STRIPS
        free, _ = _count_row(box, symmetry, motion)
    else:
        periods, most = _MEASURED["ship" if moves else "oscillator"]
        free = count_orbits(box, symmetry)
    return period in periods and free <= most


def _count_row(box: Box, symmetry: str, motion: str) -> tuple[float, bool]:
    """Return the free cells of a row, of all phases if it stays in place, and whether it moves."""
    period, moves = _read_motion(motion)
    return count_orbits(Box(0, 0, box.width, 1), symmetry) * (1 if moves else period), moves


@lru_cache(maxsize=4096)
def _read_motion(motion: str) -> tuple[int, bool]:
    moved = Motion.parse(motion)
    return moved.period, not moved.is_still


@lru_cache(maxsize=1 << 16)
def count_orbits(box: Box, symmetry: str) -> float:
    """Return the number of free cells of a generation: the orbits, by Burnside's lemma.

    >>> [count_orbits(Box.parse(size), "D4+") for size in ("4x4", "5x5", "4x5")]
    [4.0, 9.0, 6.0]
    """
    group = Symmetry(symmetry).group
    width, height = box.width, box.height
    fixed = {
        "identity": box.area,
        "flip-left-right": height if width % 2 else 0,
        "flip-top-bottom": width if height % 2 else 0,
        "half-turn": width * height % 2,
        "flip-diagonal": min(width, height),
        "flip-antidiagonal": min(width, height),
    }
    return sum(fixed.get(turn.name, width % 2) for turn in group) / len(group)
