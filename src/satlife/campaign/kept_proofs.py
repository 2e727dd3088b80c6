"""Proofs that a campaign keeps: packed files in a folder, each named after its task.

They have been checked when they are kept, but nothing rests on that: a certificate that is made of
them is checked again by whoever wants to know.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from satlife.sat.files.paths import open_to_write


class KeptProofs:
    """A folder of proofs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, task: str) -> Path:
        """Return where the proof of a task is, if it was kept."""
        return self.folder / f"{task}.proof.xz"

    def keep(self, task: str, proof: Path) -> None:
        """Pack a proof into the folder; it is there as a whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self.folder / f"{task}.new.xz"
        with proof.open("rb") as source, open_to_write(beside) as target:
            shutil.copyfileobj(source, target, 1 << 20)
        beside.replace(self.path(task))
