"""Write examples/tutorial.ipynb: ``python scripts/write_notebook.py`` runs it and keeps the output.

The cells stand here, so that they can be read and reviewed; a test runs them and compares.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

FILE = Path(__file__).resolve().parent.parent / "examples" / "tutorial.ipynb"

TEXT, CODE = "markdown", "code"
CELLS = (
    (
        TEXT,
        """\
# satlife in a notebook

Describe a pattern, and satlife finds one, checked by a simulator, or tells you that there is none.
Install it with

```sh
pip install 'satlife[notebook,image]'
```

## Patterns draw themselves""",
    ),
    (
        CODE,
        """\
import satlife
from satlife import PartialPattern, Pattern

glider = Pattern.from_rle("bo$2bo$3o!")
glider""",
    ),
    (TEXT, "`pattern[n]` is the pattern `n` generations later."),
    (CODE, "glider[2]"),
    (
        TEXT,
        """\
## Ask a question

A problem shows what is asked, the cells that are sought, and the same question for the command
line.""",
    ),
    (CODE, 'problem = satlife.ship("c/3", box="16x6")\nproblem'),
    (CODE, "answer = satlife.find(problem)\nanswer"),
    (
        TEXT,
        """\
`play()` moves it. Space starts and stops it, the arrow keys step; follow the ship, or let it fly
past.""",
    ),
    (CODE, "answer.play()"),
    (
        TEXT,
        """\
## There is none, or it is not known

These are two different answers, and satlife never confuses them. The first is a theorem (and
`satlife oscillator 3 --box 5x5 --prove FOLDER` writes a proof that others can check); the second
only says that a second was not enough.""",
    ),
    (CODE, 'satlife.find(satlife.oscillator(3, box="5x5"))'),
    (CODE, 'satlife.find(satlife.oscillator(7, box="14x14"), timeout=1)'),
    (
        TEXT,
        """\
## Watch a search

`start` returns at once. A running search shows how far it is, and has a button that stops it.""",
    ),
    (
        CODE,
        """\
search = satlife.start(satlife.oscillator(5, box="8x8", symmetry="C4"))
search""",
    ),
    (CODE, "result = search.result()\nresult"),
    (
        TEXT,
        """\
## Complete a drawing

`?` is an unknown cell. Which still life has these cells?""",
    ),
    (
        CODE,
        """\
known = PartialPattern.from_rle("x = 4, y = 4\\n2o2?$o3?$?3o$3?o!")
known""",
    ),
    (CODE, 'satlife.find(satlife.complete(known, motion="p1"))'),
    (
        TEXT,
        """\
## Keep pictures

The suffix is the format: `.svg`, `.png`, `.gif`, or `.html` for a player in one file. A map colours
each cell by its own period.""",
    ),
    (
        CODE,
        """\
from IPython.display import SVG

satlife.save(answer, "ship.gif")
SVG(satlife.show.draw(answer, animate=True))""",
    ),
    (
        CODE,
        """\
pulsar = Pattern.from_rle(
    "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$"
    "2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!"
)
SVG(satlife.show.draw([result, pulsar], map="period"))""",
    ),
)


def build() -> nbformat.NotebookNode:
    """Return the notebook, not yet run."""
    makers = {TEXT: nbformat.v4.new_markdown_cell, CODE: nbformat.v4.new_code_cell}
    cells = [makers[kind](source) for kind, source in CELLS]
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
    return client.execute()


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Leave out what is different every time: the times of cells, and the names of widgets."""
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
    return notebook


def main() -> None:
    """Write the file."""
    with TemporaryDirectory() as folder:
        notebook = run(build(), Path(folder))
    FILE.write_text(nbformat.writes(clean(notebook)) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
