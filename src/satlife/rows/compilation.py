"""Compiling the search ahead of it: numba keeps what it has compiled in a folder, for later runs.

Compiling takes half a minute and cannot be interrupted.  So whoever has a time limit, or a person
who may press Ctrl-C, lets another process call :func:`compile_all`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from satlife.rows import kernels
from satlife.rows.hunt import Hunt
from satlife.rows.quotient import Quotient

_CALLED: Final = (
    *("build_sets", "fill_all", "mark_broken", "rebuild_index"),
    *("expand", "read_states", "probe", "compact"),
)
"""The compiled functions that are called from Python."""


def is_compiled() -> bool:
    """Return whether there is nothing to compile ahead, or no place to keep it."""
    folder = kernels.expand.stats.cache_path
    if not kernels.KEEPS or folder is None:
        return True
    changed = max(file.stat().st_mtime for file in kernels.FILES)
    return all(
        any(kept.stat().st_mtime >= changed for kept in Path(folder).glob(f"*.{name}-*.nbi"))
        for name in _CALLED
    )


def compile_all() -> None:
    """Compile everything, by searching a little."""
    life = bytes(
        (n & ~16).bit_count() == 3 or (n & 16 and (n & ~16).bit_count() == 2) for n in range(512)
    )
    for width in (5, 7):
        hunt = Hunt(Quotient(width, 3, 1, life, "odd"), limit=8, threads=2)
        for _ in hunt.ships():
            pass
