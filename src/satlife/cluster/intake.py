"""Take results from the broker: read, examine, record and acknowledge them.

A message that is not a result, or not for an open task, is refused and removed.  Nothing that a
worker sends stops the intake.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import nats.errors
from msgspec.structs import replace
from nats.aio.msg import Msg

from satlife.campaign.core.conductor import Start
from satlife.campaign.core.events import CertifiedEvent, Event
from satlife.campaign.core.trust import check_belongs, examine
from satlife.campaign.core.votes import name_user
from satlife.campaign.ledger import Ledger
from satlife.campaign.messages import (
    LARGEST_MESSAGE,
    LONGEST_WORDS,
    AnyResult,
    Budget,
    ImpossibleResult,
    Task,
    decode_result,
)
from satlife.campaign.proofs import LIMITS, KeptProofs
from satlife.cluster import protocol
from satlife.cluster.operating.seen import Seen
from satlife.cluster.patient_ledger import PatientLedger, in_thread
from satlife.cluster.protocol import CheckRequest, Outcome
from satlife.cluster.queue import get_proof, remove_proof
from satlife.cluster.queue.board import TaskBoard
from satlife.cluster.queue.broker import Repeats
from satlife.cluster.queue.proofs import LARGEST_PROOF, check_name
from satlife.cluster.queue.streams import check_subject, checked_subject, read_result_subject
from satlife.errors import FormatError, UsageError

log = logging.getLogger(__name__)

BATCH = 500
"""Maximum number of results in one transaction."""
WAIT, LONGEST_WAIT = 2.0, 60.0
"""Seconds until a result comes again whose check could not be stored, or whose proof could not be
kept; they double each time."""

OVERDUE = 5.0
"""Seconds without a result after which those that wait with the broker are called for."""

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
        self._seen = seen or Seen()
        self.revoked: frozenset[str] = frozenset()
        """Users whose results are refused."""
        self.refused = 0
        """Number of messages that were not results, or not for this campaign."""
        self.checking: dict[str, float] = {}
        """When the check of each proof was asked for, as far as this recorder has asked."""
        self.at_work = False
        """Whether results have been taken but not recorded yet."""
        self._repeats = Repeats()
        self._quiet = 0.0
        """The time until which no result is expected: some were put off until then."""

    async def run(self) -> None:
        """Take results, batch by batch."""
        while True:
            messages = await self._board.patiently(self._board.results, BATCH, 1.0)
            self.at_work = bool(messages)
            await self._take(messages)
            self.at_work = False
            now = time.monotonic()
            if messages:
                self._quiet = max(self._quiet, now)
            elif now > self._quiet + OVERDUE:
                await self._board.patiently(self._board.recall)
                self._quiet = now

    async def _take(self, messages: Sequence[Msg]) -> None:
        read = [(message, said) for message in messages if (said := await self._read(message))]
        tasks = await self._look_up({_result(said).task for _, said in read})
        plain: list[tuple[Msg, Task, AnyResult | Outcome]] = []
        ordered: list[Awaitable[None]] = []
        for message, said in read:
            task = tasks.get(_result(said).task)
            if task is None:
                await self._refuse(message, "unknown task")
            elif isinstance(said, ImpossibleResult) and said.proof:
                ordered.append(self._order(message, task, said, said.proof))
            else:
                plain.append((message, task, said))
        await asyncio.gather(*ordered)
        pairs = [(task, said) for _, task, said in plain]
        examined = await in_thread(_examine_all, pairs)
        events: list[Event] = []
        recorded: list[tuple[Msg, AnyResult | Outcome]] = []
        for (message, _, said), event in zip(plain, examined, strict=True):
            try:
                meant = await self._hear(said, event) if isinstance(said, Outcome) else event
            except (nats.errors.Error, OSError) as error:
                await self._put_off(message, f"the proof {_result(said).task[:12]} is kept", error)
                continue
            self._board.verdicts.examine(_result(said), meant)
            if isinstance(meant, UsageError):
                await self._refuse(message, str(meant))
            else:
                events.append(meant)
                recorded.append((message, said))
        await self._record(events)
        for message, said in recorded:
            await self._board.say(message.ack)
            if isinstance(said, Outcome) and said.checked is not None and said.result.proof:
                store = self._board.js, self._board.campaign
                with suppress(UsageError):
                    await self._board.patiently(remove_proof, *store, said.result.proof)

    async def _read(self, message: Msg) -> AnyResult | Outcome | None:
        try:
            said: AnyResult | Outcome
            if message.subject == checked_subject(self._board.campaign):
                said = protocol.read(message.data, Outcome, "an outcome")
                worker = said.result.worker
            else:
                said = decode_result(message.data)
                _, worker = read_result_subject(message.subject)
                if said.worker != worker:
                    raise FormatError("its worker is not its sender")
            if name_user(worker) in self.revoked:
                raise FormatError(f"the user {name_user(worker)} was revoked")
        except ValueError as error:
            await self._refuse(message, str(error))
            return None
        return said

    async def _refuse(self, message: Msg, words: str) -> None:
        self.refused += 1
        worker = message.subject.split(".", 3)[-1]
        self._seen.refuse(worker, words)
        self._board.verdicts.refuse(worker)
        user = {"user": name_user(worker), "subject": message.subject[:120]}
        log.warning("refused, on %s: %s", message.subject[:120], words[:200], extra=user)
        await self._board.say(message.term)

    async def _put_off(self, message: Msg, what: str, error: Exception) -> None:
        """Have a message delivered again later."""
        words = f"{what} later: {str(error) or type(error).__name__}"
        if self._repeats.is_new(words):
            log.warning("%s", words)
        again = min(WAIT * 2.0 ** ((message.metadata.num_delivered or 1) - 1), LONGEST_WAIT)
        self._quiet = max(self._quiet, time.monotonic() + again)
        await self._board.say(partial(message.nak, delay=again))

    async def _look_up(self, names: set[str]) -> dict[str, Task]:
        """Return the tasks of results; a task that is not out may be in the ledger."""
        known = {name: start.task for name in names if (start := self._find(name))}
        others = names - known.keys()

        def read(ledger: Ledger) -> dict[str, Task]:
            return {row.name: row.task for row in ledger.find(others)}

        return known | (await self._ledger.ask(read) if others else {})

    async def _order(self, message: Msg, task: Task, result: ImpossibleResult, proof: str) -> None:
        """Have a proof checked: once the check is stored, it stands for the result."""
        try:
            check_belongs(task, result)
        except UsageError as error:
            await self._refuse(message, str(error))
            return
        try:
            text = protocol.write(
                CheckRequest(
                    problem=task.asked,
                    cells=task.cells,
                    proof=check_name(proof),
                    limits=self.limits,
                    result=replace(result, reason=result.reason[:LONGEST_WORDS]),
                )
            )
            if len(text) > LARGEST_MESSAGE:
                raise UsageError("the task is too large for a check")
        except UsageError as error:
            log.warning("no proof of %s: %s", task.name[:12], error)
            await self._record([examine(task, result)])
        else:
            subject = check_subject(self._board.campaign, task.name, proof)
            try:
                # The same id each time, so that a result that comes again is checked once.
                await self._board.order(subject, text, {"Nats-Msg-Id": proof})
            except (nats.errors.Error, OSError) as error:
                await self._put_off(message, f"the proof of {task.name[:12]} is checked", error)
                return
            self.checking[proof] = time.monotonic()
        await self._board.say(message.ack)

    async def _hear(self, said: Outcome, event: Examined) -> Examined:
        """Note an outcome, and keep its proof."""
        proof = said.result.proof or ""
        if said.failed:
            log.warning("%s: no check of the proof %s: %s", said.worker, proof, said.failed[:200])
        if said.checked is not None and not said.checked.is_decided:
            self._board.verdicts.charge(said.result.worker, said.checked)
        try:
            if self._kept is not None and isinstance(event, CertifiedEvent):
                await self._keep_proof(self._kept, event, proof)
        except UsageError as error:
            event = error
        seconds = time.monotonic() - self.checking.pop(proof, time.monotonic())
        self._seen.check(None if isinstance(event, UsageError) else event, seconds)
        return event

    async def _keep_proof(self, kept: KeptProofs, event: CertifiedEvent, name: str) -> None:
        """Keep a proof that was checked here or elsewhere; raise an error if it has changed."""
        with tempfile.TemporaryDirectory(prefix="satlife-proof-") as folder:
            path, most = Path(folder) / "proof", self.limits.proof_bytes or LARGEST_PROOF
            store = self._board.js, self._board.campaign
            found = await get_proof(*store, name, path, most)
            if found != event.proof_hash:
                raise UsageError(f"the proof {name} has changed since it was checked")
            await in_thread(kept.keep, event.name, path)


def _result(said: AnyResult | Outcome) -> AnyResult:
    return said.result if isinstance(said, Outcome) else said


def _examine_all(pairs: Sequence[tuple[Task, AnyResult | Outcome]]) -> list[Examined]:
    examined: list[Examined] = []
    for task, said in pairs:
        checked = said.checked if isinstance(said, Outcome) else None
        if isinstance(said, Outcome) and checked is not None and said.worker:
            checked = replace(checked, checker=f"{checked.checker} on {said.worker}")
        try:
            examined.append(examine(task, _result(said), checked))
        except UsageError as error:
            examined.append(error)
    return examined
