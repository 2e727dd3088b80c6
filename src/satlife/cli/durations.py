"""Durations as a person would write them."""

from __future__ import annotations


def name_seconds(seconds: float) -> str:
    """Return a time as a person would write it.

    >>> [name_seconds(s) for s in (0.4, 95, 7300, 2e5, 1e10)]
    ['0.4 s', '95 s', '2.0 h', '2.3 d', '317 years']
    """
    if 0 < seconds < 0.1:
        return "< 0.1 s"
    for limit, unit, size in (
        (120, "s", 1.0),
        (7200, "min", 60.0),
        (172_800, "h", 3600.0),
        (3.2e7, "d", 86_400.0),
    ):
        if seconds < limit:
            digits = 1 if seconds / size < 10 else 0
            return f"{seconds / size:.{digits}f} {unit}"
    return f"{seconds / 31_557_600:,.0f} years"
