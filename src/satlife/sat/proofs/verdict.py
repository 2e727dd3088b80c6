"""What a checker says of a proof, and how all checkers open one.

>>> print(Verdict(False, "line 3: clause 14: hint 9 is no clause"))
not valid: line 3: clause 14: hint 9 is no clause
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
    """Whether a proof refutes its formula; whatever went wrong, it does not."""

    valid: bool
    reason: str = ""
    """Why it is not valid: with the line and the clause, where the checker tells them."""
    decided: bool = True
    """False if the checker was stopped, or failed, before it came to know."""
    checker: str = "satlife"
    steps: int = 0
    """Steps of the proof that were read, deletions included; 0 if the checker does not tell."""
    added: int = 0
    """Clauses that were derived, the empty one included."""
    deleted: int = 0
    rat: int = 0
    """How many of the added clauses are not implied, but resolution asymmetric tautologies."""
    seconds: float = 0.0

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        if self.valid:
            return "valid"
        return f"{'not valid' if self.decided else 'not checked'}: {self.reason}"


@contextmanager
def open_proof(path: str | PathLike[str] | IO[bytes]) -> Iterator[IO[bytes]]:
    """Open a proof to read; a file that is not there is the caller's error, not the proof's.

    What is open already is left open.
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
