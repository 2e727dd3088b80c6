"""Tasks straight from the queue, for machines that the operator trusts.

A task is acknowledged only when the broker has its result.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from satlife.campaign.cluster.queue import decode_control, jetstream, put_proof
from satlife.campaign.cluster.queue.names import (
    LEAF_SUBJECT,
    LEASE_HEADER,
    TASKS,
    WORKERS,
    read_task_subject,
    result_subject,
)
from satlife.campaign.cluster.queue.proofs import name_upload
from satlife.campaign.cluster.queue.pulling import Pull
from satlife.campaign.cluster.queue.waiting import quietly
from satlife.campaign.cluster.source import (
    DEFAULT_LEASE,
    Held,
    TooLateError,
    Withdraw,
    encode_bounded,
    make_answer,
)
from satlife.campaign.core.votes import name_user
from satlife.campaign.messages import AnyResult, FailedResult, decode_task
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

log = logging.getLogger(__name__)

MOST_DELIVERIES = 25
"""A task that was delivered more often and never answered may be what kills the workers."""
MOST_UNREADABLE = 5
"""After so many tasks in a row that it cannot read, a worker is of the wrong version."""


class DirectSource:
    """The queue of the broker."""

    def __init__(self, name: str, *, leaf: bool = False) -> None:
        self._name = name
        self._leaf = leaf
        self._over: set[str] = set()
        """Campaigns that have ended."""
        self._unreadable = 0

    async def open(self, client: Client, withdraw: Withdraw) -> None:
        """Subscribe to tasks, and to what is withdrawn."""
        if not (self._leaf or client._server_info.get("jetstream")):
            log.warning("the broker has no JetStream; start nats-server with -js, or use --leaf")
        self._js = jetstream(client)
        self._tasks = Pull(client, TASKS, WORKERS, LEAF_SUBJECT if self._leaf else None)

        async def obey(message: Msg) -> None:
            try:
                control = decode_control(message.data)
            except FormatError as error:
                log.warning("%s", error)
                return
            campaign = message.subject.rpartition(".")[2]
            if control.over:
                self._over.add(campaign)
            await withdraw(campaign, control)

        await client.subscribe("satlife.control.>", cb=obey)
        await self._tasks.open()

    async def fetch(self, most: int, timeout: float) -> list[Held]:
        """Return the tasks that are there; if there are none, wait for one."""
        messages = await self._tasks.fetch(most, timeout)
        return [held for message in messages if (held := await self._read(message))]

    async def _read(self, message: Msg) -> Held | None:
        """Read a task; return what we cannot read, for a worker that may understand it."""
        try:
            campaign, name, turn = read_task_subject(message.subject)
            deliveries = message.metadata.num_delivered or 1
            if deliveries > MOST_DELIVERIES:
                await self._give_up(message, campaign, name, turn, deliveries)
                return None
            task = decode_task(message.data)
            if task.name != name or task.round != turn:
                raise FormatError("its subject names another task")
            lease = float((message.headers or {}).get(LEASE_HEADER, DEFAULT_LEASE))
        except ValueError as error:
            log.warning("not a task: %s", error)
            await message.nak(delay=30)
            self._unreadable += 1
            if self._unreadable >= MOST_UNREADABLE:
                # Each return counts as a failed delivery; others must be able to solve it.
                raise UsageError(
                    f"{self._unreadable} tasks in a row cannot be read ({error}); is this the "
                    "campaign's version of satlife?"
                ) from None
            return None
        self._unreadable = 0
        self._over.discard(campaign)
        return Held(campaign, task, lease, message)

    async def _give_up(
        self, message: Msg, campaign: str, name: str, turn: int, deliveries: int
    ) -> None:
        log.warning("task %s was delivered %d times; given up", name[:12], deliveries)
        words = f"delivered {deliveries - 1} times, and no worker came back with a result"
        failed = FailedResult(task=name, worker=self._name, round=turn, log=words)
        await self._js.publish(result_subject(campaign, self._name), encode_bounded(failed))
        await message.ack()

    async def keep(self, held: Sequence[Held]) -> list[Held]:
        """Renew the broker's lease."""
        for one in held:
            await quietly(one.handle.in_progress())
        return []

    async def answer(self, held: Held, result: AnyResult, proof: Path | None) -> None:
        """Store the proof if there is one, publish the result, and acknowledge the task."""
        import nats.errors  # noqa: PLC0415  # an extra

        try:
            text = await make_answer(held, result, proof, partial(self._store, held, result))
            subject = result_subject(held.campaign, self._name)
            await self._js.publish(subject, text, headers={"Nats-Msg-Id": held.id})
        except (nats.errors.Error, OSError):
            if held.campaign in self._over:
                raise TooLateError from None
            raise
        await quietly(held.handle.ack())

    async def _store(self, held: Held, result: AnyResult, proof: Path) -> AnyResult:
        """Return the result with its proof in the store."""
        # A new name at every attempt, so that parts of two never mix.
        name = name_upload(name_user(self._name), result.task)
        proof_hash = await put_proof(self._js, held.campaign, name, proof)
        return msgspec.structs.replace(result, proof=name, proof_hash=proof_hash)

    async def drop(self, held: Held) -> None:
        """Acknowledge a task that nobody needs any more."""
        await quietly(held.handle.ack())

    async def give_back(self, held: Sequence[Held]) -> None:
        """Return tasks to the queue."""
        for one in held:
            await quietly(one.handle.nak())
