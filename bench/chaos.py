"""What can go wrong, one by one: ``python -m bench.chaos [--ledger postgresql] [SCENE …]``.

Every scene is a campaign of real processes that is disturbed three times in one way: a part is
killed and started again, or stopped (SIGSTOP) for longer than a lease and continued, a disk is full
for some seconds, the clock is set.  The campaign has widths, and proofs or splits into exact boxes.
At the end every task must have one answer, that of an undisturbed run, every find must be verified,
and no process may be left.  Printed is also the longest time without an answer.

``--ledger`` is for scenes that have no database of their own kind.  ``bench.soak`` kills parts at
random, in a longer campaign.

Scenes with a full disk mount a small tmpfs, which needs root.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bench.soak import Report, examine
from satlife.campaign.core.events import FINAL, Status
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.local.runner import run
from satlife.campaign.plan import Plan
from satlife.campaign.results import InBox, collect
from satlife.cli.campaign.volunteers import write_volunteers
from satlife.errors import UsageError
from satlife.serving import hash_password
from tests.campaign.nats import PASSWORDS, Broker, plain_broker
from tests.campaign.postgres import PostgresServer
from tests.campaign.running import Command, nothing_left
from tests.campaign.test_cluster import three_servers
from tests.processes import children, descendants

LEASE = 4
PAUSE = 1.7 * LEASE
"""Seconds for which a part stands still: its leases pass on."""
TIMES = 3
"""Disturbances of each scene."""
MEGABYTE = 1_000_000
LEDGERS = "sqlite", "postgresql"
SMALL_BOXES = """
[[search]]
kind = "oscillator"
periods = 2
boxes = "5x5"
symmetries = ["C2", "D2-"]
population = ["=4", "=5", "=6", "=7", "=8", "=9", "=10", "=11", "=12", "=13"]
[[search]]
kind = "ship"
speeds = "c/4d"
boxes = "3x3..5x5"
[[search]]
kind = "ship"
speeds = "c/2"
boxes = "3x*..5x*"
"""
PLANS = {
    "proofs": f"prove = true\n{SMALL_BOXES}",
    "splits": (
        f'split = true\n[limits]\ntimeout = "0.1s"\n{SMALL_BOXES}'
        '[[search]]\nkind = "ship"\nspeeds = "c/3"\nboxes = "7x8"\n'
    ),
}
"""Tasks of tenths of a second, boxes of any height among them; c/3 is split into exact boxes."""


@dataclass
class Stage:
    """The processes of one campaign."""

    folder: Path
    plan: Plan
    stack: ExitStack
    mark: str = field(default_factory=lambda: secrets.token_hex(8))
    brokers: list[Broker] = field(default_factory=list)
    database: PostgresServer | None = None
    where: str = ""
    replicas: int = 1
    program: tuple[str, ...] = ()
    """Words before the command, in the place of a plain satlife."""
    checkers: int = 0
    volunteers: dict[str, str] = field(default_factory=dict)
    """Users of a dispatcher, and their passwords; they work in the place of our own workers."""
    workers: list[Command] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    """All that runs, in the order in which it is stopped."""
    recorder: Command = field(init=False)
    dispatcher: Command = field(init=False)

    def start(self, workers: int = 2) -> None:
        """Start broker, recorder and workers; what is there already is used."""
        if not self.brokers:
            self.brokers.append(Broker(self.folder / "nats"))
            self.brokers[0].start()
            self.stack.callback(self.brokers[0].stop)
        self.where = self.where or str(self.folder / "plan.db")
        path = self.folder / "plan.toml"
        path.write_text(self.plan.to_toml(), encoding="utf-8")
        nats = ["--nats", ",".join(broker.url for broker in self.brokers)]
        words = ["campaign", "serve", str(path), *nats, "--lease", f"{LEASE}s"]
        words += ["--outstanding", "12", "--replicas", str(self.replicas)]
        variables = {"SATLIFE_LEDGER": self.where}
        self.recorder = self._command("recorder", words, variables)
        users = list(self.volunteers) or ["worker"] * workers
        for number, user in enumerate(users):
            where = [f"http://127.0.0.1:{self.brokers[0].edge}"] if self.volunteers else nats
            words = ["worker", *where, "--jobs", "1", "--name", f"{user}.w{number}"]
            self.workers.append(self._command(user, words, {}))
        between = []
        if self.volunteers:
            listed = self.folder / "volunteers.toml"
            hashes = {name: hash_password(word) for name, word in self.volunteers.items()}
            listed.write_text(write_volunteers(hashes), encoding="utf-8")
            record = ["--record", str(self.folder / "leases.db")]
            words = ["campaign", "dispatch", str(listed), *nats, *record]
            words += ["--listen", f"127.0.0.1:{self.brokers[0].edge}"]
            self.dispatcher = self._command("recorder", words, {})
            between.append(self.dispatcher)
        for number in range(self.checkers):
            words = ["worker", "--checks", *nats, "--jobs", "1", "--name", f"checker.w{number}"]
            between.append(self._command("checker", words, {}))
        for command in (self.recorder, *between, *self.workers):
            command.start()
            self.commands.insert(0, command)

    def _command(self, user: str, words: list[str], variables: dict[str, str]) -> Command:
        if len(self.brokers) > 1 or self.volunteers:  # these brokers have accounts
            password = self.volunteers.get(user) or PASSWORDS[f"SATLIFE_{user.upper()}_PASSWORD"]
            variables |= {"SATLIFE_NATS_USER": user, "SATLIFE_NATS_PASSWORD": password}
            variables |= {"SATLIFE_PASSWORD": password}
        part = words[1] if words[0] == "campaign" else user
        log = self.folder / f"{part}-{len(self.workers)}.log"
        return Jumping(self.mark, log, words, self.program, variables)

    @property
    def checker(self) -> Command:
        """A command that checks proofs."""
        return next(command for command in self.commands if "--checks" in command.words)

    def answered(self) -> int:
        """How many tasks and cases have an answer; -1 if the ledger cannot say so now."""
        try:
            with open_ledger(self.where, create=False) as ledger:
                counts = ledger.counts()
                return counts.final + counts.cases - counts.open_cases
        except UsageError:  # it is not there yet, or its server stands still
            return -1

    def wait(self, answers: int, seconds: float) -> bool:
        """Wait for so many answers; False if the recorder ends before."""
        end = time.monotonic() + seconds
        while self.answered() < answers and time.monotonic() < end:
            if self.recorder.code is not None:
                return False
            time.sleep(0.2)
        return self.recorder.code is None


class Watch(threading.Thread):
    """Measures the longest time without an answer."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(daemon=True)
        self._stage, self._end = stage, threading.Event()
        self.longest = 0.0

    def run(self) -> None:
        """Look twice a second."""
        before, since = 0, time.monotonic()
        while not self._end.wait(0.5):
            answered, now = self._stage.answered(), time.monotonic()
            if before:  # the start of the processes is not counted
                self.longest = max(self.longest, now - since)
            if answered > before:
                before, since = answered, now

    def stop(self) -> float:
        """Return the longest time, in seconds."""
        self._end.set()
        self.join()
        return self.longest


