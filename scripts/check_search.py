"""Ask the search of built documents: ``python scripts/check_search.py docs/_build/html``.

Each query has a page that must come first.  It needs Chromium and the extra ``dev``, and documents
that were built from nothing: Sphinx forgets the index entries of pages that it does not build anew.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import open_browser  # noqa: E402 - of this repository
from tests.web.static import serve_files  # noqa: E402

WANTED: Final = {
    "phone": "how-to/page",
    "browser": "how-to/page",
    "install": "install",
    "pip": "install",
    "clone": "install",
    "kissat": "how-to/solve-elsewhere",
    "GIF": "how-to/draw",
    "SVG": "how-to/draw",
    "period 6": "how-to/oscillator",
    "oscillator": "how-to/oscillator",
    "spaceship": "how-to/ship",
    "speed": "how-to/ship",
    "still life": "how-to/still-life",
    "eater": "how-to/eater",
    "catalyst": "how-to/catalyst",
    "orphan": "how-to/orphan",
    "garden of eden": "how-to/orphan",
    "parent": "how-to/parent",
    "predecessor": "how-to/parent",
    "complete": "how-to/complete",
    "agar": "how-to/agar",
    "torus": "how-to/agar",
    "wick": "how-to/wick",
    "tagalong": "how-to/tagalong",
    "sparker": "how-to/sparker",
    "billiard table": "how-to/billiard-table",
    "stator": "how-to/stator",
    "rule golf": "how-to/rule-golf",
    "population": "how-to/bounds",
    "smallest": "how-to/best",
    "proof": "how-to/prove",
    "certificate": "how-to/prove",
    "HighLife": "how-to/other-rules",
    "symmetry": "reference/symmetries",
    "apgcode": "reference/identity",
    "timeout": "how-to/limits-and-interrupts",
    "slow": "how-to/slow-search",
    "python": "how-to/from-python",
    "jupyter": "how-to/notebooks",
    "DIMACS": "how-to/solve-elsewhere",
    "exit code": "reference/cli/index",
    "Logic Life Search": "how-to/coming-from-lls",
    "RLE": "how-to/draw",
    "campaign": "campaigns",
    "cluster": "how-to/cluster",
    "Knuth": "knuth/index",
    "school": "tutorial/class",
}


def find_pages(page: Any, address: str, query: str) -> list[str]:
    """Return the pages that the search finds, the best first."""
    page.goto(f"{address}search.html?q={query.replace(' ', '+').replace('/', '%2F')}")
    page.wait_for_function("document.querySelector('.search-summary')?.innerText")
    found = page.eval_on_selector_all(
        "ul.search li a", "links => links.map(each => each.getAttribute('href'))"
    )
    return [each.partition("#")[0].partition("?")[0].removesuffix(".html") for each in found]


def main(folder: str) -> None:
    """Ask every query; exit with 1 if another page comes first."""
    wrong = []
    with serve_files(Path(folder)) as address, open_browser() as browser:
        page = browser.new_page()
        for query, wanted in WANTED.items():
            found = find_pages(page, address, query)
            if found[:1] != [wanted]:
                place = found.index(wanted) + 1 if wanted in found else "not found"
                wrong.append(f"{query}: {wanted} is {place}, after {', '.join(found[:3])}")
            if decided := [each for each in found if each.startswith("decisions/")]:
                wrong.append(f"{query}: finds {decided[0]}")
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
