"""The notebooks of examples/: they run, they show what they should, and the kept ones are these."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.test_generated_docs import load

pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("anywidget")

SHOWN = {
    "campaigns": ("48 tasks", "blinker", "quad", "glider"),
    "certificates": ("No such pattern exists", "not valid: problem.json", "An orphan of 100 cells"),
    "class": ("63.0", "24", "4 solutions, and there are no others", "LWSS", "7 by 7: Found"),
    "first-search": ("turtle", "∅ No such pattern", "? Undecided: time limit", "octagon 2"),
    "rules": ("256", "c/3  Found", "35,504 of 131,072 rules"),
}
"""Words in the output of each notebook."""


@pytest.fixture(scope="module")
def script() -> Any:
    return load("write_notebook")


def read_words(notebook: Any) -> str:
    """Return all output that is text."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    texts = [output.get("text", "") for output in outputs]
    texts += [text for output in outputs for text in output.get("data", {}).values()]
    return "\n".join("".join(text) for text in texts)


def list_kinds(notebook: Any) -> list[set[str]]:
    """Return what each cell of code shows: the kinds of its output, without widgets and SVG."""
    ignored = {"application/vnd.jupyter.widget-view+json", "image/svg+xml"}
    return [
        {
            kind
            for output in cell["outputs"]
            for kind in output.get("data", {output["output_type"]: ""})
        }
        - ignored
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def test_every_source_has_its_notebook_and_its_line(script):
    names = {*script.NAMES}
    assert names == SHOWN.keys() == {path.stem for path in script.EXAMPLES.glob("*.ipynb")}
    for page in ("examples/README.md", "docs/how-to/notebooks.md"):
        text = (script.EXAMPLES.parent / page).read_text(encoding="utf-8")
        assert [name for name in sorted(names) if f"{name}.ipynb" not in text] == []


@pytest.mark.parametrize("name", SHOWN)
def test_the_kept_notebook_has_the_same_cells_and_all_its_output(script, name):
    kept = json.loads((script.EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    sources = [(cell["cell_type"], "".join(cell["source"])) for cell in kept["cells"]]
    again = f"run: python scripts/write_notebook.py {name}"
    assert sources == script.split(script.find_source(name).read_text(encoding="utf-8")), again
    assert all(cell.get("execution_count", 1) for cell in kept["cells"]), again
    words = read_words(kept)
    assert [part for part in SHOWN[name] if part not in words] == []
    assert "\x1b" not in words, "no codes of a terminal"
    outputs = [
        each["data"] for cell in kept["cells"] for each in cell.get("outputs", ()) if "data" in each
    ]
    shown = ["".join(data.get("text/html", "")) for data in outputs]
    assert any("<img" in html for html in shown)
    assert not any("<svg" in html for html in shown), "sites remove SVG from HTML, not images"


@pytest.mark.filterwarnings("ignore::Warning")  # other projects' own
@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs_and_shows_what_the_kept_one_shows(script, name, tmp_path):
    notebook = script.run(script.build(script.find_source(name)), tmp_path)
    words = read_words(notebook)
    assert [part for part in SHOWN[name] if part not in words] == []
    kept = json.loads((script.EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert list_kinds(notebook) == list_kinds(kept)
