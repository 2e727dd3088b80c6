"""What became of the answers of users, for the dispatcher, which keeps their reputations.

The messages are not stored: one that is lost changes a reputation a little, and nothing else.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from typing import TYPE_CHECKING

from satlife.campaign.cluster import wire
from satlife.campaign.cluster.dispatch import protocol
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    Status,
)
from satlife.campaign.core.state import Step
from satlife.campaign.core.votes import name_user
from satlife.campaign.messages import AnyResult, FoundResult, ImpossibleResult

if TYPE_CHECKING:
    from nats.aio.client import Client

log = logging.getLogger(__name__)


class Verdicts:
    """Counts until it is told to the dispatcher."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))

    def note(self, event: Event, step: Step) -> None:
        """Count the answers that an event has confirmed or refuted; it has changed something."""
        match event:
            case FoundEvent():
                self._add(event.worker, "good")
                for liar in step.state.claimants:
                    log.warning("false: %s claimed that %s is impossible", liar, event.name[:12])
                    self._add(liar, "lies")
            case CertifiedEvent():
                self._add(event.worker, "good")
            case ClaimedEvent() if step.state.status is Status.IMPOSSIBLE:
                for user in {*step.state.claimants, name_user(event.worker)}:
                    self._add(user, "good")

    def examine(self, result: AnyResult, event: object) -> None:
        """Count a result that was an answer, and failed its check."""
        if isinstance(event, FailedEvent) and isinstance(result, FoundResult | ImpossibleResult):
            user = name_user(event.worker)
            words = event.log.strip()[:200]
            log.warning("false: the answer of %s to %s: %s", user, event.name[:12], words)
            self._add(user, "lies")

    def refuse(self, worker: str) -> None:
        """Count a message that was refused."""
        self._add(worker, "bad")

    def _add(self, worker: str, what: str) -> None:
        self._counts[name_user(worker)][what] += 1

    async def tell(self, client: Client, campaign: str) -> None:
        """Send it to the dispatcher, if there is one."""
        counts = dict(self._counts)
        self._counts.clear()
        for user, numbers in counts.items():
            verdict = protocol.Verdict(user=user, **numbers)
            await client.publish(f"{protocol.VERDICTS}.{campaign}", wire.write(verdict))
