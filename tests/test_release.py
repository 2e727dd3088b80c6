"""The check of a release sees what is wrong, and data say where they come from."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path, PurePosixPath

import pytest

from scripts.release_check import INSTALL, SERVE, Links, list_unset, run_shown
from tests.pages import Block, blocks

ROOT = Path(__file__).resolve().parent.parent
DATA = {".tsv", ".json", ".jsonl", ".xz", ".txt", ".gif", ".png", ".svg", ".ipynb", ".html"}
CODE = {"src/satlife/web/client", "src/satlife/rulemaps", "deploy/grafana"}
"""Folders whose pages, icons and dashboards are code."""


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git lists the files")
def test_bundled_data_say_where_they_come_from_and_their_licence() -> None:
    command = [
        "git",
        "ls-files",
        "src",
        "tests/data",
        "docs",
        "examples",
        "atlas",
        "bench",
        "deploy",
    ]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    silent = []
    for path in map(PurePosixPath, listed.splitlines()):
        if path.suffix in DATA and str(path.parent) not in CODE:
            beside = [ROOT / above / "README.md" for above in path.parents[:-1]]
            beside += [each.with_name("SOURCES.txt") for each in beside]
            texts = [each.read_text(encoding="utf-8") for each in beside if each.exists()]
            if not any("licence (MIT)" in text for text in texts):
                silent.append(str(path))
    assert silent == []


@pytest.mark.skipif(sys.platform == "win32", reason="bash on Windows may be WSL's")
@pytest.mark.parametrize(
    ("text", "given", "complaint"),
    [
        ("echo one\n", "one\n", None),
        ("echo one\n", None, None),
        ("echo one\n", "two\n", "expected:\ntwo\ngot:\none"),
        ("false\ntrue\n", None, "status 1"),
        ("printf GIF89a > a.gif # -o a.gif\n", None, None),
        ("touch a.gif # -o a.gif\n", None, "left no picture a.gif"),
    ],
)
def test_what_the_readme_shows_is_compared(
    text: str, given: str | None, complaint: str | None, tmp_path: Path
) -> None:
    wrong = run_shown(Block("sh", text, 7), given, tmp_path)
    assert (wrong == []) if complaint is None else (complaint in wrong[0])


def test_the_readme_installs_searches_draws_and_serves() -> None:
    page = list(blocks((ROOT / "README.md").read_text(encoding="utf-8")))
    shown = [block.text for block in page if block.language == "sh"]
    assert INSTALL.fullmatch(shown[0])
    assert SERVE in shown
    assert any(".gif" in text for text in shown)
    # A text is compared if it stands after commands; nothing else is only shown.
    kinds = [block.language for block in page]
    alone = {after for before, after in pairwise(kinds) if before != "sh"}
    assert alone <= {"sh", "console", "pycon"}


def test_links_of_a_rendered_page() -> None:
    links = Links()
    links.feed('<a href="docs/x.md">x</a><img src="https://y/z.png" alt=""><a name="q">')
    assert links.found == ["docs/x.md", "https://y/z.png"]


def test_what_a_person_sets_is_named_in_full() -> None:
    told = "\n".join(list_unset())
    for line in re.findall(r".*not released yet.*", (ROOT / "README.md").read_text("utf-8")):
        assert line in told
    assert ("example.invalid" in (ROOT / "pyproject.toml").read_text("utf-8")) == (
        "the address of the repository is unset" in told
    )
