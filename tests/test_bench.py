"""The benchmark itself: its tasks have the answers that it says, and its report renders."""

from __future__ import annotations

import itertools
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import machine, measure, peers, roomy, run
from bench.measure import Config, WrongAnswerError, run_process, run_solver
from bench.recorded import LLS
from bench.report import render, table, write
from bench.series import Series
from bench.shuffle import shuffle
from bench.summary import Summary
from bench.tasks import TASKS, find_task, step_life
from satlife import Found, Impossible, Options, find
from satlife.engine.sat.attempt import wants_restrictions
from satlife.formula.spacetime import SpaceTime
from satlife.life import Pattern
from satlife.sat import Formula, Model

QUICK = ("B01", "B02", "B03", "B04", "B06", "B09", "B10", "B13", "B16", "B17", "B18")
"""Each takes a second or less."""


@pytest.mark.parametrize("name", QUICK)
def test_the_answer_of(name: str) -> None:
    task = find_task(name)
    expected = {"found": Found, "impossible": Impossible}[task.answer]
    assert isinstance(find(task.problem, encoding="columns"), expected)


def test_there_are_22_tasks() -> None:
    assert [task.name for task in TASKS] == [f"B{n:02}" for n in range(1, 23)]
    assert len({task.problem.name for task in TASKS}) == 22
    assert set(LLS) < {task.name for task in TASKS}
    with pytest.raises(ValueError, match="B01 to B22"):
        find_task("B23")


def test_all_generations_of_a_ship_are_in_its_box() -> None:
    ships = [task.problem for task in TASKS if task.words.startswith("ship")]
    assert len(ships) == 8
    assert all(problem.include_last for problem in ships)


def test_stepping_is_the_simulators() -> None:
    states = (np.random.default_rng(2).random((9, 7)) < 0.4).astype(np.uint8)
    inside = np.pad(states, 1)
    assert Pattern.from_array(inside)[1] == Pattern.from_array(step_life(inside))


def models(formula: Formula) -> set[tuple[bool, ...]]:
    every = itertools.product((False, True), repeat=formula.variables)
    return {truth for truth in every if Model(np.array([False, *truth])).satisfies(formula)}


def random_formula(seed: int) -> Formula:
    random = np.random.default_rng(seed)
    clauses = [
        random.choice([-1, 1], size) * (1 + random.permutation(6)[:size])
        for size in random.integers(1, 4, random.integers(1, 14))
    ]
    return Formula.from_clauses([clause.tolist() for clause in clauses], variables=7)


@pytest.mark.parametrize("seed", range(30))
def test_shuffling_keeps_the_models(seed: int) -> None:
    formula = random_formula(seed)
    shuffled = shuffle(formula, seed)
    assert shuffled.formula.clauses == formula.clauses
    found = models(shuffled.formula)
    assert len(found) == len(models(formula))
    restored = {shuffled.restore(Model(np.array([False, *truth]))) for truth in found}
    assert {tuple(model.truth[1:].tolist()) for model in restored} == models(formula)


def test_shuffling_changes_the_formula_by_its_seed() -> None:
    formula = random_formula(3)
    assert shuffle(formula, 1).formula == shuffle(formula, 1).formula
    assert shuffle(formula, 1).formula != shuffle(formula, 2).formula


def test_shuffling_keeps_empty_clauses_and_formulas() -> None:
    assert list(shuffle(Formula.from_arrays([0, 1, 0, 0]), 1).formula).count(()) == 2
    assert shuffle(Formula(variables=3), 1).formula == Formula(variables=3)


def test_a_run_is_measured_and_verified() -> None:
    record = run_solver(find_task("B01"), Config("columns", "cadical"), seed=1, limit=20)
    assert (record["task"], record["answer"], record["shuffle"]) == ("B01", "found", 1)
    assert 0 < record["seconds"] < 10


def test_a_run_ends_at_its_limit() -> None:
    record = run_solver(find_task("B22"), Config("columns", "cadical"), seed=1, limit=0.3)
    assert record["answer"] == "undecided"


def test_a_wrong_answer_stops_the_benchmark() -> None:
    with pytest.raises(WrongAnswerError, match="B06 is impossible"):
        measure._check(find_task("B06"), "found")


