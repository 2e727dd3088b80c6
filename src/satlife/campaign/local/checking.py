"""Check the file of a proof on this machine, within limits."""

from __future__ import annotations

import threading
from pathlib import Path

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import Budget, Cells
from satlife.errors import UsageError
from satlife.sat.files.paths import hash_file
from satlife.search.problem import Problem

LIMITS = Budget(seconds=3600.0, memory_bytes=4 << 30)
"""Default limits for checking a proof."""


def check_file(
    problem: Problem,
    proof: Path,
    proof_hash: str | None = None,
    limits: Budget = LIMITS,
    stop: threading.Event | None = None,
    cells: Cells = (),
) -> Checked:
    """Check that a file proves that a problem, or its case with these cells, has no solution.

    A file with another hash than ``proof_hash`` is not valid.  When another thread sets ``stop``,
    all but small checks end.
    """
    from satlife.search.certificates.refute import check_proof  # noqa: PLC0415 - only where there are proofs

    try:
        found = hash_file(proof)
    except OSError as error:
        raise UsageError(f"the proof cannot be read: {error}") from None
    if proof_hash not in (None, found):
        return Checked(reason="it does not match its hash", proof_hash=found)
    verdict = check_proof(problem, proof, limits.seconds, limits.memory_bytes, stop, cells)
    return Checked(
        is_valid=verdict.valid,
        is_decided=verdict.decided,
        reason=verdict.reason,
        proof_hash=found,
        checker=verdict.checker,
    )
