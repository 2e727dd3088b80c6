"""A checker: takes proofs from a queue of their own, checks them, and publishes what came of it.

Its outcomes are trusted, so only machines that the operator trusts should be checkers.  If it dies,
is silent for the time of the lease, or cannot check the proof (a full disk, no memory, a bug), the
check goes to another.  A check ends by itself, whether or not anybody still waits for it: a proof
that is missing is an outcome, too.  A recorder has a checker of its own, which works only while no
other one is idle.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import NoStreamResponseError

from satlife.campaign.core.trust import Checked
from satlife.campaign.proofs import check_file
from satlife.cluster.patient_ledger import in_thread
from satlife.cluster.protocol import CheckRequest, Outcome, read, write
from satlife.cluster.queue import Access, connect, disconnect, get_proof, jetstream
from satlife.cluster.queue.broker import Repeats, give_up, heed, quietly
from satlife.cluster.queue.proofs import LARGEST_PROOF
from satlife.cluster.queue.pull import Pull
from satlife.cluster.queue.streams import (
    CHECKERS,
    CHECKS,
    LEASE_HEADER,
    check_worker,
    checked_subject,
)
from satlife.errors import FormatError, UsageError

log = logging.getLogger(__name__)

PULL = 5.0
"""Seconds for which a request for checks stays open."""
KEEP = 5.0
"""Maximum seconds between messages to the broker that a check is in progress."""
PAUSE = 1.0
"""Seconds between attempts to reach the broker."""
ATTEMPTS = 3
"""Attempts to fetch a missing proof: the server that answered may lag behind the others."""
MOST_DELIVERIES = 10
"""A check that was begun so often, and ended by none, is given up; returns count like deaths.  The
proof stays until it is old."""
SILENCE = 15.0
"""Seconds without an answer, on a live connection, after which a campaign counts as over.  If it is
not, its recorder misses the task and publishes it again."""
BEHIND = 5
"""Deliveries of a check in a cluster before a proof counts as missing: half a minute."""
BESIDE = 2
"""Number of proofs that a recorder checks at the same time."""
LOOK, ALONE = 0.5, 5.0
"""Seconds between looks for other checkers, and after which a recorder's own takes their place."""


