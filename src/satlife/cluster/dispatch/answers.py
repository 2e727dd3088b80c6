"""The answers of volunteers to their leases: results, and proofs before them.

A result goes to the recorder under the volunteer's name, a proof into the campaign's store under a
name that the dispatcher makes.  Nothing is accepted without a live lease, or beyond the quota.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable

import msgspec
from nats.js import JetStreamContext
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError

from satlife.campaign.core.events import FailedEvent
from satlife.campaign.core.trust import examine
from satlife.campaign.messages import (
    AnyResult,
    FailedResult,
    ImpossibleResult,
    SplitResult,
    Task,
    UndecidedResult,
    decode_result,
    decode_task,
    encode,
)
from satlife.cluster.dispatch.desk import Desk, Lease, RefusalError, sort_of
from satlife.cluster.patient_ledger import in_thread
from satlife.cluster.protocol import LeaseAnswer
from satlife.cluster.queue.proofs import (
    LARGEST_PROOF,
    PART,
    Upload,
    list_proofs,
    name_upload,
    remove_proof,
)
from satlife.cluster.queue.streams import TASKS, read_reply, result_subject
from satlife.errors import FormatError

log = logging.getLogger(__name__)

SHORT = 200
"""Characters kept of an explanation while the answer waits for other users."""
REGION_COST = 20_000
"""Bytes of a user's quota for each region of a map, whose pattern is simulated twice."""
FULL = 30.0
"""Seconds to wait after a store was full."""


class LostProofError(RefusalError):
    """The proof of a lease is missing: another dispatcher may have had it, and was restarted."""


