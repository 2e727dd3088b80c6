"""Proofs that a campaign keeps: packed files in a folder, each named after its task.

They were checked before they are kept, but nothing rests on that: a certificate made of them can be
checked again by anyone.
"""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import Budget
from satlife.errors import UsageError
from satlife.machine import replacing
from satlife.problem import Cells, Problem
from satlife.sat.files.paths import hash_file, open_to_write


class KeptProofs:
    """A folder of proofs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, task: str) -> Path:
        """Return the path of the proof of a task, if it was kept."""
        return self.folder / f"{task}.proof.xz"

    def keep(self, task: str, proof: Path) -> None:
        """Pack a proof into the folder, atomically."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (
            proof.open("rb") as source,
            replacing(self.path(task)) as new,
            open_to_write(new) as target,
        ):
            shutil.copyfileobj(source, target, 1 << 20)


# Check a proof file on this machine, within limits.


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

    A file whose hash is not ``proof_hash`` is not valid.  When another thread sets ``stop``, all
    but small checks end.
    """
    from satlife.certificates.make.refute import check_proof  # noqa: PLC0415 - only where there are proofs

    try:
        found = hash_file(proof)
    except OSError as error:
        raise UsageError(f"the proof cannot be read: {error}") from None
    if proof_hash not in (None, found):
        return Checked(reason="it does not match its hash", proof_hash=found)
    begun = time.monotonic()
    verdict = check_proof(problem, proof, limits.seconds, limits.memory_bytes, stop, cells)
    return Checked(
        is_valid=verdict.valid,
        is_decided=verdict.decided,
        reason=verdict.reason,
        proof_hash=found,
        checker=verdict.checker,
        seconds=0.0 if verdict.decided else time.monotonic() - begun,
    )