def test_a_process_is_measured() -> None:
    code, seconds, wall = run_process(["sh", "-c", "exit 7"], 20)
    assert code == 7
    assert 0 <= seconds <= wall + 0.1


def test_series_count_time_outs_as_endless() -> None:
    runs = [{"seconds": s, "answer": a} for s, a in ((3, "found"), (9, "undecided"), (8, "found"))]
    series = Series.of(runs)
    assert series.median == 8
    assert series.words() == "8.00 [3.00–…]"
    late = Series.of(runs[1:2])
    assert (late.median, late.bound, late.words()) == (math.inf, 9, ">9")
    assert Series.of([]).words() == "–"


def run_record(task: str, seconds: float, **rest: Any) -> dict[str, Any]:
    config = {"encoding": "columns", "solver": "cadical", "broken": False, "shuffle": 1}
    answer = find_task(task).answer
    return {"task": task, **config, "answer": answer, "seconds": seconds, "wall": seconds, **rest}


@pytest.fixture
def results() -> dict[str, Any]:
    impossible = ("B06", "B08", "B10", "B12")
    return {
        "date": "2026-01-01",
        "limits": {"whole": 60, "runs": 20},
        "machine": {
            "system": "Linux",
            "processor": "abacus",
            "cores": 2,
            "memory_gib": 4,
            "python": "3.11",
            "versions": {"satlife": "0"},
        },
        "calibration": [run_record("B10", 6.8, shuffle=None), run_record("B10", 9)],
        "whole": [
            *(run_record(name, 1.0, name=None) for name in (*impossible, "B01", "B15")),
            run_record("B21", 70, answer="undecided", solver=None, name=None),
        ],
        "bare": [run_record("B12", 0.9), run_record("B01", 0.05)],
        "overhead": [run_record("B08", 8.4, bare=8.0)],
        "runs": [
            *(run_record("B08", seconds) for seconds in (5, 6, 7)),
            *(run_record("B08", 2, broken=True) for _ in range(3)),
            run_record("B08", 60, encoding="knuth", answer="undecided"),
            run_record("B07", 1),
            run_record("B07", 4, broken=True),
            run_record("B07", 3, encoding="direct", solver="kissat-sat"),
        ],
        "building": [
            {
                "encoding": "columns",
                "seconds": 0.5,
                "variables": 1000,
                "clauses": 10_000_000,
                "literal_bytes": 2**20,
                "peak_bytes": 2**21,
            }
        ],
        "targets": [
            run_record("B20", 9, name="copperhead", command="ship c/10")
            | {"task": "copperhead", "answer": "found"}
        ],
    }


def test_summary_of_made_up_results(results: dict[str, Any]) -> None:
    summary = Summary(results)
    assert summary.scale == 2
    ours, theirs = summary.refutations()
    assert (ours, round(theirs, 1)) == (4, 103.0)
    assert summary.breaking("impossible") == pytest.approx(3)
    assert summary.breaking("found") == pytest.approx(0.25)
    assert summary.ranking("B08")[0][0] == Config("columns", "cadical", broken=True)
    ratios = {row.task.name: row.ratio for row in summary.comparisons()}
    assert ratios["B01"] == pytest.approx(0.54)
    assert math.isnan(ratios["B15"])
    assert math.isnan(ratios["B21"])


