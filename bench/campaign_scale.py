"""How campaigns behave at size: ``python -m bench.campaign_scale recorder``, or another of these.

- ``schedule``: tasks settled per second of processor time, by the number of boxes of a question,
  and the tasks that are out at once;
- ``recorder``: answers per second of the recorder's processor time, with clients that answer at
  once (needs nats-server; ``--tasks``, ``--outstanding``; ``--shards 2`` for two, each with its own
  ledger; ``--ledger postgres`` for ledgers in a PostgreSQL that is started for the purpose);
- ``dispatcher``: answers per second of the dispatcher's processor time, with ``--workers`` (40 are
  enough) volunteers of whom two must agree on each of ``--tasks``;
- ``busy``: how many of 1,000 simulated workers are busy, with tasks of 3 seconds (``--nap``,
  ``--workers``, ``--seconds``);
- ``cancel``: how long it takes to take ``--tasks`` queued tasks back.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import combinations, islice
from pathlib import Path

import msgspec

from satlife.campaign.core.events import Status
from satlife.campaign.core.schedule import Schedule
from satlife.campaign.local.task_solver import measure_speed
from satlife.campaign.messages import ImpossibleResult, decode_task, encode
from satlife.campaign.plan import Plan
from satlife.cli.campaign.volunteers import write_volunteers
from satlife.cluster import protocol
from satlife.cluster.protocol import LeaseAnswer, LeaseAnswers, Leased, LeaseRequest
from satlife.cluster.queue import Access
from satlife.cluster.volunteer import Door
from satlife.life.box import Box
from satlife.serving import hash_password
from tests.campaign.nats import Broker, plain_broker
from tests.campaign.postgres import PostgresServer

if sys.platform != "win32":
    import resource

NAP = 3.0
"""Seconds of a task of the simulated workers."""
SMALLEST_FIND = 40
"""Cells of the smallest box with a find, in the world of these measurements."""


def make_plan(tasks: int, boxes: str = "3x3") -> str:
    """Return the text of a plan with about so many questions: periods, and rules."""
    count = min(max(tasks // 4, 1), 16_384)
    rules = (
        f"B3{''.join(b)}/S{''.join(s)}"
        for size in range(9)
        for s in combinations("012345678", size)
        for more in range(6)
        for b in combinations("45678", more)
    )
    return (
        f'[[search]]\nkind = "oscillator"\nperiods = "2..{1 + tasks // count}"\n'
        f'boxes = "{boxes}"\nrules = {list(islice(rules, count))}\n'
    )


def spent() -> float:
    """Return the processor time of this process, in seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure_schedule(seconds: float) -> None:
    """Measure the schedule alone."""
    plan = Plan.from_toml(make_plan(20_000))
    taken = Schedule(plan).take(8000)
    say(f"one box per question, 8,000 wanted: {len(taken):,} tasks out at once")
    for side in (1, 10, 20, 40):
        plan = Plan.from_toml(make_plan(4000, f"3x3..{side + 2}x{side + 2}"))
        schedule = Schedule(plan)
        begun, answers, implied = spent(), 0, 0
        while spent() - begun < seconds and not schedule.finished:
            for task in schedule.take(200):
                area = Box.parse(task.problem.boxes[0]).area
                is_found = area >= SMALLEST_FIND
                schedule.tell(task.name, Status.FOUND if is_found else Status.IMPOSSIBLE)
                answers += 1
            while events := schedule.news():
                implied += len(events)
        took = spent() - begun
        say(
            f"{side * side:>5} boxes per question: {(answers + implied) / took:>6,.0f} tasks "
            f"settled per second, {answers / took:>6,.0f} of them answered"
        )


