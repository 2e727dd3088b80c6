"""Results on their way from the broker into the ledger: read, examined, recorded, acknowledged.

What is no result, or nobody asked for, is refused and gone; whatever a worker sends, this goes on.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from satlife.campaign.book import Book
from satlife.campaign.ledger import Ledger
from satlife.campaign.messages import AnyResult, ImpossibleResult, Task, decode_result
from satlife.campaign.queue import get_proof, remove_proof
from satlife.campaign.queue.board import Board
from satlife.campaign.queue.names import read_result_subject
from satlife.campaign.state import Event
from satlife.campaign.trust import examine
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from nats.aio.msg import Msg

log = logging.getLogger(__name__)

BATCH = 500
"""Results in one transaction, at the most."""
CHECKS = 2
"""Proofs that are checked at a time."""
KEEP = 15.0
"""Seconds after which the broker is told that a proof is still being checked."""

Examined = Event | UsageError


class Intake:
    """Takes results in for ever."""

    def __init__(
        self,
        board: Board,
        book: Book,
        out: Mapping[str, Task],
        record: Callable[[Sequence[Event]], Awaitable[None]],
        proof_bytes: int,
        check_seconds: float | None,
    ) -> None:
        self._board = board
        self._book = book
        self._out = out
        self._record = record
        self._proof_bytes = proof_bytes
        self._check_seconds = check_seconds
        self._turns = asyncio.Semaphore(CHECKS)
        self.refused = 0
        """Messages that were no results, or not ours."""
        self.checking: set[asyncio.Task[None]] = set()
        self.at_work = False
        """Whether results have been taken and are not recorded yet."""

    async def run(self) -> None:
        """Take results in."""
        while True:
            room = BATCH - len(self.checking)
            if room <= 0:
                await asyncio.wait(self.checking, return_when=asyncio.FIRST_COMPLETED)
                continue
            messages = await self._board.patiently(self._board.results, room, 1.0)
            self.at_work = bool(messages)
            await self._take(messages)
            self.at_work = bool(self.checking)

    async def close(self) -> None:
        """Leave the proofs that are being checked; their results come again."""
        for check in tuple(self.checking):
            check.cancel()
        if self.checking:
            await asyncio.wait(self.checking)

    async def _take(self, messages: Sequence[Msg]) -> None:
        read = [(message, result) for message in messages if (result := await self._read(message))]
        tasks = await self._look_up({result.task for _, result in read})
        plain: list[tuple[Msg, Task, AnyResult]] = []
        for message, result in read:
            task = tasks.get(result.task)
            if task is None:
                await self._refuse(message, "nobody has asked for this task")
            elif isinstance(result, ImpossibleResult) and result.proof:
                check = asyncio.create_task(self._check(message, task, result, result.proof))
                self.checking.add(check)
                check.add_done_callback(self.checking.discard)
            else:
                plain.append((message, task, result))
        pairs = [(task, result) for _, task, result in plain]
        examined = await asyncio.to_thread(_examine_all, pairs)
        events: list[Event] = []
        recorded: list[Msg] = []
        for (message, _, _), event in zip(plain, examined, strict=True):
            if isinstance(event, UsageError):
                await self._refuse(message, str(event))
            else:
                events.append(event)
                recorded.append(message)
        await self._record(events)
        for message in recorded:
            await self._board.say(message.ack)

    async def _read(self, message: Msg) -> AnyResult | None:
        try:
            result = decode_result(message.data)
            _, worker = read_result_subject(message.subject)
            if result.worker != worker:
                raise FormatError("it bears another name than its sender's")
        except ValueError as error:
            await self._refuse(message, str(error))
            return None
        return result

    async def _refuse(self, message: Msg, words: str) -> None:
        self.refused += 1
        log.warning("refused, on %s: %s", message.subject[:120], words[:200])
        await self._board.say(message.term)

    async def _look_up(self, names: set[str]) -> dict[str, Task]:
        """The tasks of results; what is not in the queue may still be in the ledger."""
        known = {name: self._out[name] for name in names if name in self._out}
        others = names - known.keys()

        def read(ledger: Ledger) -> dict[str, Task]:
            found = ((name, ledger.task(name)) for name in others)
            return {name: task for name, task in found if task is not None}

        return known | (await self._book.ask(read) if others else {})

    async def _check(self, message: Msg, task: Task, result: ImpossibleResult, name: str) -> None:
        """Check a proof beside everything else, when it is its turn."""
        keeping = asyncio.create_task(self._keep(message))
        try:
            async with self._turns:
                event = await self._examine(task, result, name)
            await self._record([event])
            await self._board.say(message.ack)
            with suppress(UsageError):
                await self._board.patiently(remove_proof, self._board.js, name)
        except UsageError as error:
            await self._refuse(message, str(error))
        except Exception:
            # Not acknowledged, so it comes again.
            log.exception("the proof of %s could not be checked", task.name[:12])
        finally:
            keeping.cancel()

    async def _examine(self, task: Task, result: ImpossibleResult, name: str) -> Event:
        with tempfile.TemporaryDirectory(prefix="satlife-proof-") as folder:
            path: Path | None = Path(folder) / "proof"
            try:
                await self._board.patiently(
                    get_proof, self._board.js, name, Path(folder) / "proof", self._proof_bytes
                )
            except UsageError as error:
                log.warning("no proof of %s: %s", task.name[:12], error)
                path = None
            return await asyncio.to_thread(
                examine, task, result, path, check_seconds=self._check_seconds
            )

    async def _keep(self, message: Msg) -> None:
        while True:
            await asyncio.sleep(KEEP)
            await self._board.say(message.in_progress)


def _examine_all(pairs: Sequence[tuple[Task, AnyResult]]) -> list[Examined]:
    examined: list[Examined] = []
    for task, result in pairs:
        try:
            examined.append(examine(task, result))
        except UsageError as error:
            examined.append(error)
    return examined
