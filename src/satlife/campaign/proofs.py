"""Proofs that a campaign keeps: packed files in a folder, each named after its task.

They were checked before they are kept, but nothing rests on that: a certificate made of them can be
checked again by anyone.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import Budget, Task
from satlife.errors import FormatError, UsageError
from satlife.machine import replacing
from satlife.problem import Cells, Problem
from satlife.sat.files.paths import hash_file, open_to_read, open_to_write

LIMITS: Final = Budget(seconds=3600.0, memory_bytes=4 << 30)
"""Default limits for checking a proof."""
LARGEST: Final = 4_000_000_000
"""Maximum bytes of a kept proof, unpacked, if no other limit is given."""
_SUFFIX: Final = ".proof.xz"


class KeptProofs:
    """A folder of proofs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self) -> None:
        """Make the folder, if it is not there."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, task: str) -> Path:
        """Return the path of the proof of a task, if it was kept."""
        return self.folder / f"{task}{_SUFFIX}"

    def keep(self, task: str, proof: Path) -> None:
        """Pack a proof into the folder, atomically."""
        self.make()
        with (
            proof.open("rb") as source,
            replacing(self.path(task)) as new,
            open_to_write(new) as target,
        ):
            shutil.copyfileobj(source, target, 1 << 20)

    def names(self) -> list[str]:
        """Return the names of the tasks that have a proof here, sorted."""
        return sorted(path.name.removesuffix(_SUFFIX) for path in self.folder.glob(f"*{_SUFFIX}"))

    def check(self, task: Task, limits: Budget = LIMITS) -> Checked:
        """Check the proof of a task; a file that is damaged or too large is not valid."""
        left = LARGEST if limits.proof_bytes is None else limits.proof_bytes
        with tempfile.TemporaryDirectory(prefix="satlife-proof-") as folder:
            proof = Path(folder) / "proof"
            try:
                with open_to_read(self.path(task.name)) as packed, proof.open("wb") as file:
                    while part := packed.read(1 << 20):
                        left -= file.write(part)
                        if left < 0:
                            return Checked(reason="it is larger than the limit", is_decided=False)
            except (FormatError, IsADirectoryError) as error:
                return Checked(reason=str(error))
            return check_file(task.asked, proof, limits=limits, cells=task.cells)


# Check a proof file on this machine, within limits.


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
