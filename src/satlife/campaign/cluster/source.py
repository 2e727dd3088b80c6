"""Where a worker's tasks come from and its results go to: the queue, or a dispatcher before it.

:mod:`~satlife.campaign.cluster.direct` is for machines that the operator trusts,
:mod:`~satlife.campaign.cluster.volunteer` for everybody else.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from satlife.campaign.cluster.queue import Control
from satlife.campaign.cluster.queue.proofs import LARGEST_PROOF
from satlife.campaign.messages import LARGEST_MESSAGE, AnyResult, FailedResult, Task, encode

if TYPE_CHECKING:
    from nats.aio.client import Client

DEFAULT_LEASE = 30.0
"""Seconds for which a task is kept without a word, if nobody says otherwise."""

Withdraw = Callable[[str, Control], Awaitable[None]]
"""Called with a campaign and what is no longer needed of it."""

Upload = Callable[[Path], Awaitable[AnyResult]]
"""Stores a proof, and returns the result that names it."""


class BusyError(Exception):
    """Not now; try again later."""


class TooLateError(Exception):
    """Nobody wants this answer any more."""


@dataclass(eq=False)
class Held:
    """A task that this worker holds."""

    campaign: str
    task: Task
    lease: float
    """Seconds without a word after which it is lost."""
    handle: Any
    """What the source knows it by."""
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    """The same at every attempt to answer, so the broker keeps one; nobody can guess it."""
    stored: AnyResult | None = None
    """The result with its proof, once that is stored."""
    is_uploaded: bool = False
    """Whether its proof is stored."""

    @property
    def token(self) -> str:
        """The task and its round."""
        return f"{self.campaign}.{self.task.name}.{self.task.round}"


class Source(Protocol):
    """Tasks and results; errors of the network are those of nats-py."""

    async def open(self, client: Client, withdraw: Withdraw) -> None:
        """Begin with a connection."""

    async def fetch(self, most: int, timeout: float) -> list[Held]:
        """Return the tasks that are there; if there are none, wait."""

    async def keep(self, held: Sequence[Held]) -> list[Held]:
        """Renew our hold on work in progress; return what is no longer ours."""

    async def answer(self, held: Held, result: AnyResult, proof: Path | None) -> None:
        """Send a result, once; raise an error if it must be sent again."""

    async def drop(self, held: Held) -> None:
        """Forget a task that nobody needs any more."""

    async def give_back(self, held: Sequence[Held]) -> None:
        """Return tasks for others."""


def encode_bounded(result: AnyResult) -> bytes:
    """Return a result as JSON, or, if it is too large, that it failed."""
    text = encode(result)
    if len(text) <= LARGEST_MESSAGE:
        return text
    words = f"the result has {len(text):,} bytes; the limit is {LARGEST_MESSAGE:,}"
    return encode(
        FailedResult(task=result.task, worker=result.worker, round=result.round, log=words)
    )


async def make_answer(held: Held, result: AnyResult, proof: Path | None, upload: Upload) -> bytes:
    """Return the text that answers a task; before that, upload the proof if there is one.

    However often it is called for a task, the proof is uploaded once.  One that is too large to
    send is left out, and the answer says so.
    """
    if held.stored is None:
        size = 0 if proof is None else proof.stat().st_size
        if proof is None:
            held.stored = result
        elif size > LARGEST_PROOF:
            reason = (
                f"{getattr(result, 'reason', '')}; the proof has {size:,} bytes, too large to send"
            )
            held.stored = msgspec.structs.replace(result, reason=reason, proof_hash=None)
        else:
            held.stored = await upload(proof)
            held.is_uploaded = True
    return encode_bounded(held.stored)