def measure_recorder(tasks: int, outstanding: int, kind: str, shards: int) -> None:
    """Measure ``campaign serve`` as a process, or as several, one for each shard."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="satlife-bench-")))
        server = stack.enter_context(PostgresServer()) if kind == "postgres" else None
        (folder / "plan.toml").write_text(make_plan(tasks))
        broker = Broker(folder / "nats")
        broker.start()
        try:
            recorders = [
                serve(
                    folder,
                    broker.url,
                    outstanding,
                    server.new_ledger() if server else str(folder / f"plan-{index}.db"),
                    f"{index}/{shards}",
                )
                for index in range(1, shards + 1)
            ]
            client = [sys.executable, "-m", "bench.campaign_scale", "answer", "--nats", broker.url]
            clients = [subprocess.Popen(client) for _ in range(2)]
            begun = time.monotonic()
            used = [os.wait4(recorder.pid, 0)[2] for recorder in recorders]
            took = time.monotonic() - begun
            for each in clients:
                each.terminate()
                each.wait()
        finally:
            broker.stop()
    cpu = sum(each.ru_utime + each.ru_stime for each in used)
    memory = max(each.ru_maxrss for each in used) / 1024
    say(
        f"recorders: {shards}; {tasks:,} tasks in {took:.1f} s; {1000 * cpu / tasks:.2f} ms of "
        f"processor time each, {tasks / cpu:,.0f} per second of it; {memory:.0f} MB"
    )


def measure_dispatcher(tasks: int, volunteers: int) -> None:
    """Measure ``campaign dispatch`` as a process, with volunteers that answer at once."""
    users = {f"user{number}": "secret" for number in range(volunteers)}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="satlife-bench-")))
        (folder / "plan.toml").write_text(make_plan(tasks))
        broker = stack.enter_context(plain_broker(folder / "nats"))
        recorder = serve(folder, broker.url, 4000, f"{folder}/plan.db", user="recorder")
        hashes = {user: hash_password(password) for user, password in users.items()}
        (folder / "volunteers.toml").write_text(write_volunteers(hashes))
        words = ["dispatch", f"{folder}/volunteers.toml", "--nats", broker.url]
        words += ["--record", f"{folder}/dispatch.db", "--listen", f"127.0.0.1:{broker.edge}"]
        dispatcher = subprocess.Popen(
            [sys.executable, "-m", "satlife", "campaign", *words], env=as_user("recorder")
        )
        client = [
            sys.executable,
            "-m",
            "bench.campaign_scale",
            "volunteer",
            "--port",
            str(broker.edge),
        ]
        shares = [list(users)[number::2] for number in range(2)]
        clients = [subprocess.Popen([*client, "--users", ",".join(share)]) for share in shares]
        begun = time.monotonic()
        recorder.wait()
        took = time.monotonic() - begun
        dispatcher.terminate()
        used = os.wait4(dispatcher.pid, 0)[2]
        for each in clients:
            each.terminate()
            each.wait()
    cpu, answers = used.ru_utime + used.ru_stime, 2 * tasks
    say(
        f"dispatcher: {answers:,} answers in {took:.1f} s; {1000 * cpu / answers:.2f} ms of "
        f"processor time each, {answers / cpu:,.0f} per second of it; "
        f"{used.ru_maxrss / 1024:.0f} MB"
    )


def as_user(user: str) -> dict[str, str]:
    """Return the environment of a process that is a user of the broker."""
    return os.environ | {"SATLIFE_NATS_USER": user, "SATLIFE_NATS_PASSWORD": "records"}


def volunteer(port: int, users: Sequence[str]) -> None:
    """Be volunteers that answer every task at once: impossible."""
    threads = [threading.Thread(target=_volunteer, args=(port, user)) for user in users]
    for each in threads:
        each.start()


def _volunteer(port: int, user: str) -> None:
    url = f"http://127.0.0.1:{port}"
    door = Door(Access(servers=(url,), user=user, password="secret", role="volunteer"))
    worker = f"{user}.desk"
    text = protocol.write(LeaseRequest(worker=worker, most=32))
    while True:
        try:
            reply = door.ask("POST", protocol.path("lease"), text, 20.0)
            answers = tuple(_refuse(leased, worker) for leased in reply.leases)
            if answers:
                said = protocol.write(LeaseAnswers(answers=answers))
                door.ask("POST", protocol.path("answer"), said, 20.0)
            time.sleep(reply.wait)
        except OSError:
            time.sleep(0.5)


def _refuse(leased: Leased, worker: str) -> LeaseAnswer:
    name = decode_task(bytes(leased.task)).name
    result = msgspec.Raw(encode(ImpossibleResult(task=name, worker=worker)))
    return LeaseAnswer(lease=leased.lease, result=result)


def serve(
    folder: Path, url: str, outstanding: int, place: str, shard: str = "1/1", user: str = ""
) -> subprocess.Popen[bytes]:
    """Start a recorder of a shard."""
    words = ["campaign", "serve", f"{folder}/plan.toml", "--nats", url, "-q", "--shard", shard]
    return subprocess.Popen(
        [sys.executable, "-m", "satlife", *words, "--outstanding", str(outstanding)],
        env=(as_user(user) if user else os.environ) | {"SATLIFE_LEDGER": place},  # a password
    )


def measure_busy(workers: int, seconds: float, length: float) -> None:
    """Measure how many of many workers are busy, with tasks of some seconds."""
    processes = 4
    with tempfile.TemporaryDirectory(prefix="satlife-bench-") as name:
        folder = Path(name)
        (folder / "plan.toml").write_text(make_plan(400_000))
        broker = Broker(folder / "nats")
        broker.start()
        try:
            recorder = serve(folder, broker.url, 2 * workers, f"{folder}/plan.db")
            share = workers // processes
            words = ["nap", "--nats", broker.url, "--workers", str(share), "--nap", str(length)]
            client = [sys.executable, "-m", "bench.campaign_scale", *words]
            clients = [
                subprocess.Popen(
                    [*client, "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True
                )
                for _ in range(processes)
            ]
            shares = [float(each.communicate()[0].split()[-1]) for each in clients]
            recorder.terminate()
            recorder.wait()
        finally:
            broker.stop()
    say(f"busy: {sum(shares):.0f} of {share * processes} workers on average, tasks of {length:g} s")


async def nap(url: str, workers: int, seconds: float, length: float) -> None:
    """Be many workers that take some seconds for a task; print how many are busy on average."""
    import nats  # noqa: PLC0415
    from nats.errors import Error  # noqa: PLC0415

    client = await nats.connect(url)
    js = client.jetstream()
    name = f"w{os.getpid()}"
    busy = 0

    async def work() -> None:
        nonlocal busy
        tasks = None
        while True:
            try:
                if tasks is None:
                    tasks = await js.pull_subscribe_bind(durable="workers", stream="satlife-tasks")
                (message,) = await tasks.fetch(1, timeout=5)
            except (Error, OSError):
                await asyncio.sleep(0.2)
                continue
            busy += 1
            await asyncio.sleep(length)
            _, _, campaign, task, *_ = message.subject.split(".")
            text = f'{{"answer":"impossible","task":"{task}","worker":"{name}"}}'
            await client.publish(f"satlife.result.{campaign}.{name}", text.encode())
            await message.ack()
            busy -= 1

    crowd = [asyncio.create_task(work()) for _ in range(workers)]
    end = time.monotonic() + 120
    while busy < 0.9 * workers and time.monotonic() < end:
        await asyncio.sleep(0.1)
    samples = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        samples.append(busy)
        await asyncio.sleep(0.1)
    for each in crowd:
        each.cancel()
    say(f"busy {sum(samples) / len(samples):.1f}")


def measure_cancel(tasks: int) -> None:
    """Measure how long it takes to take all queued tasks of a campaign back."""
    with tempfile.TemporaryDirectory(prefix="satlife-bench-") as name:
        folder = Path(name)
        (folder / "plan.toml").write_text(make_plan(tasks + 1000))
        broker = Broker(folder / "nats")
        broker.start()
        try:
            recorder = serve(folder, broker.url, tasks, f"{folder}/plan.db")
            asyncio.run(count_queued(broker.url, tasks))
            recorder.terminate()
            recorder.wait()
            begun = time.monotonic()
            words = ["campaign", "serve", f"{folder}/plan.toml", "--nats", broker.url, "--cancel"]
            subprocess.run([sys.executable, "-m", "satlife", *words], check=True)
            took = time.monotonic() - begun
            asyncio.run(count_queued(broker.url, 0))
        finally:
            broker.stop()
    say(f"cancel: {tasks:,} queued tasks in {took:.1f} s, with the start of Python")


async def count_queued(url: str, wanted: int) -> None:
    """Wait until so many tasks are queued."""
    import nats  # noqa: PLC0415
    from nats.errors import Error  # noqa: PLC0415

    client = await nats.connect(url)
    js = client.jetstream()
    end = time.monotonic() + 300
    while time.monotonic() < end:
        with suppress(Error):
            if (await js.stream_info("satlife-tasks")).state.messages == wanted:
                await client.close()
                return
        await asyncio.sleep(0.2)
    raise TimeoutError(f"there never were {wanted} tasks")


async def answer(url: str) -> None:
    """Be a client that answers every task at once: impossible."""
    import nats  # noqa: PLC0415
    from nats.errors import Error  # noqa: PLC0415

    client = await nats.connect(url)
    js = client.jetstream()
    name = f"w{os.getpid()}"
    tasks = None
    while True:
        try:
            if tasks is None:
                tasks = await js.pull_subscribe_bind(durable="workers", stream="satlife-tasks")
            for message in await tasks.fetch(200, timeout=1):
                _, _, campaign, task, *_ = message.subject.split(".")
                text = f'{{"answer":"impossible","task":"{task}","worker":"{name}"}}'
                await client.publish(f"satlife.result.{campaign}.{name}", text.encode())
                await message.ack()
        except (Error, OSError):
            await asyncio.sleep(0.1)


def describe_conditions() -> str:
    """Return how fast and how busy the machine is, since rates depend on both."""
    speed, load = measure_speed(), os.getloadavg()[0]
    return f"speed {speed:.2f} of the machine of the estimates (--calibrate); load {load:.1f}"


def say(words: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> None:
    """Read the options, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    hidden = ["answer", "nap", "volunteer"]
    kinds = ["schedule", "recorder", "dispatcher", "busy", "cancel", *hidden]
    parser.add_argument("what", choices=kinds)
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--outstanding", type=int, default=4000)
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--nap", type=float, default=NAP)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--ledger", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--users", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--nats", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.what == "schedule":
        measure_schedule(options.seconds)
    elif options.what == "recorder":
        measure_recorder(options.tasks, options.outstanding, options.ledger, options.shards)
    elif options.what == "dispatcher":
        measure_dispatcher(options.tasks, options.workers)
    elif options.what == "volunteer":
        volunteer(options.port, options.users.split(","))
    elif options.what == "busy":
        measure_busy(options.workers, options.seconds, options.nap)
    elif options.what == "cancel":
        measure_cancel(options.tasks)
    elif options.what == "nap":
        asyncio.run(nap(options.nats, options.workers, options.seconds, options.nap))
    else:
        asyncio.run(answer(options.nats))
    if options.what not in hidden:
        say(describe_conditions())


if __name__ == "__main__":
    main()