class Jumping(Command):
    """A command that may run in another program; ``before`` are that program's words."""

    def start(self) -> None:
        """Start it."""
        if not self.before:
            super().start()
            return
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.before, *self.words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {"SATLIFE_TEST_MARK": self.mark} | self.variables,
            )


@contextmanager
def halted(pids: Sequence[int]) -> Iterator[None]:
    """Processes that stand still."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def family(pid: int) -> list[int]:
    """A process and all below it."""
    return [pid, *descendants(pid)]


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A disk of its own in memory."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    subprocess.run(words, check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """A disk without a free byte."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    try:
        yield
    finally:
        filler.unlink()


Disturb = Callable[[], None]
Scene = Callable[[Stage], Disturb]
"""Prepares and starts a stage; returns what disturbs it once."""


def _halt(pids: Callable[[], Sequence[int]]) -> Disturb:
    def disturb() -> None:
        with halted(pids()):
            time.sleep(PAUSE)

    return disturb


class Part(Protocol):
    """What can be killed and started again."""

    def kill(self) -> None:
        """End it as a power cut would."""

    def start(self) -> None:
        """Start it again."""


def _kill(part: Callable[[], Part]) -> Disturb:
    def disturb() -> None:
        part().kill()
        time.sleep(LEASE / 2)
        part().start()

    return disturb


