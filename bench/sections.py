"""Sections of the benchmark page: the defaults' regret, two jobs, roomy boxes, and the peers."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterator
from typing import Any

from bench import choices, peers
from bench.markdown import table
from bench.roomy import RESULTS, TASKS
from bench.series import Series, number
from bench.summary import Summary


def regret() -> Iterator[str]:
    """Yield how much slower the defaults are than the best single choice for each question."""
    regrets = choices.read_regrets()
    median, nine_in_ten, worst = choices.summarize(regrets)
    answered = len(choices.read_instances())
    yield f"""\
## The regret of the defaults

`just choices` asks the {answered} questions of `bench/instances.txt`, by the default and by six
fixed choices of encoding, solver and symmetry breaking, on three shuffles each. The *regret* is the
median time of the default over that of the best choice, which nobody knows beforehand. The
{len(regrets)} questions that are answered within {choices.LONGEST:.0f} seconds have a median regret
of **{median:.2f}**; nine in ten have at most **{nine_in_ten:.2f}**, and the worst has
**{worst:.2f}**. Below 1, hunters were faster than any single choice. Ships that rows answer, and
whatever is in the catalogue, do not get here.
"""
    yield choices.make_table(regrets)


def jobs(summary: Summary) -> Iterator[str]:
    """Yield the table of one job against two, by wall clock."""
    records = summary.results.get("jobs", ())
    rows, ratios = [], []
    for task in summary.tasks:
        one, two = (
            Series.of(
                {**r, "seconds": r["wall"]}
                for r in records
                if r["task"] == task.name and r["jobs"] == number_of
            )
            for number_of in (1, 2)
        )
        if one.seconds and two.seconds and one.median < math.inf:
            ratios.append(two.bound / one.median)
            words = (one.words(ranged=False), two.words(ranged=False), number(ratios[-1]))
            rows.append((task.name, task.answer, *words))
    if rows:
        runs = len(records) // (2 * len({r["task"] for r in records}))
        yield f"""\
## Two jobs

`--jobs 2` against one job, by wall clock, in turn, medians of {runs}. The median of the ratios is
**{number(statistics.median(ratios))}** (goal: below 1), the worst {number(max(ratios))} (goal: 1).
"""
        yield table(("", "answer", "one job", "two jobs", "two / one"), rows, numbers_from=2)


def roomy() -> Iterator[str]:
    """Yield the table of roomy boxes, from the results that ``bench.roomy`` keeps."""
    if not RESULTS.exists():
        return
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    rows, found = [], 0
    for name, task in TASKS.items():
        record = kept["tasks"].get(name, {})
        told = record.get("with", {"answer": "not measured"})
        is_found = told["answer"] == "found"
        found += is_found
        what = (told["name"] or "found") if is_found else told["answer"]
        where = (told["restriction"] or "the whole problem") if is_found else "–"
        seconds = (_seconds(record.get(side)) for side in ("with", "without"))
        rows.append((name, f"`{task.words}`", task.known, what, where, *seconds))
    limit = kept["tasks"]["p2"]["with"]["limit"]
    yield f"""\
## Roomy boxes

`python -m bench.roomy`, on {kept["date"]}: boxes much larger than their smallest known solution.
One job, one run, CPU seconds of all processes; other work ran on the same cores. {found} of
{len(rows)} are found within {limit:g} s (goal: 20). The last column is the same search without
restrictions, where that was measured.

A symmetry is about the centre of the box, so a solution of odd width needs an odd box. Three
boxes (p8 C4, c/4 D2v, 2c/5 D2v) were even in the first version of this table, and nothing small is
known that would fit; and the known ship in 2x2 moves by c/8 diagonally, not orthogonally.
"""
    head = ("", "command", "known", "found", "by", "seconds", "without")
    yield table(head, rows, numbers_from=5)


def beside_peers() -> Iterator[str]:
    """Yield the table of peers that were measured, from the figures that ``bench.peers`` keeps."""
    if not peers.RESULTS.exists():
        return
    yield """\
## Beside the peers, measured here

`just bench-peers FOLDER` runs ours and theirs in turn, on one machine. FOLDER holds Logic Life
Search, lifesrc and qfind, which you fetch and build yourself. Seconds are processor seconds, user
and system, of all processes of a run; a ratio is the median of the pairs' ratios. Solvers are
deterministic, so the pairs of a task repeat one search: they measure speed, and not luck.
"""
    yield peers.render(json.loads(peers.RESULTS.read_text(encoding="utf-8")))


def _seconds(told: dict[str, Any] | None) -> str:
    return "–" if told is None else Series.of([told]).words()
