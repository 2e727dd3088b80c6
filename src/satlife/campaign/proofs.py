"""Proofs that a campaign keeps: packed files, each named after its task, in folders of 1 in 256.

They were checked before they are kept, but nothing rests on that: a certificate made of them can be
checked again by anyone.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import Budget, Task
from satlife.errors import FormatError, UsageError
from satlife.machine import replacing
from satlife.plain import TooLargeError
from satlife.problem import Cells, Problem
from satlife.sat import Limits
from satlife.sat.files.paths import hash_file, open_to_write
from satlife.sat.solvers.confined import run_confined

if TYPE_CHECKING:
    from satlife.sat.proofs import Verdict

LIMITS: Final = Budget(seconds=3600.0, memory_bytes=4 << 30)
"""Default limits for checking a proof."""
LARGEST: Final = 4_000_000_000
"""Maximum bytes of a kept proof, unpacked, if no other limit is given."""
SMALL: Final = 1_000_000
"""Bytes of a proof that is unpacked to the disk at once, whatever it is."""
_SUFFIX: Final = ".proof.xz"


class KeptProofs:
    """A tree of proofs; files that somebody has put into its root count, too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self) -> None:
        """Make the folder, if it is not there."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, task: str) -> Path:
        """Return the path of the proof of a task, if it was kept."""
        name = f"{task}{_SUFFIX}"
        plain = self.folder / name
        return plain if plain.exists() else self.folder / name[:2] / name

    def keep(self, task: str, proof: Path) -> None:
        """Pack a proof into the folder, atomically."""
        path = self.path(task)
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            proof.open("rb") as source,
            replacing(path) as new,
            open_to_write(new) as target,
        ):
            shutil.copyfileobj(source, target, 1 << 20)

    def names(self) -> list[str]:
        """Return the names of the tasks that have a proof here, sorted."""
        found = (self.folder.glob(f"{above}*{_SUFFIX}") for above in ("", "??/"))
        return sorted({path.name.removesuffix(_SUFFIX) for path in chain(*found)})

    def check(self, task: Task, limits: Budget = LIMITS) -> Checked:
        """Check the proof of a task; a file that is damaged or too large is not valid.

        A stranger may have made the file: :func:`check_packed_file` has the reasons.
        """
        most = LARGEST if limits.proof_bytes is None else limits.proof_bytes
        path, small = self.path(task.name), min(most, SMALL)
        with tempfile.TemporaryDirectory(prefix="satlife-proof-") as folder:
            proof = Path(folder) / "proof"
            try:
                _unpack(path, proof, small)
                return check_file(task.asked, proof, limits=limits, cells=task.cells)
            except TooLargeError as error:
                if small == most:
                    return Checked(reason=str(error), is_decided=False)
            except FormatError as error:
                return Checked(reason=str(error))
        checked = run_confined(
            f"{__name__}:check_packed_file",
            *(path.absolute(), task.asked, task.cells, most, limits.seconds, limits.memory_bytes),
            limits=Limits(seconds=limits.seconds, memory_bytes=limits.memory_bytes),
        )
        if isinstance(checked, Checked):
            return checked
        return Checked(reason=str(checked), is_decided=False)


def check_packed_file(
    path: Path,
    problem: Problem,
    cells: Cells,
    most: int,
    seconds: float | None,
    memory_bytes: int | None,
) -> Checked:
    """Check a large packed proof in this process.

    LRAT is checked while it is unpacked, and only a valid proof is unpacked to the disk, for other
    checkers.  States and DRAT are unpacked first, but not to a large multiple of their size.
    """
    from satlife.certificates import folder as files  # noqa: PLC0415 - only where there are proofs
    from satlife.certificates.check.checker import check_packed  # noqa: PLC0415
    from satlife.certificates.make.refute import check_here, make_formula  # noqa: PLC0415
    from satlife.sat.proofs import sniff_format  # noqa: PLC0415

    begun, place = time.monotonic(), (path.parent, path.name, most)
    try:
        with files.open_packed(*place, exact=False) as packed:
            is_lrat = not problem.has_open_height and sniff_format(packed) == "lrat"
        with tempfile.TemporaryDirectory(prefix="satlife-proof-") as folder:
            if is_lrat:
                formula = make_formula(problem, cells)
                verdict = check_packed(*place, formula, seconds, memory_bytes, exact=False)
                with files.open_packed(*place, exact=False) as packed:
                    proof_hash = hash_file(packed)
            else:
                proof = Path(folder) / "proof"
                _unpack(path, proof, most)
                verdict = check_here(problem, proof, seconds, memory_bytes, begun, cells)
                proof_hash = hash_file(proof)
    except TooLargeError as error:
        return Checked(reason=str(error), is_decided=False)
    except FormatError as error:
        return Checked(reason=str(error))
    return _make_checked(verdict, proof_hash, begun)


def _unpack(path: Path, target: Path, most: int) -> None:
    from satlife.certificates.folder import open_proof  # noqa: PLC0415 - only where there are proofs

    with open_proof(path, most) as packed, target.open("wb") as file:
        shutil.copyfileobj(packed, file, 1 << 20)


def _make_checked(verdict: Verdict, proof_hash: str, begun: float) -> Checked:
    return Checked(
        is_valid=verdict.valid,
        is_decided=verdict.decided,
        reason=verdict.reason,
        proof_hash=proof_hash,
        checker=verdict.checker,
        seconds=0.0 if verdict.decided else time.monotonic() - begun,
    )


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
    return _make_checked(verdict, found, begun)
