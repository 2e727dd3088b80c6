"""The tutorial notebook: it runs, it shows what it should, and the kept one is this one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.test_generated_docs import load

pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("anywidget")


@pytest.fixture(scope="module")
def script() -> Any:
    return load("write_notebook")


def test_the_kept_notebook_has_the_same_cells(script):
    kept = json.loads(script.FILE.read_text(encoding="utf-8"))
    sources = [(cell["cell_type"], "".join(cell["source"])) for cell in kept["cells"]]
    assert sources == [*script.CELLS], "run: python scripts/write_notebook.py"
    outputs = [cell["outputs"] for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert all(outputs), "it is kept with its pictures"


@pytest.mark.filterwarnings("ignore::Warning")  # other projects' own
def test_the_notebook_runs_and_shows(script, tmp_path):
    notebook = script.run(script.build(), tmp_path)
    shown = [
        set(cell.outputs[-1].data) - {"text/plain"}
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    widget = "application/vnd.jupyter.widget-view+json"
    svg, html = {"image/svg+xml"}, {"text/html"}
    assert shown == [
        *(svg, svg, html, html, {widget, *svg}, html, html, {widget}, html),
        *(svg, html, svg, svg),
    ]
    answers = "".join(
        cell.outputs[-1].data.get("text/html", "")
        for cell in notebook.cells
        if cell.cell_type == "code"
    )
    for words in ("25P3H1V0.1", "No such pattern exists", "Undecided: time limit", "octagon 2"):
        assert words in answers
