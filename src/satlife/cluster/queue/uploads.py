"""A campaign's store of proofs: orphans are removed, and a store that is nearly full is reported.

A proof is stored before the result that names it.  If that result never comes, because the worker
died or never meant to send it, the proof is an orphan.  Clocks of other machines are not trusted:
an orphan is an upload that has not grown for an hour by our own clock, while no result waits to be
recorded.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Collection

from nats.js import JetStreamContext

from satlife.cluster.queue.proofs import list_proofs, read_upload, remove_proof
from satlife.cluster.queue.streams import proof_stream
from satlife.errors import UsageError

# The log as JSON names this part, as it always did.
log = logging.getLogger("satlife.cluster.queue.board")

ORPHAN = 3600.0
"""Seconds after which an upload that has not grown is removed."""
NEARLY_FULL = 0.9
"""Part of the store that may be filled without a warning."""
MOST_NAMED = 5
"""Maximum number of users named in a message."""


class Uploads:
    """The proofs that a campaign's broker holds."""

    def __init__(self, js: JetStreamContext, campaign: str, orphan: float = ORPHAN) -> None:
        self._js = js
        self._campaign = campaign
        self._orphan = orphan
        self._seen: dict[str, tuple[int, float]] = {}
        """The number of parts of each upload, and since when it has been the same."""
        self._orphans: dict[str, int] = {}
        """Uploads that are old enough, each with the last result by then."""
        self._was_full = False

    async def look(self, first: int, last: int, awaited: Collection[str] = ()) -> None:
        """Inspect the store; remove orphans, once all results that may name them are recorded.

        ``first`` and ``last`` number the first result that is not recorded yet, and the last one;
        proofs that are ``awaited`` are still to be checked.
        """
        info = await self._js.stream_info(proof_stream(self._campaign))
        stored = await list_proofs(self._js, self._campaign) if info.state.messages else {}
        now = time.monotonic()
        seen = {name: (parts, now) for name, parts in stored.items()}
        for name, before in self._seen.items():
            if name in seen and seen[name][0] == before[0] and name not in awaited:
                seen[name] = before
        self._seen = seen
        self._warn_if_nearly_full(info.state.bytes, info.config.max_bytes or 0)
        old = (name for name, (_, since) in seen.items() if now - since >= self._orphan)
        self._orphans = {name: min(last, self._orphans.get(name, last)) for name in old}
        for name in [name for name, number in self._orphans.items() if number < first]:
            try:
                await remove_proof(self._js, self._campaign, name)
            except UsageError:  # not a name of ours
                continue
            del self._seen[name]
            log.warning("removed an upload of %s without a result: %s", read_upload(name), name)

    def _warn_if_nearly_full(self, used: int, most: int) -> None:
        """Warn once, with the users who have the most parts, and their shares."""
        is_full = most > 0 and used > NEARLY_FULL * most
        if is_full and not self._was_full:
            parts: Counter[str] = Counter()
            for name, (count, _) in self._seen.items():
                parts[read_upload(name)] += count
            total = max(1, parts.total())
            users = (f"{user} {count / total:.0%}" for user, count in parts.most_common(MOST_NAMED))
            log.warning(
                "the store of proofs is nearly full, %.1f of %.1f MB: %s",
                *(used / 1e6, most / 1e6, ", ".join(users)),
            )
        self._was_full = is_full
