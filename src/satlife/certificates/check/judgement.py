"""The allowance and the judgement of a check of a stranger's folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from satlife.certificates.claims import MOST_CLAUSES
from satlife.certificates.folder import CERTIFICATE, PROBLEM
from satlife.sat.proofs import Verdict

KIND: Final = f"kind in {PROBLEM}"
MAKER: Final = f"made, command, solver, times and earlier checks in {CERTIFICATE}"
"""Claims that cannot be verified: the kind of search, and how a certificate was made."""
MOST_NAMED: Final = 10
"""Maximum number of unread files that a verdict names."""


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """The limits of a check; beyond them, the certificate is not decided."""

    seconds: float | None = 3600.0
    memory_bytes: int | None = 4 << 30
    """Memory of the check itself, and of each external checker."""
    most_bytes: int = 4_000_000_000
    """Total size of all files, and size of each unpacked proof."""
    most_clauses: int = MOST_CLAUSES
    """Size of the formulas of the problem, as estimated before any is built."""
    jobs: int = 1
    """Number of proofs that are checked at the same time."""
    save: Path | None = None
    """File of the proofs already found valid, so that a long check can resume."""


@dataclass(frozen=True)
class Judgement:
    """The result of a check: valid, not valid and why, or not decided and why."""

    complaints: tuple[str, ...]
    """Errors; one makes the certificate not valid."""
    doubts: tuple[str, ...] = ()
    """Reasons why the check is undecided."""
    statement: str = ""
    """The rebuilt statement; empty if there is no valid problem or claim."""
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    """The verdict on the proof of each part, by name."""
    unread: tuple[str, ...] = ()
    """Files, and ends of files, that were not read."""
    hearsay: tuple[str, ...] = ()
    """Contents of the folder that cannot be verified."""

    def __bool__(self) -> bool:
        raise TypeError("a certificate is valid, not valid or not decided; ask for .valid")

    @property
    def valid(self) -> bool:
        """Whether the claim is proved."""
        return not self.complaints and not self.doubts

    @property
    def word(self) -> str:
        """``valid``, ``not valid`` or ``not decided``."""
        return "valid" if self.valid else "not valid" if self.complaints else "not decided"

    def __str__(self) -> str:
        words = ": ".join(filter(None, [self.word, "; ".join(self.complaints or self.doubts)]))
        shown, more = self.unread[:MOST_NAMED], len(self.unread) - MOST_NAMED
        names = [*shown, f"{more:,} more"] if more > 0 else shown
        return f"{words}; not looked at: {', '.join(names)}" if names else words
