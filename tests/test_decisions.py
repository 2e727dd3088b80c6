"""The records of decisions in docs/decisions: their form, their numbers, and their index."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "decisions"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("[0-9]*.md"))}
INDEX = (FOLDER / "index.md").read_text(encoding="utf-8")

HEAD = re.compile(r"# (\d{4})\. \S.*\n\nDate: (\d{4}-\d\d-\d\d) · Status: (.+)\n\n")
LINK = re.compile(r"\[(\d{4})\]\((\1-[a-z0-9-]+\.md)\)")
ROW = re.compile(rf"^\| {LINK.pattern} \| (.+) \| .+ \|$", re.M)
HEADINGS = [
    ["Context", "Decision", *more]
    for more in ([], ["Measured"], ["Consequences"], ["Measured", "Consequences"])
]


def test_numbers_have_no_gap() -> None:
    assert [name[:5] for name in PAGES] == [f"{number:04}-" for number in range(1, len(PAGES) + 1)]


def read_head(name: str) -> re.Match[str]:
    head = HEAD.match(PAGES[name])
    assert head, f"{name}: # NNNN. Title, then Date: YYYY-MM-DD · Status: accepted"
    return head


def test_every_page_has_the_form_of_a_decision() -> None:
    for name, page in PAGES.items():
        head = read_head(name)
        assert head[1] == name[:4]
        date.fromisoformat(head[2])
        assert re.findall(r"^#+ (.+)$", page, re.M)[1:] in HEADINGS, name
        sections = re.split(r"^## .+\n", page, flags=re.M)[1:]
        assert all(section.strip() for section in sections), f"{name}: a heading without text"


def test_a_superseded_decision_names_a_later_one() -> None:
    for name in PAGES:
        status = read_head(name)[3]
        if status != "accepted":
            assert re.fullmatch(rf"superseded by {LINK.pattern}( and \[.+\))?", status), name
            assert all(page in PAGES and page > name for _, page in LINK.findall(status)), name


def test_the_index_has_every_page_once_with_its_title() -> None:
    listed = sorted((page, title) for _, page, title in ROW.findall(INDEX))
    titles = [(name, page.splitlines()[0].split(". ", 1)[1]) for name, page in PAGES.items()]
    assert listed == titles
