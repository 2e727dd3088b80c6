"""Ask the broker how full its streams are, and how far their consumers have come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from satlife.campaign.cluster.queue.names import (
    CHECKERS,
    CHECKS,
    TASKS,
    WORKERS,
    proof_stream,
    recorder_consumer,
    results_stream,
)

if TYPE_CHECKING:
    from nats.js import JetStreamContext


@dataclass(frozen=True)
class Stream:
    """A stream of the broker and its main consumer."""

    messages: int
    size: int
    limit: int
    """Bytes; more are refused.  -1 is no limit."""
    waiting: int = 0
    """Messages that nobody has taken yet."""
    leased: int = 0
    """Messages that somebody has and has not acknowledged."""
    asking: int = 0
    """Open requests for messages: workers with nothing to do."""
    again: int = 0
    """Messages among the leased that were delivered more than once."""


async def survey(js: JetStreamContext, campaign: str) -> dict[str, Stream]:
    """Return the state of the streams ``tasks``, ``checks``, ``results`` and ``proofs``.

    Tasks and checks are those of all campaigns on the broker, which share their workers; the others
    are ours.
    """
    parts = (
        ("tasks", TASKS, WORKERS),
        ("checks", CHECKS, CHECKERS),
        ("results", results_stream(campaign), recorder_consumer(campaign)),
        ("proofs", proof_stream(campaign), None),
    )
    return {word: await _look(js, stream, consumer) for word, stream, consumer in parts}


async def _look(js: JetStreamContext, stream: str, consumer: str | None) -> Stream:
    info = await js.stream_info(stream)
    limit = -1 if info.config.max_bytes is None else info.config.max_bytes
    if consumer is None:
        return Stream(info.state.messages, info.state.bytes, limit)
    state = await js.consumer_info(stream, consumer)
    return Stream(
        info.state.messages,
        info.state.bytes,
        limit,
        waiting=state.num_pending or 0,
        leased=state.num_ack_pending or 0,
        asking=state.num_waiting or 0,
        again=state.num_redelivered or 0,
    )
