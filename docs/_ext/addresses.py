"""Where satlife is: directives whose text follows from the addresses that a maintainer sets.

``clone`` says how to get the repository, and ``cite`` how to cite it.  Both read well before there
is an address: ``repository`` and ``documentation`` in ``pyproject.toml`` (see ``RELEASING.md``).
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from satlife._version import __version__

ROOT: Final = Path(__file__).parents[2]
UNSET: Final = "https://example.invalid/"
"""The beginning of an address that nobody has set."""


def read_address(name: str) -> str:
    """Return ``repository`` or ``documentation`` of pyproject.toml; nothing if it is unset."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    hooks: dict[str, Any] = tomllib.loads(text)["tool"]["hatch"]["metadata"]["hooks"]
    address = str(hooks["custom"][name]).rstrip("/")
    return "" if address.startswith(UNSET) else address


def write_bibtex(
    key: str = "satlife", title: str = "satlife", place: str = "", note: str = ""
) -> str:
    """Return a BibTeX entry, of satlife or of one of its results, from CITATION.cff."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    (author,) = re.findall(r"^  - name: (.*)$", citation, re.M)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(rf"^## {re.escape(__version__)} - (\d{{4}})", changes, re.M)
    home = read_address("documentation")
    url = f"{home}/{place}" if home else ""
    fields = {
        "title": f"{{{title}}}",
        "author": f"{{{author}}}",
        "version": __version__,
        "year": released[1] if released else "",
        "note": note,
        "url": url or read_address("repository"),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@software{{{key},", *lines, "}"])


def write_block(text: str, language: str) -> nodes.Node:
    """Return a block of code."""
    return nodes.literal_block(text, text, language=language)


class Clone(SphinxDirective):
    """Say how to get the repository."""

    def run(self) -> list[nodes.Node]:
        """Return the commands, or a sentence while there is no address."""
        if address := read_address("repository"):
            return [write_block(f"git clone {address} satlife\ncd satlife", "sh")]
        words = (
            "Clone the repository in which you found satlife, or unpack its archive, and go to "
            "that folder. (The repository has no public address yet.)"
        )
        return [nodes.paragraph("", words)]


class Cite(SphinxDirective):
    """Say how to cite satlife."""

    def run(self) -> list[nodes.Node]:
        """Return the BibTeX entry."""
        return [write_block(write_bibtex(), "bibtex")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("clone", Clone)
    app.add_directive("cite", Cite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
