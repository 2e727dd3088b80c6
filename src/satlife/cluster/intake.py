"""Take results from the broker: read, examine, record and acknowledge them.

A message that is not a result, or not for an open task, is refused and removed.  Nothing that a
worker sends stops the intake.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

from nats.aio.msg import Msg

from satlife.campaign.core.conductor import Start
from satlife.campaign.core.events import CertifiedEvent, Event
from satlife.campaign.core.trust import Checked, check_belongs, examine
from satlife.campaign.core.votes import name_user
from satlife.campaign.ledger import Ledger
from satlife.campaign.messages import AnyResult, Budget, ImpossibleResult, Task, decode_result
from satlife.campaign.proofs import LIMITS, KeptProofs, check_file
from satlife.cluster.checks.crew import Crew
from satlife.cluster.operating.seen import Seen
from satlife.cluster.patient_ledger import PatientLedger, in_thread
from satlife.cluster.protocol import CheckRequest
from satlife.cluster.queue import get_proof, remove_proof
from satlife.cluster.queue.board import TaskBoard
from satlife.cluster.queue.proofs import LARGEST_PROOF, check_name
from satlife.cluster.queue.streams import read_result_subject
from satlife.errors import FormatError, UsageError

log = logging.getLogger(__name__)

BATCH = 500
"""Maximum number of results in one transaction."""
CHECKS = 2
"""Number of proofs checked at the same time."""
ATTEMPTS = 3
"""Attempts to check a proof."""
KEEP = 15.0
"""Seconds between messages to the broker that a proof is still being checked."""

Examined = Event | UsageError


class Intake:
    """Takes results until it is cancelled."""

    def __init__(
        self,
        board: TaskBoard,
        ledger: PatientLedger,
        find: Callable[[str], Start | None],
        record: Callable[[Sequence[Event]], Awaitable[None]],
        limits: Budget = LIMITS,
        seen: Seen | None = None,
        kept: KeptProofs | None = None,
    ) -> None:
        self._kept = kept
        """Store for valid proofs."""
        self._board = board
        self._ledger = ledger
        self._find = find
        self._record = record
        self.limits = limits
        """Limits of a proof check."""
        self._crew = Crew(board)
        self._seen = seen or Seen()
        self._turns = asyncio.Semaphore(CHECKS)
        self.revoked: frozenset[str] = frozenset()
        """Users whose results are refused."""
        self.refused = 0
        """Number of messages that were not results, or not for this campaign."""
        self.checking: dict[asyncio.Task[None], tuple[int, str]] = {}
        """Proof checks in progress: the number of the result, and its task."""
        self.at_work = False
        """Whether results have been taken but not recorded yet."""

    async def open(self) -> None:
        """Subscribe to messages from the checkers of proofs."""
        await self._crew.open()

    async def run(self) -> None:
        """Take results, batch by batch."""
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
        """Stop checking proofs; their results will be delivered again."""
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
                await self._refuse(message, "unknown task")
            elif isinstance(result, ImpossibleResult) and result.proof:
                check = asyncio.create_task(self._check(message, task, result, result.proof))
                self.checking[check] = (message.metadata.sequence.stream, task.name)
                check.add_done_callback(self.checking.pop)
            else:
                plain.append((message, task, result))
        pairs = [(task, result) for _, task, result in plain]
        examined = await in_thread(_examine_all, pairs)
        events: list[Event] = []
        recorded: list[Msg] = []
        for (message, _, result), event in zip(plain, examined, strict=True):
            self._board.verdicts.examine(result, event)
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
                raise FormatError("its worker is not its sender")
            if name_user(worker) in self.revoked:
                raise FormatError(f"the user {name_user(worker)} was revoked")
        except ValueError as error:
            await self._refuse(message, str(error))
            return None
        return result

    async def _refuse(self, message: Msg, words: str) -> None:
        self.refused += 1
        worker = message.subject.split(".", 3)[-1]
        self._seen.refuse(worker, words)
        self._board.verdicts.refuse(worker)
        user = {"user": name_user(worker), "subject": message.subject[:120]}
        log.warning("refused, on %s: %s", message.subject[:120], words[:200], extra=user)
        await self._board.say(message.term)

    async def _look_up(self, names: set[str]) -> dict[str, Task]:
        """Return the tasks of results; a task that is not out may be in the ledger."""
        known = {name: start.task for name in names if (start := self._find(name))}
        others = names - known.keys()

        def read(ledger: Ledger) -> dict[str, Task]:
            return {row.name: row.task for row in ledger.find(others)}

        return known | (await self._ledger.ask(read) if others else {})

    async def _check(self, message: Msg, task: Task, result: ImpossibleResult, name: str) -> None:
        """Check a proof when its turn comes, while other results come in."""
        keeping = asyncio.create_task(self._keep(message))
        try:
            event = await self._seen.checking(self._examine(task, result, name))
            if self._kept is not None and isinstance(event, CertifiedEvent):
                await self._keep_proof(self._kept, event, name)
            self._board.verdicts.examine(result, event)
            await self._record([event])
            await self._board.say(message.ack)
            with suppress(UsageError):
                await self._board.patiently(
                    remove_proof, self._board.js, self._board.campaign, name
                )
        except UsageError as error:
            await self._refuse(message, str(error))
        except Exception:
            log.exception("the proof of %s could not be checked", task.name[:12])
            # Not acknowledged, so it is delivered again, but not forever.
            if (message.metadata.num_delivered or 1) >= ATTEMPTS:
                await self._refuse(message, "its proof could not be checked")
        finally:
            keeping.cancel()

    async def _examine(self, task: Task, result: ImpossibleResult, name: str) -> Event:
        """Have a proof checked, by a checker if there is one, otherwise here."""
        check_belongs(task, result)
        try:
            check = CheckRequest(
                problem=task.asked,
                cells=task.cells,
                proof=check_name(name),
                proof_hash=result.proof_hash,
                limits=self.limits,
            )
        except UsageError as error:
            log.warning("no proof of %s: %s", task.name[:12], error)
            return examine(task, result)
        checked = await self._crew.check(check)
        if checked is None:
            async with self._turns:
                checked = await self._check_here(check)
        if checked is not None and not checked.is_decided:
            self._board.verdicts.charge(result.worker, checked)
        return examine(task, result, checked)

    async def _check_here(self, check: CheckRequest) -> Checked | None:
        """Check a proof; None if it is missing or damaged."""
        stop = threading.Event()
        with tempfile.TemporaryDirectory(prefix="satlife-proof-") as folder:
            path, most = Path(folder) / "proof", self.limits.proof_bytes or LARGEST_PROOF
            store = self._board.js, self._board.campaign
            try:
                await self._board.patiently(get_proof, *store, check.proof, path, most)
            except UsageError as error:
                log.warning("there is no proof %s: %s", check.proof, error)
                return None
            try:
                order = path, check.proof_hash, self.limits, stop, check.cells
                return await in_thread(check_file, check.problem, *order)
            finally:
                stop.set()

    async def _keep_proof(self, kept: KeptProofs, event: CertifiedEvent, name: str) -> None:
        """Keep a proof that was checked here or elsewhere; raise an error if it has changed."""
        with tempfile.TemporaryDirectory(prefix="satlife-proof-") as folder:
            path, most = Path(folder) / "proof", self.limits.proof_bytes or LARGEST_PROOF
            store = self._board.js, self._board.campaign
            found = await self._board.patiently(get_proof, *store, name, path, most)
            if found != event.proof_hash:
                raise UsageError(f"the proof {name} has changed since it was checked")
            await in_thread(kept.keep, event.name, path)

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
