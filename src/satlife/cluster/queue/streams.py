"""The streams of a broker, and their subjects: tasks and checks, results and proofs.

All streams are on disk and bounded.  All but proofs are work queues: an acknowledged message is
removed.  A subject of tasks or checks holds one message, and a second is refused while the first is
there, so publishing twice is harmless.  No stream allows roll-up, or a worker could empty it.

All campaigns on a broker share the streams of tasks and of checks, so that a worker serves all of
them; only recorders can write there.  Results and proofs have streams of their own for each
campaign: a full one does not stop the others, and messages to a campaign that does not exist are
refused.

>>> task_subject("c0ffee", "5fef", 0, 1)
'satlife.task.c0ffee.5fef.0.1'
>>> read_task_subject("satlife.task.c0ffee.5fef.0.1")
('c0ffee', '5fef', 0)
>>> result_subject("c0ffee", "alice.desk")
'satlife.result.c0ffee.alice.desk'
>>> read_result_subject("satlife.result.c0ffee.alice.desk")
('c0ffee', 'alice.desk')
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from nats.js import JetStreamContext, api
from nats.js.errors import APIError, BadRequestError, NotFoundError

from satlife.campaign.messages import LARGEST_MESSAGE
from satlife.errors import UsageError

TASKS = "satlife-tasks"
WORKERS = "workers"
"""The one consumer that all workers share."""

CHECKS = "satlife-checks"
CHECKERS = "checkers"
"""The one consumer that all checkers of proofs share."""

LEAF_SUBJECT = "satlife.next"
"""Subject on which workers behind a leaf node request tasks; it does not forward $JS.API."""

LEASE_HEADER = "Satlife-Lease"
"""Header with the lease of a task, in seconds of silence."""

_WORKER = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", re.ASCII)
_LONGEST_WORKER = 100


def campaign_word(plan_name: str, shard: str = "") -> str:
    """Return the subject token of a plan or a shard of it: the beginning of its hash.

    >>> campaign_word("c0ffee", "2of4")
    'c0ffee-2of4'
    """
    return f"{plan_name[:16]}-{shard}" if shard else plan_name[:16]


def results_stream(campaign: str) -> str:
    """Return the name of the stream of a campaign's results."""
    return f"satlife-results-{campaign}"


def proof_bucket(campaign: str) -> str:
    """Return the name of the object store of a campaign's proofs."""
    return f"satlife-proofs-{campaign}"


def proof_stream(campaign: str) -> str:
    """Return the name of the stream of that store; the format requires the prefix."""
    return f"OBJ_{proof_bucket(campaign)}"


def recorder_consumer(campaign: str) -> str:
    """Return the name of the consumer that delivers a campaign's results to its recorder."""
    return f"recorder-{campaign}"


def task_subject(campaign: str, name: str, turn: int, deaths: int) -> str:
    """Return the subject of a task; each round, and each attempt after a death, has its own."""
    return f"satlife.task.{campaign}.{name}.{turn}.{deaths}"


def read_task_subject(subject: str) -> tuple[str, str, int]:
    """Return the campaign, name and round of a task's subject."""
    _, _, campaign, name, turn, *_ = subject.split(".")
    return campaign, name, int(turn)


def result_subject(campaign: str, worker: str) -> str:
    """Return the subject for a worker's results; permissions can tie a user to one name."""
    return f"satlife.result.{campaign}.{check_worker(worker)}"


def read_result_subject(subject: str) -> tuple[str, str]:
    """Return the campaign and worker of a result's subject."""
    _, _, campaign, worker = subject.split(".", 3)
    return campaign, worker


class Delivery(NamedTuple):
    """Metadata of a delivered message, from its reply subject."""

    deliveries: int
    """How often the message was delivered."""
    number: int
    """The message's sequence number in the stream."""


def read_reply(subject: str) -> Delivery:
    """Read the subject for an acknowledgement; from nats-server 2.10 on it names a domain too.

    >>> read_reply("$JS.ACK.satlife-tasks.workers.3.17.42.1700000000000000000.0")
    Delivery(deliveries=3, number=17)
    """
    tokens = subject.split(".")
    deliveries, number = tokens[4:6] if len(tokens) == 9 else tokens[6:8]
    return Delivery(int(deliveries), int(number))


