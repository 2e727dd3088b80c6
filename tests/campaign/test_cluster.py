"""Three servers with three copies of everything: any one of them may die."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from satlife.campaign.local.pool import Pool
from satlife.campaign.plan import Plan
from satlife.cluster.queue import Access, Stores
from satlife.cluster.queue.streams import TASKS
from satlife.cluster.recorder import Recorder
from satlife.cluster.worker import Worker
from tests.campaign.nats import DEPLOY, PASSWORDS, Broker, free_ports
from tests.campaign.scene import TINY, at_work, until

STORES = Stores(replicas=3, task_bytes=10**7, result_bytes=10**7, proof_bytes=10**7, lease=3)


@contextmanager
def three_servers(folder: Path) -> Iterator[list[Broker]]:
    """The configuration that we ship, with other ports, and without TLS between the three."""
    ports = free_ports(6)
    routes = "".join(f'    "nats-route://127.0.0.1:{port}"\n' for port in ports[3:])
    servers = []
    for number in range(3):
        home = folder / f"node-{number}"
        home.mkdir(parents=True)
        text = (DEPLOY / "cluster.conf").read_text(encoding="utf-8")
        before, _, rest = text.partition("  routes: [\n")
        text = f"{before}  routes: [\n{routes}{rest[rest.index('  ]') :]}"
        text = text.replace('"$SATLIFE_NODE"', f"node-{number}").replace(
            "$SATLIFE_NODE", f"node-{number}"
        )
        text = text.replace('"0.0.0.0:6222"', f'"127.0.0.1:{ports[3 + number]}"')
        text = text.replace('include "tls.conf"', "").replace('include "cluster-tls.conf"', "")
        (home / "cluster.conf").write_text(text, encoding="utf-8")
        (home / "accounts.conf").write_text((DEPLOY / "accounts.conf").read_text(encoding="utf-8"))
        servers.append(Broker(home, port=ports[number], words=["-c", "cluster.conf"]))
    try:
        for server in servers:
            server.start(wait=False)
        for server in servers:
            server.wait_until_ready()
        yield servers
    finally:
        for server in servers:
            server.stop()


def test_a_campaign_goes_on_when_one_of_three_servers_is_killed(tmp_path: Path) -> None:
    async def scene(servers: list[Broker]) -> None:
        urls = tuple(server.url for server in servers)
        recorder = Recorder(
            Plan.from_toml(TINY),
            str(tmp_path / "a.db"),
            Access(servers=urls, user="recorder", password=PASSWORDS["SATLIFE_RECORDER_PASSWORD"]),
            stores=STORES,
            outstanding=6,
        )
        running = asyncio.create_task(recorder.run())
        await until(lambda: recorder.out or running.done())
        assert not running.done(), running
        access = Access(servers=urls, user="worker", password=PASSWORDS["SATLIFE_WORKER_PASSWORD"])
        worker = Worker(access, Pool(1, worker="w"), "w")
        async with at_work(worker):
            await until(lambda: worker.done >= 2)
            # The one that leads the tasks, which is the worst to lose.
            info = await recorder.board.js.stream_info(TASKS)
            assert info.config.num_replicas == 3
            assert info.cluster is not None
            leader = int(str(info.cluster.leader).rpartition("-")[2])
            await asyncio.to_thread(servers[leader].kill)
            async with asyncio.timeout(120):
                summary = await running
        assert summary.is_met
        assert summary.alarms == ()

    with three_servers(tmp_path / "cluster") as servers:
        asyncio.run(scene(servers))


def test_workers_behind_a_leaf_node(tmp_path: Path) -> None:
    main, leaves, leaf = free_ports(3)
    home, club = tmp_path / "main", tmp_path / "club"
    for folder in (home, club):
        folder.mkdir()
    accounts = (DEPLOY / "accounts.conf").read_text(encoding="utf-8")
    (home / "accounts.conf").write_text(accounts, encoding="utf-8")
    (home / "main.conf").write_text(
        f'jetstream {{ store_dir: js }}\nleafnodes {{ listen: "127.0.0.1:{leaves}" }}\n'
        'include "accounts.conf"\n'
    )
    remote = f"nats://worker:{PASSWORDS['SATLIFE_WORKER_PASSWORD']}@127.0.0.1:{leaves}"
    (club / "leaf.conf").write_text(
        f'leafnodes {{ remotes: [ {{ url: "{remote}", account: CLUB }} ] }}\n'
        "accounts { CLUB { users: [ { user: worker, password: own } ] } }\n"
    )

    async def scene() -> None:
        recorder = Recorder(
            Plan.from_toml(TINY),
            str(tmp_path / "a.db"),
            Access(
                servers=(f"nats://127.0.0.1:{main}",),
                user="recorder",
                password=PASSWORDS["SATLIFE_RECORDER_PASSWORD"],
            ),
            stores=Stores(task_bytes=10**7, result_bytes=10**7, proof_bytes=10**7),
        )
        access = Access(servers=(f"nats://127.0.0.1:{leaf}",), user="worker", password="own")
        worker = Worker(access, Pool(1, worker="w"), "w", leaf=True)
        async with at_work(worker), asyncio.timeout(120):
            assert (await recorder.run()).is_met

    servers = [
        Broker(home, port=main, words=["-c", "main.conf"]),
        Broker(club, port=leaf, words=["-c", "leaf.conf"]),
    ]
    try:
        for server in servers:
            server.start()
        asyncio.run(scene())
    finally:
        for server in servers:
            server.stop()
