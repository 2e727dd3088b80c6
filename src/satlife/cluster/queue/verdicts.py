"""Verdicts on the answers of users, for the dispatcher, which keeps their reputations.

The messages are not stored: a lost one changes a reputation a little, and nothing else.
"""

from __future__ import annotations

import logging
import math
from collections import defaultdict

from nats.aio.client import Client

from satlife.campaign.core import events
from satlife.campaign.core.state import TaskState, Transition
from satlife.campaign.core.trust import Checked
from satlife.campaign.core.votes import name_user
from satlife.campaign.messages import AnyResult, FoundResult, ImpossibleResult, SplitResult
from satlife.cluster import protocol

# The log as JSON names this part, as it always did.
log = logging.getLogger("satlife.cluster.queue.board")


class Verdicts:
    """Verdicts that are counted until they are sent to the dispatcher."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))

    def note(self, event: events.Event, step: Transition) -> None:
        """Count the answers confirmed or refuted by an event that changed a state."""
        match event:
            case events.FoundEvent():
                self._add(event.worker, "good")
                self._blame(event.name, step.state)
            case events.SplitEvent() if step.state.contradicted:
                self._blame(event.name, step.state)
            case events.CertifiedEvent():
                self._add(event.worker, "good")
            case events.ClaimedEvent() if step.state.status is events.Status.IMPOSSIBLE:
                for user in {*step.state.claimants, name_user(event.worker)}:
                    self._add(user, "good")

    def _blame(self, name: str, state: TaskState) -> None:
        for liar in state.claimants:
            log.warning("false: %s claimed that %s is impossible", liar, name[:12])
            self._add(liar, "lies")

    def examine(self, result: AnyResult, event: object) -> None:
        """Count a result that was an answer but failed its check."""
        answers = FoundResult | ImpossibleResult | SplitResult
        if isinstance(event, events.FailedEvent) and isinstance(result, answers):
            user = name_user(event.worker)
            reason = event.log.strip()[:200]
            log.warning("false: the answer of %s to %s: %s", user, event.name[:12], reason)
            self._add(user, "lies")

    def refuse(self, worker: str) -> None:
        """Count a message that was refused."""
        self._add(worker, "bad")

    def charge(self, worker: str, checked: Checked) -> None:
        """Count the time of a check that ended at its limits, without a verdict."""
        seconds = math.ceil(checked.seconds)
        message = "futile: the check of a proof of %s gave no verdict in %d s: %s"
        log.warning(message, name_user(worker), seconds, checked.reason[:200])
        self._add(worker, "unchecked", seconds)

    def _add(self, worker: str, what: str, number: int = 1) -> None:
        self._counts[name_user(worker)][what] += number

    async def send(self, client: Client, campaign: str) -> None:
        """Send the verdicts to the dispatcher, if there is one."""
        counts = dict(self._counts)
        self._counts.clear()
        for user, numbers in counts.items():
            verdict = protocol.UserVerdict(user=user, **numbers)
            await client.publish(f"{protocol.VERDICTS}.{campaign}", protocol.write(verdict))
