"""What can be done with the tables of the atlas: make one, write pages, check certificates."""

# ruff: noqa: T201 - programs that talk to the person who started them

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from atlas import page
from atlas.make import Maker
from atlas.table import PLAN, Table, read_answers
from atlas.tables import TABLES, oscillators, ships

NAMES = tuple(each.name for each in TABLES)


def make_table(name: str, words: Sequence[str]) -> None:
    """Run what is left of a table, and write its page."""
    parser = argparse.ArgumentParser(prog=f"python -m atlas {name}")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="for the plan (no limit)")
    given = parser.parse_args(words)
    table = TABLES[NAMES.index(name)]
    Maker.of(table).make(table, given.jobs, given.minutes)
    save_pages([table])


def write_pages(words: Sequence[str]) -> None:
    """Write the pages of the tables from what is recorded."""
    parser = argparse.ArgumentParser(prog="python -m atlas pages")
    parser.add_argument("name", nargs="?", choices=NAMES)
    save_pages(_choose(parser.parse_args(words).name))


def write_plans(words: Sequence[str]) -> None:
    """Write the plans of the tables of oscillators and ships."""
    argparse.ArgumentParser(prog="python -m atlas plans").parse_args(words)
    for each in (oscillators, ships):
        (each.TABLE.folder / PLAN).write_text(each.write_plan(), encoding="utf-8")


def check_tables(words: Sequence[str]) -> None:
    """Check the certificates of the tables."""
    parser = argparse.ArgumentParser(prog="python -m atlas check")
    parser.add_argument("name", nargs="?", choices=NAMES)
    parser.add_argument("--quick", action="store_true", help="only those that are kept")
    given = parser.parse_args(words)
    for each in _choose(given.name):
        check_table(each, is_quick=given.quick)


def _choose(name: str | None) -> list[Table]:
    return [each for each in TABLES if name in {None, each.name}]


def save_pages(chosen: Sequence[Table]) -> None:
    """Write the pages of some tables, and those about all."""
    for path, text in list_pages(chosen):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def list_pages(chosen: Sequence[Table]) -> list[tuple[Path, str]]:
    """Return the pages of some tables, and those about all, with their texts."""
    answers = {each.name: read_answers(each.folder) for each in TABLES}
    return [
        *((each.page, page.write_page(each, answers[each.name])) for each in chosen),
        *(more for each in chosen for more in each.pages()),
        (page.INDEX, page.write_index(TABLES, [answers[each.name] for each in TABLES])),
        (page.KNOWN, page.write_known(TABLES)),
    ]


def check_table(chosen: Table, *, is_quick: bool) -> None:
    """Check the certificates of a table; quick checks unpack them into a folder of their own."""
    with tempfile.TemporaryDirectory() as place:
        work = Path(place) if is_quick else chosen.work
        valid = list(Maker(chosen.folder, work).check(is_quick=is_quick))
    spent = sum(told["check"] for _, told in valid)
    same = sum(told["sha256"] == record.sha256 for record, told in valid)
    words = f"{len(valid)} certificates are valid, {same} of them the same bytes, {spent:.1f} s"
    print(f"{chosen.name}: {words}", flush=True)
