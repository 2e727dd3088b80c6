"""Drawings in one form: equal drawings have the same corner and rows.

>>> trim(0, 0, ("....", "..o", ".oo."))
(1, 1, ('.o', 'oo'))
"""

from __future__ import annotations

from satlife.errors import UsageError


def trim(
    x: int, y: int, rows: tuple[str, ...], states: str = "o.?"
) -> tuple[int, int, tuple[str, ...]]:
    """Take away what says nothing: dead cells at the edges of a drawing."""
    for state in "".join(rows):
        if state not in states:
            usual = f"{', '.join(states[:-1])} or {states[-1]}"
            raise UsageError(f"a drawn cell is {usual}, got {state!r}")
    width = max(map(len, rows), default=0)
    rows = tuple(row.ljust(width, ".") for row in rows)
    used = [j for j, row in enumerate(rows) if row.strip(".")]
    if not used:
        return 0, 0, ()
    rows = rows[used[0] : used[-1] + 1]
    left = min(len(row) - len(row.lstrip(".")) for row in rows)
    right = max(len(row.rstrip(".")) for row in rows)
    return x + left, y + used[0], tuple(row[left:right] for row in rows)
