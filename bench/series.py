"""Series of runs: medians and ranges in which a time-out counts as longer than everything."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Series:
    """The seconds of several runs of one thing; ``inf`` for those that did not end."""

    seconds: tuple[float, ...]
    gave_up: float = math.inf
    """The least seconds that a run had spent when its time was over."""

    @classmethod
    def of(cls, records: Iterable[dict[str, Any]]) -> Series:
        """Take the seconds of records."""
        ended: list[float] = []
        late: list[float] = []
        for record in records:
            (late if record.get("answer") == "undecided" else ended).append(record["seconds"])
        return cls((*sorted(ended), *(math.inf for _ in late)), min(late, default=math.inf))

    @property
    def median(self) -> float:
        """The median, ``inf`` if half of the runs did not end; not a number without runs."""
        return statistics.median(self.seconds) if self.seconds else math.nan

    @property
    def bound(self) -> float:
        """The median, or what it is at least."""
        return self.gave_up if math.isinf(self.median) else self.median

    def words(self, ranged: bool = True) -> str:
        """Write the median and the range.

        >>> Series((1.0, 2.0, 12.0)).words()
        '2.00 [1.00–12.0]'
        >>> Series((1.0, math.inf, math.inf), 60).words()
        '>60 [1.00–…]'
        """
        if not self.seconds:
            return "–"
        late = f">{self.gave_up:.0f}"
        middle = late if math.isinf(self.median) else number(self.median)
        if not ranged or len(self.seconds) == 1 or math.isinf(self.seconds[0]):
            return middle
        last = "…" if math.isinf(self.seconds[-1]) else number(self.seconds[-1])
        return f"{middle} [{number(self.seconds[0])}–{last}]"


def number(value: float) -> str:
    """Write seconds or a ratio with about three digits.

    >>> number(0.123), number(2.5), number(25.04), number(1234.5)
    ('0.12', '2.50', '25.0', '1234')
    """
    if math.isnan(value):
        return "–"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def geometric_mean(ratios: Iterable[float]) -> float:
    """Return the geometric mean, not a number if there is nothing."""
    values = list(ratios)
    return statistics.geometric_mean(values) if values else math.nan
