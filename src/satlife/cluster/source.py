"""The source of a worker's tasks, which also takes its results: the queue, or a dispatcher.

:class:`DirectSource` is for machines that the operator trusts,
:class:`~satlife.cluster.volunteer.VolunteerSource` for all others.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from satlife.campaign.core.votes import name_user
from satlife.campaign.messages import (
    LARGEST_MESSAGE,
    AnyResult,
    FailedResult,
    Task,
    decode_task,
    encode,
)
from satlife.cluster.queue import (
    Access,
    Control,
    connect,
    decode_control,
    disconnect,
    jetstream,
    put_proof,
)
from satlife.cluster.queue.broker import quietly
from satlife.cluster.queue.proofs import LARGEST_PROOF, name_upload
from satlife.cluster.queue.pull import MOST_DELIVERIES, Pull, is_worn
from satlife.cluster.queue.streams import (
    LEAF_SUBJECT,
    LEASE_HEADER,
    TASKS,
    WORKERS,
    read_task_subject,
    result_subject,
)
from satlife.errors import FormatError, UsageError

DEFAULT_LEASE = 30.0
"""Default lease, in seconds of silence."""

Withdraw = Callable[[str, Control], Awaitable[None]]
"""Callback for withdrawals: a campaign, and what it no longer needs."""

Upload = Callable[[Path], Awaitable[AnyResult]]
"""Stores a proof, and returns the result that names it."""


class BusyError(Exception):
    """The campaign cannot take the result now; try again later."""


class TooLateError(Exception):
    """The answer is no longer needed."""


@dataclass(eq=False)
class HeldTask:
    """A task that this worker holds."""

    campaign: str
    task: Task
    lease: float
    """Seconds of silence after which the task is lost."""
    handle: Any
    """The source's own handle of the task."""
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    """Message id, the same at every attempt to answer, so the broker keeps one; unguessable."""
    stored: AnyResult | None = None
    """The result with its proof, once the proof is stored."""
    is_uploaded: bool = False
    """Whether the proof is stored."""
    waits: bool = False
    """Whether the task is solved, but its campaign has not taken the result yet."""

    @property
    def token(self) -> str:
        """The campaign, the task and its round, as text."""
        return f"{self.campaign}.{self.task.name}.{self.task.round}"


class Source(Protocol):
    """A source of tasks and a sink of results."""

    @property
    def is_connected(self) -> bool:
        """Whether it is reachable."""

    async def open(self, withdraw: Withdraw, stop: asyncio.Event) -> None:
        """Connect, and repeat until that succeeds or ``stop`` is set, which cancels."""

    async def close(self) -> None:
        """Disconnect."""

    async def fetch(self, most: int, timeout: float) -> list[HeldTask]:
        """Return the available tasks; if there are none, wait."""

    async def keep(self, held: Sequence[HeldTask]) -> list[HeldTask]:
        """Renew the leases of work in progress; return the tasks that are lost."""

    async def answer(self, held: HeldTask, result: AnyResult, proof: Path | None) -> None:
        """Send a result, once; raise an error if it must be sent again."""

    async def drop(self, held: HeldTask) -> None:
        """Forget a task that is no longer needed."""

    async def give_back(self, held: Sequence[HeldTask], delay: float = 0.0) -> None:
        """Return tasks for other workers, which get them after a delay in seconds."""


def encode_bounded(result: AnyResult) -> bytes:
    """Return a result as JSON, or a failure if it is too large."""
    text = encode(result)
    if len(text) <= LARGEST_MESSAGE:
        return text
    words = f"the result has {len(text):,} bytes; the limit is {LARGEST_MESSAGE:,}"
    return encode(
        FailedResult(task=result.task, worker=result.worker, round=result.round, log=words)
    )


async def make_answer(
    held: HeldTask, result: AnyResult, proof: Path | None, upload: Upload
) -> bytes:
    """Return the encoded answer to a task; upload its proof first, if there is one.

    However often this is called for a task, the proof is uploaded once.  A proof that is too large
    to send is left out, and the answer says so.
    """
    if held.stored is None:
        size = 0 if proof is None else proof.stat().st_size
        if proof is None:
            held.stored = result
        elif size > LARGEST_PROOF:
            reason = (
                f"{getattr(result, 'reason', '')}; the proof has {size:,} bytes, too large to send"
            )
            held.stored = msgspec.structs.replace(result, reason=reason, proof_hash=None)
        else:
            held.stored = await upload(proof)
            held.is_uploaded = True
    return encode_bounded(held.stored)


