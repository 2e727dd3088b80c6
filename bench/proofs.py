"""What a proof costs beside a plain answer: ``python -m bench.proofs [--rounds N] [NAME …]``.

For each refutation of the benchmark, in processor seconds: the plain answer, as ``satlife.find``
gives it; the formula built and solved with a proof; the proof trimmed; and the proof checked by our
own checker.  They follow each other, in three rounds, whose medians are printed in a table.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.tasks import TASKS, Task
from satlife import Impossible, find
from satlife.audit.symmetries import choose_maps
from satlife.certificates import NoneExists
from satlife.certificates.make.refute import PROVER
from satlife.certificates.obligations import obligations
from satlife.sat import Refuted, find_solver
from satlife.sat.proofs import check_in_time, solve_with_proof

if sys.platform != "win32":
    import resource

REFUTED: Final = tuple(each for each in TASKS if each.answer == "impossible")


@dataclass(frozen=True)
class Cost:
    """Processor seconds of a task, and the bytes of its proof."""

    plain: float
    solved: float
    trimmed: float
    checked: float
    bytes: float

    @property
    def ratio(self) -> float:
        """Solving with a proof, by solving without."""
        return self.solved / self.plain

    @property
    def cells(self) -> str:
        """The rest of a row of the table."""
        return (
            f"| {self.plain:.2f} | {self.solved:.2f} | {self.ratio:.1f} | {self.trimmed:.2f} "
            f"| {self.checked:.2f} | {self.rest:.1f} | {self.bytes / 1e6:.1f} |"
        )

    @property
    def rest(self) -> float:
        """Trimming and checking, by solving without."""
        return (self.trimmed + self.checked) / self.plain


def spent() -> float:
    """Return the processor seconds of this process and of its children so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@contextmanager
def timing() -> Iterator[Callable[[], float]]:
    """Yield a function that returns the processor seconds since."""
    begun = spent()
    yield lambda: spent() - begun


def measure(task: Task, rounds: int) -> Cost:
    """Solve a task without and with a proof in turns, and check the proof; return the medians."""
    return Cost(*map(statistics.median, zip(*(_measure(task) for _ in range(rounds)), strict=True)))


def _measure(task: Task) -> tuple[float, ...]:
    with timing() as since:
        assert isinstance(find(task.problem), Impossible)
        plain = since()
    with tempfile.TemporaryDirectory() as place, timing() as since:
        proof, begun = Path(place, "proof"), list[float]()
        (needed,) = obligations(task.problem, NoneExists(), choose=lambda e: choose_maps(e.said))
        answer = solve_with_proof(
            needed.formula, find_solver(PROVER), proof, on_trim=lambda: begun.append(since())
        )
        assert isinstance(answer, Refuted)
        done = since()
        assert check_in_time(needed.formula, proof)
        return plain, begun[0], done - begun[0], since() - done, proof.stat().st_size


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.proofs", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a task; by default all")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    say("| task | plain s | with a proof s | ratio | trimmed s | checked s | more | proof MB |")
    say("|---|---:|---:|---:|---:|---:|---:|---:|")
    costs = []
    for task in (each for each in REFUTED if not given.names or each.name in given.names):
        cost = measure(task, given.rounds)
        costs.append(cost)
        say(f"| {task.name} {task.words} {cost.cells}")
    ratios, rests = [cost.ratio for cost in costs], [cost.rest for cost in costs]
    middle, worst = statistics.median(ratios), max(ratios)
    say(f"\nratio {middle:.2f} at the median, {worst:.2f} at the worst")
    say(f"trimming and checking: {statistics.median(rests):.2f} more at the median")
    say("load " + " ".join(f"{load:.1f}" for load in os.getloadavg()))


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
