"""The dispatcher: a service that leases tasks to volunteers and takes their answers.

Volunteers are users of the broker who may publish under ``satlife.ask.USER`` and nowhere else.  The
dispatcher accesses queues and stores for them, within a quota: see
:mod:`~satlife.cluster.dispatch.desk`.  To recorders it is one more worker.

Each user has a subscription of their own.  A user who floods it is muted for a while: the broker
then drops their messages, and the others notice nothing.
"""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from satlife.campaign.core.votes import name_user
from satlife.cluster import protocol
from satlife.cluster.dispatch.answers import Answers
from satlife.cluster.dispatch.desk import Desk, Lease, Offer, Quota, RefusalError, sort_of
from satlife.cluster.dispatch.record import Record
from satlife.cluster.dispatch.supply import AGAIN, DONE, WORKING, Supply
from satlife.cluster.operating.endpoint import process_metrics
from satlife.cluster.operating.exposition import counter, gauge
from satlife.cluster.protocol import (
    Leased,
    LeaseList,
    LeaseRequest,
    Reply,
    ask_subject,
    read_ask_subject,
)
from satlife.cluster.queue import Access, connect, decode_control, disconnect, jetstream
from satlife.cluster.queue.broker import Repeats
from satlife.cluster.queue.streams import check_worker
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from prometheus_client.core import Metric


# The audience of the dispatcher: each user has a subscription, and loses it for a while by
# flooding it.
#
# Without a subscription the broker drops the user's messages; the dispatcher need not read them.


log = logging.getLogger(__name__)

MUTE, LONGEST_MUTE = 10.0, 600.0
"""Seconds for which a user who floods us is muted; they double each time."""

Hear = Callable[[str, str, "Msg"], Awaitable[None]]
"""Callback for a request: the user, the verb, and the message."""


class Audience:
    """The users of a list, which may change."""

    def __init__(self, users: Callable[[], frozenset[str]], hear: Hear) -> None:
        self._users = users
        self._hear = hear
        self._heard: dict[str, Subscription] = {}
        self._muted: dict[str, tuple[float, float]] = {}
        """Until when a user is muted, and for how long."""
        self._leaving: set[asyncio.Task[None]] = set()

    def __contains__(self, user: object) -> bool:
        return user in self._heard or user in self._muted

    async def listen(self, client: Client) -> list[str]:
        """Listen to all users of the list who are not muted; return those who have left it."""
        users = self._users()
        now = time.monotonic()
        for user in users - self._heard.keys():
            if self._muted.get(user, (0.0, 0.0))[0] <= now:
                self._heard[user] = await client.subscribe(ask_subject(user, "*"), cb=self._take)
        gone = [user for user in self._heard if user not in users]
        for user in gone:
            await _leave(self._heard.pop(user))
        return gone

    async def _take(self, message: Msg) -> None:
        user, verb = read_ask_subject(message.subject)
        if user in self._heard:
            await self._hear(user, verb, message)

    def mute(self, user: str) -> float:
        """Mute a user for a while; return for how many seconds."""
        listening = self._heard.pop(user, None)
        if listening is None:
            return 0.0
        _, before = self._muted.get(user, (0.0, 0.0))
        pause = min(2 * before or MUTE, LONGEST_MUTE)
        self._muted[user] = (time.monotonic() + pause, pause)
        # In a separate task: unsubscribing may cancel the calling task.
        leaving = asyncio.create_task(_leave(listening))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)
        return pause


async def _leave(listening: Subscription) -> None:
    with suppress(nats.errors.Error, OSError):
        await listening.unsubscribe()


TICK = 0.25
"""Seconds between checks for late leases."""
MAX_TICK = 2.0
"""Maximum seconds between checks; after more, the process or its machine was suspended."""
REREAD = 5.0
"""Seconds between reads of the list of users, and checks of uploads."""
MAX_REPLY_BYTES = 800_000
"""Maximum bytes of tasks in one reply; the first may be longer."""
POLL = 1.0
"""Seconds after which a worker that got no task asks again."""
MAX_IDLE_PAUSE = 60.0
"""Maximum seconds until the queue is asked again for a user who has had all its tasks."""
PRESENCE = 1.0
"""Seconds for another dispatcher to answer that it is running."""


