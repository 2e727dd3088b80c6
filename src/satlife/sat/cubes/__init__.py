"""Cube and conquer: splitting a formula into cases, and solving them with several solvers.

A case is a list of literals that are assumed to be true.  A loop takes open cases, tries each, and
splits those that take long: the cases are the leaves of a tree.  Nothing here depends on what the
variables mean.
"""

from __future__ import annotations

from satlife.sat.cubes.conquest import (
    CaseProgress,
    Conquered,
    Divider,
    Loop,
    OnePile,
    Tried,
    conquer,
)
from satlife.sat.cubes.in_order import Case, InOrder, Look

__all__ = [
    "Case",
    "CaseProgress",
    "Conquered",
    "Divider",
    "InOrder",
    "Look",
    "Loop",
    "OnePile",
    "Tried",
    "conquer",
]
