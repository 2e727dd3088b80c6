"""Which proofs have been found valid, in a file of the person who checks: a check can then go on.

Each line is the hash of a formula and that of the file of its proof.  A certificate never contains
such a file, and nothing is believed of the one in a stranger's folder.
"""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Final

from satlife.errors import FormatError, UsageError

_HEAD: Final = "satlife checked 1"
_LINE: Final = re.compile("[0-9a-f]{64} [0-9a-f]{64}")


class CheckedProofs:
    """Proofs that are valid; with a path, they are kept there, each at once."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._known: set[str] = set()
        if path is None:
            return
        try:
            lines = path.read_text("ascii").split("\n") if path.exists() else []
            if not lines:
                path.write_text(f"{_HEAD}\n", "ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path} cannot be used to save a check: {error}") from None
        if lines and lines[0] != _HEAD:
            raise FormatError(f"{path} is not a check that was saved")
        # A check that was killed may have left half a line.
        self._known = {line for line in lines[1:] if _LINE.fullmatch(line)}

    def knows(self, formula: str, proof: str) -> bool:
        """Whether the proof was found valid for the formula, both by their hashes."""
        return f"{formula} {proof}" in self._known

    def add(self, formula: str, proof: str) -> None:
        """Keep that the proof is valid for the formula."""
        with self._lock:
            self._known.add(f"{formula} {proof}")
            if self.path is not None:
                with self.path.open("a", encoding="ascii") as file:
                    file.write(f"\n{formula} {proof}\n")