class Dispatcher:
    """Serves volunteers until :meth:`stop` is called."""

    def __init__(
        self,
        access: Access,
        users: Callable[[], frozenset[str]],
        record: Record,
        desk: Desk | None = None,
    ) -> None:
        """Serve the users that ``users`` returns; it is called again now and then."""
        self.access = access
        self.record = record
        self.desk = desk or Desk(Quota())
        self.refused = 0
        """Number of refused requests."""
        self._audience = Audience(users, self._hear)
        self._stop = asyncio.Event()
        self._futile: dict[str, tuple[float, float]] = {}
        """Until when the queue is not asked for a user, and for how long that was."""
        self._repeats = Repeats()
        self._kept = self._reread = 0.0
        self._tended = math.inf
        self._client: Client | None = None

    @property
    def is_connected(self) -> bool:
        """Whether the broker is reachable."""
        return self._client is not None and self._client.is_connected

    def stop(self) -> None:
        """Stop soon; leases stay in the record, and the next dispatcher honours them."""
        self._stop.set()

    async def run(self) -> None:
        """Serve volunteers."""
        try:
            self._client = client = await connect(self.access, self._stop)
        except asyncio.CancelledError:
            return
        self._supply = Supply(client)
        self._answers = Answers(jetstream(client), self.desk)
        try:
            await self._claim(client)
            self.record.restore(self.desk, time.monotonic())
            await self._supply.open()
            await client.subscribe("satlife.control.>", cb=self._obey)
            await client.subscribe(f"{protocol.VERDICTS}.>", cb=self._judge)
            while not self._stop.is_set():
                if client.is_closed:
                    raise UsageError("the broker has closed the connection")
                await self._tend(client)
                with suppress(TimeoutError):
                    async with asyncio.timeout(TICK):
                        await self._stop.wait()
        finally:
            with suppress(Exception):
                async with asyncio.timeout(3):
                    await self._supply.close()
                    await client.flush(2)
            await disconnect(client)

    async def _claim(self, client: Client) -> None:
        """Become the broker's dispatcher; raise an error if another one answers."""
        try:
            other = await client.request(protocol.PRESENCE, timeout=PRESENCE)
        except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
            pass
        else:
            where = other.data[:100].decode(errors="replace")
            raise UsageError(f"a dispatcher is already running on {where!r}; a broker has one")

        async def answer(message: Msg) -> None:
            with suppress(nats.errors.Error, OSError):
                await message.respond(socket.gethostname().encode())

        await client.subscribe(protocol.PRESENCE, cb=answer)
        await client.flush()

    # Requests

    async def _hear(self, user: str, verb: str, message: Msg) -> None:
        """Answer one request of a user."""
        if not self.desk.user(user).requests.spend(1, time.monotonic()):
            pause, rate = self._audience.mute(user), self.desk.quota.rate
            log.warning(
                "flood: %s sends over %g requests a second; not heard for %g s", user, rate, pause
            )
            self._note(user, bad=1)
            return
        try:
            reply = await self._grant(user, verb, message)
        except RefusalError as error:
            self._refuse(user, str(error))
            reply = Reply(refused=str(error), wait=error.wait)
        except sqlite3.Error as error:
            if self._repeats.is_new(error):
                log.warning("the record of leases cannot be written: %s", error)
            reply = Reply(refused="the dispatcher cannot write its record", wait=30.0)
        except (nats.errors.Error, OSError) as error:
            words = str(error) or type(error).__name__
            if self._repeats.is_new(f"{user} {words}"):
                log.warning("a request of %s waits for the broker: %s", user, words)
            reply = Reply(refused="the broker does not answer the dispatcher", wait=5.0)
        if message.reply:
            with suppress(nats.errors.Error, OSError):
                await message.respond(protocol.write(reply))

    async def _grant(self, user: str, verb: str, message: Msg) -> Reply:
        """Carry out a request; errors in it count against the user."""
        verbs: dict[str, Callable[[str, Msg], Awaitable[Reply]]] = {
            "lease": self._lease,
            "keep": self._keep,
            "answer": self._answer,
            "upload": self._upload,
            "back": self._take_back,
        }
        try:
            if verb not in verbs:
                raise FormatError(f"there is no request {verb[:20]!r}")
            return await verbs[verb](user, message)
        except RefusalError:
            raise
        except ValueError as error:
            self._note(user, bad=1)
            raise RefusalError(str(error)[:200]) from None

    async def _lease(self, user: str, message: Msg) -> Reply:
        asked = protocol.read(message.data, LeaseRequest, "a request for tasks")
        if asked.protocol != protocol.PROTOCOL:
            raise RefusalError(
                f"the dispatcher speaks version {protocol.PROTOCOL} of its protocol, and your "
                f"satlife version {asked.protocol}; install the version that the operator names"
            )
        if name_user(check_worker(asked.worker)) != user:
            raise FormatError(f"the name of a worker of {user} must begin with {user}")
        self.desk.user(user).asked = time.monotonic()
        room = self.desk.room(user, time.monotonic())
        if asked.most > room and self._repeats.is_new(f"{user} quota"):
            held = len(self.desk.user(user).held)
            log.info("quota: %s has %d tasks, asks for %d, gets %d", user, held, asked.most, room)
        offers = await self._choose(user, max(0, min(asked.most, room)))
        now = time.monotonic()
        leases = [self.desk.grant(user, asked.worker, offer, now) for offer in offers]
        try:
            self.record.grant(leases)
        except sqlite3.Error:
            for lease in leases:
                self.desk.end(lease, "withdrawn", now)
                self._supply.put(lease.offer)
            raise
        return Reply(leases=tuple(map(_show, leases)), wait=0.0 if leases else POLL)

    async def _choose(self, user: str, most: int) -> list[Offer]:
        """Return tasks for a user: from the shelf, then from the queue."""
        if most == 0:
            return []

        def accepts(offer: Offer) -> bool:
            may_have = self.desk.may_have(user, offer, time.monotonic())
            return may_have and not self._answers.is_full(offer.campaign)

        found = self._supply.take(most, accepts)
        until, pause = self._futile.get(user, (0.0, 0.0))
        if len(found) < most and until <= time.monotonic():
            mine, others = await self._supply.pull(most - len(found), self._is_new, accepts)
            found += mine
            self._futile.pop(user, None)
            if others and not mine:
                # The user has had all available tasks; leave them to others.
                pause = min(2 * pause or POLL, MAX_IDLE_PAUSE)
                self._futile[user] = (time.monotonic() + pause, pause)
        size = 0
        for index, offer in enumerate(found):
            size += len(offer.text)
            if size > MAX_REPLY_BYTES and index:
                for more in found[index:]:
                    self._supply.put(more)
                return found[:index]
        return found

    def _is_new(self, offer: Offer) -> bool:
        """Whether a task is free; if it is leased, the queue believed the lease lost."""
        lease = self.desk.holding(offer)
        if lease is not None:
            lease.offer = replace(lease.offer, reply=offer.reply)
        return lease is None

    async def _keep(self, user: str, message: Msg) -> Reply:
        said = protocol.read(message.data, LeaseList, "a list of leases")
        return Reply(over=tuple(self.desk.keep(user, said.leases, time.monotonic())))

    async def _upload(self, user: str, message: Msg) -> Reply:
        await self._answers.upload(user, message)
        return Reply()

    async def _answer(self, user: str, message: Msg) -> Reply:
        lease, result, is_passed_on = await self._answers.answer(user, message)
        if is_passed_on:
            self.record.drop(lease.offer)
        else:
            self.record.keep(lease, result)
        await self._end(lease, sort_of(result), is_needed=not is_passed_on)
        return Reply()

    async def _take_back(self, user: str, message: Msg) -> Reply:
        said = protocol.read(message.data, LeaseList, "a list of leases")
        held = self.desk.user(user).held
        for lease in [held[name] for name in set(said.leases) if name in held]:
            await self._end(lease, "returned", is_needed=True)
        return Reply()

    async def _end(self, lease: Lease, how: str, *, is_needed: bool) -> None:
        """End a lease; if others must still solve the task, offer it to them."""
        if lease.id in self.desk.leases:
            self.desk.end(lease, how, time.monotonic())
        user = self.desk.user(lease.user)
        standing = user.standing
        if user.futile and self._repeats.is_new(f"{lease.user} futile"):
            log.info(
                "futile: %s hardly answers: %s",
                *(lease.user, user.futile),
                extra={"user": lease.user},
            )
        with suppress(sqlite3.Error):
            self.record.end(lease, how)
            self.record.judge(lease.user, standing)
        if not is_needed:
            await self._supply.say(lease.offer, DONE)
        elif lease.offer.text:
            self._supply.put(lease.offer)
        else:  # it was leased before this dispatcher started
            await self._supply.say(lease.offer, AGAIN)

    # Users

    def _refuse(self, user: str, words: str) -> None:
        self.refused += 1
        if self._repeats.is_new(f"{user} {words}"):
            log.warning("refused %s: %s", user, words, extra={"user": user})

    def _note(self, user: str, good: int = 0, bad: int = 0, lies: int = 0) -> None:
        """Record verdicts on a user's answers."""
        was_barred = self.desk.user(user).standing.is_barred
        standing = self.desk.judge(user, good, bad, lies)
        with suppress(sqlite3.Error):
            self.record.judge(user, standing)
        if standing.is_barred and not was_barred:
            log.warning("%s gets no more tasks, after %d lies", user, standing.lies)

    async def _listen(self, client: Client) -> None:
        for user in await self._audience.listen(client):
            log.info("%s is not a volunteer any more", user)
            for lease in tuple(self.desk.user(user).held.values()):
                await self._end(lease, "returned", is_needed=True)

    async def _judge(self, message: Msg) -> None:
        """Receive a recorder's verdicts on a user's answers."""
        try:
            verdict = protocol.read(message.data, protocol.UserVerdict, "a verdict")
        except FormatError as error:
            log.warning("%s", error)
            return
        if verdict.user in self._audience:
            futile = 0
            if seconds := verdict.unchecked:
                futile = self.desk.charge(verdict.user, seconds, time.monotonic())
                log.warning(
                    "charged %s for %d s of checks without a verdict", verdict.user, seconds
                )
            self._note(verdict.user, verdict.good, verdict.bad + futile, verdict.lies)

    # Periodic work

    async def _tend(self, client: Client) -> None:
        now = time.monotonic()
        if now - self._tended > MAX_TICK:
            # This process stood still, and messages from that time are still to be read.
            self.desk.excuse(now - self._tended)
        self._tended = now
        for lease in self.desk.expire(now):
            log.info("%s has lost a lease of %s", lease.user, lease.offer.name[:12])
            await self._end(lease, "expired", is_needed=True)
            with suppress(nats.errors.Error, OSError):
                await self._answers.forget(lease)
        with suppress(nats.errors.Error, OSError):
            if now - self._reread > REREAD or not self._reread:
                await self._answers.look()
                self._reread = now
            await self._listen(client)
        present = self.desk.list_present(now)
        await self._supply.tend(
            lambda offer: (
                self.desk.is_wanted(offer, present, now)
                and not self._answers.is_full(offer.campaign)
            )
        )
        offers = [lease.offer for lease in self.desk.leases.values()] + self._supply.offers
        if now - self._kept > min((offer.silence for offer in offers), default=1.0) / 3:
            self._kept = now
            for offer in offers:
                await self._supply.say(offer, WORKING)

    async def _obey(self, message: Msg) -> None:
        """End leases whose answers a recorder no longer needs."""
        try:
            control = decode_control(message.data)
        except FormatError as error:
            log.warning("%s", error)
            return
        campaign = message.subject.rpartition(".")[2]
        names = None if control.over else frozenset(control.withdraw)
        for lease in tuple(self.desk.leases.values()):
            offer = lease.offer
            if offer.campaign == campaign and (names is None or offer.name in names):
                await self._end(lease, "withdrawn", is_needed=False)
        for offer in self._supply.withdraw(campaign, names):
            await self._supply.say(offer, DONE)


