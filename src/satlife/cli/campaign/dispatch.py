"""``satlife campaign dispatch``: tasks for volunteers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satlife.cli.campaign.broker import (
    BROKER,
    OPERATION,
    Broker,
    Operation,
    broker_options,
    operating_options,
    run_until_signal,
)
from satlife.cli.campaign.volunteers import read_volunteers
from satlife.cli.help import Command
from satlife.cli.printing import print_line
from satlife.cli.quantities import SIZE, TIME
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.cluster.dispatch.record import Record

log = logging.getLogger(__name__)


@click.command(name="dispatch", cls=Command, groups={
    "The broker": BROKER,
    "The volunteers": ("tasks", "hold", "size", "uploads", "quorum"),
    "Where they come": ("listen_at", "cert", "key", "proxy", "connections"),
    "The record": ("place", "listed", "forgive"),
    "Output": OPERATION,
})  # fmt: skip
@click.argument("volunteers", metavar="VOLUNTEERS")
@broker_options
@click.option(
    "--record",
    "place",
    metavar="FILE",
    default="dispatch.db",
    show_default=True,
    help="The leases, and the record of every user.",
)
@click.option(
    "--tasks",
    type=click.IntRange(min=1, max=100_000),
    default=64,
    show_default=True,
    metavar="N",
    help="Most tasks that one user may hold; fewer with a lower reputation.",
)
@click.option(
    "--hold",
    type=TIME,
    default="24h",
    show_default=True,
    metavar="TIME",
    help="Give a task to another user after this time in any case.",
)
@click.option(
    "--bytes",
    "size",
    type=SIZE,
    default="1G",
    show_default=True,
    metavar="SIZE",
    help="Most that one user may send in an hour.",
)
@click.option(
    "--uploads",
    type=click.IntRange(min=1, max=100_000),
    default=16,
    show_default=True,
    metavar="N",
    help="Most proofs of one user that wait to be checked, in each campaign, times reputation.",
)
@click.option(
    "--quorum",
    type=click.IntRange(min=1, max=100),
    default=2,
    show_default=True,
    metavar="N",
    help="Users who must agree on an answer that cannot be checked, if the plan has no quorum.",
)
@click.option(
    "--listen",
    "listen_at",
    metavar="ADDRESS",
    default="127.0.0.1:8650",
    show_default=True,
    help="Where volunteers, or a proxy in front of it, reach it.",
)
@click.option("--cert", metavar="FILE", help="Speak HTTPS with this certificate and --key.")
@click.option("--key", metavar="FILE", help="The key of --cert.")
@click.option(
    "--proxy",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="Believe these (10.0.0.1,10.1.0.0/16) what X-Forwarded-For says; * is any.",
)
@click.option(
    "--connections",
    type=click.IntRange(min=1, max=1_000_000),
    default=8000,
    show_default=True,
    metavar="N",
    help="Most connections at the same time; 200 from one address.",
)
@click.option("--list", "listed", is_flag=True, help="Show the users in the record, and exit.")
@click.option("--forgive", metavar="NAME", help="Reset a user's recorded violations, and exit.")
@operating_options
def command(
    volunteers: str,
    broker: Broker,
    place: str,
    tasks: int,
    hold: float,
    size: float,
    uploads: int,
    quorum: int,
    listen_at: str,
    cert: str | None,
    key: str | None,
    proxy: str,
    connections: int,
    listed: bool,
    forgive: str | None,
    operation: Operation,
) -> None:
    """Lease tasks to volunteers, and pass their answers on to the recorders.

    VOLUNTEERS is the file that satlife campaign volunteers writes; changes in it are noticed. Run
    one dispatcher beside the recorders, as their user of the broker; volunteers reach it over HTTPS
    and never see the broker. It may be stopped and started again at any time: its leases are in its
    record.

    \b
    Examples:
      satlife campaign dispatch volunteers.toml --nats nats://127.0.0.1:4222 --user recorder
      satlife campaign dispatch volunteers.toml --listen 0.0.0.0:443 --cert all.pem --key key.pem
      satlife campaign dispatch volunteers.toml --list
      satlife campaign dispatch volunteers.toml --forgive alice
    """
    from satlife.cluster.dispatch.addresses import Proxies  # noqa: PLC0415 - an extra
    from satlife.cluster.dispatch.desk import Desk, Quota  # noqa: PLC0415 - an extra
    from satlife.cluster.dispatch.dispatcher import (  # noqa: PLC0415 - an extra
        Dispatcher,
        DispatcherWatch,
    )
    from satlife.cluster.dispatch.edge import Limits, listen, serve  # noqa: PLC0415 - an extra
    from satlife.cluster.dispatch.record import Record  # noqa: PLC0415 - an extra
    from satlife.cluster.operating.endpoint import (  # noqa: PLC0415 - an extra
        read_address,
        run_watched,
    )

    if listed or forgive is not None:
        if not Path(place).exists():
            raise UsageError(f"{place}: there is no record of leases")
        with Record(place) as record:
            _list(record) if forgive is None else _forgive(record, forgive)
        return
    users = watch_users(Path(volunteers))
    count = len(users())
    access = broker.make_access("dispatcher")
    address, report = operation.start("dispatcher")
    if (cert is None) != (key is None):
        raise UsageError("--cert and --key go together")
    tls = None if cert is None or key is None else (cert, key)
    limits = Limits(connections=connections, proxies=Proxies(proxy))
    host, port = read_address(listen_at)
    listener = listen(host, port)
    quota = Quota(tasks=tasks, hold=hold, bytes=int(size), uploads=uploads)
    with Record(place) as record:
        dispatcher = Dispatcher(access, users, record, Desk(quota, quorum))
        serving = serve(dispatcher, listener, limits, tls)
        work = run_watched(serving, DispatcherWatch(dispatcher), address)
        scheme, port = "https" if tls else "http", listener.getsockname()[1]
        volunteered = f"{volunteers}: {count} volunteer{'' if count == 1 else 's'}"
        report(f"{volunteered} may come to {scheme}://{host}:{port}")
        run_until_signal(work, dispatcher.stop, report)


def watch_users(path: Path) -> Callable[[], Mapping[str, str]]:
    """Return a function that returns the users in a file, and reads it again when it changes."""
    known: Mapping[str, str] | None = None
    seen: tuple[int, ...] = ()

    def users() -> Mapping[str, str]:
        nonlocal known, seen
        try:
            state = path.stat()
            stamp = state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino
        except OSError:
            stamp = (0, 0, 0, 0)
        if known is not None and stamp == seen:
            return known
        seen = stamp
        try:
            known = read_volunteers(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            if known is None:
                raise
            log.warning("%s: %s; the volunteers stay as they were", path, error)
        return known

    return users


def _list(record: Record) -> None:
    from satlife.cluster.dispatch.desk import Standing  # noqa: PLC0415 - an extra

    tally, standings = record.tally(), record.standings()
    good = ("found", "proved", "impossible", "split", "undecided")
    bad = ("failed", "expired", "returned")
    rows = [("user", "reputation", "held", "answered", "not answered", "violations")]
    for name in sorted(tally.keys() | standings.keys()):
        counts, standing = tally.get(name, {}), standings.get(name, Standing())
        rows.append(
            (
                name,
                "barred" if standing.is_barred else f"{standing.reputation:.2f}",
                f"{counts.get('held', 0):,}",
                f"{sum(counts.get(how, 0) for how in good):,}",
                f"{sum(counts.get(how, 0) for how in bad):,}",
                f"{standing.lies}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print_line("  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip())


def _forgive(record: Record, name: str) -> None:
    from satlife.cluster.dispatch.desk import Standing  # noqa: PLC0415 - an extra

    if name not in record.standings():
        raise UsageError(f"there is no {name} in the record")
    record.judge(name, Standing())
    print_line(f"{name}: violations reset; restart a running dispatcher to apply it")
