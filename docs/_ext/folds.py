"""Long pages of results are folded, so that a phone shows each in a few screens.

Of many patterns side by side the first ones are seen.  A long table is behind a line that says how
many rows it has, and so is each part of the pages that are only lists.  A link to what is folded
opens it.
"""

from __future__ import annotations

from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx

LISTS: Final = ("rule-maps", "atlas/formulas")
"""Pages whose parts are folded one by one."""
LONG: Final = {
    "gallery": 6, "widths": 2, "atlas/eaters": 2, "atlas/oscillators": 2, "atlas/outcomes": 0,
    "atlas/rotors": 2, "atlas/ships": 2, "atlas/still-lifes": 2, "atlas/rules/": 2,
}  # fmt: skip
"""Pages whose patterns, tables and long proofs are folded, and how many patterns are seen of many.

A name that ends with a slash is a folder; on a desk, two patterns are a row."""
ROWS: Final = 12
"""The most rows of a table that is not folded."""
SUMMARIES: Final = ("widths",)
"""Pages whose first table is what they say, and is never folded."""
STEPS: Final = 4
"""The most steps of a proof that is not folded."""


def wrap(found: nodes.Element, words: str, folded: list[nodes.Node]) -> None:
    """Put nodes into a fold, after a node that has the same parent."""
    parent = found.parent
    assert parent is not None
    begin = f'<details class="fold"><summary>{words}</summary>'
    place = parent.index(found) + 1
    parent[place:place] = [
        nodes.raw("", begin, format="html"),
        *folded,
        nodes.raw("", "</details>", format="html"),
    ]


def replace(found: nodes.Element, words: str) -> None:
    """Put a node into a fold in its place."""
    place = nodes.comment()
    found.replace_self(place)
    wrap(place, words, [found])


def fold(_app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Fold what is long on a page of results."""
    if page in LISTS:
        fold_parts(doctree)
    for seen in (seen for name, seen in LONG.items() if page.startswith(name)):
        for box in list(doctree.findall(nodes.container)):
            rest = box.children[seen:]
            if "players" in box["classes"] and len(rest) > 1:
                box.children = box.children[:seen]
                more = nodes.container("", *rest, classes=box["classes"])
                wrap(box, f"Show {len(rest)} {'more' if seen else 'patterns'}", [more])
        for table in list(doctree.findall(nodes.table))[page in SUMMARIES :]:
            if (count := len(list(table.findall(nodes.row))) - 1) > ROWS:
                replace(table, f"Show the table of {count} rows")
        for steps in list(doctree.findall(nodes.enumerated_list)):
            if len(steps) > STEPS:
                replace(steps, f"Show the {len(steps)} steps")


def fold_parts(doctree: nodes.document) -> None:
    """Fold each part that has no parts."""
    for part in list(doctree.findall(nodes.section)):
        title, *content = part.children
        if isinstance(part.parent, nodes.document) or any(part.findall(is_part_of(part))):
            continue
        part.children = [title]
        wrap(title, "Show", content)


def is_part_of(part: nodes.section) -> Any:
    """Return a test for sections below one."""
    return lambda node: isinstance(node, nodes.section) and node is not part


def setup(app: Sphinx) -> dict[str, bool]:
    """Fold pages when they are written."""
    app.connect("doctree-resolved", fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
