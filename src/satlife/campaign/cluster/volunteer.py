"""Tasks leased from a dispatcher, for workers whom the operator need not trust.

Everything is a request under the user's own name: see
:mod:`~satlife.campaign.cluster.dispatch.protocol`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from satlife.campaign.cluster import wire
from satlife.campaign.cluster.dispatch import protocol
from satlife.campaign.cluster.dispatch.protocol import Leased, LeaseList, LeaseRequest, Reply
from satlife.campaign.cluster.queue.proofs import PART
from satlife.campaign.cluster.queue.waiting import Repeats
from satlife.campaign.cluster.source import (
    BusyError,
    Held,
    TooLateError,
    Withdraw,
    make_answer,
)
from satlife.campaign.messages import AnyResult, decode_task
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from nats.aio.client import Client

log = logging.getLogger(__name__)

ANSWER = 20.0
"""Seconds to wait for the dispatcher."""
LONGEST_WAIT = 60.0
"""Seconds to wait before asking again, whatever the dispatcher says."""


class VolunteerSource:
    """A dispatcher."""

    def __init__(self, name: str, user: str) -> None:
        self._name = name
        self._user = user
        self._repeats = Repeats()

    async def open(self, client: Client, withdraw: Withdraw) -> None:
        """Begin; what is withdrawn is heard when the work is kept."""
        self._client = client

    async def fetch(self, most: int, timeout: float) -> list[Held]:
        """Return tasks; if there are none, wait as the dispatcher says."""
        request = LeaseRequest(worker=self._name, most=most, protocol=protocol.PROTOCOL)
        reply = await self._ask("lease", wire.write(request))
        if reply.refused and not reply.wait:
            raise UsageError(f"the dispatcher refuses {self._user}: {reply.refused}")
        if reply.refused and self._repeats.is_new(reply.refused):
            log.info("no tasks: %s", reply.refused)
        held = [one for leased in reply.leases if (one := await self._read(leased))]
        if not held:
            await asyncio.sleep(min(reply.wait, timeout))
        return held

    async def _read(self, leased: Leased) -> Held | None:
        try:
            task = decode_task(bytes(leased.task))
        except FormatError as error:
            log.warning("%s", error)
            await self._list("back", [leased.lease])
            return None
        return Held(leased.campaign, task, leased.silence, leased.lease)

    async def keep(self, held: Sequence[Held]) -> list[Held]:
        """Renew the leases of work in progress; return those that are lost."""
        if not held:
            return []
        # A dispatcher that dies does not answer; the next one must hear of us in time.
        patience = min(ANSWER, *(one.lease / 3 for one in held))
        reply = await self._list("keep", [one.handle for one in held], patience)
        return [one for one in held if one.handle in reply.over]

    async def answer(self, held: Held, result: AnyResult, proof: Path | None) -> None:
        """Upload the proof if there is one, and send the result."""
        text = await make_answer(held, result, proof, partial(self._upload, held, result))
        answer = protocol.Answer(
            lease=held.handle, result=msgspec.Raw(text), uploaded=held.is_uploaded
        )
        self._check(await self._ask("answer", wire.write(answer)))

    async def _upload(self, held: Held, result: AnyResult, proof: Path) -> AnyResult:
        with proof.open("rb") as file:
            number = 0
            while part := file.read(PART):
                headers = {protocol.LEASE: held.handle, protocol.PART: str(number)}
                self._check(await self._ask("upload", part, headers))
                number += 1
        return result

    def _check(self, reply: Reply) -> None:
        if reply.refused and reply.wait:
            raise BusyError(reply.refused)
        if reply.refused:
            raise TooLateError(reply.refused)

    async def drop(self, held: Held) -> None:
        """Nothing: the dispatcher knows."""

    async def give_back(self, held: Sequence[Held]) -> None:
        """Return leases."""
        if held:
            await self._list("back", [one.handle for one in held])

    async def _list(self, verb: str, leases: Sequence[str], patience: float = ANSWER) -> Reply:
        text = wire.write(LeaseList(leases=tuple(leases)))
        return await self._ask(verb, text, patience=patience)

    async def _ask(
        self,
        verb: str,
        text: bytes,
        headers: dict[str, str] | None = None,
        patience: float = ANSWER,
    ) -> Reply:
        import nats.errors  # noqa: PLC0415  # an extra

        subject = protocol.ask_subject(self._user, verb)
        try:
            message = await self._client.request(subject, text, timeout=patience, headers=headers)
        except nats.errors.NoRespondersError:
            raise BusyError("no dispatcher hears us") from None
        return wire.read(message.data, Reply, "a reply of the dispatcher")
