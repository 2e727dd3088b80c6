"""Dividing a formula into cases, and conquering them with several solvers.

A case is a list of decisions: literals that are assumed to be true.  Look-ahead chooses what to
decide next, solvers try cases with a budget of conflicts, and a case that exceeds its budget is
split; piles say who takes which case.  Nothing here knows what the variables mean.
"""

from __future__ import annotations

from satlife.sat.cubes.conquest import CaseProgress, Decisions, conquer
from satlife.sat.cubes.lookahead import Look, Lookahead

__all__ = ["CaseProgress", "Decisions", "Look", "Lookahead", "conquer"]