def check_subject(campaign: str, task: str, proof: str) -> str:
    """Return the subject of a check, by its task and the name of its proof."""
    return f"satlife.check.{campaign}.{task}.{proof}"


def checked_subject(campaign: str) -> str:
    """Return the subject of the outcomes of checks."""
    return f"satlife.checked.{campaign}"


def control_subject(campaign: str) -> str:
    """Return the subject on which the recorder stops tasks of the workers."""
    return f"satlife.control.{campaign}"


def recorder_subject(campaign: str) -> str:
    """Return the subject on which the recorder answers that it is running."""
    return f"satlife.recorder.{campaign}"


def check_worker(name: str) -> str:
    """Return the name of a worker; raise an error if it is invalid."""
    if not _WORKER.fullmatch(name) or len(name) > _LONGEST_WORKER:
        raise UsageError(
            f"{name!r} is not a valid name for a worker: use letters, digits, - and _, in parts "
            f"joined by dots, at most {_LONGEST_WORKER} characters, for example alice.desk"
        )
    return name


GIGABYTE = 1_000_000_000

MAX_PER_SUBJECT = 10077
"""JetStream's error code: the subject already holds its one message."""
NO_CLUSTER = 10074
"""JetStream's error code: a single server keeps only one copy."""


@dataclass(frozen=True, kw_only=True)
class Stores:
    """Sizes and redundancy of the streams."""

    replicas: int = 1
    """3 in a cluster, so that any one of its servers may die."""
    lease: float = 30.0
    """Seconds after which a task goes to another worker if its worker is silent."""
    task_bytes: int = GIGABYTE
    result_bytes: int = GIGABYTE
    proof_bytes: int = 4 * GIGABYTE


async def prepare(js: JetStreamContext, campaign: str, stores: Stores) -> None:
    """Create the streams and consumers, or update those that exist."""
    try:
        for stream in _list_streams(campaign, stores):
            try:
                await js.add_stream(stream)
            except BadRequestError:  # it exists, with other settings
                await js.update_stream(stream)
        for name, consumer in _list_consumers(campaign, stores):
            consumer.ack_policy = api.AckPolicy.EXPLICIT
            consumer.max_deliver = -1
            if name in (TASKS, CHECKS):
                consumer.ack_wait = await _keep_lease(js, name, consumer)
            await js.add_consumer(name, consumer)
    except (APIError, BadRequestError) as error:
        if error.err_code == NO_CLUSTER:
            names = {2: "two", 3: "three", 4: "four", 5: "five"}
            count = names.get(stores.replicas, stores.replicas)
            raise UsageError(
                f"--replicas {stores.replicas} needs a cluster of {count} servers; this broker is "
                "a single server"
            ) from None
        if error.code is not None and error.code < 500:
            raise UsageError(f"the broker refuses our streams: {error.description}") from None
        raise


def _list_streams(campaign: str, stores: Stores) -> tuple[Any, ...]:
    """Return the settings of the streams."""
    queue: dict[str, Any] = {
        "retention": api.RetentionPolicy.WORK_QUEUE,
        "storage": api.StorageType.FILE,
        "num_replicas": stores.replicas,
        "discard": api.DiscardPolicy.NEW,
        # Including headers.
        "max_msg_size": LARGEST_MESSAGE + 1000,
        "duplicate_window": 120.0,
    }
    orders = queue | {"max_msgs_per_subject": 1, "discard_new_per_subject": True}
    return (
        api.StreamConfig(
            name=TASKS, subjects=["satlife.task.>"], max_bytes=stores.task_bytes, **orders
        ),
        api.StreamConfig(
            name=CHECKS, subjects=["satlife.check.>"], max_bytes=stores.task_bytes // 10, **orders
        ),
        api.StreamConfig(
            name=results_stream(campaign),
            subjects=[f"satlife.result.{campaign}.>", checked_subject(campaign)],
            max_bytes=stores.result_bytes,
            # In case the campaign is never continued.
            max_age=90 * 86_400.0,
            **queue,
        ),
        api.StreamConfig(
            name=proof_stream(campaign),
            subjects=[f"$O.{proof_bucket(campaign)}.{part}.>" for part in "CM"],
            max_bytes=stores.proof_bytes,
            max_age=30 * 86_400.0,
            # For checkers, which are in another account.
            allow_direct=True,
            **queue | {"retention": api.RetentionPolicy.LIMITS},
        ),
    )


