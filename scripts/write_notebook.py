"""Write examples/*.ipynb from examples/source/*.md: ``python scripts/write_notebook.py [NAME …]``.

A source is Markdown. Its blocks of ``python`` are the cells of code, everything between them is
text. The notebooks are run, and kept with their output, so that they can be read on GitHub; a test
runs them and compares.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

from satlife.life.draw.svg import embed

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
NAMES = tuple(sorted(path.stem for path in (EXAMPLES / "source").glob("*.md")))

REQUIREMENT = "satlife[notebook]"
"""What hosted notebooks install; a step of a release sets it."""

INSTALL = f"""\
# Colab and other hosted notebooks do not come with satlife.
import importlib.util

if importlib.util.find_spec("satlife") is None:
    %pip install --quiet "{REQUIREMENT}\""""


def split(text: str) -> list[tuple[str, str]]:
    """Return the cells of a source: ``markdown`` or ``code``, and what stands in it."""
    parts = re.split(r"^```python\n(.*?)^```$\n?", text, flags=re.DOTALL | re.MULTILINE)
    cells = [("code" if n % 2 else "markdown", part.strip("\n")) for n, part in enumerate(parts)]
    introduction, heading, rest = cells[0][1].partition("\n\n## ")
    first = [
        ("markdown", introduction),
        ("code", INSTALL),
        ("markdown", heading.strip("\n") + rest),
    ]
    return [cell for cell in (*first, *cells[1:]) if cell[1]]


def build(source: Path) -> nbformat.NotebookNode:
    """Return the notebook, not yet run."""
    makers = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    cells = [makers[kind](text) for kind, text in split(source.read_text(encoding="utf-8"))]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # not by chance, so that nothing changes without need
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def run(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """Run all cells; one that fails is an error."""
    client = NotebookClient(
        notebook,
        timeout=300,
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
    )
    # A cell such as "!satlife map …" starts the satlife of this Python.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    return client.execute(env={**os.environ, "PATH": path})


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Leave out what is different every time, and make pictures images, which all sites show."""
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            data.pop("application/vnd.jupyter.widget-view+json", None)
            if "text/html" in data:
                data.pop("image/svg+xml", None)
                data["text/html"] = re.sub(
                    "<svg [^>]*xmlns=.*</svg>",
                    lambda picture: embed(picture[0]),
                    data["text/html"],
                    flags=re.DOTALL,
                )
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
    return notebook


def find_source(name: str) -> Path:
    """Return the file of a notebook's source."""
    return EXAMPLES / "source" / f"{name}.md"


def main() -> None:
    """Write the notebooks that are named, or all."""
    for name in sys.argv[1:] or NAMES:
        with TemporaryDirectory() as folder:
            notebook = run(build(find_source(name)), Path(folder))
        text = nbformat.writes(clean(notebook)) + "\n"
        (EXAMPLES / f"{name}.ipynb").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
