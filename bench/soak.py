"""The chaos test, long: ``python -m bench.soak [--tasks 2000] [--workers 4] [--every 4]``.

A campaign on a real nats-server and a real PostgreSQL, while every few seconds a random victim of
worker, solver child, recorder, nats-server and PostgreSQL is killed as a power cut would, and
started again.  At the end every task must have exactly one answer, every find must be verified, the
answers must be those of an undisturbed run, and no process may be left.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from satlife.campaign.core.events import FINAL, FoundEvent, Status
from satlife.campaign.core.trust import check_pattern
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.local.runner import run
from satlife.campaign.plan import Plan
from tests.campaign.nats import Broker
from tests.campaign.postgres import PostgresServer
from tests.campaign.running import Command, nothing_left
from tests.processes import children

VICTIMS = ("worker", "child", "recorder", "broker", "database")
RULES = (
    *("B3/S23", "B36/S23", "B3/S12", "B34/S34", "B3/S238", "B368/S245", "B38/S23"),
    *("B3/S1234", "B35/S236", "B357/S238", "B36/S125", "B38/S238", "B3678/S34678", "B37/S23"),
)
POPULATIONS = tuple(f"={n}" for n in range(4, 40, 2))


def make_plan(tasks: int) -> Plan:
    """A plan of about so many tasks of some tenths of a second, none of which implies another."""
    symmetries = ("D2-", "C2")
    rules = RULES[: max(1, min(len(RULES), tasks // 48))]
    each = max(1, tasks // (len(rules) * 2 * len(symmetries)))
    populations = tuple(islice(_all_populations(), each))
    return Plan.from_toml(
        "[[search]]\n"
        'kind = "oscillator"\nperiods = "2..3"\nboxes = "7x7"\n'
        f"rules = {list(rules)}\nsymmetries = {list(symmetries)}\n"
        f"population = {list(populations)}\n"
    )


def _all_populations() -> Iterator[str]:
    yield from POPULATIONS
    yield from (f"={n}" for n in range(5, 49, 2))


@dataclass
class Report:
    """What happened."""

    tasks: int = 0
    seconds: float = 0.0
    kills: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    findings: int = 0
    deaths: int = 0
    """Events in the log that count as a death."""
    wrong: list[str] = field(default_factory=list)
    lost: int = 0
    """Tasks without an answer."""
    stall: float = 0.0
    """The longest time without an answer, in seconds."""


class Stage:
    """All that runs, and how it is killed."""

    def __init__(self, folder: Path, plan: Plan, workers: int, mark: str) -> None:
        self.folder = folder
        self.broker = Broker(folder / "nats")
        self.database = PostgresServer()
        path = folder / "plan.toml"
        path.write_text(plan.to_toml(), encoding="utf-8")
        self.plan, self.path, self.mark = plan, path, mark
        self.count = workers

    def start(self) -> None:
        """Start everything."""
        self.broker.start()
        self.database.start()
        self.where = self.database.new_ledger()
        nats = ["--nats", self.broker.url]
        serve = ["campaign", "serve", str(self.path), *nats]
        self.recorder = Command(
            self.mark,
            self.folder / "recorder.log",
            [*serve, "--lease", "4s", "--outstanding", "60"],
            variables={"SATLIFE_LEDGER": self.where},  # it has a password
        )
        self.workers = [
            Command(
                self.mark,
                self.folder / f"worker-{n}.log",
                ["worker", *nats, "--jobs", "1", "--name", f"worker-{n}"],
            )
            for n in range(self.count)
        ]
        for command in (self.recorder, *self.workers):
            command.start()

    def strike(self, victim: str, chance: random.Random) -> bool:
        """Kill one; start it again.  False if there is none."""
        if victim == "recorder":
            _again(self.recorder.kill, self.recorder.start, chance)
        elif victim == "broker":
            _again(self.broker.kill, self.broker.start, chance)
        elif victim == "database":
            _again(self.database.kill, self.database.start, chance)
        elif victim == "worker":
            worker = chance.choice(self.workers)
            _again(worker.kill, worker.start, chance)
        else:
            solvers = [pid for worker in self.workers for pid in children(worker.pid)]
            if not solvers:
                return False
            with contextlib.suppress(ProcessLookupError):
                os.kill(chance.choice(solvers), signal.SIGKILL)
        return True

    def stop(self) -> None:
        """End everything, in order."""
        for command in (
            *getattr(self, "workers", ()),
            *filter(None, [getattr(self, "recorder", None)]),
        ):
            command.stop()
        self.broker.stop()
        self.database.close()


def _again(kill: Callable[[], None], start: Callable[[], None], chance: random.Random) -> None:
    kill()
    time.sleep(chance.uniform(0.0, 1.5))
    start()


def soak(
    folder: Path,
    *,
    tasks: int,
    workers: int = 4,
    every: float = 4.0,
    most_seconds: float = 3600.0,
    seed: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """Run the campaign under fire, then undisturbed; return what happened and what is wrong."""
    seed = secrets.randbits(32) if seed is None else seed
    say(f"seed {seed}")
    chance = random.Random(seed)
    plan, report, mark = make_plan(tasks), Report(), secrets.token_hex(8)
    report.tasks = plan.size()
    stage = Stage(folder, plan, workers, mark)
    begun = time.monotonic()
    with nothing_left(mark):
        try:
            stage.start()
            _fire(stage, report, chance, every, begun + most_seconds, say)
            report.seconds = time.monotonic() - begun
            for worker in stage.workers:
                worker.stop()
            with open_ledger(stage.where) as ledger:
                disturbed = examine(ledger, report)
        finally:
            stage.stop()
    say(f"{report.seconds:.0f} s, killed: {dict(report.kills)}; now undisturbed")
    with open_ledger(str(folder / "undisturbed.db")) as ledger:
        run(plan, ledger, jobs=2)
        undisturbed = {row.name: row.state.status for row in ledger.rows()}
    differing = {
        name
        for name in disturbed.keys() | undisturbed
        if disturbed.get(name) != undisturbed.get(name)
    }
    for name in sorted(differing):
        report.wrong.append(
            f"{name[:12]}: {disturbed.get(name)}, undisturbed {undisturbed.get(name)}"
        )
    return report


def _fire(
    stage: Stage,
    report: Report,
    chance: random.Random,
    every: float,
    until: float,
    say: Callable[[str], None],
) -> None:
    """Kill and start again, until the recorder has come to its end."""
    line: list[str] = []
    while stage.recorder.code is None:
        with contextlib.suppress(Exception):
            stage.recorder.wait(chance.uniform(0.5, 1.5) * every)
        if stage.recorder.code is not None:
            break
        if time.monotonic() > until:
            report.wrong.append("the campaign did not come to its end in time")
            return
        # In rounds, so that nobody is spared.
        line = line or chance.sample(VICTIMS, len(VICTIMS))
        victim = line.pop()
        if stage.strike(victim, chance):
            report.kills[victim] += 1
            say(f"killed: {victim}")
    if stage.recorder.code != 0:
        report.wrong.append(f"the recorder ended with {stage.recorder.code}")


def examine(ledger: Ledger, report: Report) -> dict[str, Status]:
    """Check the ledger; return the status of every task of the plan."""
    states: dict[str, Status] = {}
    for row in ledger.rows():
        if row.state.parent:
            continue
        if row.name in states:
            report.wrong.append(f"{row.name[:12]} is in the ledger twice")
        states[row.name] = row.state.status
        report.answers[row.state.status] += 1
        if row.state.status not in FINAL:
            report.wrong.append(f"{row.name[:12]} is {row.state.status}")
    if len(states) != report.tasks:
        report.wrong.append(f"{len(states)} tasks in the ledger, {report.tasks} in the plan")
    answers: Counter[str] = Counter()
    for entry in ledger.events():
        report.deaths += type(entry.event).__name__ in ("DiedEvent", "FailedEvent")
        if type(entry.event).__name__ in ("FoundEvent", "ClaimedEvent", "CertifiedEvent"):
            answers[entry.event.name] += 1
        if isinstance(entry.event, FoundEvent):
            task = ledger.task(entry.event.name)
            assert task is not None
            check_pattern(task.problem, entry.event.generations)
    report.wrong += [f"{name[:12]} was answered {n} times" for name, n in answers.items() if n > 1]
    report.findings = sum(1 for _ in ledger.findings())
    return states


def main() -> int:
    """Read the command line; say how it went."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--every", type=float, default=4.0, help="seconds between two deaths")
    parser.add_argument("--seed", type=int)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="satlife-soak-") as folder:
        report = soak(
            Path(folder),
            tasks=words.tasks,
            workers=words.workers,
            every=words.every,
            seed=words.seed,
            say=lambda line: print(line, flush=True),  # noqa: T201  # a program of its own
        )
    lines = (
        f"tasks      {report.tasks:,} in {report.seconds:.0f} s",
        f"killed     {', '.join(f'{n} × {who}' for who, n in report.kills.most_common())}",
        f"answers    {', '.join(f'{n} {what}' for what, n in report.answers.most_common())}",
        f"finds      {report.findings} different objects, all verified",
        f"deaths     {report.deaths} in the log",
        *(f"WRONG      {words}" for words in report.wrong),
        "not one answer lost or changed" if not report.wrong else f"{len(report.wrong)} wrong",
    )
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
