"""The decisions in docs/decisions: their form, their index, their links, and the files they name.

CONTRIBUTING.md and ARCHITECTURE.md name files and folders too, which must exist as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "satlife"
FOLDER = ROOT / "docs" / "decisions"
INDEX = FOLDER / "index.md"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path != INDEX)
GUIDES = [ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md"]

ENTRY = re.compile(r"^- \[(.+)\]\(([a-z-]+\.md)\): .+$", re.M)
LINK = re.compile(r"\]\(([^)\s]+)\)")
MENTION = re.compile(r"\bdecisions/([\w.-]+\.md)(?:#([\w-]+))?")
PLACE = re.compile(r"\.?[A-Za-z_][\w.<>-]*(/[\w.<>-]*)+|[\w<>-]+\.py")
NOTATION = re.compile(r"c/\d+d?|B\d*/S\d*")
"""Speeds and rules, which are not paths."""
BUILT = ("docs/_build/", "docs/reference/cli/")
"""Folders that exist only after a build."""


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def list_headings(text: str) -> list[str]:
    """Return the headings of a page, with their marks; a comment in a code block is none."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.findall(r"^#+ .+$", text, re.M)


def list_anchors(path: Path) -> set[str]:
    """Return the anchors that MyST gives to the headings of a page."""
    titles = (heading.lstrip("#").strip().lower() for heading in list_headings(read(path)))
    return {re.sub(r"[^\w\s-]", "", title).replace(" ", "-") for title in titles}


def list_places(text: str) -> Iterator[str]:
    """Yield what looks like a path, or like a Python file, among the words in backquotes."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)
    for span in re.findall(r"`([^`]+)`", text):
        for word in span.split():
            place = word.strip(",;:")
            if PLACE.fullmatch(place) and not NOTATION.fullmatch(place):
                yield place


def is_there(place: str, *bases: Path) -> bool:
    """Return whether a file, folder or module has this name; what is in <> may be anything."""
    if place.startswith(BUILT):
        return True
    if "/" not in place:
        return any(next((ROOT / top).rglob(place), None) for top in ("src", "tests"))
    known = place.partition("<")[0].rpartition("/")[0] if "<" in place else place
    folder, _, name = known.rpartition("/")
    names = {name, f"{name}.py", f"{name.partition('.')[0]}.py"}  # file, module, name in a module
    return any((base / folder / name).exists() for base in bases for name in names)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("`src/satlife/life/box.py`, `life/box`, `life/box.list_from_front`, `tests/`", []),
        ("`python scripts/write_cli_reference.py`, `c/3`, `B3/S23`, `ship 2c/5 --box 8x8`", []),
        (
            "`src/satlife/life/rules/<family>.py` and `wireworld/<family>.py`",
            ["wireworld/<family>.py"],
        ),
        ("`life/wireworld` or `wireworld.py`", ["life/wireworld", "wireworld.py"]),
    ],
)
def test_missing_files_are_seen(text: str, missing: list[str]) -> None:
    assert [place for place in list_places(text) if not is_there(place, ROOT, SRC)] == missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_has_a_title_and_a_section_for_each_decision(page: Path) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", page.stem), "a short subject, without numbers"
    title, *sections = list_headings(read(page))
    assert title.startswith("# ")
    assert sections
    assert all(section.startswith("## ") for section in sections)
    assert len(set(sections)) == len(sections), "a heading twice"
    texts = re.split(r"^## .+\n", read(page), flags=re.M)[1:]
    assert all(text.strip() for text in texts), "a heading without text"


def test_index_has_every_page_once_with_its_title() -> None:
    listed = sorted((page, title) for title, page in ENTRY.findall(read(INDEX)))
    titles = [(page.name, list_headings(read(page))[0][2:]) for page in PAGES]
    assert listed == titles


@pytest.mark.parametrize("page", [INDEX, *PAGES], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in LINK.findall(read(page)):
        if not re.match(r"[a-z]+:", link):
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.is_file() or (anchor and anchor not in list_anchors(target)):
                broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", [INDEX, *PAGES], ids=lambda page: page.stem)
def test_decisions_name_only_files_that_exist(page: Path) -> None:
    places = list_places(read(page))
    assert [place for place in places if not is_there(place, ROOT, SRC)] == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_guides_name_only_files_that_exist(guide: Path) -> None:
    packages = sorted(path for path in SRC.iterdir() if path.is_dir())
    places = list_places(read(guide))
    assert [place for place in places if not is_there(place, ROOT, SRC, *packages)] == []


def test_decisions_that_others_mention_exist() -> None:
    suffixes = {".js", ".md", ".py", ".pyi", ".toml", ".yml"}
    tops = [
        path
        for path in ROOT.iterdir()
        if not path.name.startswith(".") or path.name in (".ci", ".github")
    ]
    files = chain.from_iterable(top.rglob("*") if top.is_dir() else [top] for top in tops)
    broken = []
    for path in files:
        if path.suffix in suffixes and "_build" not in path.parts and path.is_file():
            for name, anchor in MENTION.findall(read(path)):
                page = FOLDER / name
                if not page.is_file() or (anchor and anchor not in list_anchors(page)):
                    broken.append(f"{path.relative_to(ROOT)}: {name}#{anchor}")
    assert broken == []
