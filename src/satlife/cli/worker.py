"""``satlife worker``: solve tasks of campaigns that others serve."""

from __future__ import annotations

import re

import click

from satlife.cli.brokering import broker_options, make_access, run_until_signal, start_log
from satlife.cli.ending import say
from satlife.cli.quantities import TIME


@click.command(name="worker")
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
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
def command(
    servers: tuple[str, ...],
    user: str | None,
    password_file: str | None,
    token_file: str | None,
    creds: str | None,
    ca: str | None,
    name: str | None,
    jobs: int | None,
    batch: int,
    until_idle: float | None,
    leaf: bool,
    quiet: bool,
) -> None:
    """Solve tasks for campaigns that others serve.

    It only connects outward, so it works behind a router. It waits for the broker as long as it
    takes, and may be stopped or killed at any time: its tasks go to other workers.

    \b
    Examples:
      satlife worker --nats nats://10.0.0.1:4222
      satlife worker --nats tls://life.example.org:4222 --user alice --jobs 4
      satlife worker --nats nats://10.0.0.1:4222 --until-idle 10m
    """
    from satlife.campaign.cluster.worker import Worker
    from satlife.campaign.local.pool import Pool

    access = make_access("worker", servers, user, password_file, token_file, creds, ca)
    start_log(quiet)
    called = name or default_name(user)
    pool = Pool(jobs, worker=called)
    worker = Worker(access, pool, called, batch=batch, idle=until_idle, leaf=leaf)
    if not quiet:
        say(f"{called}: {pool.jobs} job{'' if pool.jobs == 1 else 's'}")
    done, _ = run_until_signal(worker.run(), worker.stop)
    if not quiet:
        say(f"{called}: {done} task{'' if done == 1 else 's'} done")


def default_name(user: str | None) -> str:
    """Return a name of this machine's own, which begins with the user's."""
    import secrets
    import socket

    machine = re.sub(r"[^A-Za-z0-9_-]+", "-", socket.gethostname())[:40].strip("-") or "worker"
    own = f"{machine}-{secrets.token_hex(3)}"
    return own if user is None else f"{user}.{own}"
