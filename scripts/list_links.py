"""List the documents' links to other sites, with their pages: ``python scripts/list_links.py``.

Nothing is fetched: whether they answer is for a person, or a program with a network, to see.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"https?://[^\s<>`'\"()\[\]]+")
OURS = ("http://127.0.0.1", "http://localhost", "http://www.w3.org/")


def find_links(root: Path = ROOT) -> dict[str, list[str]]:
    """Return the pages that have each link, by link."""
    found: dict[str, set[str]] = defaultdict(set)
    for page in [*root.glob("*.md"), *root.glob("docs/**/*.md")]:
        if "_build" in page.parts:
            continue
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            if not link.startswith(OURS):
                found[link.rstrip(".,;:")].add(page.relative_to(root).as_posix())
    return {link: sorted(pages) for link, pages in sorted(found.items())}


def main() -> None:
    """Print a line for each link."""
    for link, pages in find_links().items():
        sys.stdout.write(f"{link}  {', '.join(pages)}\n")


if __name__ == "__main__":
    main()
