"""The search by rows: ships and oscillators of any length, and the proof that a width has none.

It knows only widths, periods, rows and tables of rules; what a pattern or a problem is stands above
it.  The search of ships needs numba (the extra ``fast``); ask :func:`is_available` before importing
the modules :mod:`~satlife.rows.hunt` and :mod:`~satlife.rows.tables`.
"""

from __future__ import annotations

from importlib.util import find_spec


def is_available() -> bool:
    """Return whether numba is installed."""
    return find_spec("numba") is not None
