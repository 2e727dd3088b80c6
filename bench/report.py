"""Write docs/benchmarks.md and its picture from results: ``python -m bench.report [FILE]``."""

from __future__ import annotations

import json
import math
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.building import BOX, STEPS
from bench.markdown import table
from bench.measure import Config
from bench.recorded import CALIBRATION_SECONDS, LIFESRC, QFIND
from bench.sections import beside_peers, jobs, regret, roomy
from bench.series import Series, number
from bench.summary import Summary
from bench.tasks import REFUTED_OSCILLATORS, find_task
from satlife.engine.sat.attempt import TABLE

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
PICTURE = ROOT / "docs" / "images" / "benchmarks.png"
LATEST = Path(__file__).with_name("results") / "latest.json"

INTRODUCTION = """\
# Benchmarks

`just bench` writes this page from `bench/results/latest.json`. There are 22 fixed tasks with known
answers. Every pattern that a run finds is verified, and a wrong answer stops the benchmark. Seconds
are user CPU seconds of all processes of a run. The run times of SAT solvers have heavy tails, so
solvers and encodings are compared by the median over shuffles of each formula (variables and
clauses permuted), with the range in brackets. `>60` is a time-out; a median is a time-out if half
of its runs are.
"""


def render(results: dict[str, Any]) -> str:
    """Return the page."""
    summary = Summary(results)
    sections = (
        [INTRODUCTION, _machine(summary)],
        _against_lls(summary),
        _overhead(summary),
        _defaults(summary),
        regret(),
        jobs(summary),
        _best(summary),
        _encodings(summary),
        _solvers(summary),
        _breaking(summary),
        _building(results.get("building", [])),
        _targets(results.get("targets", [])),
        _no_sat(summary),
        beside_peers(),
        roomy(),
    )
    return "\n".join(part.rstrip() + "\n" for section in sections for part in section)


def write(results: dict[str, Any], page: Path = PAGE, picture: Path = PICTURE) -> None:
    """Write the page and the picture."""
    from bench.picture import draw  # noqa: PLC0415 - matplotlib takes a second

    page.write_text(render(results), encoding="utf-8")
    draw(Summary(results), picture)