def test_the_report_renders(results: dict[str, Any], tmp_path: Path) -> None:
    page, picture = tmp_path / "benchmarks.md", tmp_path / "benchmarks.png"
    write(results, page, picture)
    text = page.read_text(encoding="utf-8")
    assert "the factor is 2.00" in text
    assert "**25.8** times less" in text
    assert "| B08 | impossible | 6.00 [5.00–7.00] | **2.00 [2.00–2.00]** |" in text
    assert ">60" in text
    assert "at the median **1.05** times" in text
    assert "at most **1.00** s" in text
    assert "nan" not in text
    assert "inf" not in text.replace("inform", "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


def test_a_report_of_next_to_nothing_renders(results: dict[str, Any]) -> None:
    few = {name: results[name] for name in ("date", "machine")}
    assert render(few).startswith("# Benchmarks")


def test_pipes_do_not_break_a_table() -> None:
    assert "D2\\|" in table(("symmetry",), [("D2|",)])


def test_results_are_stored_one_record_to_a_line(results: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    session = run.Session((), (), (), (), 1, 1, 1.0, path, results=results)
    session.store()
    text = path.read_text(encoding="utf-8")
    assert json.loads(text) == results
    assert sum(line.startswith('  {"task"') for line in text.splitlines()) == 23


def test_the_machine_is_told_without_names() -> None:
    told = machine.describe_machine()
    assert told["cores"] >= 1
    assert set(told) == {"system", "processor", "cores", "memory_gib", "python", "versions"}


def test_the_stored_results_make_the_page_that_is_in_the_docs() -> None:
    from bench import report

    if not report.LATEST.exists():
        pytest.skip("no results are stored")
    results = json.loads(report.LATEST.read_text(encoding="utf-8"))
    assert report.PAGE.read_text(encoding="utf-8") == render(results), "python -m bench.report"


def test_refutations_pay_nothing_for_hunting() -> None:
    hunted = {
        task.name: wants_restrictions(SpaceTime(task.problem), Options())
        for task in TASKS
        if task.answer == "impossible"
    }
    assert len(hunted) == 8
    assert not any(hunted.values()), hunted


def test_roomy_tasks_are_problems_and_their_results_are_kept() -> None:
    kept = json.loads(roomy.RESULTS.read_text(encoding="utf-8"))["tasks"]
    assert set(kept) == set(roomy.TASKS)
    assert len(kept) == 26
    for name, task in roomy.TASKS.items():
        assert kept[name]["words"] == task.words
    found = [each for each in kept.values() if each["with"]["answer"] == "found"]
    assert len(found) >= 20
    assert all(each["with"]["seconds"] <= 60 for each in found)


def test_the_table_says_which_peers_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = peers.Bench(tmp_path, 1, tmp_path)
    (tmp_path / "lls-0").mkdir()
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda name: None)
    wanted = {"lls": "no */lls", "lifesrc": "no */lifesrcdumb", "kernel": "numba", "rows": "numba"}
    for name, words in wanted.items():
        (figure,) = peers.measure(name, bench)
        assert figure.cells[3].startswith(f"missing: {words}")
    (tmp_path / "lls-0" / "lls").touch()
    (figure,) = peers.measure("lls", bench)
    assert "version 4" in figure.missing


def test_figures_beside_peers_are_medians_of_pairs() -> None:
    pairs = [(1.0, 4.0), (3.0, 3.0), (9.0, 10.0)]
    assert peers.ratio(pairs) == pytest.approx(0.9)
    met = peers.Figure("a", 0.9, 1, pairs=pairs)
    assert met.cells == ("a", "3.00", "4.00", "0.90 times", "≤ 1 times", "yes")
    assert peers.Figure("b", 0.9, 1, at_least=True).cells[-2:] == ("≥ 1 times", "**no**")
    assert set(peers.WORDS) == {f"B{n:02}" for n in range(1, 15)}


def test_a_program_that_fails_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    assert peers.spend((sys.executable, "-c", "print(input())"), "yes", "yes\n") > 0
    for said, end in (("", 1), ("no", 0)):
        with pytest.raises(WrongAnswerError, match="does not say"):
            peers.spend((sys.executable, "-c", f"print('yes'); raise SystemExit({end})"), said)
    monkeypatch.setattr(peers, "LIMIT", 0.2)
    assert peers.spend((sys.executable, "-c", "while True: pass")) == 0.2


def test_the_page_has_the_figures_beside_peers(
    results: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "RESULTS", path := tmp_path / "peers.json")
    monkeypatch.setattr(peers, "spend", lambda command: 0.0)
    for name, cost in (("dimacs", 1.5), ("shell", 2.5), ("dimacs", 0.5)):
        row = {name: lambda bench, cost=cost: iter([peers.Figure(f"cost {bench.count}", cost, 1)])}
        monkeypatch.setattr(peers, "ROWS", peers.ROWS | row)
        peers.main([str(tmp_path), "--only", name, "--pairs", "7", "--json", str(path)])
    page = render(results)
    assert "medians of at least 7 pairs" in page
    assert page.count("| cost 7 | – | – |") == 2
    assert "| 0.50 times | ≤ 1 times | yes |" in page
