"""The recorder's side of the broker: publish tasks, receive results, withdraw what is not needed.

Everything may be sent twice, because some of it is: a subject holds a task once, withdrawing a task
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
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from satlife.campaign.cluster.queue.broker import jetstream
from satlife.campaign.cluster.queue.control import Control, encode_control
from satlife.campaign.cluster.queue.names import (
    CHECKS,
    LEASE_HEADER,
    TASKS,
    check_subject,
    control_subject,
    read_task_subject,
    recorder_consumer,
    recorder_subject,
    results_stream,
    task_subject,
)
from satlife.campaign.cluster.queue.pulling import Pull
from satlife.campaign.cluster.queue.streams import MAX_PER_SUBJECT, Stores, prepare, remove
from satlife.campaign.cluster.queue.uploads import Uploads
from satlife.campaign.cluster.queue.waiting import Repeats, quietly
from satlife.campaign.cluster.verdicts import Verdicts
from satlife.campaign.messages import Task, encode
from satlife.errors import UsageError

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

PAUSE = 0.5
"""Seconds between attempts."""
NO_MESSAGE = (10043, 10057)
"""JetStream's error codes for a message that does not exist."""
WINDOW = 200
"""Requests under way at the same time."""
PRESENCE = 1.0
"""Seconds for another recorder to answer that it is there."""
REPEAT = 3.0
"""Seconds for which a withdrawal is repeated: it is not stored, and may be missed."""