def _machine(summary: Summary) -> str:
    results = summary.results
    machine = results["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    fewest, most = summary.runs_per_series()
    runs = f"{most}" if fewest == most else f"{fewest} to {most}"
    shuffles = Series.of(r for r in results.get("calibration", ()) if r["shuffle"] is not None)
    return f"""\
Measured on {results["date"]}: {machine["processor"]}, {machine["cores"]} cores,
{machine["memory_gib"]} GiB, {machine["system"]}, Python {machine["python"]}; {versions}.
{f"{runs} runs for each entry of a comparison. " if most else ""}Time limits: {_limits(results)}.
{results.get("note", "")}

The figures of other programs were recorded once, on another machine. They are scaled by a run that
was done on both, Kissat 4.0.4 with default options on B10 in the encoding `knuth`: it took
{CALIBRATION_SECONDS} s there and {number(summary.calibration)} s here (over shuffles
{shuffles.words()}), so the factor is {number(summary.scale)}.
"""


def _limits(results: dict[str, Any]) -> str:
    words = {"whole": "whole commands", "runs": "the solvers compared"}
    limits = results.get("limits", {})
    told = [f"{limits[name]:g} s ({text})" for name, text in words.items() if name in limits]
    return " and ".join(told) or "none"


def _against_lls(summary: Summary) -> Iterator[str]:
    ours, theirs = summary.refutations()
    comparisons = summary.comparisons()
    if not comparisons:
        return
    rows: list[tuple[str, ...]] = []
    for row in comparisons:
        shuffled = Series(())
        if config := summary.chosen(row.task.name):
            shuffled = summary.series(row.task.name, config)
        theirs_words = number(row.theirs) if row.theirs_ended else f">{row.theirs:.0f}"
        ratio = number(row.ratio) if row.theirs_ended else f">{number(row.ratio)}"
        rows.append(
            (
                row.task.name,
                row.task.words,
                row.task.answer,
                row.config,
                row.ours.words(ranged=False),
                theirs_words,
                number(LIFESRC.get(row.task.name, math.nan) * summary.scale),
                f"**{ratio}**" if row.is_counted and row.ratio >= 2 else ratio,
                shuffled.words(),
            )
        )
    # The Markdown of a ratio that is not known is a dash, not ">–".
    rows = [tuple(cell.replace(">–", "–") for cell in row) for row in rows]
    wins = sum(row.ratio >= 1 for row in comparisons if row.is_counted)
    counted = sum(row.is_counted for row in comparisons)
    yield f"""\
## Against Logic Life Search with Kissat

`satlife find` with its defaults, from the start of Python to the printed and verified answer,
compared with Logic Life Search's encoder followed by Kissat 4.0.4 (recorded, scaled). The last
column is the solver alone, over shuffles of the formula that the defaults chose; it separates luck
from speed.

- satlife is faster on {wins} of {counted} tasks; the median ratio is
  **{number(summary.median_ratio())}** (goal: 2).
- The impossible oscillators {", ".join(REFUTED_OSCILLATORS)} take {number(ours)} s in total instead
  of {number(theirs)} s, **{number(theirs / ours)}** times less (goal: 10).

![Seconds by task, satlife and Logic Life Search](images/benchmarks.png)
"""
    head = ("", "task", "answer", "default", "satlife", "LLS", "lifesrc", "LLS / satlife")
    head = (*head, "solver alone, shuffled")
    yield table(head, rows, numbers_from=4)
    yield (
        "LLS took 11 s and 44 s for B19; the better time is counted. lifesrc 3.8 uses no SAT "
        "solver; its figures are recorded and scaled too. Where LLS or lifesrc has no figure, none "
        "was recorded.\n"
    )


def _overhead(summary: Summary) -> Iterator[str]:
    long, ratios = [], defaultdict[str, list[float]](list)
    for (name, config), records in summary.overhead().items():
        whole = Series.of(records)
        bare = Series.of({"seconds": r["bare"]} for r in records)
        # Both run in turn: the median of the pairs' ratios is calmer than the medians' ratio.
        ratio = statistics.median(r["seconds"] / r["bare"] for r in records)
        ratios[config.solver].append(ratio)
        cells = (number(value) for value in (bare.median, whole.median, ratio))
        long.append((name, str(config), *cells))
    short, small = [], []
    for task in summary.tasks:
        whole, bare = summary.whole(task.name), summary.bare(task.name)
        if bare.seconds and max(whole.median, bare.median) < 5:
            walls = [r["wall"] for r in summary.results["whole"] if r["task"] == task.name]
            times = (bare.median, whole.median, whole.median - bare.median, min(walls))
            short.append((task.name, str(summary.chosen(task.name)), *map(number, times)))
            if bare.median < 0.1:
                small.append(whole.median)
    if not (long or short):
        return
    yield """\
## What satlife adds to the solver

The same formula, as a DIMACS file, given to the bare solver: the program itself, or for PySAT's
solvers a script of ten lines that reads the file and solves it in one call.
"""
    if long:
        medians = " and ".join(
            f"**{number(statistics.median(each))}** times as long as {solver}"
            for solver, each in ratios.items()
        )
        yield (
            "In refutations of 3 to 60 seconds, without symmetry breaking, the whole command takes "
            f"at the median {medians} (goals: 1.15 for CaDiCaL, 1.10 for kissat). Whole and bare "
            "solve the same formula in one call each, so they take the same way through it.\n"
        )
        yield table(("", "", "bare solver", "whole command", "ratio"), long, numbers_from=2)
    if small:
        yield (
            f"For tasks that take the bare solver less than 0.1 s, the whole command takes at most "
            f"**{number(max(small))}** s (goal: 0.7).\n"
        )
    if short:
        head = ("", "default", "bare solver", "whole command", "difference", "wall clock")
        yield table(head, short, numbers_from=2)


def _defaults(summary: Summary) -> Iterator[str]:
    fields = [each for each in TABLE[0].__struct_fields__ if each != "applies"]
    rows = [tuple(_cell(getattr(row, name)) for name in fields) for row in TABLE]
    broken, hunts = summary.breaking("impossible"), summary.breaking("found")
    gains = ", ".join(
        f"`{encoding}` {number(gain)}"
        for encoding in ("knuth", "direct", "adder")
        if not math.isnan(gain := _gain_of_columns(summary, encoding))
    )
    yield """\
## The defaults that follow

Unless you choose, satlife decides by one table, in `satlife/engine/sat/attempt.py`:
"""
    yield table([name.replace("_", " ") for name in fields], rows, numbers_from=len(fields))
    yield f"""\
- *Encoding.* Speed of `columns` relative to the others, with CaDiCaL (geometric mean over the
  tasks): {gains or "not measured"}.
- *Symmetry breaking.* With `columns` and CaDiCaL, refutations are {number(broken)} times faster,
  and searches that find something {number(hunts)} times (below 1 is slower).
- *Solver.* Speed relative to CaDiCaL, on `columns` without symmetry breaking:
  {_solver_words(summary)}.
"""


def _gain_of_columns(summary: Summary, encoding: str) -> float:
    return summary.gain(Config("columns", "cadical"), Config(encoding, "cadical"))


def _solver_words(summary: Summary) -> str:
    words = []
    for config in summary.configs():
        if config.encoding == "columns" and not config.broken and config.solver != "cadical":
            base = Config("columns", "cadical")
            found, refuted = (summary.gain(config, base, a) for a in ("found", "impossible"))
            words.append(f"{config.solver} {number(found)} found, {number(refuted)} impossible")
    return "; ".join(words) or "not measured"


def _best(summary: Summary) -> Iterator[str]:
    rows = []
    for task in summary.tasks:
        ranking = summary.ranking(task.name)
        if ranking:
            chosen = summary.chosen(task.name)
            own = summary.series(task.name, chosen) if chosen else Series(())
            cells = [f"{config}: {series.words()}" for config, series in ranking[:3]]
            cells += ["–"] * (3 - len(cells))
            rows.append((task.name, task.answer, *cells, own.words()))
    if rows:
        yield "## The three fastest ways for each task\n\nThe solver alone, over shuffles.\n"
        yield table(("", "answer", "first", "second", "third", "default"), rows, numbers_from=5)


def _matrix(summary: Summary, configs: Sequence[Config], heads: Sequence[str]) -> str:
    """A table of tasks by ways; the best median of a row is bold."""
    rows = []
    for task in summary.tasks:
        series = [summary.series(task.name, config) for config in configs]
        medians = [each.median for each in series if each.seconds]
        if len(medians) > 1:
            best = min(medians)
            cells = [
                f"**{each.words()}**" if each.median == best < math.inf else each.words()
                for each in series
            ]
            rows.append((task.name, task.answer, *cells))
    return table(("", "answer", *heads), rows, numbers_from=2) if rows else "Not measured.\n"


def _encodings(summary: Summary) -> Iterator[str]:
    configs = [c for c in summary.configs() if c.solver == "cadical" and not c.broken]
    if len(configs) > 1:
        yield "## Encodings, with CaDiCaL\n\nNo symmetry breaking.\n"
        yield _matrix(summary, configs, [config.encoding for config in configs])


def _solvers(summary: Summary) -> Iterator[str]:
    plain = [c for c in summary.configs() if not c.broken]
    configs = [c for c in plain if c.encoding == "columns"]
    configs += [c for c in plain if c.encoding == "direct" and c.solver == "kissat-sat"]
    if len(configs) > 1:
        yield """\
## Solvers

With the encoding `columns`, except in the last column, and no symmetry breaking. `kissat` is
PySAT's; the others of that name are the program with its options `--sat`, `--unsat` or none.
"""
        heads = [
            c.solver if c.encoding == "columns" else f"{c.encoding}, {c.solver}" for c in configs
        ]
        yield _matrix(summary, configs, heads)


def _breaking(summary: Summary) -> Iterator[str]:
    solvers = list(dict.fromkeys(c.solver for c in summary.configs() if c.broken))
    if not solvers:
        return
    configs = [Config("columns", s, broken) for s in solvers for broken in (False, True)]
    names = {config for task in summary.tasks for config in summary.configs(task.name)}
    configs = [config for config in configs if config in names]
    breakable = {r["task"] for r in summary.results["runs"] if r["broken"]}
    part = Summary({**summary.results, "whole": []})
    part.tasks = [task for task in part.tasks if task.name in breakable]
    yield """\
## Symmetry breaking

The same with lex-leader clauses over the symmetries of the box and the rule and, for oscillators,
over shifts in time. Only tasks that have such symmetries.
"""
    heads = [f"{c.solver}{', broken' if c.broken else ''}" for c in configs]
    yield _matrix(part, configs, heads)


def _building(records: list[dict[str, Any]]) -> Iterator[str]:
    if records:
        yield f"## Building\n\nThe formula of a free {BOX} box over {STEPS} generations.\n"
        rows = [
            (
                r["encoding"],
                number(r["seconds"]),
                f"{r['variables']:,}",
                f"{r['clauses']:,}",
                f"{r['clauses'] / r['seconds'] / 1e6:.0f} M/s",
                f"{r['literal_bytes'] / 2**20:,.0f} MiB",
                f"{r['peak_bytes'] / 2**20:,.0f} MiB",
            )
            for r in records
        ]
        head = ("encoding", "seconds", "variables", "clauses", "speed", "formula", "peak memory")
        yield table(head, rows)


def _targets(records: list[dict[str, Any]]) -> Iterator[str]:
    if records:
        yield "## Harder patterns\n\nThe goal is to find each within three minutes.\n"
        rows = []
        for r in records:
            found = r["answer"] == "found"
            name = r["name"] or "found" if found else "time-out"
            seconds = ("" if found else ">") + number(r["seconds"])
            rows.append((r["task"], f"`satlife {r['command']}`", name, seconds, number(r["wall"])))
        yield table(("", "command", "answer", "CPU", "wall clock"), rows, numbers_from=3)


def _no_sat(summary: Summary) -> Iterator[str]:
    names = [name for name in sorted({*LIFESRC, *QFIND}) if summary.whole(name).seconds]
    if names:
        yield """\
## Programs without SAT

lifesrc 3.8 (whole runs) and qfind 2.4 (the same speed and width; it does not bound the length),
recorded and scaled. On narrow ships qfind is far ahead of any search of a whole box.
"""
        rows = [
            (
                name,
                find_task(name).words,
                summary.whole(name).words(ranged=False),
                number(LIFESRC.get(name, math.nan) * summary.scale),
                number(QFIND.get(name, math.nan) * summary.scale),
            )
            for name in names
        ]
        yield table(("", "task", "satlife", "lifesrc", "qfind"), rows, numbers_from=2)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and math.isinf(value):
        return "any"
    return f"{value:g}" if isinstance(value, float) else str(value)


def main() -> None:
    """Read results and write the report."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else LATEST
    write(json.loads(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