def _list_consumers(campaign: str, stores: Stores) -> tuple[tuple[str, Any], ...]:
    """Return the settings of the consumers, each with its stream."""
    # Every idle worker keeps a request open; the server's default is 512.
    many: dict[str, Any] = {"max_ack_pending": -1, "max_waiting": 20_000}
    return (
        (TASKS, api.ConsumerConfig(durable_name=WORKERS, ack_wait=stores.lease, **many)),
        (CHECKS, api.ConsumerConfig(durable_name=CHECKERS, ack_wait=stores.lease, **many)),
        (
            results_stream(campaign),
            api.ConsumerConfig(
                durable_name=recorder_consumer(campaign),
                ack_wait=60.0,
                max_ack_pending=10_000,
            ),
        ),
    )


async def _keep_lease(
    js: JetStreamContext, stream: str, consumer: api.ConsumerConfig
) -> float | None:
    """Return the longest lease that a campaign has asked for; all of them share the consumer.

    Their workers renew each task by the lease of its own campaign.  After a shorter one, the
    broker would give tasks away that are being solved.
    """
    with suppress(NotFoundError):
        known = (await js.consumer_info(stream, str(consumer.durable_name))).config.ack_wait
        return max(known or 0.0, consumer.ack_wait or 0.0)
    return consumer.ack_wait


async def remove(js: JetStreamContext, campaign: str) -> bool:
    """Remove the streams of a campaign that is over; return False if results are waiting."""
    with suppress(NotFoundError):
        if (await js.stream_info(results_stream(campaign))).state.messages:
            return False
    for stream in (results_stream(campaign), proof_stream(campaign)):
        with suppress(NotFoundError):
            await js.delete_stream(stream)
    return True


# Ask the broker for the fill of its streams and the progress of their consumers.


@dataclass(frozen=True)
class BrokerStream:
    """A stream of the broker and its main consumer."""

    messages: int
    size: int
    limit: int
    """Size limit in bytes; -1 is no limit."""
    waiting: int = 0
    """Messages that wait for a reader."""
    leased: int = 0
    """Messages that were delivered and not acknowledged."""
    asking: int = 0
    """Open requests for messages: idle workers."""
    again: int = 0
    """Leased messages that were delivered more than once."""


async def survey(js: JetStreamContext, campaign: str) -> dict[str, BrokerStream]:
    """Return the state of the streams ``tasks``, ``checks``, ``results`` and ``proofs``.

    Tasks and checks are those of all campaigns on the broker, which share their workers; results
    and proofs are those of this campaign.
    """
    parts = (
        ("tasks", TASKS, WORKERS),
        ("checks", CHECKS, CHECKERS),
        ("results", results_stream(campaign), recorder_consumer(campaign)),
        ("proofs", proof_stream(campaign), None),
    )
    return {name: await _survey_one(js, stream, consumer) for name, stream, consumer in parts}


async def _survey_one(js: JetStreamContext, stream: str, consumer: str | None) -> BrokerStream:
    info = await js.stream_info(stream)
    limit = -1 if info.config.max_bytes is None else info.config.max_bytes
    if consumer is None:
        return BrokerStream(info.state.messages, info.state.bytes, limit)
    state = await js.consumer_info(stream, consumer)
    return BrokerStream(
        info.state.messages,
        info.state.bytes,
        limit,
        waiting=state.num_pending or 0,
        leased=state.num_ack_pending or 0,
        asking=state.num_waiting or 0,
        again=state.num_redelivered or 0,
    )
