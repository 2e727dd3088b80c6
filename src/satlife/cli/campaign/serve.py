"""``satlife campaign serve``: publish a plan's tasks to a broker, and record the answers."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satlife.campaign.core.events import RUNNING, Event, FoundEvent, Status
from satlife.campaign.core.state import Transition
from satlife.campaign.ledger import is_file
from satlife.campaign.messages import Budget
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import WHOLE, Shard
from satlife.campaign.proofs import LIMITS, KeptProofs
from satlife.campaign.results import name_finding
from satlife.cli import endings
from satlife.cli.campaign.broker import (
    BROKER,
    OPERATION,
    Broker,
    Operation,
    broker_options,
    operating_options,
    run_until_signal,
)
from satlife.cli.campaign.ledgers import find_ledger, keep_option, ledger_option
from satlife.cli.endings import complain, say
from satlife.cli.help import Command
from satlife.cli.quantities import SIZE, TIME
from satlife.lock import only_runner

if TYPE_CHECKING:
    from satlife.cluster.recorder import Recorder

INTERVAL = 30.0
"""Seconds between lines of progress."""


@click.command(name="serve", cls=Command, groups={
    "The broker": BROKER,
    "The tasks": ("where", "replicas", "lease", "outstanding", "shard", "cancel"),
    "Proofs": ("proof_size", "proof_store", "keep", "check_timeout", "check_memory"),
    "Output": OPERATION,
})  # fmt: skip
@click.argument("plan", metavar="PLAN")
@ledger_option
@broker_options
@click.option(
    "--replicas",
    type=click.IntRange(min=1, max=5),
    default=1,
    show_default=True,
    help="Copies of every message: 3 in a cluster of three servers.",
)
@click.option(
    "--lease",
    type=TIME,
    default="30s",
    show_default=True,
    metavar="TIME",
    help="Give a task to another worker if its worker is silent for this time.",
)
@click.option(
    "--outstanding",
    type=click.IntRange(min=1, max=50_000),
    default=2000,
    show_default=True,
    metavar="N",
    help="Most tasks that wait or are being solved.",
)
@click.option(
    "--proof-size",
    type=SIZE,
    default="500M",
    show_default=True,
    metavar="SIZE",
    help="Size of the largest proof that is checked.",
)
@click.option(
    "--proof-store",
    type=SIZE,
    default="4G",
    show_default=True,
    metavar="SIZE",
    help="Space for proofs that wait to be checked.",
)
@keep_option
@click.option(
    "--check-timeout",
    type=TIME,
    metavar="TIME",
    help="Stop checking a proof after this time (default 1h).",
)
@click.option(
    "--check-memory",
    type=SIZE,
    default="4G",
    show_default=True,
    metavar="SIZE",
    help="Stop checking a proof that needs more memory.",
)
@click.option(
    "--shard",
    metavar="I/N",
    help="Serve only this part of the plan, 2/4 the second of four; each has its own ledger.",
)
@click.option("--cancel", is_flag=True, help="Remove the plan's tasks from the queue, and exit.")
@operating_options
def command(
    plan: str,
    where: str | None,
    broker: Broker,
    replicas: int,
    lease: float,
    outstanding: int,
    proof_size: float,
    proof_store: float,
    keep: Path | None,
    check_timeout: float | None,
    check_memory: float,
    shard: str | None,
    cancel: bool,
    operation: Operation,
) -> None:
    """Serve a plan to workers on many machines, and record their answers.

    Needs a nats-server with JetStream. It may be stopped or killed and started again at any time:
    workers continue meanwhile, and nothing is lost. A plan, or a shard of it, has one recorder at a
    time; an older one that was replaced and comes back ends without writing anything. Every find is
    simulated here, and every proof is checked, before it counts: by workers with --checks if there
    are any, otherwise here.

    \b
    Examples:
      satlife campaign serve plan.toml --nats nats://127.0.0.1:4222
      satlife campaign serve plan.toml --nats nats://10.0.0.1:4222 --ledger postgresql://…
      satlife campaign serve plan.toml --nats nats://10.0.0.1:4222 --cancel
      satlife campaign serve plan.toml --nats nats://10.0.0.1:4222 --metrics 9300 --log json
    """
    from satlife.cluster.operating.endpoint import run_watched  # noqa: PLC0415 - an extra
    from satlife.cluster.queue import Stores  # noqa: PLC0415 - an extra
    from satlife.cluster.recorder import (  # noqa: PLC0415 - an extra
        Recorder,
        RecorderWatch,
        cancel_campaign,
    )

    access = broker.make_access("recorder")
    address, report = operation.start("serve")
    read = Plan.read(plan)
    part = WHOLE if shard is None else Shard.parse(shard)
    if cancel:
        stop = asyncio.Event()
        run_until_signal(cancel_campaign(read, access, stop, shard=part), stop.set)
        say(f"{plan}: its tasks are no longer queued; satlife campaign serve queues them again")
        return
    place = find_ledger(plan, where)
    progress = ServeReport(report)
    with ExitStack() as stack:
        if is_file(place):
            stack.enter_context(only_runner(Path(f"{place}.lock")))
        recorder = Recorder(
            read,
            place,
            access,
            stores=Stores(replicas=replicas, lease=lease, proof_bytes=int(proof_store)),
            outstanding=outstanding,
            checking=Budget(
                seconds=LIMITS.seconds if check_timeout is None else check_timeout,
                memory_bytes=int(check_memory),
                proof_bytes=int(proof_size),
            ),
            shard=part,
            keep=None if keep is None else KeptProofs(keep),
            on_news=progress.hear,
            on_tick=progress.tick,
        )
        work = run_watched(recorder.run(), RecorderWatch(recorder), address)
        summary, _ = run_until_signal(work, recorder.stop, report)
    warn = report if operation.log_format == "json" else complain
    for alarm in summary.alarms:
        warn(f"satlife: CONTRADICTION: {alarm}")
    counts = summary.counts
    report(
        f"{counts.found:,} found, {counts.impossible:,} impossible ({counts.certified:,} "
        f"certified, {counts.claimed:,} claimed), {counts.undecided:,} undecided, "
        f"{counts.failed:,} failed"
    )
    sys.exit(endings.FOUND if summary.is_met else endings.UNDECIDED)


class ServeReport:
    """Prints finds at once, and progress at intervals."""

    def __init__(self, report: Callable[[str], None] = say) -> None:
        self.answers = 0
        self._report = report
        self._reported = time.monotonic()
        self._reported_answers = 0

    def hear(self, event: Event, step: Transition) -> None:
        """Report one event."""
        self.answers += step.state.status not in (*RUNNING, Status.SPLIT)
        if isinstance(event, FoundEvent):
            self._report(f"found: {name_finding(event.identity)} by {event.worker}")

    def tick(self, recorder: Recorder) -> None:
        """Print a line of progress if it is time."""
        spent = time.monotonic() - self._reported
        if spent < INTERVAL:
            return
        rate = (self.answers - self._reported_answers) / spent
        self._report(
            f"{self.answers:,} answers, {rate:.2f}/s; {len(recorder.out):,} tasks out; "
            f"{recorder.intake.refused:,} messages refused"
        )
        self._reported, self._reported_answers = time.monotonic(), self.answers
