"""The recorder's side of checks: ask the checkers, as long as there are any.

A check that is not taken, because there is no checker, because the last one has died, or because
all are busy for too long, is taken back; the recorder then does it itself.  If a checker dies, the
broker passes its check to another.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec
import nats.errors
from nats.aio.msg import Msg

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import LARGEST_MESSAGE
from satlife.cluster.protocol import CheckReply, CheckRequest, Word, read, write
from satlife.cluster.queue.board import TaskBoard
from satlife.cluster.queue.streams import CHECKERS, CHECKS, check_subject, checked_subject
from satlife.errors import FormatError

log = logging.getLogger(__name__)

LOOK = 1.0
"""Seconds between counts of the checkers."""
GAP = 0.5
"""Seconds until a second count: an idle checker may be between two pulls at the first."""
SILENCE = 15.0
"""Seconds of silence after which a checker counts as gone; they report three times as often."""
PATIENCE = 600.0
"""Seconds after which a check that still waits for a checker is taken back."""


@dataclass(eq=False)
class _Asked:
    """A check that was requested."""

    since: float
    answer: asyncio.Future[Word]
    heard: float = -math.inf
    """When a checker last reported that it has the check."""


@dataclass
class Crew:
    """The checkers, as one recorder knows them."""

    board: TaskBoard
    _asked: dict[str, _Asked] = field(default_factory=dict)
    _heard: float = -math.inf
    """When any checker last reported."""
    _looked: float = -math.inf
    _idle: int = 0
    """Number of idle checkers at the last count."""

    async def open(self) -> None:
        """Subscribe to the checkers' reports."""
        await self.board.client.subscribe(checked_subject(self.board.campaign), cb=self._hear)

    async def check(self, check: CheckRequest) -> Checked | None:
        """Have a proof checked; None if no checker can do it."""
        if check.proof in self._asked or not await self._is_manned() or not await self._ask(check):
            return None
        loop = asyncio.get_running_loop()
        asked = self._asked[check.proof] = _Asked(time.monotonic(), loop.create_future())
        try:
            while not asked.answer.done() and not await self._is_hopeless(asked):
                await asyncio.wait([asked.answer], timeout=LOOK)
            if not asked.answer.done():
                log.warning("no checker takes the proof %s; it is checked here", check.proof)
                await self._take_back(check)
                return None
        finally:
            del self._asked[check.proof]
        word = asked.answer.result()
        if word.checked is None:
            words = f"{word.worker} could not check the proof {check.proof}: {word.failed[:200]}"
            log.warning("%s; it is checked here", words)
            return None
        by = f"{word.checked.checker} on {word.worker}"
        return msgspec.structs.replace(word.checked, checker=by)

    async def _is_hopeless(self, asked: _Asked) -> bool:
        """Whether no checker has a check or will take it soon."""
        now = time.monotonic()
        if now - max(asked.since, asked.heard) < SILENCE:
            return False
        return now - asked.since > PATIENCE or not await self._is_manned()

    async def _is_manned(self) -> bool:
        """Whether a checker is idle, or has reported lately."""
        now = time.monotonic()
        if now - self._heard < SILENCE:
            return True
        if now - self._looked > LOOK:
            if not (idle := await self._count()):
                await asyncio.sleep(GAP)
                idle = await self._count()
            self._idle, self._looked = idle, time.monotonic()
        return self._idle > 0

    async def _count(self) -> int:
        with suppress(nats.errors.Error, OSError):
            return (await self.board.js.consumer_info(CHECKS, CHECKERS)).num_waiting or 0
        return 0

    async def _ask(self, check: CheckRequest) -> bool:
        text = write(check)
        if len(text) > LARGEST_MESSAGE:
            return False
        try:
            await self.board.order(check_subject(self.board.campaign, check.proof), text)
        except (nats.errors.Error, OSError) as error:
            log.warning("the proof %s is checked here: %s", check.proof, error)
            return False
        return True

    async def _take_back(self, check: CheckRequest) -> None:
        with suppress(nats.errors.Error, OSError):
            await self.board.delete(CHECKS, check_subject(self.board.campaign, check.proof))

    async def _hear(self, message: Msg) -> None:
        try:
            word = read(message.data, Word, "the word of a checker")
        except FormatError as error:
            log.warning("%s", error)
            return
        now = self._heard = time.monotonic()
        asked = self._asked.get(word.proof)
        if asked is not None:
            asked.heard = now
            if (word.checked or word.failed) and not asked.answer.done():
                asked.answer.set_result(word)
        if message.reply:
            await self.board.say(
                lambda: message.respond(write(CheckReply(is_awaited=asked is not None)))
            )
