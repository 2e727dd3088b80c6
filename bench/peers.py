"""Figures beside other programs, measured here and now: ``python -m bench.peers FOLDER``.

FOLDER holds what you have fetched and built yourself, each in a folder of its own: Logic Life
Search 4 (the script ``lls``), lifesrc 3.8 (the program ``lifesrcdumb``) and qfind 2.4 (the program
``qfind``).  Nothing is written there.  Where something is missing, its rows say so.

All seconds are processor seconds, user and system, of a process and its children.  Ours and theirs
run in turn; a ratio is the median of the pairs' ratios, any other figure the median of its runs.
The table is printed, and kept in a file, from which docs/benchmarks.md gets its section.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from bench.cpu import Watch
from bench.machine import describe_machine
from bench.markdown import table
from bench.measure import WrongAnswerError, make_environment
from bench.proofs import REFUTED, timing
from bench.series import number
from bench.tasks import find_task
from satlife import Impossible, Problem, build, find, prove, ship, still_life
from satlife.certificates.make.refute import PROVER, make_formula
from satlife.certificates.proof_search import Proved
from satlife.sat import CommandSolver, find_solver
from satlife.sat.files import write_formula
from satlife.sat.proofs import solve_with_proof
from satlife.sat.proofs.rup import check_in_time

if sys.platform != "win32":
    import resource

RESULTS = Path(__file__).with_name("results") / "peers.json"
LIMIT = 150.0
"""Processor seconds after which a program is stopped; it counts as if it had ended then."""
SATLIFE: Final = (sys.executable, "-m", "satlife")
SHIP: Final = (*SATLIFE, "ship", "c/4d", "--box", "4x4", "--quiet")
BARE: Final = (sys.executable, "-c", "import numpy, pysat.solvers")
LOOP: Final = """\
import sys, satlife
problem = satlife.Problem.from_json(sys.argv[1])
for _ in range(int(sys.argv[2])):
    assert not isinstance(satlife.find(problem), satlife.Undecided)
