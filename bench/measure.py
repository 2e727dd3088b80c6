"""Measuring one run: a solver on a formula, a whole command, a bare solver on a file.

Seconds, those of limits too, are user CPU seconds of the child processes, which other work on the
machine disturbs less than the wall clock.  Runs go one after the other.  Every pattern found is
verified, and an answer other than the known one stops the benchmark.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench.cpu import Watch
from bench.shuffle import shuffle
from bench.tasks import Task
from satlife import build, verify
from satlife.engine.sat.attempt import decode
from satlife.sat import CommandSolver, Refuted, Satisfied, find_solver
from satlife.sat.files import write_formula
from satlife.sat.solvers import PysatSolver

if sys.platform != "win32":
    import resource

INTERRUPTED = (130, -signal.SIGINT)
"""The exit codes of a command that was stopped, as by Ctrl-C, when its time was over."""


class WrongAnswerError(Exception):
    """An answer that is not the known one."""


@dataclass(frozen=True)
class Config:
    """A way to solve a task."""

    encoding: str
    solver: str
    broken: bool = False

    def __str__(self) -> str:
        return f"{self.encoding}, {self.solver}{', broken' if self.broken else ''}"


def is_available(solver: str) -> bool:
    """Whether a solver can be used here."""
    return find_solver(solver).available


def run_solver(task: Task, config: Config, seed: int | None, limit: float) -> dict[str, Any]:
    """Solve a task's formula, shuffled unless the seed is None; give the record of it."""
    built = build(task.problem, config.encoding, break_symmetry=config.broken)
    shuffled = None if seed is None else shuffle(built.formula, seed)
    formula = built.formula if shuffled is None else shuffled.formula
    before, begun = _children_seconds(), time.monotonic()
    with (
        find_solver(config.solver).open(formula) as solver,
        Watch(os.getpid(), limit, solver.interrupt),
    ):
        answer = solver.solve()
    seconds, wall = _children_seconds() - before, time.monotonic() - begun
    match answer:
        case Satisfied(model):
            said = "found"
            restored = model if shuffled is None else shuffled.restore(model)
            verify(task.problem, decode(built.spacetime, restored))
        case Refuted():
            said = "impossible"
        case _:
            said = "undecided"
    _check(task, said)
    return {
        "task": task.name,
        **asdict(config),
        "shuffle": seed,
        "answer": said,
        "seconds": round(seconds, 3),
        "wall": round(wall, 3),
    }


def run_whole(task: Task, limit: float, options: Sequence[str] = ()) -> dict[str, Any]:
    """Run ``satlife find`` on a task: everything from the start of Python to the printed answer."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder, "problem.json")
        spec.write_bytes(task.problem.to_json())
        words = ("find", "--spec", str(spec), *options)
        record = run_satlife(words, limit)
    _check(task, record["answer"])
    return {"task": task.name, **record}


def run_satlife(words: Sequence[str], limit: float) -> dict[str, Any]:
    """Run a command of satlife with a time limit; give its seconds and what it said."""
    satlife = Path(sysconfig.get_path("scripts"), "satlife")
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "answer.json")
        code, seconds, wall = run_process([satlife, *words, "--json", "-o", answer], limit)
        text = answer.read_text(encoding="utf-8") if answer.exists() else ""
    # Python itself ends with 1 on an error, and 1 is our "impossible": so look for the answer, too.
    if code not in (0, 1, *INTERRUPTED) or (code in (0, 1) and not text):
        raise WrongAnswerError(f"satlife {' '.join(words)} ended with {code}")
    told: dict[str, Any] = json.loads(text) if code not in INTERRUPTED else {"answer": "undecided"}
    provenance = (told.get("provenance") or {}).get("details", {})
    return {
        "answer": told["answer"],
        "seconds": round(seconds, 3),
        "wall": round(wall, 3),
        "name": (told.get("identity") or {}).get("name"),
        "encoding": provenance.get("encoding"),
        "solver": provenance.get("solver"),
        "broken": provenance.get("breaks_symmetry"),
        "restriction": provenance.get("restriction"),
    }


def run_bare(task: Task, config: Config, limit: float) -> dict[str, Any] | None:
    """Run the solver alone on the formula's file, if it is a solver with a program of its own."""
    built = build(task.problem, config.encoding, break_symmetry=config.broken)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "formula.cnf")
        write_formula(built.formula, path)
        match find_solver(config.solver):
            case CommandSolver() as solver:
                command = [solver.locate(), *solver.command[1:], path]
            case PysatSolver() as solver:
                command = [sys.executable, Path(__file__).with_name("bare.py"), solver.pysat_name]
                command.append(path)
            case _:
                return None
        code, seconds, wall = run_process(command, limit)
    said = {10: "found", 20: "impossible"}.get(code, "undecided")
    _check(task, said)
    return {
        "task": task.name,
        **asdict(config),
        "answer": said,
        "seconds": round(seconds, 3),
        "wall": round(wall, 3),
    }


def run_building(encoding: str) -> dict[str, Any]:
    """Build the large formula in a process of its own."""
    command = [sys.executable, "-m", "bench.building", encoding]
    root = Path(__file__).resolve().parent.parent
    told = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    record: dict[str, Any] = json.loads(told.stdout)
    return record


def run_process(command: Sequence[Any], limit: float) -> tuple[int, float, float]:
    """Run a program, stopped after the limit; give exit code, user CPU seconds, wall seconds.

    The seconds are those of the program and of all the children that it has waited for.
    """
    begun = time.monotonic()
    process = subprocess.Popen(
        list(map(os.fspath, command)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=make_environment(),
    )

    def stop() -> None:
        with suppress(OSError):
            os.kill(process.pid, signal.SIGINT)

    with Watch(process.pid, limit, stop):
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime, wall


@cache
def _bytecode() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="satlife-bench-")


def make_environment() -> dict[str, str]:
    """The environment for programs: Python keeps its bytecode, as after an installation.

    Where PYTHONDONTWRITEBYTECODE is set, a fifth of a second would be spent on compiling satlife
    anew in every run.  The bytecode goes to a folder of ours, which the first run fills.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": _bytecode().name}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def _children_seconds() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def _check(task: Task, said: str) -> None:
    if said not in (task.answer, "undecided"):
        raise WrongAnswerError(f"{task.name} is {task.answer}, and the answer was {said}")
