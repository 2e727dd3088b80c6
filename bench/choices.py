"""How good the table of default choices is: ``python -m bench.choices``.

Each question of ``bench/instances.txt`` is asked by every single choice of encoding, symmetry
breaking and solver, and by the default, on three shuffles of its variables.  The regret of a
question is the median time of the default over that of the best single choice.  A choice is
stopped once it has taken several times what the best before it took.  Every run is recorded at
once in ``bench/results/choices.json``: the same command goes on where it was stopped.

Seconds are those of the processor, with child processes, without the start of Python.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from bench.cpu import Watch
from bench.machine import describe_machine
from bench.markdown import table
from bench.optima import LIFE
from satlife import Found, Impossible, Pattern, Problem, start
from satlife.engine.sat.attempt import is_hunt
from satlife.formula.encodings import find_encoding
from satlife.formula.spacetime import SpaceTime

if sys.platform != "win32":
    import resource

HERE: Final = Path(__file__).resolve().parent
INSTANCES, RESULTS = HERE / "instances.txt", HERE / "results" / "choices.json"
DEFAULT: Final = "default"
CHOICES: Final[dict[str, dict[str, Any]]] = {
    DEFAULT: {},
    "columns cadical": {"encoding": "columns", "solver": "cadical", "break_symmetry": False},
    "columns cadical195": {"encoding": "columns", "solver": "cadical195", "break_symmetry": False},
    "columns cadical195 broken": {
        "encoding": "columns",
        "solver": "cadical195",
        "break_symmetry": True,
    },
    "columns glucose": {"encoding": "columns", "solver": "glucose", "break_symmetry": False},
    "columns glucose broken": {"encoding": "columns", "solver": "glucose", "break_symmetry": True},
    "direct glucose": {"encoding": "direct", "solver": "glucose", "break_symmetry": False},
}
"""The choices in the order of their runs, by the names under which they are recorded."""
SHUFFLES: Final = (1, 2, 3)
LONGEST: Final = 10.0
"""Seconds of a run; the default has twice as many.  A run that is stopped counts as its limit."""
HOPELESS: Final = 3.0
"""How many times the best median so far a single choice may take, but at least a second."""


class Work(NamedTuple):
    """One run that is to be made."""

    name: str
    choice: str
    shuffle: int

    @property
    def key(self) -> str:
        """The name under which it is recorded."""
        return f"{self.name} | {self.choice} | {self.shuffle}"


def read_instances() -> dict[str, str]:
    """Return the words of each question by its name."""
    lines = INSTANCES.read_text(encoding="utf-8").splitlines()
    wanted = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return {name: words.strip() for name, words in wanted}


def list_words(text: str) -> Iterator[str]:
    """Yield the words of a question, with the patterns that names stand for."""
    for word in shlex.split(text):
        if word.startswith("SOUP:"):
            width, height, seed, steps = map(int, word.split(":")[1:])
            soup = np.random.default_rng(seed).random((height, width)) < 0.5
            yield Pattern.from_array(soup.astype(np.uint8))[steps].to_rle()
        else:
            yield LIFE if word == "LIFE" else word


def make_problem(text: str) -> Problem:
    """Return the problem of a question."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "problem.toml")
        command = [sys.executable, "-m", "satlife", "cnf", *list_words(text)]
        subprocess.run([*command, "--problem", "-o", str(path)], check=True, capture_output=True)
        return Problem.from_toml(path.read_text(encoding="utf-8"))


def run_here(problem: Problem, choice: str, shuffle: int, limit: float) -> dict[str, Any]:
    """Search in this process; return the answer and the seconds."""
    options = dict(CHOICES[choice])
    if "encoding" in options and not find_encoding(options["encoding"]).supports(
        SpaceTime(problem).rule
    ):
        options["encoding"] = "triples" if options["encoding"] == "columns" else "direct"
    if choice == DEFAULT:  # a shuffle alone would leave out the hunters
        options["restrictions"] = is_hunt(SpaceTime(problem))
    else:
        options["restrictions"] = False
    before = _processor_seconds()
    with (
        start(problem, engine="sat", seed=shuffle, **options) as search,
        Watch(os.getpid(), limit, search.stop),
    ):
        result = search.result()
    seconds = _processor_seconds() - before
    answer = {Found: "found", Impossible: "none"}.get(type(result), "undecided")
    return {"answer": answer, "seconds": round(seconds, 3)}


