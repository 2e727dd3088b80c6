"""The streams of a broker, all on disk, all bounded: tasks and checks; results and proofs.

All but proofs are work queues: what is acknowledged is removed.  A subject of tasks or checks holds
one message, and a second is refused while the first is there, so publishing twice is harmless.  No
stream allows roll-up, or a worker could empty it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from satlife.campaign.cluster.queue.broker import nats_module
from satlife.campaign.cluster.queue.names import (
    CHECKERS,
    CHECKS,
    TASKS,
    WORKERS,
    proof_bucket,
    proof_stream,
    recorder_consumer,
    results_stream,
)
from satlife.campaign.messages import LARGEST_MESSAGE
from satlife.errors import UsageError

if TYPE_CHECKING:
    from nats.js import JetStreamContext

GIGABYTE = 1_000_000_000

MAX_PER_SUBJECT = 10077
"""JetStream's error code: the subject already holds its one message."""
NO_CLUSTER = 10074
"""JetStream's error code: one server keeps one copy."""
OVERLAP = 10065
"""JetStream's error code: another stream has these subjects."""
SHARED = ("satlife-results", "OBJ_satlife-proofs")
"""What all campaigns shared in earlier versions."""


@dataclass(frozen=True, kw_only=True)
class Stores:
    """How large and how safe."""

    replicas: int = 1
    """3 in a cluster, so that any one of its servers may die."""
    lease: float = 30.0
    """Seconds after which a task goes to another worker if its worker is silent."""
    task_bytes: int = GIGABYTE
    result_bytes: int = GIGABYTE
    proof_bytes: int = 4 * GIGABYTE


async def prepare(js: JetStreamContext, campaign: str, stores: Stores) -> None:
    """Create the streams and consumers, or update those that exist."""
    nats_module()
    from nats.js import api  # noqa: PLC0415  # an extra
    from nats.js.errors import APIError, BadRequestError  # noqa: PLC0415

    queue: dict[str, Any] = {
        "retention": api.RetentionPolicy.WORK_QUEUE,
        "storage": api.StorageType.FILE,
        "num_replicas": stores.replicas,
        "discard": api.DiscardPolicy.NEW,
        # Headers count too.
        "max_msg_size": LARGEST_MESSAGE + 1000,
        "duplicate_window": 120.0,
    }
    orders = queue | {"max_msgs_per_subject": 1, "discard_new_per_subject": True}
    streams = (
        api.StreamConfig(
            name=TASKS, subjects=["satlife.task.>"], max_bytes=stores.task_bytes, **orders
        ),
        api.StreamConfig(
            name=CHECKS, subjects=["satlife.check.>"], max_bytes=stores.task_bytes // 10, **orders
        ),
        api.StreamConfig(
            name=results_stream(campaign),
            subjects=[f"satlife.result.{campaign}.>"],
            max_bytes=stores.result_bytes,
            # If the campaign is never continued.
            max_age=90 * 86_400.0,
            **queue,
        ),
        api.StreamConfig(
            name=proof_stream(campaign),
            subjects=[f"$O.{proof_bucket(campaign)}.{part}.>" for part in "CM"],
            max_bytes=stores.proof_bytes,
            max_age=30 * 86_400.0,
            # For checkers, who are in another account.
            allow_direct=True,
            **queue | {"retention": api.RetentionPolicy.LIMITS},
        ),
    )
    # Every idle worker keeps a request open; the server's default is 512.
    many: dict[str, Any] = {"max_ack_pending": -1, "max_waiting": 20_000}
    consumers = (
        (TASKS, api.ConsumerConfig(durable_name=WORKERS, ack_wait=stores.lease, **many)),
        (CHECKS, api.ConsumerConfig(durable_name=CHECKERS, ack_wait=stores.lease, **many)),
        (
            results_stream(campaign),
            api.ConsumerConfig(
                durable_name=recorder_consumer(campaign),
                filter_subject=f"satlife.result.{campaign}.>",
                ack_wait=60.0,
                max_ack_pending=10_000,
            ),
        ),
    )
    try:
        for stream in streams:
            try:
                await js.add_stream(stream)
            except BadRequestError as error:
                if error.err_code == OVERLAP:
                    await _remove_shared(js)
                    await js.add_stream(stream)
                else:  # it exists, with other settings
                    await js.update_stream(stream)
        for name, consumer in consumers:
            consumer.ack_policy = api.AckPolicy.EXPLICIT
            consumer.max_deliver = -1
            await js.add_consumer(name, consumer)
    except (APIError, BadRequestError) as error:
        if error.err_code == NO_CLUSTER:
            words = f"--replicas {stores.replicas} needs a cluster of {_word(stores.replicas)}"
            raise UsageError(f"{words} servers; this broker is a single server") from None
        if error.code is not None and error.code < 500:
            raise UsageError(f"the broker refuses our streams: {error.description}") from None
        raise


async def remove(js: JetStreamContext, campaign: str) -> bool:
    """Remove what belongs to a campaign that is over; return False if results are waiting."""
    from nats.js.errors import NotFoundError  # noqa: PLC0415  # an extra

    with suppress(NotFoundError):
        if (await js.stream_info(results_stream(campaign))).state.messages:
            return False
    for stream in (results_stream(campaign), proof_stream(campaign)):
        with suppress(NotFoundError):
            await js.delete_stream(stream)
    return True


async def _remove_shared(js: JetStreamContext) -> None:
    """Remove the streams of an earlier version, unless something is in them."""
    from nats.js.errors import NotFoundError  # noqa: PLC0415  # an extra

    for stream in SHARED:
        with suppress(NotFoundError):
            if (await js.stream_info(stream)).state.messages:
                raise UsageError(
                    f"the broker's stream {stream} is of an earlier satlife and is not empty; let "
                    f"that version record what is there, or remove it: nats stream rm {stream}"
                )
            await js.delete_stream(stream)


def _word(number: int) -> str:
    return {2: "two", 3: "three", 4: "four", 5: "five"}.get(number, str(number))
