"""Hunters against the brute force: what they find in a part of a problem solves the whole."""

from __future__ import annotations

import random
from itertools import islice

from satlife.engine.heuristics.hunters import HUNTERS
from tests.fuzz.checks import Case

STEPS = 6
"""Of each hunter."""


def check_hunted(case: Case, chance: random.Random) -> None:
    """Whatever a hunter finds is a solution of the whole problem."""
    for hunter in HUNTERS:
        for _, details, history in islice(hunter(case.problem), STEPS):
            if history is not None:
                case.known_to_be(history, f"what {details['restriction']} found")
