"""Run the benchmark: ``python -m bench.run`` measures, stores the results, writes the report.

Each section of the results can be measured alone; the others then stay as they were stored.
Solvers are compared run by run in turn, so that a busy minute of the machine hits all of them.

    python -m bench.run --quick
    python -m bench.run --sections runs --tasks B07,B11 --solvers cadical,kissat-sat --shuffles 9
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import report
from bench.machine import describe_machine
from bench.measure import (
    Config,
    is_available,
    run_bare,
    run_building,
    run_satlife,
    run_solver,
    run_whole,
)
from bench.tasks import LONG, TASKS, Task, find_task
from satlife import ENCODINGS, build

RESULTS = Path(__file__).with_name("results")

SOLVERS = ("cadical", "cadical195", "kissat-binary", "kissat-sat", "kissat-unsat", "glucose")
"""Compared on the encoding ``columns``."""
BROKEN = ("cadical", "cadical195", "kissat-binary", "glucose")
"""Compared with symmetry breaking, too."""
CALIBRATION = (find_task("B10"), Config("knuth", "kissat-binary"))
OVERHEAD = tuple(
    (task, Config("columns", solver)) for solver in ("cadical", "kissat-binary") for task in LONG
)
"""For what the command adds to the solver."""
QUICK_TASKS = ("B01", "B02", "B06", "B08", "B10", "B13", "B16", "B17")

TARGETS = {
    "copperhead": "ship c/10 --box 10x13,8x13*9 --symmetry D2v",
    "Kok's galaxy": "oscillator 8 --box 9x9,11x11,13x13,13x13,11x11,11x11,9x9,9x9 --symmetry C4",
}
"""Patterns beyond the tasks, each to be found within three minutes."""
TARGET_OPTIONS = {"--encoding direct --solver kissat-sat": 1, "--jobs 2": 2}
"""How they are found, and by how many processes at a time."""
TARGET_LIMIT = 180.0


@dataclass
class Session:
    """What is asked for, and what has been measured."""

    tasks: tuple[Task, ...]
    encodings: tuple[str, ...]
    solvers: tuple[str, ...]
    broken: tuple[str, ...]
    shuffles: int
    repeats: int
    limit: float
    path: Path
    minutes: float = 45
    """Start no further run of the comparison after so long; shorter series are the price."""
    results: dict[str, Any] = field(default_factory=dict)

    def store(self) -> None:
        """Write what there is."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.results, indent=1, ensure_ascii=False)
        # A run on one line: the file stays readable, and its changes too.
        self.path.write_text(_join_records(text) + "\n", encoding="utf-8")

    def add(self, section: str, record: dict[str, Any] | None) -> None:
        """Keep a record, and say so."""
        if record is not None:
            self.results[section].append(record)
            self.store()
            words = [str(record.get(key, "")) for key in ("task", "encoding", "solver", "answer")]
            broken = "broken" if record.get("broken") else ""
            sys.stderr.write(f"{section:12} {' '.join(words)} {broken} {record['seconds']:.2f} s\n")


def calibrate(session: Session) -> None:
    """Time what the recording machine has timed, too."""
    task, config = CALIBRATION
    if not is_available(config.solver):
        config = Config(config.encoding, "kissat")
    for seed in (*[None] * session.repeats, *range(1, session.shuffles + 1)):
        session.add("calibration", run_solver(task, config, seed, session.limit))


def compare(session: Session) -> None:
    """Encodings, solvers and symmetry breaking, over shuffles."""
    begun, late = time.monotonic(), Counter[tuple[str, Config]]()
    for seed in range(1, session.shuffles + 1):
        for task in session.tasks:
            for config in configurations(session, task):
                key = task.name, config
                # More than half of the series has timed out: so has its median.
                if late[key] > session.shuffles // 2:
                    continue
                if time.monotonic() - begun > 60 * session.minutes:
                    return
                record = run_solver(task, config, seed, session.limit)
                late[key] += record["answer"] == "undecided"
                session.add("runs", record)
        session.store()


def configurations(session: Session, task: Task) -> Iterator[Config]:
    """Yield the ways to solve a task that are compared; hard tasks get only the likely ones."""
    chosen = [] if task.hard else [Config(encoding, "cadical") for encoding in session.encodings]
    chosen += [Config("columns", solver) for solver in session.solvers]
    if "kissat-sat" in session.solvers and task.answer == "found":
        chosen.append(Config("direct", "kissat-sat"))
    if build(task.problem, "columns", break_symmetry=True).breaks_symmetry:
        chosen += [Config("columns", solver, broken=True) for solver in session.broken]
    if task.hard:
        chosen = [config for config in chosen if config.solver in ("cadical", "kissat-sat")]
    yield from dict.fromkeys(config for config in chosen if is_available(config.solver))


def measure_whole(session: Session) -> None:
    """The command as a person types it, and the same formula in the bare solver."""
    bare = []
    run_whole(find_task("B01"), session.limit)  # the first run compiles satlife
    run_bare(find_task("B01"), Config("columns", "cadical"), session.limit)
    for turn in range(session.repeats):
        for task in session.tasks:
            record = run_whole(task, session.limit)
            session.add("whole", record)
            if turn == 0 and record["solver"] and record["answer"] != "undecided":
                config = Config(record["encoding"], record["solver"], record["broken"])
                bare.append((task, config))
        for task, config in bare:
            session.add("bare", run_bare(task, config, session.limit))
        session.store()


