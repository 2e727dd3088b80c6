"""``satlife worker``: solve tasks of campaigns that others serve."""

from __future__ import annotations

import re
import secrets
import socket

import click

from satlife.campaign.local.pool import Pool
from satlife.cli.campaign.broker import (
    BROKER,
    OPERATION,
    Broker,
    Operation,
    broker_options,
    operating_options,
    run_until_signal,
)
from satlife.cli.help import Command
from satlife.cli.quantities import TIME
from satlife.errors import UsageError
from satlife.machine import count_processors


@click.command(name="worker", cls=Command, groups={
    "The broker": BROKER,
    "The work": ("name", "jobs", "batch", "until_idle", "leaf", "checks"),
    "Output": OPERATION,
})  # fmt: skip
@click.argument("url", metavar="[URL]", required=False)
@broker_options
@click.option("--name", metavar="NAME", help="Name in results (default: user and machine).")
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=1024),
    metavar="N",
    help="Tasks to run at the same time (default: one for each processor).",
)
@click.option(
    "--batch",
    type=click.IntRange(min=1, max=1000),
    default=256,
    show_default=True,
    metavar="N",
    help="Most short tasks to take at once for each job.",
)
@click.option(
    "--until-idle", type=TIME, metavar="TIME", help="Exit after this time without tasks (10m)."
)
@click.option("--leaf", is_flag=True, help="The broker is a leaf node of another one.")
@click.option("--checks", is_flag=True, help="Check proofs instead; its verdicts are trusted.")
@operating_options
def command(
    url: str | None,
    broker: Broker,
    name: str | None,
    jobs: int | None,
    batch: int,
    until_idle: float | None,
    leaf: bool,
    checks: bool,
    operation: Operation,
) -> None:
    """Solve tasks for campaigns that others serve.

    It only connects outward, so it works behind a router. It waits for the broker as long as it
    takes, and may be stopped or killed at any time: its tasks go to other workers.

    Volunteers give the https:// URL of a campaign and their user; the password is in a file or in
    the variable SATLIFE_PASSWORD. Machines of the operator give the broker.

    With --checks it solves nothing, but checks the proofs of others, so that the recorder need not.
    Only machines that you trust should do that.

    \b
    Examples:
      satlife worker --nats nats://10.0.0.1:4222
      satlife worker https://life.example.org --user alice --jobs 4
      satlife worker --nats nats://10.0.0.1:4222 --until-idle 10m
      satlife worker --nats nats://10.0.0.1:4222 --metrics 9301 --log json
      satlife worker --nats tls://life.example.org:4222 --checks --user checker
    """
    from satlife.cluster.checks.checker import Checker  # noqa: PLC0415 - an extra
    from satlife.cluster.operating.endpoint import run_watched  # noqa: PLC0415 - an extra
    from satlife.cluster.worker import Worker, WorkerWatch  # noqa: PLC0415 - an extra

    if checks and (url or leaf):
        raise UsageError("--checks cannot be combined with a URL or --leaf")
    if url and leaf:
        raise UsageError("--leaf is for a broker, and cannot be combined with a URL")
    access = broker.make_access("checker" if checks else "worker", url)
    address, report = operation.start("worker")
    called = name or default_name(access.user)
    worker: Checker | Worker
    if checks:
        worker = Checker(access, called, jobs or count_processors(), idle=until_idle)
    else:
        pool = Pool(jobs, worker=called)
        worker = Worker(access, pool, called, batch=batch, idle=until_idle, leaf=leaf)
    report(f"{called}: {worker.jobs} job{'' if worker.jobs == 1 else 's'}")
    work = run_watched(worker.run(), WorkerWatch(worker), address)
    done, _ = run_until_signal(work, worker.stop, report)
    what = "check" if checks else "task"
    report(f"{called}: {done} {what}{'' if done == 1 else 's'} done")


def default_name(user: str | None) -> str:
    """Return a name of this machine, after that of the user."""
    machine = re.sub(r"[^A-Za-z0-9_-]+", "-", socket.gethostname())[:40].strip("-") or "worker"
    own = f"{machine}-{secrets.token_hex(3)}"
    return own if user is None else f"{user}.{own}"
