"""What a proof costs beside a plain answer: ``python -m bench.proofs [NAME …]``.

For each refutation of the benchmark, one after the other in one run, in processor seconds: the
plain answer, as ``satlife find`` gives it; the formula built and solved with a proof; the proof
trimmed; and the proof checked by our own checker.  Prints a table in Markdown.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.tasks import TASKS, Task
from satlife.sat import Refuted, find_solver
from satlife.sat.proofs import check_lrat, solve_with_proof
from satlife.search import Impossible, find
from satlife.search.certificates import NoneExists
from satlife.search.certificates.obligations import obligations
from satlife.search.certificates.symmetries import choose_maps


@dataclass(frozen=True)
class Cost:
    """Processor seconds of a task, and the bytes of its proof."""

    plain: float
    solved: float
    trimmed: float
    checked: float
    bytes: int

    @property
    def ratio(self) -> float:
        """Solving with a proof, by solving without."""
        return self.solved / self.plain

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


def measure(task: Task) -> Cost:
    """Solve a task without and with a proof, and check the proof."""
    with timing() as since:
        assert isinstance(find(task.problem), Impossible)
        plain = since()
    with tempfile.TemporaryDirectory() as place, timing() as since:
        proof, begun = Path(place, "proof"), list[float]()
        (needed,) = obligations(task.problem, NoneExists(), choose=lambda e: choose_maps(e.said))
        answer = solve_with_proof(
            needed.formula, find_solver("cadical"), proof, on_trim=lambda: begun.append(since())
        )
        assert isinstance(answer, Refuted)
        done = since()
        assert check_lrat(needed.formula, proof)
        return Cost(plain, begun[0], done - begun[0], since() - done, proof.stat().st_size)


def main(names: list[str]) -> None:
    """Print the table."""
    tasks = [each for each in TASKS if each.answer == "impossible"]
    say("| task | plain s | with a proof s | ratio | trimmed s | checked s | more | proof MB |")
    say("|---|---:|---:|---:|---:|---:|---:|---:|")
    costs = []
    for task in (each for each in tasks if not names or each.name in names):
        cost = measure(task)
        costs.append(cost)
        say(
            f"| {task.name} {task.words} | {cost.plain:.1f} | {cost.solved:.1f} | {cost.ratio:.1f} "
            f"| {cost.trimmed:.1f} | {cost.checked:.1f} | {cost.rest:.1f} "
            f"| {cost.bytes / 1e6:.1f} |"
        )
    ratios, rests = [cost.ratio for cost in costs], [cost.rest for cost in costs]
    middle, worst = statistics.median(ratios), max(ratios)
    say(f"\nratio {middle:.1f} at the median, {worst:.1f} at the worst")
    say(f"trimming and checking: {statistics.median(rests):.1f} more at the median")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