class Answers:
    """Takes results and proofs of leases."""

    def __init__(self, js: JetStreamContext, desk: Desk) -> None:
        self._js = js
        self._desk = desk
        self._uploads: dict[str, Upload] = {}
        """The upload in progress of each lease."""
        self._stored: dict[str, dict[str, str]] = {}
        """The unchecked proofs of each user, with their campaigns."""
        self._full: dict[str, float] = {}
        """Campaigns with a full store, and until when they get nothing."""

    def is_full(self, campaign: str) -> bool:
        """Whether a campaign's store was full just now."""
        return self._full.get(campaign, 0.0) > time.monotonic()

    async def upload(self, user: str, name: str, number: int, part: bytes) -> None:
        """Store a part of a proof."""
        lease = self._desk.find(user, name)
        if not part or len(part) > PART:
            raise FormatError(f"a part of a proof has 1 to {PART:,} bytes, not {len(part):,}")
        if number == 0:
            await self._begin(lease)
        upload = self._find_upload(lease)
        if number not in (upload.parts - 1, upload.parts):
            raise RefusalError("the parts of a proof come in their order, from 0")
        if number < upload.parts:
            return  # sent again, because our reply was lost
        if upload.size + len(part) > LARGEST_PROOF:
            raise RefusalError(f"a proof has at most {LARGEST_PROOF:,} bytes")
        self._spend(user, len(part))
        await self._put(lease, "proofs", upload.add(part))

    def _find_upload(self, lease: Lease) -> Upload:
        upload = self._uploads.get(lease.id)
        if upload is None:
            raise LostProofError("the proof is not here; send it again, from part 0", wait=1.0)
        return upload

    async def _begin(self, lease: Lease) -> None:
        await self.forget(lease)
        stored = self._stored.setdefault(lease.user, {})
        campaign = lease.offer.campaign
        waiting = list(stored.values()).count(campaign)
        if waiting >= self._desk.quota.waiting(self._desk.user(lease.user).standing):
            raise RefusalError(f"{waiting} of your proofs wait to be checked", wait=FULL)
        upload = Upload(self._js, campaign, name_upload(lease.user, lease.offer.name))
        self._uploads[lease.id] = upload
        stored[upload.name] = campaign

    async def answer(self, user: str, said: LeaseAnswer) -> tuple[Lease, AnyResult, bool]:
        """Take a result; return its lease, the stored form, and whether it was passed on."""
        lease = self._desk.find(user, said.lease)
        result = decode_result(bytes(said.result))
        offer = lease.offer
        theirs = (result.task, result.round, result.worker)
        if theirs != (offer.name, offer.round, lease.worker):
            raise FormatError("the result is not one for this lease")
        regions = len(result.cases) if isinstance(result, SplitResult) else 0
        self._spend(user, len(bytes(said.result)) + REGION_COST * regions)
        if isinstance(result, ImpossibleResult):
            terms = offer.terms if offer.text else await self._read_task(lease)
            if not terms.prove:
                await self.forget(lease)  # unchecked, it would count alone
            result = await self._attach(lease, result, uploaded=said.uploaded and terms.prove)
        kept = result if sort_of(result) == "proved" else _cut(result)
        if isinstance(result, SplitResult) or self._desk.has_split(offer):
            # In threads: examining and comparing large maps takes a while.
            task = await self._read_task(lease)
            if isinstance(result, SplitResult):
                event = await in_thread(examine, task, result)
                if isinstance(event, FailedEvent):
                    raise FormatError(event.log)
            passed = await in_thread(self._desk.weigh, lease, kept, task)
        else:
            passed = self._desk.weigh(lease, kept)
        for name, one in passed:
            await self._pass_on(lease, name, result if one is kept else one)
        return lease, kept, bool(passed)

    async def _read_task(self, lease: Lease) -> Task:
        """Return the task of a lease; read that of an earlier run from the queue again."""
        text = lease.offer.text
        if not text:
            try:
                message = await self._js.get_msg(TASKS, read_reply(lease.offer.reply).number)
            except NotFoundError:
                raise RefusalError("the answer is not needed any more") from None
            text = message.data or b""
        return decode_task(text)

    async def _attach(
        self, lease: Lease, result: ImpossibleResult, *, uploaded: bool
    ) -> ImpossibleResult:
        """Return the result with the proof that was uploaded for it, and with no other."""
        if not uploaded:
            return msgspec.structs.replace(result, proof=None, proof_hash=None)
        upload = self._find_upload(lease)
        digest = await self._put_end(lease, upload)
        return msgspec.structs.replace(result, proof=upload.name, proof_hash=digest)

    async def _put_end(self, lease: Lease, upload: Upload) -> str:
        digest: list[str] = []

        async def end() -> None:
            digest.append(await upload.end())

        await self._put(lease, "proofs", end())
        return digest[0]

    async def _pass_on(self, lease: Lease, name: str, result: AnyResult) -> None:
        subject = result_subject(lease.offer.campaign, result.worker)
        # The same id at every attempt, so that the broker keeps one.
        publish = self._js.publish(subject, encode(result), headers={"Nats-Msg-Id": name})
        await self._put(lease, "results", publish)

    async def _put(self, lease: Lease, what: str, publish: Awaitable[object]) -> None:
        try:
            await publish
        except NoStreamResponseError:
            raise RefusalError("the campaign is over") from None
        except APIError as error:
            if "maximum bytes" not in str(error.description):
                raise
            lease.waits = True
            self._full[lease.offer.campaign] = time.monotonic() + 2 * FULL
            raise RefusalError(f"the campaign's store of {what} is full", wait=FULL) from None

    def _spend(self, user: str, size: int) -> None:
        if not self._desk.user(user).bytes.spend(size, time.monotonic()):
            most = self._desk.quota.bytes
            raise RefusalError(f"you have sent the {most:,} bytes of this hour", wait=60.0)

    def settle(self, lease: Lease) -> None:
        """Leave the upload of an answered lease to those who check it."""
        self._uploads.pop(lease.id, None)

    async def forget(self, lease: Lease) -> None:
        """Remove an upload of a lease that has no answer."""
        upload = self._uploads.pop(lease.id, None)
        if upload is not None:
            self._stored.get(lease.user, {}).pop(upload.name, None)
            await remove_proof(self._js, upload.campaign, upload.name)

    async def look(self) -> None:
        """Forget the stored proofs that are gone: they have been checked."""
        there: dict[str, set[str]] = {}
        for campaign in {c for stored in self._stored.values() for c in stored.values()}:
            try:
                there[campaign] = set(await list_proofs(self._js, campaign))
            except NotFoundError:
                there[campaign] = set()
        begun = {upload.name for upload in self._uploads.values()}
        for user, stored in self._stored.items():
            self._stored[user] = {
                name: campaign
                for name, campaign in stored.items()
                if name in begun or name in there.get(campaign, (name,))
            }


def _cut(result: AnyResult) -> AnyResult:
    """Return a result with shortened texts, for storage."""
    match result:
        case FailedResult():
            return msgspec.structs.replace(result, log=result.log[:SHORT])
        case ImpossibleResult() | UndecidedResult():
            return msgspec.structs.replace(result, reason=result.reason[:SHORT])
    return result