class Checker:
    """Checks until :meth:`stop` is called, or until it has been idle for ``idle`` seconds."""

    def __init__(self, access: Access, name: str, jobs: int, *, idle: float | None = None) -> None:
        self.access = access
        self.name = name and check_worker(name)
        self.jobs = jobs
        self.done = 0
        self.results: Counter[str] = Counter()
        """Checks by outcome."""
        self.solving = 0.0
        """Seconds spent on checks, in total."""
        self.delivering = 0
        """Number of outcomes that are not stored yet."""
        self._idle = idle
        self._client: Client | None = None
        self._stop = asyncio.Event()
        self._checks: set[asyncio.Task[None]] = set()
        self._repeats = Repeats()

    @classmethod
    def beside(cls, access: Access, client: Client) -> Checker:
        """Return the checker of a recorder, which has the connection."""
        checker = cls(access, "", BESIDE)
        checker._client = client
        return checker

    @property
    def held(self) -> int:
        """The number of checks that it holds."""
        return len(self._checks)

    @property
    def is_connected(self) -> bool:
        """Whether the broker is reachable."""
        return self._client is not None and self._client.is_connected

    def stop(self) -> None:
        """Stop soon; the checks that it holds go back to the queue."""
        self._stop.set()

    async def run(self) -> int:
        """Check proofs; return their number."""
        try:
            client = self._client = await connect(self.access, self._stop)
        except asyncio.CancelledError:
            return 0
        try:
            with suppress(asyncio.CancelledError):
                await heed(self._stop, self._pull(client))
        finally:
            await give_up(*self._checks)
            with suppress(Exception):
                await client.flush(2)
            await disconnect(client)
        return self.done

    async def _pull(self, client: Client) -> None:
        checks = Pull(client, CHECKS, CHECKERS)
        await checks.open()
        busy_at = time.monotonic()
        while self._idle is None or time.monotonic() - busy_at < self._idle:
            if client.is_closed:
                raise UsageError("the broker has closed the connection")
            await self._take_some(client, checks, PULL)
            if self._checks:
                busy_at = time.monotonic()

    async def help(self) -> NoReturn:
        """Check proofs while no other checker is idle, until cancelled."""
        assert self._client is not None
        checks, idle_at, is_alone = Pull(self._client, CHECKS, CHECKERS), 0.0, False
        await checks.open()
        try:
            while True:
                with suppress(nats.errors.Error, OSError):
                    state = await jetstream(self._client).consumer_info(CHECKS, CHECKERS)
                    was_alone, is_alone = is_alone, not state.num_waiting
                    if not is_alone:
                        idle_at = time.monotonic()
                    # An idle checker may be between two requests at the first look.
                    elif was_alone and time.monotonic() - idle_at > ALONE:
                        await self._take_some(self._client, checks, 0.0)
                await asyncio.sleep(LOOK)
        finally:
            await give_up(*self._checks)

    async def _take_some(self, client: Client, checks: Pull, timeout: float) -> None:
        """Begin as many checks as there is room for."""
        if len(self._checks) >= self.jobs:
            await asyncio.wait(self._checks, return_when=asyncio.FIRST_COMPLETED)
        try:
            messages = await checks.fetch(self.jobs - len(self._checks), timeout)
        except (nats.errors.Error, OSError) as error:
            self._say(f"no checks: {str(error) or type(error).__name__}")
            await asyncio.sleep(PAUSE)
            return
        for message in messages:
            check = asyncio.create_task(self._take(client, message))
            self._checks.add(check)
            check.add_done_callback(self._checks.discard)

    async def _take(self, client: Client, message: Msg) -> None:
        """Check a proof, and publish the outcome; until then, keep the check from others."""
        if message.subject.count(".") != 4:  # of another version
            await quietly(message.term())
            return
        lease = float((message.headers or {}).get(LEASE_HEADER, 3 * KEEP))
        keeping = asyncio.create_task(_keep(message, min(KEEP, lease / 3)))
        _, _, campaign, _, proof = message.subject.split(".")
        stop = threading.Event()
        try:
            request = read(message.data, CheckRequest, "a check")
            outcome = await self._work(client, campaign, request, message, stop)
            if await self._publish(client, campaign, outcome):
                self.done += 1
            await quietly(message.ack())
        except FormatError as error:
            log.warning("not a check, on %s: %s", message.subject[:120], error)
            await quietly(message.term())
        except (asyncio.CancelledError, Exception) as error:
            is_bug = not isinstance(error, asyncio.CancelledError | OSError | nats.errors.Error)
            words = str(error) or type(error).__name__
            log.info("the check of %s goes back: %s", proof, words, exc_info=is_bug)
            # A return counts as a delivery: it takes minutes of them until the check is given up.
            again = PAUSE * 2 ** min(message.metadata.num_delivered or 1, 6)
            await quietly(message.nak(delay=again))
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            stop.set()
            keeping.cancel()

    async def _work(
        self,
        client: Client,
        campaign: str,
        request: CheckRequest,
        message: Msg,
        stop: threading.Event,
    ) -> Outcome:
        """Fetch a proof and check it; an error of this machine is not the proof's fault."""
        begun, deliveries = time.monotonic(), message.metadata.num_delivered or 1
        failed, checked = "", None
        try:
            if deliveries > MOST_DELIVERIES:
                failed = f"of {MOST_DELIVERIES} attempts none came to its end"
            else:
                checked = await self._check(client, campaign, request, stop)
        except FormatError as error:
            # A server of a cluster that has just come back may not have the proof yet.
            if client._server_info.get("cluster") and deliveries < BEHIND:
                raise OSError(str(error)) from None
            failed = str(error)[:1000]
        finally:
            if failed:
                log.warning("the proof %s: %s", request.proof, failed)
            self.solving += time.monotonic() - begun
        self.results["failed" if checked is None else _sort(checked)] += 1
        return Outcome(result=request.result, worker=self.name, checked=checked, failed=failed)

    async def _check(
        self, client: Client, campaign: str, request: CheckRequest, stop: threading.Event
    ) -> Checked:
        limits = request.limits
        most = LARGEST_PROOF if limits.proof_bytes is None else limits.proof_bytes
        with tempfile.TemporaryDirectory(prefix="satlife-check-") as folder:
            path = Path(folder) / "proof"
            await self._fetch(client, campaign, request.proof, path, most)
            order = path, request.result.proof_hash, limits, stop, request.cells
            return await in_thread(check_file, request.problem, *order)

    async def _fetch(self, client: Client, campaign: str, name: str, path: Path, most: int) -> None:
        js, failures, silent = jetstream(client), 0, time.monotonic()
        while True:
            try:
                await get_proof(js, campaign, name, path, most, direct=True)
            except FormatError:
                failures += 1
                if failures >= ATTEMPTS:
                    raise
            except nats.errors.Error as error:
                self._say(f"a proof waits: {str(error) or type(error).__name__}")
                if not client.is_connected:
                    silent = time.monotonic()
                elif time.monotonic() - silent > SILENCE:
                    raise FormatError(f"no store with the proof {name} answers") from None
            else:
                return
            await asyncio.sleep(PAUSE)

    async def _publish(self, client: Client, campaign: str, outcome: Outcome) -> bool:
        """Store an outcome; return False if its campaign is over."""
        self.delivering += 1
        silent = time.monotonic()
        try:
            while True:
                try:
                    await jetstream(client).publish(checked_subject(campaign), write(outcome))
                except NoStreamResponseError:
                    return False
                except (nats.errors.Error, OSError) as error:
                    self._say(f"an outcome waits: {str(error) or type(error).__name__}")
                    if not client.is_connected:
                        silent = time.monotonic()
                    elif time.monotonic() - silent > SILENCE:
                        return False  # across accounts, the broker does not say that nobody hears
                else:
                    return True
                await asyncio.sleep(PAUSE)
        finally:
            self.delivering -= 1

    def _say(self, words: str) -> None:
        """Log an error, but not at every attempt."""
        if self._repeats.is_new(words):
            log.info("%s", words)


async def _keep(message: Msg, pause: float) -> NoReturn:
    while True:
        await quietly(message.in_progress())
        await asyncio.sleep(pause)


def _sort(checked: Checked) -> str:
    if not checked.is_decided:
        return "undecided"
    return "valid" if checked.is_valid else "invalid"
