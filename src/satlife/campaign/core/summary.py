"""Progress of a campaign: the number of tasks with each status, and the outcome of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class TaskCounts:
    """The number of tasks with each status; the first eight add up to all tasks.

    The cases of tasks that were split are counted apart.
    """

    queued: int = 0
    leased: int = 0
    found: int = 0
    impossible: int = 0
    """All impossible tasks: certified, claimed and implied."""
    undecided: int = 0
    failed: int = 0
    dropped: int = 0
    """No longer needed, since a find has ended their search."""
    split: int = 0
    """Waiting for the cases into which they were split."""
    certified: int = 0
    """Impossible, with a proof that the recorder has checked."""
    claimed: int = 0
    """Impossible according to a worker, without a checked proof."""
    implied: int = 0
    """Found or impossible because another task is."""
    contradicted: int = 0
    """Reported both found and impossible; there should be none."""
    findings: int = 0
    """Distinct objects."""
    cases: int = 0
    """Cases of tasks that were split."""
    open_cases: int = 0
    """Cases that are queued, leased, or split themselves."""

    @property
    def total(self) -> int:
        """All tasks."""
        return self.open + self.final + self.undecided + self.failed + self.dropped

    @property
    def open(self) -> int:
        """Tasks that are queued, leased, or wait for their cases."""
        return self.queued + self.leased + self.split

    @property
    def final(self) -> int:
        """Tasks with an answer."""
        return self.found + self.impossible


@dataclass(frozen=True)
class Summary:
    """The outcome of a run."""

    counts: TaskCounts
    is_complete: bool
    """Whether every task has been tried, or a find has ended the plan as wished."""
    has_stopped_at_find: bool
    alarms: tuple[str, ...] = ()
    """Contradictions, which a person must look at."""

    @property
    def is_met(self) -> bool:
        """Whether every task has an answer, or a find has ended the plan as wished."""
        open_ends = self.counts.undecided + self.counts.failed
        return self.is_complete and (self.has_stopped_at_find or not open_ends)