# Tasks straight from the queue, for machines that the operator trusts.
#
# A task is acknowledged only when the broker has its result.


log = logging.getLogger(__name__)

AVOIDED = 4
"""How often a task that avoids this user is returned, in half a minute, for others to take it."""
MOST_UNREADABLE = 5
"""Unreadable tasks in a row that show that a worker has the wrong version."""


class DirectSource:
    """The broker's queue itself."""

    def __init__(self, access: Access, name: str, *, leaf: bool = False) -> None:
        self._access = access
        self._client: Client | None = None
        self._name = name
        self._leaf = leaf
        self._over: set[str] = set()
        """Campaigns that have ended."""
        self._unreadable = 0

    @property
    def is_connected(self) -> bool:
        """See :class:`Source`."""
        return self._client is not None and self._client.is_connected

    async def open(self, withdraw: Withdraw, stop: asyncio.Event) -> None:
        """Connect, and subscribe to tasks and to withdrawals."""
        client = self._client = await connect(self._access, stop)
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

    async def fetch(self, most: int, timeout: float) -> list[HeldTask]:
        """Return the available tasks; if there are none, wait for one."""
        if self._client is not None and self._client.is_closed:
            raise UsageError("the broker has closed the connection")
        messages = await self._tasks.fetch(most, timeout)
        return [held for message in messages if (held := await self._read(message))]

    async def _read(self, message: Msg) -> HeldTask | None:
        """Read a task; return an unreadable one to the queue, for a worker that can read it."""
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
            if name_user(self._name) in task.avoid and deliveries <= AVOIDED:
                await _return(message, delay=2.0**deliveries)
                return None
        except ValueError as error:
            log.warning("not a task: %s", error)
            await _return(message, delay=30)
            self._unreadable += 1
            if self._unreadable >= MOST_UNREADABLE:
                raise UsageError(
                    f"{self._unreadable} tasks in a row cannot be read ({error}); is this the "
                    "campaign's version of satlife?"
                ) from None
            return None
        self._unreadable = 0
        self._over.discard(campaign)
        return HeldTask(campaign, task, lease, message)

    async def _give_up(
        self, message: Msg, campaign: str, name: str, turn: int, deliveries: int
    ) -> None:
        log.warning("task %s was delivered %d times; given up", name[:12], deliveries)
        words = f"delivered {deliveries - 1} times, and no worker came back with a result"
        failed = FailedResult(task=name, worker=self._name, round=turn, log=words)
        await self._js.publish(result_subject(campaign, self._name), encode_bounded(failed))
        await message.ack()

    async def keep(self, held: Sequence[HeldTask]) -> list[HeldTask]:
        """Renew the broker's lease."""
        for one in held:
            await quietly(one.handle.in_progress())
        return []

    async def answer(self, held: HeldTask, result: AnyResult, proof: Path | None) -> None:
        """Store the proof if there is one, publish the result, and acknowledge the task."""
        try:
            text = await make_answer(held, result, proof, partial(self._store, held, result))
            subject = result_subject(held.campaign, self._name)
            await self._js.publish(subject, text, headers={"Nats-Msg-Id": held.id})
        except (nats.errors.Error, OSError):
            if held.campaign in self._over:
                raise TooLateError from None
            raise
        await quietly(held.handle.ack())

    async def _store(self, held: HeldTask, result: AnyResult, proof: Path) -> AnyResult:
        """Return the result with its proof in the store."""
        # A new name at every attempt, so that the parts of two uploads never mix.
        name = name_upload(name_user(self._name), result.task)
        proof_hash = await put_proof(self._js, held.campaign, name, proof)
        return msgspec.structs.replace(result, proof=name, proof_hash=proof_hash)

    async def drop(self, held: HeldTask) -> None:
        """Acknowledge a task that is no longer needed."""
        await quietly(held.handle.ack())

    async def give_back(self, held: Sequence[HeldTask], delay: float = 0.0) -> None:
        """Return tasks to the queue."""
        for one in held:
            await quietly(_return(one.handle, delay))

    async def close(self) -> None:
        """Send what is left, and disconnect."""
        if self._client is not None:
            with suppress(Exception):
                await self._client.flush(2)
            await disconnect(self._client)


async def _return(message: Msg, delay: float = 0) -> None:
    """Return a task to the queue for others."""
    if is_worn(message.metadata.num_delivered or 1):
        await message.ack()
    else:
        await message.nak(delay=delay)
