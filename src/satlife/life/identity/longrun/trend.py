"""How a population develops in the long run: it stays within bounds, or grows linearly.

apgsearch tells linear growth by the population alone, and so do the codes ``yl…`` that Catagolue
has for guns and puffers. ``yl144_1_16_…`` says: in 144 generations the population grows by 16
cells; the 1 is the period of the growth itself, and a hash of its moments ends the code.

>>> rising = [generation // 3 for generation in range(40)]
>>> trend = find_trend(np.array(rising))
>>> trend, encode_growth(np.array(rising), trend)
(Trend(period=3, growth=1), 'yl3_1_1_90240ee96c4ba43f3a1dea919744b9dd')
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import md5
from typing import Final

import numpy as np
from numpy.typing import NDArray

_REPEATS: Final = 3  # how often a trend must be seen


@dataclass(frozen=True)
class Trend:
    """In ``period`` generations the population grows by ``growth`` cells, again and again."""

    period: int
    growth: float
    """On average over the phases; a whole number, unless phases grow differently."""


def find_trend(populations: NDArray[np.int64]) -> Trend | None:
    """Find the shortest period in which each phase of the population changes by the same amount.

    The whole of the populations must follow it, for three periods at least.
    """
    size = populations.size
    periods = np.arange(1, size // _REPEATS + 1)
    # Most periods are refuted by one of the last few generations.
    for back in range(1, min(16, size // _REPEATS) + 1):
        ends = size - back - 2 * periods
        second = populations[ends] - 2 * populations[ends + periods] + populations[size - back]
        periods = periods[second == 0]
    for period in periods.tolist():
        change = populations[period:] - populations[:-period]
        if np.array_equal(change[period:], change[:-period]):
            growth = float(change[-period:].mean())
            return Trend(period, int(growth) if growth.is_integer() else growth)
    return None


def encode_growth(populations: NDArray[np.int64], trend: Trend) -> str:
    """Return the code of linear growth, as apgsearch defines it, from populations of the trend.

    The codes on Catagolue come from a program whose numbers have 32 bits, and so do these.
    """
    period = trend.period
    change = populations[period:] - populations[:-period]
    inner = next(q for q in range(1, period + 1) if np.array_equal(change[q:], change[:-q]))
    steps = (populations[inner : inner + period] - populations[:period]).astype(np.int32)
    total, squares, cubes = (int((steps**n).sum(dtype=np.int32)) for n in (1, 2, 3))
    digest = md5(f"{squares}#{cubes}".encode(), usedforsecurity=False).hexdigest()
    return f"yl{period}_{inner}_{total}_{digest}"
