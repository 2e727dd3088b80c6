"""The dispatcher: a service that leases tasks to volunteers and takes their answers.

Volunteers never see the broker: their requests come over HTTP, through the
:mod:`~satlife.cluster.dispatch.edge`.  The dispatcher accesses queues and stores for them, within a
quota: see :mod:`~satlife.cluster.dispatch.desk`.  To recorders it is one more worker.
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
from typing import TYPE_CHECKING, Any

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from satlife.campaign.core.votes import name_user
from satlife.campaign.messages import AnyResult
from satlife.cluster import protocol
from satlife.cluster.dispatch.answers import Answers, LostProofError
from satlife.cluster.dispatch.desk import (
    BURST,
    LATELY,
    Desk,
    Lease,
    Offer,
    Quota,
    RefusalError,
    sort_of,
)
from satlife.cluster.dispatch.record import Record
from satlife.cluster.dispatch.supply import AGAIN, DONE, WORKING, Supply
from satlife.cluster.operating.endpoint import process_metrics
from satlife.cluster.operating.exposition import counter, gauge
from satlife.cluster.protocol import (
    LeaseAnswers,
    Leased,
    LeaseList,
    LeaseRequest,
    Reply,
)
from satlife.cluster.queue import Access, connect, decode_control, disconnect, jetstream
from satlife.cluster.queue.broker import Repeats
from satlife.cluster.queue.streams import check_worker
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from prometheus_client.core import Metric


log = logging.getLogger(__name__)

TICK = 0.25
"""Seconds between checks for late leases."""
MAX_TICK = 2.0
"""Maximum seconds between checks; after more, the process or its machine was suspended."""
REREAD = 5.0
"""Seconds between reads of the list of users, and checks of uploads."""
MAX_REPLY_BYTES = 800_000
"""Maximum bytes of tasks in one reply; the first may be longer."""
POLL, MOST_POLLS = 1.0, 200.0
"""Seconds after which a worker that got no task asks again, and most users who may ask in a second
without waiting longer."""
MAX_IDLE_PAUSE = 60.0
"""Maximum seconds until the queue is asked again for a user who has had all its tasks."""
ERRORS = (ValueError, sqlite3.Error, nats.errors.Error, OSError)
"""What may go wrong in a request, ours or theirs."""
PRESENCE = 1.0
"""Seconds for another dispatcher to answer that it is running."""


class Dispatcher:
    """Serves volunteers until :meth:`stop` is called."""

    def __init__(
        self,
        access: Access,
        users: Callable[[], Mapping[str, str]],
        record: Record,
        desk: Desk | None = None,
    ) -> None:
        """Serve the users that ``users`` returns, with the hashes of their passwords.

        It is called again for every request.
        """
        self.access = access
        self.users = users
        self.record = record
        self.desk = desk or Desk(Quota())
        self.refused = 0
        """Number of refused requests."""
        self._turns: dict[str, asyncio.Lock] = {}
        """The requests of a user are answered one after the other."""
        self._stop = asyncio.Event()
        self._futile: dict[str, tuple[float, float]] = {}
        """Until when the queue is not asked for a user, and for how long that was."""
        self._repeats = Repeats()
        self._kept = self._reread = 0.0
        self._tended = math.inf
        self._pause = POLL
        """Seconds after which a worker that got no task asks again."""
        self._client: Client | None = None
        self._is_open = False

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
            self._is_open = True
            await client.subscribe("satlife.control.>", cb=self._obey)
            await client.subscribe(f"{protocol.VERDICTS}.>", cb=self._judge)
            while not self._stop.is_set():
                if client.is_closed:
                    raise UsageError("the broker has closed the connection")
                await self._tend()
                with suppress(TimeoutError):
                    async with asyncio.timeout(TICK):
                        await self._stop.wait()
        finally:
            self._is_open = False
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

    async def ask(self, user: str, verb: str, *given: Any) -> Reply:
        """Answer one request of a user, who has proved to be that user."""
        verbs: dict[str, Callable[..., Awaitable[Reply]]] = {
            "lease": self._lease,
            "answer": self._answer,
            "proof": self._upload,
            "back": self._take_back,
        }
        if not self._is_open:
            return Reply(refused="the dispatcher waits for its broker", wait=5.0)
        try:
            if verb == "keep":  # it waits for nothing, lest leases run out behind a slow request
                return await self._keep(user, *given)
            async with self._turns.setdefault(user, asyncio.Lock()):
                return await verbs[verb](user, *given)
        except ERRORS as error:
            return self._explain(user, error)

    def _explain(self, user: str, error: Exception) -> Reply:
        """Return the reply after an error; wrong requests count against the user."""
        words = str(error)[:200] or type(error).__name__
        match error:
            case RefusalError():
                self.refuse(user, words)
                is_lost = isinstance(error, LostProofError)
                return Reply(refused=words, wait=error.wait, lost=is_lost)
            case ValueError():
                self._note(user, bad=1)
                self.refuse(user, words)
                return Reply(refused=words)
            case sqlite3.Error():
                if self._repeats.is_new(words):
                    log.warning("the record of leases cannot be written: %s", words)
                return Reply(refused="the dispatcher cannot write its record", wait=30.0)
        if self._repeats.is_new(f"{user} {words}"):
            log.warning("a request of %s waits for the broker: %s", user, words)
        return Reply(refused="the broker does not answer the dispatcher", wait=5.0)

    def spend(self, user: str) -> float:
        """Count a request of a user; return the seconds to wait if there are too many."""
        quota = self.desk.quota
        if self.desk.user(user).requests.spend(1, time.monotonic()):
            return 0.0
        self.refused += 1
        if self._repeats.is_new(f"{user} floods"):
            log.warning("flood: %s sends over %g requests a second", user, quota.rate)
            self._note(user, bad=1)
        return BURST

    async def _lease(self, user: str, text: bytes) -> Reply:
        asked = protocol.read(text, LeaseRequest, "a request for tasks")
        if name_user(check_worker(asked.worker)) != user:
            raise FormatError(f"the name of a worker of {user} must begin with {user}")
        self.desk.user(user).asked = time.monotonic()
        held = self.desk.user(user).held
        given = [one for one in held.values() if asked.request and one.request == asked.request]
        if given:  # the reply was lost
            self.desk.keep(user, [lease.id for lease in given], time.monotonic())
            return Reply(leases=tuple(map(_show, given)))
        room = self.desk.room(user, time.monotonic())
        if asked.most > room and self._repeats.is_new(f"{user} quota"):
            words = "quota: %s has %d tasks, asks for %d, gets %d"
            log.info(words, user, len(held), asked.most, room)
        offers = await self._choose(user, max(0, min(asked.most, room)))
        now = time.monotonic()
        leases = [self.desk.grant(user, asked.worker, offer, now) for offer in offers]
        for lease in leases:
            lease.request = asked.request
        try:
            self.record.grant(leases)
        except sqlite3.Error:
            for lease in leases:
                self.desk.end(lease, "withdrawn", now)
                self._supply.put(lease.offer)
            raise
        return Reply(leases=tuple(map(_show, leases)), wait=0.0 if leases else self._pause)

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
            size += len(offer.text) + 200  # for the lease around it
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

    async def _keep(self, user: str, text: bytes) -> Reply:
        said = protocol.read(text, LeaseList, "a list of leases")
        return Reply(over=tuple(self.desk.keep(user, said.leases, time.monotonic())))

    async def _upload(self, user: str, lease: str, number: int, part: bytes) -> Reply:
        await self._answers.upload(user, lease, number, part)
        return Reply()

    async def _answer(self, user: str, text: bytes) -> Reply:
        said = protocol.read(text, LeaseAnswers, "answers", protocol.LARGEST_BODY)
        if len(said.answers) > protocol.MOST_ANSWERS:
            raise FormatError(f"{len(said.answers)} answers; at most {protocol.MOST_ANSWERS}")
        if len({one.lease for one in said.answers}) < len(said.answers):
            raise FormatError("a lease has one answer")  # the leases end only after all of them
        taken: list[tuple[Lease, AnyResult, bool]] = []
        replies: list[Reply] = []
        for one in said.answers:
            try:
                taken.append(await self._answers.answer(user, one))
                replies.append(Reply())
            except ERRORS as error:
                replies.append(self._explain(user, error))
                if not isinstance(error, ValueError | APIError):
                    # The broker is silent: the others would wait as long, one after the other.
                    replies += replies[-1:] * (len(said.answers) - len(replies))
                    break
        # If the record cannot be written, all are refused for now, and the leases must live on.
        with self.record.together():
            for lease, result, is_passed_on in taken:
                if is_passed_on:
                    self.record.drop(lease.offer)
                else:
                    self.record.keep(lease, result)
                self.record.end(lease, sort_of(result))
        for lease, result, _ in taken:
            self._answers.settle(lease)
            self._note_end(lease, sort_of(result))
        for lease, _, is_passed_on in taken:
            await self._hand_on(lease.offer, is_needed=not is_passed_on)
        return Reply(answers=tuple(replies))

    async def _take_back(self, user: str, text: bytes) -> Reply:
        said = protocol.read(text, LeaseList, "a list of leases")
        held = self.desk.user(user).held
        for lease in [held[name] for name in set(said.leases) if name in held]:
            await self._end(lease, "returned", is_needed=True)
        return Reply()

    async def _end(self, lease: Lease, how: str, *, is_needed: bool) -> None:
        """End a lease; if others must still solve the task, offer it to them."""
        with suppress(sqlite3.Error):
            self.record.end(lease, how)
        self._note_end(lease, how)
        with suppress(nats.errors.Error, OSError):
            await self._answers.forget(lease)
        await self._hand_on(lease.offer, is_needed=is_needed)

    def _note_end(self, lease: Lease, how: str) -> None:
        if lease.id in self.desk.leases:
            self.desk.end(lease, how, time.monotonic())
        user = self.desk.user(lease.user)
        if user.futile and self._repeats.is_new(f"{lease.user} futile"):
            log.info(
                "futile: %s hardly answers: %s",
                *(lease.user, user.futile),
                extra={"user": lease.user},
            )
        if how in ("expired", "failed"):  # which count as bad answers
            with suppress(sqlite3.Error):
                self.record.judge(lease.user, user.standing)

    async def _hand_on(self, offer: Offer, *, is_needed: bool) -> None:
        if not is_needed:
            await self._supply.say(offer, DONE)
        elif offer.text:
            self._supply.put(offer)
        else:  # it was leased before this dispatcher started
            await self._supply.say(offer, AGAIN)

    # Users

    def refuse(self, user: str, words: str) -> None:
        """Count and log a refusal."""
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

    async def _let_go(self) -> None:
        """Take the tasks of users who are no longer on the list."""
        users = self.users()
        for user in {lease.user for lease in self.desk.leases.values()} - users.keys():
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
        if verdict.user in self.users():
            futile = 0
            if seconds := verdict.unchecked:
                futile = self.desk.charge(verdict.user, seconds, time.monotonic())
                log.warning(
                    "charged %s for %d s of checks without a verdict", verdict.user, seconds
                )
            self._note(verdict.user, verdict.good, verdict.bad + futile, verdict.lies)

    # Periodic work

    async def _tend(self) -> None:
        now = time.monotonic()
        if now - self._tended > MAX_TICK:
            # This process stood still, and messages from that time are still to be read.
            self.desk.excuse(now - self._tended)
        self._tended = now
        for lease in self.desk.expire(now):
            log.info("%s has lost a lease of %s", lease.user, lease.offer.name[:12])
            await self._end(lease, "expired", is_needed=True)
        with suppress(nats.errors.Error, OSError):
            if now - self._reread > REREAD or not self._reread:
                await self._answers.look()
                self._reread = now
            await self._let_go()
        present = self.desk.list_present(now)
        self._pause = min(max(POLL, len(present) / MOST_POLLS), 0.8 * LATELY)
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