class Board:
    """One campaign's tasks and results on a broker."""

    def __init__(self, client: Client, campaign: str, stores: Stores) -> None:
        self.client = client
        self.js = jetstream(client)
        self.campaign = campaign
        self.stores = stores
        self.uploads = Uploads(self.js, campaign)
        self.verdicts = Verdicts()
        self._session = secrets.token_hex(8)
        self._results: Pull | None = None
        self._withdrawn: deque[tuple[float, str]] = deque()
        self._repeats = Repeats()

    async def claim(self) -> None:
        """Become the campaign's recorder; raise an error if another one answers."""
        import nats.errors  # noqa: PLC0415  # an extra

        subject = recorder_subject(self.campaign)
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
        # So that the next recorder that asks is answered.
        await self.client.flush()

    async def open(self) -> None:
        """Create streams and consumers that are missing, and subscribe to results."""
        await prepare(self.js, self.campaign, self.stores)
        if self._results is None:
            stream = results_stream(self.campaign)
            self._results = Pull(self.client, stream, recorder_consumer(self.campaign))
            await self._results.open()

    async def patiently(
        self, call: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call the broker, again and again until it answers."""
        import nats.errors  # noqa: PLC0415  # an extra
        import nats.js.errors  # noqa: PLC0415

        while True:
            try:
                return await call(*args, **kwargs)
            except (nats.errors.Error, OSError) as error:
                if self.client.is_closed:
                    raise UsageError(f"the broker has closed the connection: {error}") from None
                if self._results is None and self._lacks_jetstream(error):
                    words = "the broker has no JetStream; start nats-server with -js"
                    raise UsageError(words) from None
                words = str(error) or type(error).__name__
                if self._repeats.is_new(words):
                    log.warning("waiting for the broker (Ctrl-C ends): %s", words)
                lost = nats.js.errors.NoStreamResponseError, nats.js.errors.NotFoundError
                if isinstance(error, lost):
                    # The broker has come back without its disk.
                    with suppress(nats.errors.Error, OSError):
                        await self.open()
            await asyncio.sleep(PAUSE)

    def _lacks_jetstream(self, error: Exception) -> bool:
        from nats.js.errors import ServiceUnavailableError  # noqa: PLC0415  # an extra

        # Nobody has answered at all; a cluster without a leader answers with a code.
        is_silent = isinstance(error, ServiceUnavailableError) and error.code is None
        return is_silent and not self.client._server_info.get("jetstream")

    async def say(self, word: Callable[[], Awaitable[None]]) -> None:
        """Acknowledge; if that is lost, the message is delivered again and changes nothing."""
        await quietly(word())

    async def publish(self, tasks: Iterable[tuple[Task, int]], again: bool = False) -> None:
        """Publish tasks with their numbers of deaths; one that is already there is left alone."""
        listed = list(tasks)
        for first in range(0, len(listed), WINDOW):
            some = listed[first : first + WINDOW]
            await asyncio.gather(*(self._publish(task, deaths, again) for task, deaths in some))

    async def _publish(self, task: Task, deaths: int, again: bool) -> None:
        # The same at every attempt, so that a task finished meanwhile is not stored again.
        word = f"{self._session}.{task.name}.{task.round}.{deaths}"
        if again:
            # It was lost, and the broker may still remember its old id.
            word += f".{secrets.token_hex(4)}"
        subject = task_subject(self.campaign, task.name, task.round, deaths)
        await self.order(subject, encode(task), {"Nats-Msg-Id": word})

    async def order(self, subject: str, text: bytes, headers: dict[str, str] | None = None) -> None:
        """Publish a task or a check, unless it is already there."""
        from nats.js.errors import APIError  # noqa: PLC0415  # an extra

        lease = {LEASE_HEADER: f"{self.stores.lease:g}"}
        try:
            await self.js.publish(subject, text, headers=lease | (headers or {}))
        except APIError as error:
            if error.err_code != MAX_PER_SUBJECT or "per subject" not in str(error.description):
                raise

    async def results(self, most: int, timeout: float) -> list[Msg]:
        """Return up to ``most`` results, waiting up to ``timeout`` seconds for the first."""
        return await self._results.fetch(most, timeout) if self._results else []

    async def withdraw(self, names: Sequence[str]) -> None:
        """Remove tasks from the queue, and tell the workers that have them."""
        now = time.monotonic()
        self._withdrawn += [(now, name) for name in names]
        await self._tell(names)
        await self._delete([f"satlife.task.{self.campaign}.{name}.>" for name in names])

    async def _delete(self, subjects: Sequence[str]) -> None:
        for first in range(0, len(subjects), WINDOW):
            some = subjects[first : first + WINDOW]
            await asyncio.gather(*(self.delete(TASKS, subject) for subject in some))

    async def delete(self, stream: str, subject: str) -> None:
        """Remove what is queued under a subject, one by one."""
        from nats.js.errors import APIError, NotFoundError  # noqa: PLC0415  # an extra

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

    async def _empty(self) -> None:
        """Remove all tasks of the campaign: at once, if there are no others; otherwise singly."""
        subjects = await self._subjects()
        info = await self.js.stream_info(TASKS)
        if subjects and info.state.messages == len(subjects):
            # Nothing is left that the workers' consumer could be moved past.  A task that another
            # campaign publishes just now is missed by its recorder, and published again.
            await self.js.purge_stream(TASKS)
            subjects = await self._subjects()
        await self._delete(subjects)

    async def repeat(self) -> None:
        """Repeat recent withdrawals; tell the dispatcher what became of answers."""
        await self.verdicts.tell(self.client, self.campaign)
        late = time.monotonic() - REPEAT
        while self._withdrawn and self._withdrawn[0][0] < late:
            self._withdrawn.popleft()
        await self._tell([name for _, name in self._withdrawn])

    async def _tell(self, names: Sequence[str]) -> None:
        for first in range(0, len(names), 1000):
            control = Control(withdraw=tuple(names[first : first + 1000]))
            await self.client.publish(control_subject(self.campaign), encode_control(control))

    async def end(self) -> None:
        """Remove all tasks from the queue, tell all workers, and remove what is empty."""
        from nats.js.errors import NotFoundError  # noqa: PLC0415  # an extra

        with suppress(NotFoundError):
            await self._empty()
        await self.delete(CHECKS, check_subject(self.campaign, ">"))
        for _ in range(3):
            control = encode_control(Control(over=True))
            await self.client.publish(control_subject(self.campaign), control)
            await self.client.flush()
            await asyncio.sleep(0.3)
        if not await remove(self.js, self.campaign):
            log.info("results that came late wait with the broker; the next recorder reads them")

    async def missing(self, names: Iterable[str]) -> list[str]:
        """Return those of the tasks that are neither in the queue nor answered.

        A worker acknowledges a task after its result is stored.  So a task that has left the queue
        has a result waiting, if any results are waiting; the queue must be read first.
        """
        there = {read_task_subject(subject)[1] for subject in await self._subjects()}
        missing = [name for name in names if name not in there]
        return [] if missing and await self.waiting() else missing

    async def waiting(self) -> int:
        """Return how many results wait to be recorded."""
        stream, consumer = results_stream(self.campaign), recorder_consumer(self.campaign)
        info = await self.js.consumer_info(stream, consumer)
        return (info.num_pending or 0) + (info.num_ack_pending or 0)

    async def look_at_uploads(self) -> None:
        """Remove uploads whose results never came, and say if the store is nearly full."""
        await self.uploads.look(is_idle=not await self.waiting())

    async def answers(self) -> None:
        """Wait for any answer from the broker, even that there is no stream."""
        from nats.js.errors import NotFoundError  # noqa: PLC0415  # an extra

        with suppress(NotFoundError):
            await self.js.stream_info(TASKS)

    async def _subjects(self) -> list[str]:
        everything = f"satlife.task.{self.campaign}.>"
        info = await self.js.stream_info(TASKS, subjects_filter=everything)
        return list(info.state.subjects or ())
