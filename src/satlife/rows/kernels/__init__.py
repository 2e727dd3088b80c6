"""The compiled part: successors of rows, look-ahead, breadth-first levels and depth-first probes.

A *kit* is the tuple of tables of one search (see :mod:`satlife.rows.tables`); ``r`` is an array of
rows, of which ``r[o:o + 2 * p]`` are the last 2p, the state.  In comments, m is the number of the
next row, P(a, b, c) the set of rows x with G(a, b, x) = c, and I(a, b) the set of all G(a, b, x).

A kit is ``(numbers, masks, sets, images, follow, starts, lists, filled, breaks, links, chains)``;
numbers are ``(bits, fold, skew, twist, p, k, kind, width, lanes, turn, late, parts)``.  ``breaks``
says of each row which parts of the period a ship that has it cannot have, a bit for each.
"""

from __future__ import annotations

from typing import Any

from satlife.rows.kernels.columns import link_chains, link_rows
from satlife.rows.kernels.compiled import FILES, KEEPS
from satlife.rows.kernels.graph import (
    compact,
    expand,
    find_next,
    make_room,
    mark_broken,
    probe,
    read_states,
    rebuild_index,
)
from satlife.rows.kernels.listed import fill_all
from satlife.rows.kernels.narrow import build_sets
from satlife.rows.kernels.steps import BAD, step_all

Kit = Any

__all__ = [
    "BAD",
    "FILES",
    "KEEPS",
    "Kit",
    "build_sets",
    "compact",
    "expand",
    "fill_all",
    "find_next",
    "link_chains",
    "link_rows",
    "make_room",
    "mark_broken",
    "probe",
    "read_states",
    "rebuild_index",
    "step_all",
]
