"""A checker: takes proofs from a queue of their own, checks them, and reports to their recorders.

Its reports are trusted, so only machines that the operator trusts should be checkers.  If it dies,
or is silent for the time of the lease, the check goes to another.  A check that no recorder has
asked for in a while, because the campaign is over or has gone on without it, is dropped.
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

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from satlife.campaign.core.trust import Checked
from satlife.campaign.proofs import check_file
from satlife.cluster.patient_ledger import in_thread
from satlife.cluster.protocol import CheckReply, CheckRequest, Word, read, write
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
from satlife.errors import FormatError, SatlifeError, UsageError

log = logging.getLogger(__name__)

PULL = 5.0
"""Seconds for which a request for checks stays open."""
KEEP = 5.0
"""Maximum seconds between reports to recorder and broker that a check is in progress."""
PAUSE = 1.0
"""Seconds between attempts to report an outcome to the recorder."""
ATTEMPTS = 3
"""Attempts to fetch a missing proof."""
UNWANTED = 150.0
"""Seconds after which a check that no recorder waits for is dropped; a restarted recorder receives
the result again after a minute, and then asks for its check."""


class Checker:
    """Checks until :meth:`stop` is called, or until it has been idle for ``idle`` seconds."""

    def __init__(self, access: Access, name: str, jobs: int, *, idle: float | None = None) -> None:
        self.access = access
        self.name = check_worker(name)
        self.jobs = jobs
        self.done = 0
        self.results: Counter[str] = Counter()
        """Checks by outcome."""
        self.solving = 0.0
        """Seconds spent on checks, in total."""
        self.delivering = 0
        """Number of finished checks that no recorder has been told of yet."""
        self._idle = idle
        self._client: Client | None = None
        self._stop = asyncio.Event()
        self._checks: set[asyncio.Task[None]] = set()
        self._repeats = Repeats()

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
            if len(self._checks) >= self.jobs:
                await asyncio.wait(self._checks, return_when=asyncio.FIRST_COMPLETED)
                continue
            try:
                messages = await checks.fetch(self.jobs - len(self._checks), PULL)
            except (nats.errors.Error, OSError) as error:
                self._say(f"no checks: {str(error) or type(error).__name__}")
                await asyncio.sleep(PAUSE)
                continue
            for message in messages:
                check = asyncio.create_task(self._take(client, message))
                self._checks.add(check)
                check.add_done_callback(self._checks.discard)
            if self._checks:
                busy_at = time.monotonic()

    async def _take(self, client: Client, message: Msg) -> None:
        """Check a proof and report the outcome; until then, report that it is in progress."""
        _, _, campaign, proof = message.subject.split(".")
        lease = float((message.headers or {}).get(LEASE_HEADER, 3 * KEEP))
        conversation = _Conversation(client, checked_subject(campaign), min(KEEP, lease / 3))
        word = Word(proof=proof, worker=self.name)
        stop = threading.Event()
        work = asyncio.create_task(self._work(client, campaign, word, message.data, stop))
        try:
            while not work.done() and conversation.is_wanted:
                await quietly(message.in_progress())
                await conversation.say(word)
                await asyncio.wait([work], timeout=conversation.pause)
            if work.done():
                await self._tell(message, conversation, work.result())
            await quietly(message.ack())
        except asyncio.CancelledError:
            await quietly(message.nak())
            raise
        finally:
            stop.set()
            work.cancel()

    async def _tell(self, message: Msg, conversation: _Conversation, word: Word) -> None:
        """Report the outcome, until a recorder has heard it or none can still be waiting."""
        self.delivering += 1
        try:
            while not await conversation.say(word) and conversation.is_wanted:
                await quietly(message.in_progress())
                await asyncio.sleep(PAUSE)
            self.done += 1
        finally:
            self.delivering -= 1

    async def _work(
        self, client: Client, campaign: str, word: Word, text: bytes, stop: threading.Event
    ) -> Word:
        """Fetch a proof and check it; errors here are not the proof's fault."""
        begun = time.monotonic()
        try:
            check = read(text, CheckRequest, "a check")
            checked = await self._check(client, campaign, check, stop)
        except Exception as error:
            log.warning("the proof %s: %s", word.proof, error, exc_info=not _is_ours(error))
            self.results["failed"] += 1
            failed = str(error)[:1000] or type(error).__name__
            return msgspec.structs.replace(word, failed=failed)
        finally:
            self.solving += time.monotonic() - begun
        self.results[_outcome(checked)] += 1
        return msgspec.structs.replace(word, checked=checked)

    async def _check(
        self, client: Client, campaign: str, check: CheckRequest, stop: threading.Event
    ) -> Checked:
        limits = check.limits
        most = LARGEST_PROOF if limits.proof_bytes is None else limits.proof_bytes
        with tempfile.TemporaryDirectory(prefix="satlife-check-") as folder:
            path = Path(folder) / "proof"
            await self._fetch(client, campaign, check.proof, path, most)
            order = path, check.proof_hash, limits, stop, check.cells
            return await in_thread(check_file, check.problem, *order)

    async def _fetch(self, client: Client, campaign: str, name: str, path: Path, most: int) -> None:
        js, failures = jetstream(client), 0
        while True:
            try:
                await get_proof(js, campaign, name, path, most, direct=True)
            except FormatError:
                # The server that answered may lag behind the others.
                failures += 1
                if failures >= ATTEMPTS:
                    raise
            except nats.errors.Error as error:
                self._say(f"a proof waits: {str(error) or type(error).__name__}")
            else:
                return
            await asyncio.sleep(PAUSE)

    def _say(self, words: str) -> None:
        """Log an error, but not at every attempt."""
        if self._repeats.is_new(words):
            log.info("%s", words)


class _Conversation:
    """Reports to a recorder about one check."""

    def __init__(self, client: Client, subject: str, pause: float) -> None:
        self.pause = pause
        """Seconds between reports."""
        self._client = client
        self._subject = subject
        self._awaited = time.monotonic()
        """When a recorder was last known to wait for the check."""

    @property
    def is_wanted(self) -> bool:
        """Whether a recorder waits, or may be back soon."""
        return time.monotonic() - self._awaited < UNWANTED

    async def say(self, word: Word) -> bool:
        """Send a report about a check; return whether a recorder waits for it."""
        try:
            heard = await self._client.request(self._subject, write(word), timeout=self.pause)
            is_awaited = read(heard.data, CheckReply, "a recorder's reply").is_awaited
        except (nats.errors.Error, OSError, FormatError):
            return False
        if is_awaited:
            self._awaited = time.monotonic()
        return is_awaited


def _is_ours(error: Exception) -> bool:
    return isinstance(error, SatlifeError | OSError)


def _outcome(checked: Checked) -> str:
    if not checked.is_decided:
        return "undecided"
    return "valid" if checked.is_valid else "invalid"
