"""What a check of a stranger's folder may cost, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from satlife.certificates.claims import MOST_CLAUSES
from satlife.certificates.folder import CERTIFICATE, PROBLEM
from satlife.sat.proofs import Verdict

KIND: Final = f"kind in {PROBLEM}"
MAKER: Final = f"made, command, solver, times and earlier checks in {CERTIFICATE}"
"""What nothing can be compared with: what the search is called, and how a certificate was made."""
MOST_NAMED: Final = 10
"""Files that a verdict names, of those that were not looked at."""


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """What a check may cost; beyond it, the certificate is not decided."""

    seconds: float | None = 3600.0
    memory_bytes: int | None = 4 << 30
    """Of the check itself, and of each checker that it asks."""
    most_bytes: int = 4_000_000_000
    """Of all the files together, and of each proof, unpacked."""
    most_clauses: int = MOST_CLAUSES
    """Of the formulas that the problem asks for, as estimated before any is built."""
    jobs: int = 1
    """Proofs that are checked at the same time."""
    save: Path | None = None
    """A file of the proofs that have been found valid, so that a long check can go on."""


@dataclass(frozen=True)
class Judgement:
    """What a check came to: valid, not valid and why, or not decided and why."""

    complaints: tuple[str, ...]
    """What is wrong; one is enough."""
    doubts: tuple[str, ...] = ()
    """What could not be decided."""
    statement: str = ""
    """Made anew; empty if there is no problem or claim to make it of."""
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    """Of each part's proof."""
    unread: tuple[str, ...] = ()
    """Files, and ends of files, that were not looked at."""
    hearsay: tuple[str, ...] = ()
    """What such a folder says that nothing can be compared with."""

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
