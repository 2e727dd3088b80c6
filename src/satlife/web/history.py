"""What the page needs of its history; ``ledger`` is the one that ``satlife serve`` starts with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from satlife.problem.outcome import Finding, Impossible, Undecided
from satlife.web.desk import Job


class History(Protocol):
    """The questions and answers of this machine's page."""

    def record(self, job: Job, answer: Finding | Impossible | Undecided) -> None:
        """Write an answer; it must not fail where the answer cannot be written."""

    def last(self, most: int) -> list[dict[str, Any]]:
        """Return the last questions with their answers, the latest first."""
        ...

    def export(self) -> Iterator[bytes]:
        """Yield the lines of a file that ``merge`` reads."""
        ...

    def merge(self, text: str) -> dict[str, Any]:
        """Add what was exported elsewhere; return the number of new answers, and the refusals."""
        ...
