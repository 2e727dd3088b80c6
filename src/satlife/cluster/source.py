"""The source of a worker's tasks, which also takes its results: the queue, or a dispatcher.

:class:`DirectSource` is for machines that the operator trusts, :class:`VolunteerSource` for all
others.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
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
from satlife.cluster import protocol
from satlife.cluster.protocol import Leased, LeaseList, LeaseRequest, Reply
from satlife.cluster.queue import Control, decode_control, jetstream, put_proof
from satlife.cluster.queue.broker import Repeats, quietly
from satlife.cluster.queue.proofs import LARGEST_PROOF, PART, name_upload
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
    """A source of tasks and a sink of results; network errors are those of nats-py."""

    async def open(self, client: Client, withdraw: Withdraw) -> None:
        """Begin to use a connection."""

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

MOST_UNREADABLE = 5
"""Unreadable tasks in a row that show that a worker has the wrong version."""


class DirectSource:
    """The broker's queue itself."""

    def __init__(self, name: str, *, leaf: bool = False) -> None:
        self._name = name
        self._leaf = leaf
        self._over: set[str] = set()
        """Campaigns that have ended."""
        self._unreadable = 0

    async def open(self, client: Client, withdraw: Withdraw) -> None:
        """Subscribe to tasks and to withdrawals."""
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


async def _return(message: Msg, delay: float = 0) -> None:
    """Return a task to the queue for others."""
    if is_worn(message.metadata.num_delivered or 1):
        await message.ack()
    else:
        await message.nak(delay=delay)


# Tasks leased from a dispatcher, for workers that the operator need not trust.
#
# Every message is a request under the user's own name: see :mod:`~satlife.cluster.protocol`.


ANSWER = 20.0
"""Seconds to wait for the dispatcher."""
LONGEST_WAIT = 60.0
"""Maximum seconds to wait before asking again, whatever the dispatcher says."""


class VolunteerSource:
    """A source that leases tasks from a dispatcher."""

    def __init__(self, name: str, user: str) -> None:
        self._name = name
        self._user = user
        self._repeats = Repeats()

    async def open(self, client: Client, withdraw: Withdraw) -> None:
        """Begin to use a connection; withdrawals arrive in the replies to :meth:`keep`."""
        self._client = client

    async def fetch(self, most: int, timeout: float) -> list[HeldTask]:
        """Return tasks; if there are none, wait as long as the dispatcher says."""
        request = LeaseRequest(worker=self._name, most=most, protocol=protocol.PROTOCOL)
        reply = await self._ask("lease", protocol.write(request))
        if reply.refused and not reply.wait:
            raise UsageError(f"the dispatcher refuses {self._user}: {reply.refused}")
        if reply.refused and self._repeats.is_new(reply.refused):
            log.info("no tasks: %s", reply.refused)
        held = [one for leased in reply.leases if (one := await self._read(leased))]
        if not held:
            await asyncio.sleep(min(reply.wait, timeout))
        return held

    async def _read(self, leased: Leased) -> HeldTask | None:
        try:
            task = decode_task(bytes(leased.task))
        except FormatError as error:
            log.warning("%s", error)
            await self._list("back", [leased.lease])
            return None
        return HeldTask(leased.campaign, task, leased.silence, leased.lease)

    async def keep(self, held: Sequence[HeldTask]) -> list[HeldTask]:
        """Renew the leases of work in progress; return those that are lost."""
        if not held:
            return []
        # A dispatcher that dies does not answer; the next one must hear from us in time.
        patience = min(ANSWER, *(one.lease / 3 for one in held))
        reply = await self._list("keep", [one.handle for one in held], patience)
        return [one for one in held if one.handle in reply.over]

    async def answer(self, held: HeldTask, result: AnyResult, proof: Path | None) -> None:
        """Upload the proof if there is one, and send the result."""
        text = await make_answer(held, result, proof, partial(self._upload, held, result))
        answer = protocol.LeaseAnswer(
            lease=held.handle, result=msgspec.Raw(text), uploaded=held.is_uploaded
        )
        self._check(await self._ask("answer", protocol.write(answer)))

    async def _upload(self, held: HeldTask, result: AnyResult, proof: Path) -> AnyResult:
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

    async def drop(self, held: HeldTask) -> None:
        """Do nothing: the dispatcher knows."""

    async def give_back(self, held: Sequence[HeldTask], delay: float = 0.0) -> None:
        """Return leases; the dispatcher decides who gets them, and when."""
        if held:
            await self._list("back", [one.handle for one in held])

    async def _list(self, verb: str, leases: Sequence[str], patience: float = ANSWER) -> Reply:
        text = protocol.write(LeaseList(leases=tuple(leases)))
        return await self._ask(verb, text, patience=patience)

    async def _ask(
        self,
        verb: str,
        text: bytes,
        headers: dict[str, str] | None = None,
        patience: float = ANSWER,
    ) -> Reply:
        subject = protocol.ask_subject(self._user, verb)
        try:
            message = await self._client.request(subject, text, timeout=patience, headers=headers)
        except nats.errors.NoRespondersError:
            raise BusyError("no dispatcher hears us") from None
        return protocol.read(message.data, Reply, "a reply of the dispatcher")
