"""The recorder's side of the broker: publish tasks, receive results, withdraw needless tasks.

Every message may be sent twice, because some are: a subject holds a task once, withdrawing a task
that is not there does nothing, and a result that was not acknowledged is delivered again.

Tasks are deleted one by one, never by purging a subject: after a purge, nats-server 2.9.10 moves
the workers' consumer past everything that is left, which is then never delivered.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import socket
import time
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import ParamSpec, TypeVar

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError

from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    SplitEvent,
    Status,
)
from satlife.campaign.core.state import TaskState, Transition
from satlife.campaign.core.trust import Checked
from satlife.campaign.core.votes import name_user
from satlife.campaign.messages import (
    AnyResult,
    FoundResult,
    ImpossibleResult,
    SplitResult,
    Task,
    encode,
)
from satlife.cluster import protocol
from satlife.cluster.protocol import Control, encode_control
from satlife.cluster.queue.broker import Repeats, jetstream, quietly
from satlife.cluster.queue.proofs import list_proofs, read_upload, remove_proof
from satlife.cluster.queue.streams import (
    CHECKS,
    LEASE_HEADER,
    MAX_PER_SUBJECT,
    TASKS,
    Stores,
    check_subject,
    control_subject,
    prepare,
    proof_stream,
    read_task_subject,
    recorder_consumer,
    recorder_subject,
    remove,
    results_stream,
    task_subject,
)
from satlife.errors import UsageError

# Watch a campaign's store of proofs: remove orphans, and report who fills it.
#
# A proof is stored before the result that names it. If that result never comes, because the worker
# died or never meant to send it, the proof is an orphan. Clocks of other machines are not trusted:
# an orphan is an upload that has not grown for an hour by our own clock, while no result waits to
# be recorded.


log = logging.getLogger(__name__)

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
        """Uploads that are old enough, and the last result that had come by then."""
        self._was_full = False

    async def look(self, first: int, last: int) -> None:
        """Inspect the store; remove orphans, once all results that may name them are recorded.

        ``first`` and ``last`` number the first result that is not recorded yet, and the last one.
        """
        info = await self._js.stream_info(proof_stream(self._campaign))
        stored = await list_proofs(self._js, self._campaign) if info.state.messages else {}
        now = time.monotonic()
        seen = {name: (parts, now) for name, parts in stored.items()}
        for name, before in self._seen.items():
            if name in seen and seen[name][0] == before[0]:
                seen[name] = before
        self._seen = seen
        self._tell(info.state.bytes, info.config.max_bytes or 0)
        old = (name for name, (_, since) in seen.items() if now - since >= self._orphan)
        self._orphans = {name: min(last, self._orphans.get(name, last)) for name in old}
        await self._collect([name for name, mark in self._orphans.items() if mark < first])

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

    async def _collect(self, orphans: Iterable[str]) -> None:
        for name in orphans:
            try:
                await remove_proof(self._js, self._campaign, name)
            except UsageError:  # not a name of ours
                continue
            del self._seen[name]
            log.warning("removed an upload of %s without a result: %s", read_upload(name), name)


# Pull messages from a stream: those available, or else the first that comes.
#
# We do not use ``fetch`` of nats-py: it waits for the whole batch or the whole timeout.


ANSWER = 2.0
"""Seconds for the server's answer to arrive, beyond the time that it may wait."""
AT_ONCE = 0.05
"""Seconds for which the server may look for available messages."""
REFUSED = 1.0
"""Seconds to wait if the server refuses the request."""
_STATUS = "Status"
MOST_DELIVERIES = 25
"""A task delivered more often without an answer may be what kills the workers."""


class Pull:
    """A consumer's messages for one client; one request at a time."""

    def __init__(
        self, client: Client, stream: str, consumer: str, subject: str | None = None
    ) -> None:
        """Send requests to ``subject`` if JetStream's own subject cannot be used."""
        self._client = client
        self._subject = subject or f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._inbox = client.new_inbox()
        self._come: asyncio.Queue[Msg] = asyncio.Queue()
        self._requests = 0

    async def open(self) -> None:
        """Subscribe to the answers."""

        async def take(message: Msg) -> None:
            self._come.put_nowait(message)

        self._listening = await self._client.subscribe(f"{self._inbox}.*", cb=take)

    async def fetch(self, most: int, timeout: float) -> list[Msg]:
        """Return the available messages; if there are none, wait for one.

        Only one: the server prefers a client that waits for several, and others would starve.
        """
        found = await self._ask(most, AT_ONCE)
        if found or timeout <= 0:
            return found
        begun = time.monotonic()
        found = await self._ask(1, timeout)
        if not found and time.monotonic() - begun < timeout / 2:
            # Refused at once: no stream yet, no leader, or too many waiting requests.
            await asyncio.sleep(min(REFUSED, timeout / 2))
        return found

    async def _ask(self, most: int, wait: float) -> list[Msg]:
        """Return messages, as soon as there are any.

        The request always expires.  One with only "no_wait" is never answered if the server
        believes that a message is left which has just been acknowledged (2.9.10).
        """
        self._requests += 1
        reply = f"{self._inbox}.{self._requests}"
        request = {"batch": most, "no_wait": True, "expires": int(wait * 1e9)}
        await self._client.publish(self._subject, msgspec.json.encode(request), reply)
        end = time.monotonic() + wait + ANSWER
        found: list[Msg] = []
        # A late message for an earlier request is welcome too.
        while len(found) < most:
            try:
                message = self._come.get_nowait()
            except asyncio.QueueEmpty:
                # Not wait_for: in Python 3.11 it may swallow a cancellation.
                try:
                    async with asyncio.timeout(max(end - time.monotonic(), 0.001)):
                        message = await self._come.get()
                except TimeoutError:
                    break
            if not (message.headers and _STATUS in message.headers) or message.data:
                found.append(message)
            elif message.subject == reply:
                break
        return found


