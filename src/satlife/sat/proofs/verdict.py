"""The verdict of a checker, and the opening of proofs.

>>> print(Verdict(False, "line 3: clause 14: hint 9 is not a clause"))
not valid: line 3: clause 14: hint 9 is not a clause
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO

from satlife.errors import UsageError


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a proof refutes its formula; false if anything went wrong."""

    valid: bool
    reason: str = ""
    """Why it is not valid, with the line and the clause if the checker gives them."""
    decided: bool = True
    """False if the checker was stopped, or failed, before it decided."""
    checker: str = "satlife"
    steps: int = 0
    """The number of steps read, including deletions; 0 if unknown."""
    added: int = 0
    """The number of clauses derived, including the empty one."""
    deleted: int = 0
    rat: int = 0
    """The number of added clauses that are RAT (resolution asymmetric tautologies), not implied."""
    seconds: float = 0.0
    ends: bool = True
    """Whether the file ends with the empty clause; anything after it is not read."""

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        if self.valid:
            return "valid"
        return f"{'not valid' if self.decided else 'not checked'}: {self.reason}"


@contextmanager
def open_proof(path: str | PathLike[str] | IO[bytes]) -> Iterator[IO[bytes]]:
    """Open a proof for reading; a missing file raises UsageError.

    A file that is open already stays open.
    """
    if not isinstance(path, str | PathLike):
        yield path
        return
    try:
        file = Path(path).open("rb")  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"the proof cannot be opened: {error}") from None
    with file:
        yield file
