"""What attacks cost honest volunteers: ``python -m bench.attacks [NAME …] [--rounds 3]``.

A recorder, a dispatcher and two honest volunteers work on a plan of 6,400 tasks over a real
nats-server with the accounts that we ship, while a third volunteer, in a process of its own,
attacks and pauses in turn.  An honest answer takes a fixed time of waiting, not of computing: so
what is compared is how well the volunteers are served, whatever else the machine does.  Printed are
their accepted answers per second with and without the attack, from alternating parts of one run,
and the ratio; the most tasks that the attacker held; and how many wrong answers the ledger has at
the end.

``tests/campaign/test_attacks.py`` checks that a campaign under each attack ends right.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path

from satlife.campaign.core.events import FINAL, Status
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import AnyResult, FoundResult, Task
from satlife.cluster.dispatch.desk import Quota
from satlife.cluster.worker import Worker
from tests.campaign.attacks import ATTACKS, attack_on
from tests.campaign.nats import Broker, plain_broker
from tests.campaign.scene import at_work
from tests.campaign.strangers import Honest, Truth, connected, staged, volunteer

SECONDS = 0.5
"""An honest answer takes so long: so little for the machine to do that it is never what limits."""
WARM_UP = 8.0
"""Seconds until everything runs."""


def make_plan(rules: int = 400) -> str:
    """A plan of 16 tasks for each rule, of milliseconds each, none of which implies another."""

    def subsets(digits: str) -> list[str]:
        sizes = range(len(digits) + 1)
        return ["".join(c) for c in chain(*(combinations(digits, n) for n in sizes))]

    names = [f"B3{born}/S23{kept}" for born in subsets("5678") for kept in subsets("45678")]
    return (
        f'quorum = 2\n[[search]]\nkind = "still-life"\nboxes = "4x4"\nrules = {names[:rules]}\n'
        f"population = {[f'={n}' for n in range(1, 17)]}\n"
    )


class Solved(Truth):
    """The truth, found out when it is needed."""

    def answer(self, task: Task, worker: str) -> AnyResult:
        """What an honest worker says."""
        self.status(task)
        return super().answer(task, worker)

    def status(self, task: Task) -> Status:
        """Found or impossible."""
        if task.name not in self.statuses:
            result = solve_task(task, "truth", None)
            is_found = isinstance(result, FoundResult)
            self.statuses[task.name] = Status.FOUND if is_found else Status.IMPOSSIBLE
            if isinstance(result, FoundResult):
                self.patterns[task.name] = result.generations
        return self.statuses[task.name]


@dataclass
class Speed:
    """What honest volunteers did in the parts of one sort."""

    answers: int = 0
    seconds: float = 0.0


async def measure(
    server: Broker, folder: Path, text: str, truth: Solved, name: str, rounds: int, part: float
) -> tuple[Speed, Speed, int]:
    """Return the speed without and with the attack, and the most tasks that Eve held."""
    async with staged(server, folder, text, Quota(), outstanding=6000, reconcile=20.0) as stage:
        honest = [
            volunteer(server, f"{user}.desk", Honest(truth, SECONDS)) for user in ("anna", "bert")
        ]
        speeds = Speed(), Speed()
        held = 0
        eve = await _start(server, name)
        try:
            async with at_work(*honest):
                await asyncio.sleep(WARM_UP)
                for number in range(2 * rounds):
                    # Stopped, not ended: a start would cost more than an attack.
                    eve.send_signal(signal.SIGCONT if number % 2 else signal.SIGSTOP)
                    speed = speeds[number % 2]
                    before = _done(honest), time.monotonic()
                    await asyncio.sleep(part)
                    speed.answers += _done(honest) - before[0]
                    speed.seconds += time.monotonic() - before[1]
                    held = max(held, stage.dispatcher.desk.user("eve").most)
        finally:
            eve.kill()
            await eve.wait()
        return *speeds, held


def _done(workers: Sequence[Worker]) -> int:
    return sum(worker.done for worker in workers)


async def _start(server: Broker, name: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.attacks", "--eve", str(server.edge), name, env=dict(os.environ)
    )


def count_wrong(where: Path, truth: Solved) -> int:
    """Return how many answers in the ledger are not the truth."""
    with open_ledger(str(where)) as ledger:
        rows = [row for row in ledger.rows() if row.state.status in FINAL]
    return sum(row.state.status is not truth.status(row.task) for row in rows)


async def be_eve(port: str, name: str) -> None:
    """Attack until killed."""
    server = Broker(Path(tempfile.gettempdir()))
    server.edge = int(port)
    async with connected(server) as eve:
        await attack_on(eve, name, 0.02)


def say(words: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=[*ATTACKS])
    parser.add_argument("--rounds", type=int, default=5, help="parts with and without")
    parser.add_argument("--part", type=float, default=3.0, help="seconds of each part")
    parser.add_argument("--eve", metavar="URL", help=argparse.SUPPRESS)
    words = parser.parse_args()
    if unknown := [name for name in words.names if name not in ATTACKS]:
        parser.error(f"no attack {unknown[0]}; there are {', '.join(ATTACKS)}")
    if words.eve:
        with suppress(KeyboardInterrupt):
            asyncio.run(be_eve(words.eve, words.names[0]))
        return
    logging.disable(logging.ERROR)
    text = make_plan()
    truth = Solved()
    heads = ("attack", "alone", "attacked", "ratio", "held", "wrong")
    say("{:<18} {:>8} {:>8} {:>6} {:>5} {:>5}".format(*heads))
    for name in words.names:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            with plain_broker(place / "nats") as server:
                alone, attacked, held = asyncio.run(
                    measure(server, place, text, truth, name, words.rounds, words.part)
                )
            wrong = count_wrong(place / "a.db", truth)
        rates = [speed.answers / speed.seconds for speed in (alone, attacked)]
        say(
            f"{name:<18} {rates[0]:>6.1f}/s {rates[1]:>6.1f}/s {rates[1] / rates[0]:>6.2f} "
            f"{held:>5} {wrong:>5}"
        )


if __name__ == "__main__":
    main()