def is_worn(deliveries: int) -> bool:
    """Whether a returned message should leave the queue, to be published anew.

    The broker counts deliveries, and a return counts like a death.  So a task that was delivered
    often is acknowledged instead of returned: the recorder misses it and publishes it again, with a
    new count.  Only a task whose last dozen workers have all died then reaches
    :data:`MOST_DELIVERIES`.
    """
    return deliveries > MOST_DELIVERIES // 2


# Verdicts on the answers of users, for the dispatcher, which keeps their reputations.
#
# The messages are not stored: a lost one changes a reputation a little, and nothing else.


class Verdicts:
    """Verdicts that are counted until they are sent to the dispatcher."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))

    def note(self, event: Event, step: Transition) -> None:
        """Count the answers confirmed or refuted by an event that changed a state."""
        match event:
            case FoundEvent():
                self._add(event.worker, "good")
                self._blame(event.name, step.state)
            case SplitEvent() if step.state.contradicted:
                self._blame(event.name, step.state)
            case CertifiedEvent():
                self._add(event.worker, "good")
            case ClaimedEvent() if step.state.status is Status.IMPOSSIBLE:
                for user in {*step.state.claimants, name_user(event.worker)}:
                    self._add(user, "good")

    def _blame(self, name: str, state: TaskState) -> None:
        for liar in state.claimants:
            log.warning("false: %s claimed that %s is impossible", liar, name[:12])
            self._add(liar, "lies")

    def examine(self, result: AnyResult, event: object) -> None:
        """Count a result that was an answer but failed its check."""
        answers = FoundResult | ImpossibleResult | SplitResult
        if isinstance(event, FailedEvent) and isinstance(result, answers):
            user = name_user(event.worker)
            words = event.log.strip()[:200]
            log.warning("false: the answer of %s to %s: %s", user, event.name[:12], words)
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

    async def tell(self, client: Client, campaign: str) -> None:
        """Send the verdicts to the dispatcher, if there is one."""
        counts = dict(self._counts)
        self._counts.clear()
        for user, numbers in counts.items():
            verdict = protocol.UserVerdict(user=user, **numbers)
            await client.publish(f"{protocol.VERDICTS}.{campaign}", protocol.write(verdict))


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
        self._gone: dict[str, int] = {}
        """Tasks that have left the queue, and the last result that had come by then."""
        self._repeats = Repeats()

    async def claim(self) -> None:
        """Become the campaign's recorder; raise an error if another one answers."""
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
        # So that the next recorder that asks gets an answer.
        await self.client.flush()

    async def open(self) -> None:
        """Create missing streams and consumers, and subscribe to results."""
        stream, consumer = results_stream(self.campaign), recorder_consumer(self.campaign)
        if self._results is None:
            # Results that an earlier recorder took but did not record come again at once: the old
            # consumer would hold them back for a minute, a new one does not know of them.
            with suppress(NotFoundError):
                await self.js.delete_consumer(stream, consumer)
        await prepare(self.js, self.campaign, self.stores)
        if self._results is None:
            self._results = Pull(self.client, stream, consumer)
            await self._results.open()

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
                if self._results is None and self._lacks_jetstream(error):
                    words = "the broker has no JetStream; start nats-server with -js"
                    raise UsageError(words) from None
                words = str(error) or type(error).__name__
                if self._repeats.is_new(words):
                    log.warning("waiting for the broker (Ctrl-C ends): %s", words)
                lost = NoStreamResponseError, NotFoundError
                if isinstance(error, lost):
                    # The broker has come back without its disk.
                    with suppress(nats.errors.Error, OSError):
                        await self.open()
            await asyncio.sleep(PAUSE)

    def _lacks_jetstream(self, error: Exception) -> bool:
        # There was no answer at all; a cluster without a leader answers with a code.
        is_silent = isinstance(error, ServiceUnavailableError) and error.code is None
        return is_silent and not self.client._server_info.get("jetstream")

    async def say(self, word: Callable[[], Awaitable[None]]) -> None:
        """Acknowledge; if that is lost, the message is delivered again, without effect."""
        await quietly(word())

    async def publish(self, tasks: Iterable[tuple[Task, int]], again: bool = False) -> None:
        """Publish tasks with their numbers of deaths; those already in the queue are left alone."""
        listed = list(tasks)
        for first in range(0, len(listed), WINDOW):
            some = listed[first : first + WINDOW]
            await asyncio.gather(*(self._publish(task, deaths, again) for task, deaths in some))

    async def _publish(self, task: Task, deaths: int, again: bool) -> None:
        # The same id at every attempt, so that a task finished meanwhile is not stored again.
        word = f"{self._session}.{task.name}.{task.round}.{deaths}"
        if again:
            # It was lost, and the broker may still remember its old id.
            word += f".{secrets.token_hex(4)}"
        subject = task_subject(self.campaign, task.name, task.round, deaths)
        await self.order(subject, encode(task), {"Nats-Msg-Id": word})

    async def order(self, subject: str, text: bytes, headers: dict[str, str] | None = None) -> None:
        """Publish a task or a check, unless it is already there."""
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

    async def _empty(self) -> None:
        """Remove all tasks of the campaign: at once, if there are no others; otherwise singly."""
        subjects = await self._subjects()
        info = await self.js.stream_info(TASKS)
        if subjects and info.state.messages == len(subjects):
            # No task is left that the workers' consumer could be moved past.  If another campaign
            # publishes a task just now, its recorder misses it and publishes it again.
            await self.js.purge_stream(TASKS)
            subjects = await self._subjects()
        await self._delete(subjects)

    async def repeat(self) -> None:
        """Repeat recent withdrawals; send verdicts to the dispatcher."""
        await self.verdicts.tell(self.client, self.campaign)
        late = time.monotonic() - REPEAT
        while self._withdrawn and self._withdrawn[0][0] < late:
            self._withdrawn.popleft()
        await self._tell([name for _, name in self._withdrawn])

    async def _tell(self, names: Sequence[str]) -> None:
        for first in range(0, len(names), 1000):
            control = Control(withdraw=tuple(names[first : first + 1000]))
            await self.client.publish(control_subject(self.campaign), encode_control(control))

    async def end(self) -> bool:
        """Remove all tasks from the queue, tell all workers, and remove empty streams.

        Return False if results have come meanwhile; they stay.
        """
        with suppress(NotFoundError):
            await self._empty()
        await self.delete(CHECKS, check_subject(self.campaign, ">"))
        for _ in range(3):
            control = encode_control(Control(over=True))
            await self.client.publish(control_subject(self.campaign), control)
            await self.client.flush()
            await asyncio.sleep(0.3)
        return await remove(self.js, self.campaign)

    async def missing(
        self, tasks: Iterable[tuple[Task, int]], checking: Collection[int] = ()
    ) -> list[tuple[Task, int]]:
        """Return the tasks that have left the queue and will not be answered.

        A worker acknowledges a task after its result is stored.  So if a task that has left the
        queue has a result, it is among those that have come by now; the queue must be read first.
        Once all of these are recorded, a task that is still open is lost, however many results have
        come since.  The results whose numbers are in ``checking`` are known to be for other tasks.
        """
        there = {read_task_subject(subject)[1] for subject in await self._subjects()}
        gone = {
            task_subject(self.campaign, task.name, task.round, deaths): (task, deaths)
            for task, deaths in tasks
            if task.name not in there
        }
        first, last = await self._unread(checking) if gone else (0, 0)
        # After the loss of its disk, the broker counts from 1 again.
        self._gone = {subject: min(last, self._gone.get(subject, last)) for subject in gone}
        return [gone[subject] for subject, mark in self._gone.items() if mark < first]

    async def _unread(self, checking: Collection[int]) -> tuple[int, int]:
        """Return the numbers of the first result that is not recorded, and of the last."""
        stream = results_stream(self.campaign)
        state = (await self.js.stream_info(stream)).state
        first = state.first_seq
        everything = f"satlife.result.{self.campaign}.>"
        while state.messages and first in checking:
            try:
                after = await self.js.get_msg(stream, first + 1, everything, next=True)
            except NotFoundError:
                return state.last_seq + 1, state.last_seq
            first = after.seq or state.last_seq + 1
        return first if state.messages else state.last_seq + 1, state.last_seq

    async def waiting(self) -> int:
        """Return the number of results that wait to be recorded."""
        return (await self.js.stream_info(results_stream(self.campaign))).state.messages

    async def look_at_uploads(self) -> None:
        """Remove uploads whose results never came, and warn if the store is nearly full."""
        await self.uploads.look(*await self._unread(()))

    async def answers(self) -> None:
        """Wait for any answer from the broker, even an error for a missing stream."""
        with suppress(NotFoundError):
            await self.js.stream_info(TASKS)

    async def _subjects(self) -> list[str]:
        everything = f"satlife.task.{self.campaign}.>"
        info = await self.js.stream_info(TASKS, subjects_filter=everything)
        return list(info.state.subjects or ())
