"""The recorder's side of the broker: publish tasks, receive results, withdraw needless tasks.

Every message may be sent twice, because some are: a subject holds a task once, withdrawing a task
that is not there does nothing, and a result that was not acknowledged is delivered again.

Tasks are deleted one by one, never by purging a subject: after a purge, nats-server 2.9.10 moves
the workers' consumer past everything that is left, which is then never delivered.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import ParamSpec, TypeVar

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError

from satlife.campaign.messages import Task, encode
from satlife.cluster.protocol import Control, encode_control
from satlife.cluster.queue import streams
from satlife.cluster.queue.broker import Repeats, jetstream, quietly
from satlife.cluster.queue.pull import Pull
from satlife.cluster.queue.uploads import Uploads
from satlife.cluster.queue.verdicts import Verdicts
from satlife.errors import UsageError

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

PAUSE = 0.5
"""Seconds between attempts."""
NO_MESSAGE = (10043, 10057)
"""JetStream's error codes for a message that does not exist."""
WINDOW = 200
"""Maximum number of concurrent requests."""
PRESENCE = 1.0
"""Seconds for another recorder to answer that it is running."""
REPEAT = 3.0
"""Seconds for which a withdrawal is repeated: it is not stored, and may be missed."""


class TaskBoard:
    """One campaign's tasks and results on a broker."""

    def __init__(self, client: Client, campaign: str, stores: streams.Stores) -> None:
        self.client = client
        self.js = jetstream(client)
        self.campaign = campaign
        self.stores = stores
        self.uploads = Uploads(self.js, campaign)
        self.verdicts = Verdicts()
        self._session = secrets.token_hex(8)
        self._results: Pull | None = None
        self._withdrawn: deque[tuple[float, str]] = deque()
        self._gone: dict[str, int] = {}
        """Subjects of tasks that have left the queue, each with the last result by then."""
        self._repeats = Repeats()

    async def claim(self) -> None:
        """Become the campaign's recorder; raise an error if another one answers."""
        subject = streams.recorder_subject(self.campaign)
        try:
            other = await self.client.request(subject, timeout=PRESENCE)
        except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
            pass
        else:
            where = other.data[:100].decode(errors="replace")
            raise UsageError(
                f"the plan is already served on {where!r}; a plan has one recorder at a time"
            )

        async def answer(message: Msg) -> None:
            with suppress(nats.errors.Error, OSError):
                await message.respond(socket.gethostname().encode())

        await self.client.subscribe(subject, cb=answer)
        # So that the next recorder that asks gets an answer.
        await self.client.flush()

    async def open(self) -> None:
        """Create missing streams and consumers, and subscribe to results."""
        if self._results is None:
            await self._forget_deliveries()
        await streams.prepare(self.js, self.campaign, self.stores)
        if self._results is None:
            stream = streams.results_stream(self.campaign)
            self._results = Pull(self.client, stream, streams.recorder_consumer(self.campaign))
            await self._results.open()

    async def recall(self) -> None:
        """Have all waiting results delivered again.

        After its death, the broker holds some back: their delivery or acknowledgement was lost.
        """
        if await self.waiting():
            await self._forget_deliveries()
            await streams.prepare(self.js, self.campaign, self.stores)

    async def _forget_deliveries(self) -> None:
        """Remove the consumer of results: a new one does not know what was delivered before.

        The old one would hold back for a minute what was taken but not acknowledged.
        """
        stream = streams.results_stream(self.campaign)
        with suppress(NotFoundError):
            await self.js.delete_consumer(stream, streams.recorder_consumer(self.campaign))

    async def patiently(
        self, call: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call the broker, retrying until it answers."""
        while True:
            try:
                return await call(*args, **kwargs)
            except (nats.errors.Error, OSError) as error:
                if self.client.is_closed:
                    raise UsageError(f"the broker has closed the connection: {error}") from None
                # Without JetStream nobody answers; a cluster without a leader answers with a code.
                is_silent = isinstance(error, ServiceUnavailableError) and error.code is None
                has_jetstream = self.client._server_info.get("jetstream")
                if self._results is None and is_silent and not has_jetstream:
                    reason = "the broker has no JetStream; start nats-server with -js"
                    raise UsageError(reason) from None
                reason = str(error) or type(error).__name__
                if self._repeats.is_new(reason):
                    log.warning("waiting for the broker (Ctrl-C ends): %s", reason)
                if isinstance(error, NoStreamResponseError | NotFoundError):
                    # The broker has come back without its disk.
                    with suppress(nats.errors.Error, OSError):
                        await self.open()
            await asyncio.sleep(PAUSE)

    async def say(self, acknowledge: Callable[[], Awaitable[None]]) -> None:
        """Acknowledge; if that is lost, the message is delivered again, without effect."""
        await quietly(acknowledge())

    async def publish(self, tasks: Iterable[tuple[Task, int]], again: bool = False) -> None:
        """Publish tasks with their numbers of deaths; those already in the queue are left alone."""
        listed = list(tasks)
        for first in range(0, len(listed), WINDOW):
            some = listed[first : first + WINDOW]
            await asyncio.gather(*(self._publish(task, deaths, again) for task, deaths in some))

    async def _publish(self, task: Task, deaths: int, again: bool) -> None:
        # The same id at every attempt, so that a task finished meanwhile is not stored again.
        message_id = f"{self._session}.{task.name}.{task.round}.{deaths}"
        if again:
            # It was lost, and the broker may still remember its old id.
            message_id += f".{secrets.token_hex(4)}"
        subject = streams.task_subject(self.campaign, task.name, task.round, deaths)
        await self.order(subject, encode(task), {"Nats-Msg-Id": message_id})

    async def order(self, subject: str, text: bytes, headers: dict[str, str] | None = None) -> None:
        """Publish a task or a check, unless it is already there."""
        lease = {streams.LEASE_HEADER: f"{self.stores.lease:g}"}
        try:
            await self.js.publish(subject, text, headers=lease | (headers or {}))
        except APIError as error:
            if error.err_code != streams.MAX_PER_SUBJECT or "per subject" not in str(
                error.description
            ):
                raise

    async def results(self, most: int, timeout: float) -> list[Msg]:
        """Return up to ``most`` results, waiting up to ``timeout`` seconds for the first."""
        return await self._results.fetch(most, timeout) if self._results else []

    async def withdraw(self, names: Sequence[str]) -> None:
        """Remove tasks from the queue, and stop the workers that have them."""
        now = time.monotonic()
        self._withdrawn += [(now, name) for name in names]
        await self._send_withdrawals(names)
        await self._delete([f"satlife.task.{self.campaign}.{name}.>" for name in names])

    async def _delete(self, subjects: Sequence[str]) -> None:
        for first in range(0, len(subjects), WINDOW):
            some = subjects[first : first + WINDOW]
            await asyncio.gather(*(self.delete(streams.TASKS, subject) for subject in some))

    async def delete(self, stream: str, subject: str) -> None:
        """Remove the messages queued under a subject, one by one."""
        try:
            while True:
                message = await self.js.get_last_msg(stream, subject)
                await self.js.delete_msg(stream, message.seq or 0)
        except NotFoundError:
            return
        except APIError as error:
            # A worker has just acknowledged it.
            if error.err_code not in NO_MESSAGE:
                raise

    async def repeat(self) -> None:
        """Repeat recent withdrawals; send verdicts to the dispatcher."""
        await self.verdicts.send(self.client, self.campaign)
        late = time.monotonic() - REPEAT
        while self._withdrawn and self._withdrawn[0][0] < late:
            self._withdrawn.popleft()
        await self._send_withdrawals([name for _, name in self._withdrawn])

    async def _send_withdrawals(self, names: Sequence[str]) -> None:
        for first in range(0, len(names), 1000):
            control = Control(withdraw=tuple(names[first : first + 1000]))
            await self.client.publish(
                streams.control_subject(self.campaign), encode_control(control)
            )

    async def end(self) -> bool:
        """Remove all tasks from the queue, stop all workers, and remove empty streams.

        Return False if results have come meanwhile; they stay.
        """
        with suppress(NotFoundError):
            subjects = await self._subjects()
            info = await self.js.stream_info(streams.TASKS)
            if subjects and info.state.messages == len(subjects):
                # All tasks are ours: the workers' consumer can be moved past no other.  If another
                # campaign publishes a task just now, its recorder misses it and publishes it again.
                await self.js.purge_stream(streams.TASKS)
                subjects = await self._subjects()
            await self._delete(subjects)
        await self.delete(streams.CHECKS, f"satlife.check.{self.campaign}.>")
        for _ in range(3):
            control = encode_control(Control(over=True))
            await self.client.publish(streams.control_subject(self.campaign), control)
            await self.client.flush()
            await asyncio.sleep(0.3)
        return await streams.remove(self.js, self.campaign)

    async def missing(self, tasks: Iterable[tuple[Task, int]]) -> list[tuple[Task, int]]:
        """Return the tasks that have left the queue and will not be answered.

        A worker acknowledges a task after its result is stored, the recorder a result after its
        check is stored, and a checker a check after its outcome is.  So if a task that has left
        both queues has a result, it is among those that have come by now; tasks must be read before
        checks, and checks before results.  Once all of these are recorded, a task that is still
        open is lost, however many results have come since.
        """
        there = {streams.read_task_subject(subject)[1] for subject in await self._subjects()}
        there |= {name for name, _ in await self.checks()}
        gone = {
            streams.task_subject(self.campaign, task.name, task.round, deaths): (task, deaths)
            for task, deaths in tasks
            if task.name not in there
        }
        first, last = await self._unread() if gone else (0, 0)
        # After the loss of its disk, the broker counts from 1 again.
        self._gone = {subject: min(last, self._gone.get(subject, last)) for subject in gone}
        return [gone[subject] for subject, number in self._gone.items() if number < first]

    async def checks(self) -> list[tuple[str, str]]:
        """Return the tasks and proofs of the checks that are queued or being done."""
        subjects = await self._subjects(streams.CHECKS, "check")
        return [(task, proof) for _, _, _, task, proof in (each.split(".") for each in subjects)]

    async def _unread(self) -> tuple[int, int]:
        """Return the numbers of the first result that is not recorded, and of the last."""
        state = (await self.js.stream_info(streams.results_stream(self.campaign))).state
        return state.first_seq if state.messages else state.last_seq + 1, state.last_seq

    async def waiting(self) -> int:
        """Return the number of results that wait to be recorded."""
        return (await self.js.stream_info(streams.results_stream(self.campaign))).state.messages

    async def look_at_uploads(self) -> None:
        """Remove uploads whose results never came, and warn if the store is nearly full."""
        awaited = {proof for _, proof in await self.checks()}
        await self.uploads.look(*await self._unread(), awaited)

    async def answers(self) -> None:
        """Wait for any answer from the broker, even an error for a missing stream."""
        with suppress(NotFoundError):
            await self.js.stream_info(streams.TASKS)

    async def _subjects(self, stream: str = streams.TASKS, sort: str = "task") -> list[str]:
        everything = f"satlife.{sort}.{self.campaign}.>"
        info = await self.js.stream_info(stream, subjects_filter=everything)
        return list(info.state.subjects or ())
