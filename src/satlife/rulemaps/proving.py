"""Proofs for a map: a certificate for each region without a pattern, over its open rule."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from satlife.errors import InternalError
from satlife.rulemaps.checking import proof_folder, region_problem
from satlife.rulemaps.rulemap import RuleMap
from satlife.search.certificates import NoneExists, Proving, certify
from satlife.search.engine.engine import Options
from satlife.search.problem.outcome import Found, Undecided


def prove_map(
    rulemap: RuleMap,
    folder: Path,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    tell: Callable[[str], None] = lambda what: None,
) -> str:
    """Write the certificates that are missing; return why some still are, or an empty text."""
    begun = time.monotonic()
    for number, region in enumerate(rulemap.regions, 1):
        place = proof_folder(folder, number)
        if region.pattern is not None or place.is_dir():
            continue
        tell(f"proving region {number} of {len(rulemap.regions)}")
        left = None if seconds is None else max(0.0, seconds - (time.monotonic() - begun))
        proving = Proving(options=Options(timeout=left, memory=memory))
        match certify(region_problem(rulemap.problem, region), NoneExists(), place, proving):
            case Undecided(reason=reason):
                return f"region {number}: {reason}"
            case Found():
                raise InternalError(f"region {number} was refuted, but has a pattern")
    return ""
