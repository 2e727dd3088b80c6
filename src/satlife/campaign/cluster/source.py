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


def is_sendable(proof: Path) -> bool:
    """Whether a proof is small enough to be sent."""
    return proof.stat().st_size <= LARGEST_PROOF


def without_proof(result: AnyResult, why: str) -> AnyResult:
    """Return an impossibility whose proof cannot be sent, with the reason."""
    reason = f"{getattr(result, 'reason', '')}; {why}"
    return msgspec.structs.replace(result, reason=reason, proof_hash=None)
