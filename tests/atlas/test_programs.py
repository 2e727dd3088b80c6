"""One entry for all programs, and the pages that they write are up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

import pytest

from atlas import rule_maps, widths
from atlas.__main__ import PROGRAMS, list_names, main
from atlas.commands import NAMES
from atlas.gallery import page as gallery
from atlas.gallery.items import ITEMS
from atlas.gallery.rows import read_kept
from atlas.table import ROOT


def test_without_a_name_every_name_is_listed_with_a_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "atlas"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{list_names()}\n"
    assert re.findall(r"^  (\S+) +\S", done.stdout, re.M) == [*NAMES, *PROGRAMS]


@pytest.mark.parametrize("name", [*NAMES, *PROGRAMS])
def test_every_name_has_a_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    assert f"usage: python -m atlas {name} " in capsys.readouterr().out


def test_an_unknown_name_is_refused_with_the_list() -> None:
    with pytest.raises(SystemExit, match=r"there is no 'galery'; the names:\n\ntables"):
        main(["galery"])


def test_the_readme_has_a_row_for_every_program() -> None:
    text = (ROOT / "atlas" / "README.md").read_text(encoding="utf-8")
    table = text.partition("## Files")[0]
    rows = re.findall(r"^\| `([\w-]+)[^`]*` \|", table, re.M)
    assert sorted(rows) == sorted([*NAMES, *PROGRAMS])


def test_nothing_that_ships_or_measures_imports_the_atlas() -> None:
    """It makes data from the others; they do without it."""
    files = [
        path for folder in ("src", "bench", "scripts") for path in (ROOT / folder).rglob("*.py")
    ]
    assert len(files) > 300
    imports = re.compile(r"^\s*(from atlas\b|import atlas\b)", re.M)
    assert [path for path in files if imports.search(path.read_text(encoding="utf-8"))] == []


def test_every_program_is_a_function_of_its_module() -> None:
    for place, _ in PROGRAMS.values():
        module, _, function = place.partition(":")
        assert callable(getattr(import_module(module), function))


def test_the_gallery_shows_the_rows_that_are_kept() -> None:
    kept = read_kept()
    again = "run: just atlas gallery --page"
    assert sorted(kept.rows) == sorted(item.name for item in ITEMS)
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.render(kept), again
    drawn = dict(gallery.draw_all(kept))
    assert {path.name: path.read_bytes() for path in gallery.IMAGES.iterdir()} == drawn, again


def test_the_maps_of_rules_are_up_to_date() -> None:
    assert rule_maps.PAGE.read_text(encoding="utf-8") == rule_maps.render(), (
        "run: just atlas rule-maps"
    )


def test_the_page_of_widths_is_what_is_recorded() -> None:
    written = widths.PAGE.read_text(encoding="utf-8")
    assert written == widths.write_page(widths.read_answers()), "run: just atlas widths --page"
