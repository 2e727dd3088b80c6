"""A dispatcher as its operator sees it: metrics and health."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satlife.campaign.operating.exposition import Metric, counter, gauge
from satlife.campaign.operating.process import process_metrics

if TYPE_CHECKING:
    from satlife.campaign.cluster.dispatch.dispatcher import Dispatcher


@dataclass(frozen=True)
class DispatcherWatch:
    """Metrics and health of a dispatcher."""

    dispatcher: Dispatcher

    def lacks(self) -> Mapping[str, str]:
        """Return what is out of reach, and why."""
        return {} if self.dispatcher.is_connected else {"broker": "not connected"}

    def metrics(self) -> list[Metric]:
        """Return the metrics of this moment."""
        users = self.dispatcher.desk.users
        ended: Counter[str] = Counter()
        for user in users.values():
            ended += user.ended
        up = {"broker": float(not self.lacks())}
        barred = sum(user.standing.is_barred for user in users.values())
        return [
            gauge("satlife_up", "Parts in reach.", up, label="part"),
            gauge("satlife_dispatcher_users", "Users who have asked for something.", len(users)),
            gauge("satlife_dispatcher_barred", "Users who get no more tasks.", barred),
            gauge(
                "satlife_dispatcher_leases",
                "Tasks that volunteers hold.",
                len(self.dispatcher.desk.leases),
            ),
            counter(
                "satlife_dispatcher_leases_ended_total", "Leases by their end.", ended, label="how"
            ),
            counter(
                "satlife_dispatcher_refused_total",
                "Requests that were refused.",
                self.dispatcher.refused,
            ),
            *process_metrics(),
        ]
