"""The example campaign in the repository: its ledger is the answer to its plan."""

from __future__ import annotations

import lzma
from pathlib import Path

from satlife.campaign.ledger import merge, open_ledger
from satlife.campaign.page import draw_page
from satlife.campaign.plan import Plan
from satlife.campaign.results import collect
from satlife.engine.rows.closed_sets import refuse_width

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FOLDER = EXAMPLES / "small-symmetric"
WIDTHS = EXAMPLES / "widths"


def test_the_ledger_answers_the_plan_and_makes_the_page() -> None:
    plan = Plan.read(FOLDER / "plan.toml")
    with open_ledger(":memory:") as ledger:
        ledger.begin(plan.name, plan.to_toml())
        merge(ledger, lzma.decompress((FOLDER / "ledger.jsonl.xz").read_bytes()).splitlines())
        results = collect(ledger)
        names = {row.name for row in ledger.rows()}
    tasks = {group.problem(i).name for group in plan.groups() for i in range(len(group))}
    assert names == tasks
    assert (results.counts.found, results.counts.impossible, results.counts.open) == (36, 440, 0)
    assert sum(question.certified for question in results.questions) == 440
    assert len(results.finds) == 8
    assert draw_page(results, plan.title) == (FOLDER / "results.html").read_text(encoding="utf-8")


def test_every_task_of_the_widths_can_be_proved() -> None:
    plan = Plan.read(WIDTHS / "plan.toml")
    assert (plan.prove, plan.split, list(plan.left_out())) == (True, False, [])
    problems = [group.problem(i) for group in plan.groups() for i in range(len(group))]
    assert [problem for problem in problems if refuse_width(problem)] == []
    assert f"{len(problems)} tasks" in (WIDTHS / "README.md").read_text(encoding="utf-8")
    assert sum(problem.has_gutter for problem in problems) == 12
