"""A worker, or a checker, as its operator sees it: metrics and health."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satlife.campaign.operating.exposition import Metric, counter, gauge
from satlife.campaign.operating.process import process_metrics

if TYPE_CHECKING:
    from satlife.campaign.cluster.checks.checker import Checker
    from satlife.campaign.cluster.worker import Worker


@dataclass(frozen=True)
class WorkerWatch:
    """Metrics and health of a worker or a checker."""

    worker: Worker | Checker

    def lacks(self) -> Mapping[str, str]:
        """Return what is out of reach, and why."""
        return {} if self.worker.is_connected else {"broker": "not connected"}

    def metrics(self) -> list[Metric]:
        """Return the metrics of this moment."""
        worker = self.worker
        return [
            gauge(
                "satlife_up", "Parts in reach.", {"broker": float(not self.lacks())}, label="part"
            ),
            gauge("satlife_worker_jobs", "Tasks that it can solve at a time.", worker.jobs),
            gauge("satlife_worker_tasks", "Tasks that it holds, in work or next.", worker.held),
            gauge(
                "satlife_worker_results_waiting",
                "Results that the broker has not taken yet.",
                worker.delivering,
            ),
            counter(
                "satlife_worker_results_total", "Results by kind.", worker.results, label="kind"
            ),
            counter(
                "satlife_worker_solving_seconds_total",
                "Seconds spent on tasks, all jobs together.",
                worker.solving,
            ),
            *process_metrics(),
        ]