def measure_overhead(session: Session) -> None:
    """Long refutations in the command and in the bare solver: nothing in them is luck."""
    for _ in range(session.repeats):
        for task, config in OVERHEAD:
            if is_available(config.solver):
                words = ("--encoding", config.encoding, "--solver", config.solver)
                words = (*words, "--no-break-symmetry", "--no-restrictions")
                whole = run_whole(task, session.limit, words)
                bare = run_bare(task, config, session.limit)
                if bare is not None and "undecided" not in (whole["answer"], bare["answer"]):
                    session.add("overhead", {**whole, "bare": bare["seconds"]})


def measure_jobs(session: Session) -> None:
    """One job and two, in turn; by wall clock, so the machine must have two idle cores."""
    for _ in range(session.repeats):
        for task in session.tasks:
            for jobs in (1, 2):
                record = run_whole(task, session.limit * jobs, ("--jobs", str(jobs)))
                session.add("jobs", {**record, "jobs": jobs})


def measure_building(session: Session) -> None:
    """A large formula in each encoding."""
    for encoding in session.encodings:
        session.add("building", run_building(encoding))


def find_targets(session: Session) -> None:
    """The harder patterns, by two commands each."""
    for name, words in TARGETS.items():
        for options, jobs in TARGET_OPTIONS.items():
            if "kissat" in options and not is_available("kissat-sat"):
                continue
            command = f"{words} {options}"
            record = run_satlife(command.split(), TARGET_LIMIT * jobs)
            session.add("targets", {"task": name, "command": command, **record})


SECTIONS: dict[str, Callable[[Session], None]] = {
    "calibration": calibrate,
    "building": measure_building,
    "whole": measure_whole,
    "overhead": measure_overhead,
    "jobs": measure_jobs,
    "runs": compare,
    "targets": find_targets,
}
"""What is measured, in this order."""


def _join_records(text: str) -> str:
    lines: list[str] = []
    for line in text.splitlines():
        inside = line.startswith("   ") or line in ("  }", "  },")
        if inside and lines and lines[-1].startswith("  {"):
            lines[-1] += line.strip() + (" " if line.endswith(",") else "")
        else:
            lines.append(line)
    return "\n".join(line.rstrip() for line in lines)


def parse(words: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="bench", description=(__doc__ or "").split("\n\n")[0])
    names = [encoding.name for encoding in ENCODINGS]
    parser.add_argument("--quick", action="store_true", help="a small part, in under 3 minutes")
    parser.add_argument("--sections", default=",".join(SECTIONS), help="default: %(default)s")
    parser.add_argument("--tasks", help="for example B01,B07; default: all")
    parser.add_argument("--encodings", default=",".join(names), help="default: %(default)s")
    parser.add_argument("--solvers", default=",".join(SOLVERS), help="default: %(default)s")
    parser.add_argument("--broken", default=",".join(BROKEN), help="default: %(default)s")
    parser.add_argument("--shuffles", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--repeats", type=int, default=3, help="of commands; default: %(default)s")
    parser.add_argument("--limit", type=float, default=60, help="seconds; default: %(default)s")
    parser.add_argument(
        "--minutes", type=float, default=45, help="for comparing solvers; default: %(default)s"
    )
    parser.add_argument("--output", type=Path, help="default: bench/results/latest.json")
    parser.add_argument("--note", default="", help="words for the page, on what was special")
    parser.add_argument("--no-report", action="store_true", help="only measure")
    options = parser.parse_args(words)
    if options.quick:
        options.sections = "calibration,building,whole,runs"
        options.tasks = options.tasks or ",".join(QUICK_TASKS)
        options.solvers, options.broken = "cadical,kissat-binary", "cadical"
        options.encodings = "columns,knuth"
        options.shuffles, options.repeats, options.minutes = 1, 1, 1.0
    default = RESULTS / ("quick.json" if options.quick else "latest.json")
    options.output = options.output or default
    return options


def main(words: list[str] | None = None) -> None:
    """Measure, store, report."""
    options = parse(words)
    results: dict[str, Any] = {}
    if options.output.exists() and not options.quick:
        results = json.loads(options.output.read_text(encoding="utf-8"))
    session = Session(
        tasks=tuple(map(find_task, options.tasks.split(","))) if options.tasks else TASKS,
        encodings=tuple(options.encodings.split(",")),
        solvers=tuple(options.solvers.split(",")),
        broken=tuple(filter(None, options.broken.split(","))),
        shuffles=options.shuffles,
        repeats=options.repeats,
        limit=options.limit,
        path=options.output,
        minutes=options.minutes,
        results=results,
    )
    results |= {
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "note": options.note,
    }
    limits = results.setdefault("limits", {})
    for name in options.sections.split(","):
        results[name] = []
        if name == "whole":
            results["bare"] = []
        limits[name] = TARGET_LIMIT if name == "targets" else options.limit
        SECTIONS[name](session)
        session.store()
    if not (options.no_report or options.quick):
        report.write(results)
    elif options.quick:
        sys.stdout.write(report.render(results))


if __name__ == "__main__":
    main()