def kill_recorder(stage: Stage) -> Disturb:
    """The recorder is killed and started again."""
    stage.start()
    return _kill(lambda: stage.recorder)


def kill_worker(stage: Stage) -> Disturb:
    """A worker is killed and started again."""
    stage.start()
    return _kill(lambda: stage.workers[0])


def kill_solver(stage: Stage) -> Disturb:
    """A solver is killed; its worker starts another."""
    stage.start()

    def disturb() -> None:
        for pid in children(stage.workers[0].pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    return disturb


def kill_checker(stage: Stage) -> Disturb:
    """The only checker is killed and started again."""
    stage.checkers = 1
    stage.start()
    return _kill(lambda: stage.checker)


def kill_broker(stage: Stage) -> Disturb:
    """The broker is killed and started again."""
    stage.start()
    return _kill(lambda: stage.brokers[0])


def kill_database(stage: Stage) -> Disturb:
    """PostgreSQL is killed and started again."""
    database = _start_database(stage)
    stage.start()
    return _kill(lambda: database)


def stop_checker(stage: Stage) -> Disturb:
    """The only checker stands still."""
    stage.checkers = 1
    stage.start()
    return _halt(lambda: family(stage.checker.pid))


def stop_recorder(stage: Stage) -> Disturb:
    """The recorder stands still."""
    stage.start()
    return _halt(lambda: [stage.recorder.pid])


def stop_dispatcher(stage: Stage) -> Disturb:
    """The dispatcher stands still, and volunteers are not heard."""
    _start_volunteers(stage)
    return _halt(lambda: [stage.dispatcher.pid])


def kill_dispatcher(stage: Stage) -> Disturb:
    """The dispatcher is killed and started again."""
    _start_volunteers(stage)
    return _kill(lambda: stage.dispatcher)


def _start_volunteers(stage: Stage) -> None:
    """Two users, who must say the same before it counts."""
    stage.volunteers = {user: secrets.token_hex(8) for user in ("anna", "bert")}
    broker = plain_broker(stage.folder / "nats")
    stage.brokers.append(stage.stack.enter_context(broker))
    stage.start()


def stop_worker(stage: Stage) -> Disturb:
    """A worker and its solvers stand still; its tasks pass on, and its answers come late."""
    stage.start()
    return _halt(lambda: family(stage.workers[0].pid))


def stop_solver(stage: Stage) -> Disturb:
    """A solver stands still; its worker keeps the task."""
    stage.start()
    return _halt(lambda: children(stage.workers[0].pid))


def stop_broker(stage: Stage) -> Disturb:
    """The broker stands still."""
    stage.start()
    return _halt(lambda: [stage.brokers[0].process.pid] if stage.brokers[0].process else [])


def stop_database(stage: Stage) -> Disturb:
    """PostgreSQL stands still."""
    database = _start_database(stage)
    stage.start()
    return _halt(lambda: family(database.pid or 0))


def _start_database(stage: Stage) -> PostgresServer:
    database = stage.database = PostgresServer()
    stage.stack.callback(database.close)
    database.start()
    stage.where = database.new_ledger()
    return database


def fill_ledger(stage: Stage) -> Disturb:
    """The disk of an SQLite ledger is full."""
    disk = stage.stack.enter_context(small_disk(stage.folder / "disk", 8 * MEGABYTE))
    stage.where = str(disk / "plan.db")
    stage.start()

    def disturb() -> None:
        with filled(disk):
            time.sleep(PAUSE)

    return disturb


def fill_and_stop(stage: Stage) -> Disturb:
    """The disk of an SQLite ledger is full; when there is room again, the recorder stands still."""
    fill = fill_ledger(stage)

    def disturb() -> None:
        fill()
        with halted([stage.recorder.pid]):
            time.sleep(PAUSE)

    return disturb


def fill_broker(stage: Stage) -> Disturb:
    """The disk of the broker is full."""
    disk = stage.stack.enter_context(small_disk(stage.folder / "disk", 32 * MEGABYTE))
    # By itself, the server would promise no more than the disk has, and refuse our streams.
    settings = stage.folder / "full.conf"
    folder = disk / "jetstream"
    settings.write_text(f'jetstream {{ store_dir: "{folder}", max_file_store: 100GB }}\n')
    broker = Broker(disk / "nats", words=["-c", str(settings)])
    stage.brokers.append(broker)
    broker.start()
    stage.stack.callback(broker.stop)
    stage.start()

    def disturb() -> None:
        with filled(disk):
            time.sleep(PAUSE)
        # As the runbook says: nats-server may have given up on JetStream, and not even stop.
        broker.kill()
        broker.start()

    return disturb


def fill_database(stage: Stage) -> Disturb:
    """The disk of PostgreSQL is full."""
    disk = stage.stack.enter_context(small_disk(stage.folder / "disk", 160 * MEGABYTE))
    for folder in (stage.folder, disk):
        folder.chmod(0o755)  # PostgreSQL does not run as root
    before, tempfile.tempdir = tempfile.tempdir, str(disk)
    try:
        database = _start_database(stage)
    finally:
        tempfile.tempdir = before
    stage.start()

    def disturb() -> None:
        with filled(disk):
            time.sleep(PAUSE)
        database.restart_if_down()

    return disturb


def set_clock(stage: Stage) -> Disturb:
    """The clock of recorder and workers is set, an hour back, a day ahead, and right again."""
    clock = stage.folder / "clock"
    stage.program = (sys.executable, "-m", "bench.jumping", str(clock))
    stage.start()
    jumps = iter((-3600, 86_400, 0))

    def disturb() -> None:
        clock.write_text(str(next(jumps)), encoding="ascii")
        time.sleep(LEASE)

    return disturb


def kill_leader(stage: Stage) -> Disturb:
    """In a cluster of three, the server that leads the tasks is killed and comes back."""
    stage.brokers += stage.stack.enter_context(three_servers(stage.folder / "cluster"))
    stage.replicas = 3
    stage.start()

    def disturb() -> None:
        broker = _leader(stage)
        broker.kill()
        time.sleep(PAUSE)
        broker.start()

    return disturb


def stop_leader(stage: Stage) -> Disturb:
    """In a cluster of three, the server that leads the tasks stands still."""
    stage.brokers += stage.stack.enter_context(three_servers(stage.folder / "cluster"))
    stage.replicas = 3
    stage.start()

    def disturb() -> None:
        process = _leader(stage).process
        assert process is not None
        with halted([process.pid]):
            time.sleep(PAUSE)

    return disturb


def _leader(stage: Stage) -> Broker:
    """The server that leads the stream of tasks."""
    import asyncio  # noqa: PLC0415

    from satlife.cluster.queue import Access, connect, jetstream  # noqa: PLC0415
    from satlife.cluster.queue.streams import TASKS  # noqa: PLC0415

    async def ask() -> str:
        urls = tuple(broker.url for broker in stage.brokers)
        password = PASSWORDS["SATLIFE_RECORDER_PASSWORD"]
        client = await connect(Access(servers=urls, user="recorder", password=password))
        try:
            while True:
                with contextlib.suppress(Exception):
                    info = await jetstream(client).stream_info(TASKS)
                    if info.cluster is not None and info.cluster.leader:
                        return info.cluster.leader
                await asyncio.sleep(0.5)
        finally:
            await client.close()

    return stage.brokers[int(asyncio.run(ask()).rpartition("-")[2])]


SCENES: dict[str, Scene] = {
    scene.__name__.replace("_", "-"): scene
    for scene in (
        *(kill_recorder, kill_worker, kill_solver, kill_checker, kill_broker, kill_database),
        *(stop_recorder, stop_worker, stop_solver, stop_checker, stop_broker, stop_database),
        *(stop_dispatcher, kill_dispatcher),
        *(
            fill_ledger,
            fill_and_stop,
            fill_broker,
            fill_database,
            set_clock,
            kill_leader,
            stop_leader,
        ),
    )
}


OF_SQLITE = frozenset({"fill-ledger", "fill-and-stop"})
OF_POSTGRESQL = frozenset({"kill-database", "stop-database", "fill-database"})
"""Scenes whose ledger is of one kind, and which start it."""


Answers = dict[str, Status | Counter[InBox]]
"""The answers of tasks, and of questions: the number of boxes with each."""


def list_scenes(ledger: str) -> list[str]:
    """Return the scenes that can be played over a kind of ledger."""
    left_out = OF_POSTGRESQL if ledger == "sqlite" else OF_SQLITE
    return [name for name in SCENES if name not in left_out]


def play(
    name: str,
    folder: Path,
    plan: Plan,
    right: Answers,
    *,
    ledger: str = "sqlite",
    times: int = TIMES,
    seconds: float = 300.0,
) -> Report:
    """Play a scene; return what happened and what is wrong."""
    report = Report(tasks=plan.size())
    begun = time.monotonic()
    with ExitStack() as stack:
        stage = Stage(folder, plan, stack)
        with nothing_left(stage.mark):
            try:
                if ledger == "postgresql" and name not in OF_POSTGRESQL:
                    _start_database(stage)
                disturb = SCENES[name](stage)
                watch = Watch(stage)
                watch.start()
                for number in range(times):
                    # Spread over the campaign, and never after its end.
                    if not stage.wait(1 + number * report.tasks // (times + 1), seconds):
                        if not number:
                            report.wrong.append("it was over before anything happened")
                        break
                    disturb()
                    report.kills[name] += 1
                try:
                    code = stage.recorder.wait(seconds)
                    if code:
                        report.wrong.append(f"the recorder ended with {code}")
                except subprocess.TimeoutExpired:
                    report.wrong.append("the campaign did not come to its end in time")
                report.stall = watch.stop()
                for worker in stage.workers:
                    worker.stop()
                with open_ledger(stage.where, create=False) as read:
                    states, answers = examine(read, report), read_answers(read)
            finally:
                for command in stage.commands:
                    command.stop()
    report.seconds = time.monotonic() - begun
    report.lost = sum(status not in FINAL for status in states.values())
    report.lost += report.tasks - len(states)
    report.wrong += [
        f"{name[:60]}: {answers.get(name)}, undisturbed {right.get(name)}"
        for name in sorted(answers.keys() | right)
        if answers.get(name) != right.get(name)
    ]
    return report


def undisturbed(plan: Plan) -> Answers:
    """The right answers."""
    with open_ledger(":memory:") as ledger:
        run(plan, ledger, jobs=2)
        return read_answers(ledger)


def read_answers(ledger: Ledger) -> Answers:
    """Return what does not depend on the order in which answers come.

    An exact box of which nobody needs to know is found elsewhere, or impossible by itself.
    """
    answers: Answers = {row.words: row.in_box for row in collect(ledger).questions}
    rows = (row for row in ledger.rows() if not row.state.parent and row.task.exact is None)
    return answers | {row.name: row.state.status for row in rows}


def main() -> int:
    """Play the scenes; say how it went."""
    parser = argparse.ArgumentParser(prog="python -m bench.chaos", description=__doc__)
    parser.add_argument("--ledger", choices=LEDGERS, default="sqlite")
    parser.add_argument("--plan", choices=PLANS, default="proofs")
    parser.add_argument("--times", type=int, default=TIMES, help="disturbances of each scene")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=", ".join(SCENES))
    words = parser.parse_args()
    known = list_scenes(words.ledger)
    if unknown := set(words.scenes).difference(known):
        parser.error(
            f"no such scene over {words.ledger}: {', '.join(sorted(unknown))}; "
            f"there are {', '.join(known)}"
        )
    plan = Plan.from_toml(PLANS[words.plan])
    right = undisturbed(plan)
    line = "{:<16} {:<10} {:>6} {:>5} {:>4} {:>6} {:>4}"
    say(line.format("scene", "ledger", "faults", "wrong", "lost", "stall", "s"))
    failed = 0
    for name in words.scenes or known:
        with tempfile.TemporaryDirectory(prefix="satlife-chaos-") as folder:
            where = Path(folder)
            report = play(name, where, plan, right, ledger=words.ledger, times=words.times)
            if report.wrong:
                kept = Path(tempfile.mkdtemp(prefix=f"satlife-chaos-{name}-"))
                for log in where.glob("*.log"):
                    log.rename(kept / log.name)
                report.wrong.append(f"the logs are in {kept}")
        failed += bool(report.wrong)
        wrong = max(len(report.wrong) - 1, 0)  # the last line is about logs
        times = f"{report.stall:.1f}", f"{report.seconds:.0f}"
        say(line.format(name, words.ledger, report.kills[name], wrong, report.lost, *times))
        for what in report.wrong:
            say(f"  {what}")
    return 1 if failed else 0


def say(words: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
