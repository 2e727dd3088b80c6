"""Watch a campaign's store of proofs: remove what nobody will ask for, and say who fills it.

A proof is stored before the result that names it.  If that result never comes, because the worker
died or never meant to send it, the proof is an orphan.  No clock of another machine is believed: an
orphan is what has not grown for an hour by our own clock, while no result waits to be recorded.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import TYPE_CHECKING

from satlife.campaign.cluster.queue.names import proof_stream
from satlife.campaign.cluster.queue.proofs import list_proofs, read_upload, remove_proof
from satlife.errors import UsageError

if TYPE_CHECKING:
    from nats.js import JetStreamContext

log = logging.getLogger(__name__)

ORPHAN = 3600.0
"""Seconds after which an upload that has not grown is removed."""
NEARLY_FULL = 0.9
"""Part of the store that may be filled without a word."""
MOST_NAMED = 5
"""Users who are named in a message."""


class Uploads:
    """The proofs that a campaign's broker holds."""

    def __init__(self, js: JetStreamContext, campaign: str, orphan: float = ORPHAN) -> None:
        self._js = js
        self._campaign = campaign
        self._orphan = orphan
        self._seen: dict[str, tuple[int, float]] = {}
        """The parts of each upload, and since when there have been so many."""
        self._was_full = False

    async def look(self, *, is_idle: bool) -> None:
        """Look at the store; remove orphans if no result waits to be recorded."""
        info = await self._js.stream_info(proof_stream(self._campaign))
        stored = await list_proofs(self._js, self._campaign) if info.state.messages else {}
        now = time.monotonic()
        seen = {name: (parts, now) for name, parts in stored.items()}
        for name, before in self._seen.items():
            if name in seen and seen[name][0] == before[0]:
                seen[name] = before
        self._seen = seen
        self._tell(info.state.bytes, info.config.max_bytes or 0)
        if is_idle:
            await self._collect(now)

    def _tell(self, used: int, most: int) -> None:
        is_full = most > 0 and used > NEARLY_FULL * most
        if is_full and not self._was_full:
            log.warning(
                "the store of proofs is nearly full, %.1f of %.1f MB: %s",
                *(used / 1e6, most / 1e6, ", ".join(self._users())),
            )
        self._was_full = is_full

    def _users(self) -> list[str]:
        """Return the users with the most parts, and their shares."""
        parts: Counter[str] = Counter()
        for name, (count, _) in self._seen.items():
            parts[read_upload(name)] += count
        total = max(1, parts.total())
        return [f"{user} {count / total:.0%}" for user, count in parts.most_common(MOST_NAMED)]

    async def _collect(self, now: float) -> None:
        for name, (_, since) in tuple(self._seen.items()):
            if now - since < self._orphan:
                continue
            try:
                await remove_proof(self._js, self._campaign, name)
            except UsageError:  # not one of our names
                continue
            del self._seen[name]
            log.warning("removed an upload of %s without a result: %s", read_upload(name), name)
