"""Our LRAT checker with a time limit, without any change to the checker.

It reads the proof line by line, so the file checks the clock, and ends the check by an exception.
"""

from __future__ import annotations

import io
import math
import time
from os import PathLike
from typing import IO, Any

from satlife.sat.formula import Formula
from satlife.sat.proofs.lrat import check_lrat
from satlife.sat.proofs.verdict import Verdict, open_proof

_CHUNK = 1 << 16
"""Bytes between checks of the clock."""


def check_in_time(
    formula: Formula, proof: str | PathLike[str] | IO[bytes], seconds: float | None
) -> Verdict:
    """Check an LRAT proof, a path or an open file; after the time limit it is undecided."""
    begun = time.monotonic()
    deadline = math.inf if seconds is None else begun + seconds
    try:
        with open_proof(proof) as file:
            timed: Any = io.BufferedReader(_Timed(file, deadline), _CHUNK)
            return check_lrat(formula, timed)
    except TimeoutError:
        spent = time.monotonic() - begun
        return Verdict(False, "time limit", decided=False, seconds=spent)


class _Timed(io.RawIOBase):
    """A file that cannot be read past a deadline."""

    def __init__(self, file: IO[bytes], deadline: float) -> None:
        self._file = file
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if time.monotonic() > self._deadline:
            raise TimeoutError
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