def _processor_seconds() -> float:
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def run_apart(problem: Problem, work: Work, limit: float) -> dict[str, Any]:
    """Search in a process of its own."""
    one = ("--one", work.choice, str(work.shuffle), str(limit))
    command = [sys.executable, "-m", "bench.choices", *one]
    done = subprocess.run(
        command, input=problem.to_json(), capture_output=True, check=False, cwd=HERE.parent
    )
    if done.returncode:
        raise RuntimeError(f"{work.key}: {done.stderr.decode(errors='replace')}")
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def measure(names: list[str], jobs: int, *, again: bool = False) -> None:
    """Make every run that is not recorded yet, and record it; ``again``, the default's anew."""
    kept: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    runs: dict[str, Any] = kept.setdefault("runs", {})
    for work in (Work(name, DEFAULT, shuffle) for name in names for shuffle in SHUFFLES if again):
        runs.pop(work.key, None)
    questions = read_instances()

    def work_on(name: str) -> None:
        if find_median(runs, name, DEFAULT) is not None:
            return
        problem = make_problem(questions[name])
        for choice in CHOICES:
            for shuffle in SHUFFLES:
                work = Work(name, choice, shuffle)
                if work.key not in runs and find_median(runs, name, choice) is None:
                    runs[work.key] = run_apart(problem, work, find_limit(runs, name, choice))
                    save()
        print(name, *(f"{find_median(runs, name, choice):.2f}" for choice in CHOICES), flush=True)

    def save() -> None:
        kept["date"], kept["machine"] = time.strftime("%Y-%m-%d"), describe_machine()
        text = json.dumps({**kept, "runs": dict(sorted(runs.items()))}, indent=0) + "\n"
        RESULTS.write_text(text, encoding="utf-8")

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work_on, names))


def find_median(runs: dict[str, Any], name: str, choice: str) -> float | None:
    """Return a choice's median seconds; None if too few of its runs are recorded."""
    made = [run for shuffle in SHUFFLES if (run := runs.get(Work(name, choice, shuffle).key))]
    stopped = [run["seconds"] for run in made if run["answer"] == "undecided"]
    if len(stopped) > len(SHUFFLES) / 2:  # the third run is not needed
        return statistics.median(stopped)
    seconds = [run["seconds"] for run in made]
    return statistics.median(seconds) if len(made) == len(SHUFFLES) else None


def find_limit(runs: dict[str, Any], name: str, choice: str) -> float:
    """Return the seconds of a choice's next run."""
    if choice == DEFAULT:
        return 2 * LONGEST
    known = (find_median(runs, name, each) for each in CHOICES)
    best = min((each for each in known if each is not None), default=LONGEST)
    return min(LONGEST, max(1.0, HOPELESS * best))


class Regret(NamedTuple):
    """How a question's default compares with the best single choice."""

    name: str
    answer: str
    default: float
    best: float
    best_choice: str

    @property
    def ratio(self) -> float:
        """The seconds of the default over those of the best."""
        return self.default / self.best


def find_regrets(runs: dict[str, Any], names: list[str]) -> list[Regret]:
    """Return the regrets of all questions that are wholly recorded and once answered."""
    found = []
    for name in names:
        medians = {choice: find_median(runs, name, choice) for choice in CHOICES}
        answers = {run["answer"] for key, run in runs.items() if key.startswith(f"{name} | ")}
        answers.discard("undecided")
        if len(answers) > 1:
            raise AssertionError(f"{name} is both found and impossible")
        default = medians.pop(DEFAULT)
        single = {choice: median for choice, median in medians.items() if median is not None}
        if answers and default is not None and len(single) == len(medians):
            best = min(single, key=lambda choice: single[choice])
            found.append(Regret(name, answers.pop(), default, single[best], best))
    return found


def read_regrets() -> list[Regret]:
    """Return the recorded regrets, the greatest first."""
    runs = json.loads(RESULTS.read_text(encoding="utf-8"))["runs"]
    return sorted(find_regrets(runs, list(read_instances())), key=lambda each: -each.ratio)


class Regrets(NamedTuple):
    """The regrets of all questions in three numbers."""

    median: float
    nine_in_ten: float
    worst: float


def summarize(regrets: list[Regret]) -> Regrets:
    """Return the median of the regrets, the bound of nine in ten, and the worst."""
    ratios = sorted(each.ratio for each in regrets)
    return Regrets(statistics.median(ratios), ratios[int(0.9 * (len(ratios) - 1))], ratios[-1])


def make_table(regrets: list[Regret]) -> str:
    """Return the regrets as a table."""
    rows = [
        (r.name, r.answer, f"{r.default:.2f}", f"{r.best:.2f}", r.best_choice, f"{r.ratio:.2f}")
        for r in regrets
    ]
    return table(("question", "answer", "default", "best", "by", "regret"), rows, numbers_from=2)


def main() -> None:
    """Measure what is missing, and report."""
    parser = argparse.ArgumentParser(prog="just choices", description=__doc__)
    parser.add_argument("text", nargs="?", default="", help="only questions whose name contains it")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    parser.add_argument("--again", action="store_true", help="measure the default again")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)  # choice, shuffle, seconds
    words = parser.parse_args()
    if words.one:
        problem = Problem.from_json(sys.stdin.buffer.read())
        choice, shuffle, limit = words.one
        print(json.dumps(run_here(problem, choice, int(shuffle), float(limit))))
        return
    names = [name for name in read_instances() if words.text in name]
    if not words.report:
        measure(names, words.jobs, again=words.again)
    regrets = [each for each in read_regrets() if each.name in names]
    print(make_table(regrets))
    if regrets:
        print(
            "{} questions; regret: median {:.2f}, nine in ten at most {:.2f}, worst {:.2f}".format(
                len(regrets), *summarize(regrets)
            )
        )


if __name__ == "__main__":
    main()