"""
WORDS: Final = {
    "B01": "-b 4 4 -s p4 x1 y1 -p",
    "B02": "-b 5 7 -s p4 y2 -p",
    "B03": "-b 12 14 -s p3 y1 -s D2| -p",
    "B04": "-b 5 17 -s p3 y1 -p",
    "B05": "-b 6 18 -s p3 y1 -p",
    "B06": "-b 5 5 -s p3 -c 0 1",
    "B07": "-b 8 7 -s p3 -c 0 1",
    "B08": "-b 6 6 -s p3 -c 0 1",
    "B09": "-b 8 8 -s p5 -s C4 -c 0 1",
    "B10": "-b 9 9 -s p4 -s C4 -c 0 1 -c 0 2",
    "B11": "-b 12 12 -s p4 -s C4 -c 0 1 -c 0 2",
    "B12": "-b 9 9 -s p8 -s C4 -c 0 1 -c 0 2 -c 0 4",
    "B13": "-b 8 8 -s p1 -p >=36",
    "B14": "-b 9 9 -s p1 -p >=44",
}
"""The tasks in the words of Logic Life Search; its formulas have as many clauses as recorded."""

Pairs = Sequence[tuple[float, float]]
"""Seconds of ours and of theirs."""


class MissingError(Exception):
    """A program or a package that a row needs is not here."""


@dataclass(frozen=True)
class Figure:
    """One row of the table; the value is a ratio unless it has another unit."""

    what: str
    value: float | None
    goal: float = 0
    unit: str = "times"
    pairs: Pairs = ()
    at_least: bool = False
    missing: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """What was measured, the median seconds, the figure, its goal, and whether it is met."""
        sides = [number(statistics.median(side)) for side in zip(*self.pairs, strict=True)]
        ours, theirs = sides or ("–", "–")
        if self.value is None:
            return (self.what, ours, theirs, f"missing: {self.missing}", "–", "–")
        is_met = self.value >= self.goal if self.at_least else self.value <= self.goal
        goal = f"{'≥' if self.at_least else '≤'} {self.goal:g} {self.unit}"
        told = f"{number(self.value)} {self.unit}"
        return (self.what, ours, theirs, told, goal, "yes" if is_met else "**no**")


@dataclass(frozen=True)
class Bench:
    """Where the peers are, how often everything is measured, and a folder for files."""

    peers: Path
    count: int
    place: Path

    def locate(self, name: str) -> Path:
        """Return a file of the peers."""
        for path in sorted(self.peers.glob(f"*/{name}")):
            if path.is_file():
                return path.resolve()
        raise MissingError(f"no */{name} in the folder")

    def alternate(self, ours: Callable[[], float], theirs: Callable[[], float]) -> Pairs:
        """Measure both in turn."""
        return [(ours(), theirs()) for _ in range(self.count)]

    def ask(self, name: str) -> float:
        """Return the seconds of ``satlife find`` on a task."""
        task, spec = find_task(name), self.place / f"{name}.json"
        spec.write_bytes(task.problem.to_json())
        return spend((*SATLIFE, "find", str(spec), "--json"), f'"answer":"{task.answer}"')


def spend(command: Sequence[str], said: str = "", typed: str = "", cache: str = "") -> float:
    """Run a program and return its seconds.

    Its output must hold some words; without words, it must end with exit code 0.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=make_environment() | ({"XDG_CACHE_HOME": cache} if cache else {}),
        start_new_session=True,
    )

    def stop() -> None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)

    with process, Watch(process.pid, LIMIT, stop):
        output = process.communicate(typed.encode())[0].decode(errors="replace")
    if process.returncode == -signal.SIGKILL:
        return LIMIT
    if said not in output or not (said or process.returncode == 0):
        raise WrongAnswerError(f"{' '.join(command)} does not say {said!r}: {output[-500:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spend_in_loop(problem: Problem, few: int = 2, many: int = 22) -> float:
    """Return the seconds of one more ``satlife.find`` in a process that has started."""
    command = (sys.executable, "-c", LOOP, problem.to_json().decode())
    return (spend((*command, str(many))) - spend((*command, str(few)))) / (many - few)


def ratio(pairs: Pairs) -> float:
    """Return the median of ours by theirs.

    >>> ratio([(1.0, 2.0), (3.0, 2.0), (8.0, 8.0)])
    1.0
    """
    return statistics.median(ours / theirs for ours, theirs in pairs)


def need_numba() -> None:
    """Raise unless numba is installed."""
    if importlib.util.find_spec("numba") is None:
        raise MissingError("numba")


def campaign(bench: Bench) -> Iterator[Figure]:
    """Trivial tasks of a campaign."""
    survivals = (each for size in range(6) for each in combinations("12345678", size))
    rules = [f"B3{more}/S{''.join(each)}" for each in survivals for more in ("", "4", "5", "6")]

    def run(count: int, *symmetries: str) -> float:
        plan = bench.place / f"{time.monotonic_ns()}.toml"
        axes = f"rules = {rules[:count]}\nsymmetries = {list(symmetries)}\n"
        plan.write_text(f'[[search]]\nkind = "still-life"\nboxes = "3x3"\n{axes}', "utf-8")
        command = (*SATLIFE, "campaign", "run", str(plan), "--jobs", "1")
        return spend(command, f"{count * len(symmetries)} answered")

    runs = [(run(200, "C1"), run(400, "C1"), run(200, "C1", "D2|")) for _ in range(bench.count)]
    cost = statistics.median((many - few) / 200 for few, many, _ in runs)
    yield Figure("campaign, a trivial task of a new rule", 1000 * cost, 8, "ms")
    cost = statistics.median((many - few) / 200 for few, _, many in runs)
    yield Figure("campaign, a trivial task of a rule that it has had", 1000 * cost, 4, "ms")


def finds(bench: Bench) -> Iterator[Figure]:
    """`satlife.find` in a loop."""
    for words, problem in (
        ("ship c/4d, 4x4", ship("c/4d", box="4x4")),
        ("still life, 3x3", still_life(box="3x3")),
    ):
        cost = statistics.median(spend_in_loop(problem) for _ in range(bench.count))
        yield Figure(f"`satlife.find` in a loop, {words}", 1000 * cost, 40, "ms")


def shell(bench: Bench) -> Iterator[Figure]:
    """The glider from the shell."""
    pairs = bench.alternate(partial(spend, SHIP, "x = 3"), partial(spend, BARE))
    what = "glider from the shell, by Python that imports NumPy and PySAT"
    yield Figure(what, ratio(pairs), 1.8, pairs=pairs)


def lls(bench: Bench) -> Iterator[Figure]:
    """Logic Life Search with kissat."""
    script, kissat = bench.locate("lls"), find_solver("kissat-binary")
    if not (script.parent / "settings.py").exists():
        raise MissingError("version 4 of LLS; the one in the folder is older")
    if not (isinstance(kissat, CommandSolver) and kissat.available):
        raise MissingError("kissat")
    # It takes solvers from a folder of its own, where nothing needs to be put.
    solver = os.path.relpath(kissat.locate(), script.parent / "solvers")
    speeds = []
    for name, words in WORDS.items():
        task = find_task(name)
        said = {"found": "rule = ", "impossible": "Unsatisfiable"}[task.answer]
        command = (sys.executable, str(script), *words.split(), "-S", solver)
        pairs = bench.alternate(partial(bench.ask, name), partial(spend, command, said))
        speeds.append(ratio([(theirs, ours) for ours, theirs in pairs]))
        what = f"LLS with kissat by satlife, {name} {task.words}"
        yield Figure(what, speeds[-1], 1, pairs=pairs, at_least=True)
    what = "LLS with kissat by satlife, median of the tasks"
    yield Figure(what, statistics.median(speeds), 2.5, at_least=True)


def lifesrc(bench: Bench) -> Iterator[Figure]:
    """Lifesrc on B06."""
    command = (str(bench.locate("lifesrcdumb")), "-r5", "-c5", "-g3", "-o", os.devnull)
    theirs = partial(spend, command, "No objects found", "\n")
    pairs = bench.alternate(partial(bench.ask, "B06"), theirs)
    yield Figure("satlife by lifesrc, B06, from the shell", ratio(pairs), 6, pairs=pairs)
    pairs = bench.alternate(partial(spend_in_loop, find_task("B06").problem), theirs)
    yield Figure("satlife by lifesrc, B06, in one process", ratio(pairs), 1, pairs=pairs)


def certificates(bench: Bench) -> Iterator[Figure]:
    """Certificates, which are checked when made, by plain answers, in one process."""
    ratios = []
    for task in REFUTED:
        pairs = []
        for turn in range(bench.count):
            with timing() as since:
                proved = isinstance(prove(task.problem, bench.place / f"{task.name}{turn}"), Proved)
                seconds = since()
                if not (proved and isinstance(find(task.problem), Impossible)):
                    raise WrongAnswerError(f"{task.name} is impossible")
                pairs.append((seconds, since() - seconds))
        ratios.append(ratio(pairs))
        yield Figure(f"certificate by plain answer, {task.name}", ratios[-1], 4, pairs=pairs)
    yield Figure("certificate by plain answer, median of the tasks", statistics.median(ratios), 2.5)


def kernel(bench: Bench) -> Iterator[Figure]:
    """Our checker of proofs by lrat-check."""
    need_numba()
    if (tool := shutil.which("lrat-check")) is None:
        raise MissingError("lrat-check")
    formula, proof = make_formula(find_task("B08").problem), bench.place / "B08.lrat"
    solve_with_proof(formula, find_solver(PROVER), proof)
    write_formula(formula, bench.place / "B08.cnf")

    def ours() -> float:
        with timing() as since:
            if not check_in_time(formula, proof):
                raise WrongAnswerError("the proof of B08 is valid")
            return since()

    ours()  # compiles
    command = (tool, str(bench.place / "B08.cnf"), str(proof))
    pairs = bench.alternate(ours, partial(spend, command, "VERIFIED"))
    yield Figure("our checker by lrat-check, B08", ratio(pairs), 1.2, pairs=pairs)


def rows(bench: Bench) -> Iterator[Figure]:
    """Search by rows, and qfind."""
    need_numba()
    command = (*SATLIFE, "ship", "c/4", "--box", "11x*", "--symmetry", "D2v", "--json")
    ours = partial(spend, command, '"exhausted"', "")
    later = partial(ours, str(bench.place))
    later()
    pairs = bench.alternate(lambda: ours(str(bench.place / f"{time.monotonic_ns()}")), later)
    cost = statistics.median(first - again for first, again in pairs)
    yield Figure("first search by rows, its compiling", cost, 12, "s", pairs)
    qfind = (str(bench.locate("qfind")), "-v", "c/4", "-w", "6", "-s", "odd", "-t", "1")
    pairs = bench.alternate(later, partial(spend, qfind, "0 spaceships found"))
    cost = statistics.median(here - there for here, there in pairs)
    yield Figure("later search by rows, c/4, width 11, more than qfind", cost, 0.7, "s", pairs)


def dimacs(bench: Bench) -> Iterator[Figure]:
    """Writing a large formula by building it."""
    pairs, clauses = [], 0
    for _ in range(bench.count):
        with timing() as since:
            formula = build(Problem(boxes=("100x100",), steps=32), "columns").formula
            built, clauses = since(), formula.clauses
            write_formula(formula, bench.place / "large.cnf")
            pairs.append((since() - built, built))
    what = f"writing {clauses / 1e6:.0f} million clauses as DIMACS, by building them"
    yield Figure(what, ratio(pairs), 1, pairs=pairs)


ROWS: Final[dict[str, Callable[[Bench], Iterator[Figure]]]] = {
    each.__name__: each
    for each in (campaign, finds, shell, lls, lifesrc, certificates, kernel, rows, dimacs)
}
"""What is measured, in this order; each yields rows of the table."""


def measure(name: str, bench: Bench) -> Iterator[Figure]:
    """Yield the rows of a name; the last one says what is missing, if anything is."""
    try:
        yield from ROWS[name](bench)
    except MissingError as error:
        yield Figure((ROWS[name].__doc__ or name).rstrip("."), None, missing=str(error))


def render(kept: dict[str, Any]) -> str:
    """Return the table of all that is kept, and how it was measured."""
    runs = [kept["runs"][name] for name in ROWS if name in kept["runs"]]
    days, pairs, loads = ([run[key] for run in runs] for key in ("date", "pairs", "load"))
    figures = [Figure(**record) for run in runs for record in run["figures"]]
    head = ("", "ours, s", "theirs, s", "measured", "goal", "met")
    return f"""\
Measured on {" to ".join(sorted({min(days), max(days)}))}, medians of at least {min(pairs)} pairs in
turn, on {kept["machine"]["cores"]} cores with a load of {min(loads):.1f} to {max(loads):.1f}.

{table(head, [figure.cells for figure in figures])}"""


def main(words: list[str] | None = None) -> None:
    """Measure, keep the figures, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the peers are")
    parser.add_argument("--only", nargs="+", choices=ROWS, default=list(ROWS), metavar="NAME")
    parser.add_argument("--pairs", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where figures are kept")
    given = parser.parse_args(words)
    kept = json.loads(given.json.read_text(encoding="utf-8")) if given.json.exists() else {}
    kept = {"machine": describe_machine(), "runs": kept.get("runs", {})}
    spend(SHIP)  # writes the bytecode
    for name in given.only:
        run = {"date": time.strftime("%Y-%m-%d"), "pairs": given.pairs, "figures": []}
        with tempfile.TemporaryDirectory() as place:
            for figure in measure(name, Bench(given.folder, given.pairs, Path(place))):
                sys.stderr.write(f"{' | '.join(figure.cells)}\n")
                run["figures"].append(asdict(figure))
        kept["runs"][name] = run | {"load": os.getloadavg()[0]}
        # A figure on one line: the file stays readable, and its changes too.
        text = json.dumps(kept, ensure_ascii=False).replace('{"what"', '\n{"what"')
        given.json.write_text(f"{text}\n", encoding="utf-8")
    sys.stdout.write(render(kept))


if __name__ == "__main__":
    main()