def _show(lease: Lease) -> Leased:
    offer = lease.offer
    return Leased(
        lease=lease.id,
        campaign=offer.campaign,
        task=msgspec.Raw(offer.text),
        silence=offer.silence,
        hold=lease.hold,
    )


# Monitoring of a dispatcher: metrics and health.


@dataclass(frozen=True)
class DispatcherWatch:
    """Metrics and health of a dispatcher."""

    dispatcher: Dispatcher

    def lacks(self) -> Mapping[str, str]:
        """Return the unreachable parts, each with the reason."""
        return {} if self.dispatcher.is_connected else {"broker": "not connected"}

    def metrics(self) -> list[Metric]:
        """Return the current metrics."""
        users = self.dispatcher.desk.users
        ended: Counter[str] = Counter()
        for user in users.values():
            ended += user.ended
        up = {"broker": float(not self.lacks())}
        barred = sum(user.standing.is_barred for user in users.values())
        return [
            gauge("satlife_up", "Parts in reach.", up, label="part"),
            gauge("satlife_dispatcher_users", "Users who have asked for something.", len(users)),
            gauge("satlife_dispatcher_barred", "Users who get no more tasks.", barred),
            gauge(
                "satlife_dispatcher_leases",
                "Tasks that volunteers hold.",
                len(self.dispatcher.desk.leases),
            ),
            counter(
                "satlife_dispatcher_leases_ended_total", "Leases by their end.", ended, label="how"
            ),
            counter(
                "satlife_dispatcher_refused_total",
                "Requests that were refused.",
                self.dispatcher.refused,
            ),
            *process_metrics(),
        ]
