"""Cube and conquer: splitting a formula into cases, and solving them with several solvers.

A case is a list of literals that are assumed to be true.  Look-ahead chooses the variable to split
on, and a loop takes open cases, tries each within a budget, and splits those that exceed it: the
cases are the leaves of a tree.  Nothing here depends on what the variables mean.
"""

from __future__ import annotations

from satlife.sat.cubes.conquest import CaseProgress, Loop, OnePile, Tried, conquer
from satlife.sat.cubes.lookahead import Case, Look, Lookahead

__all__ = [
    "Case",
    "CaseProgress",
    "Look",
    "Lookahead",
    "Loop",
    "OnePile",
    "Tried",
    "conquer",
]
