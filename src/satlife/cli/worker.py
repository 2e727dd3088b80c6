"""``satlife worker``: solve tasks of campaigns that are served elsewhere."""

from __future__ import annotations

import os
import re

import click

from satlife.cli.brokering import broker_options, make_access, run_until_signal, start_log
from satlife.cli.ending import say
from satlife.cli.quantities import TIME


@click.command(name="worker")
@broker_options
@click.option("--name", metavar="NAME", help="Our name in results (default: user, machine).")
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=1024),
    metavar="N",
    help="So many tasks at a time (default: one for each processor).",
)
@click.option(
    "--batch",
    type=click.IntRange(min=1, max=1000),
    default=256,
    show_default=True,
    metavar="N",
    help="Take at most so many short tasks at once for each job.",
)
@click.option(
    "--until-idle", type=TIME, metavar="TIME", help="End when nothing came for this time (10m)."
)
@click.option("--leaf", is_flag=True, help="The broker is a leaf node of another one.")
@click.option("-q", "--quiet", is_flag=True, help="Say only what goes wrong.")
def command(
    servers: tuple[str, ...],
    user: str | None,
    password: str | None,
    token: str | None,
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

    Connects outward only, so it works behind a router. It waits for the broker as long as it
    takes, and may be stopped or killed at any time: what it had goes to other workers.

    \b
    Examples:
      satlife worker --nats nats://10.0.0.1:4222
      satlife worker --nats tls://life.example.org:4222 --user alice --jobs 4
      satlife worker --nats nats://10.0.0.1:4222 --until-idle 10m
    """
    from satlife.campaign.pool import Pool
    from satlife.campaign.worker import Worker

    access = make_access("worker", servers, user, password, token, creds, ca)
    start_log(quiet)
    called = name or default_name(user)
    pool = Pool(jobs or _processors(), worker=called)
    worker = Worker(access, pool, called, batch=batch, idle=until_idle, leaf=leaf)
    if not quiet:
        say(f"{called}: {pool.jobs} job{'' if pool.jobs == 1 else 's'}")
    done, _ = run_until_signal(worker.run(), worker.stop)
    if not quiet:
        say(f"{called}: {done} task{'' if done == 1 else 's'} done")


def default_name(user: str | None) -> str:
    """A user's results may only bear his own name, and one machine has many workers."""
    import secrets
    import socket

    machine = re.sub(r"[^A-Za-z0-9_-]+", "-", socket.gethostname())[:40].strip("-") or "worker"
    own = f"{machine}-{secrets.token_hex(3)}"
    return own if user is None else f"{user}.{own}"


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
