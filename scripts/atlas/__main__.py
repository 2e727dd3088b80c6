"""The program of the atlas: ``python -m scripts.atlas make|write|check``."""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from scripts.atlas import page
from scripts.atlas.make import Maker
from scripts.atlas.table import Table, read_answers
from scripts.atlas.tables import TABLES


def main() -> None:
    """Read the words, and do it."""
    parser = argparse.ArgumentParser(prog="python -m scripts.atlas", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    names = [each.name for each in TABLES]
    make = commands.add_parser("make", help="run what is left of a table, and write its page")
    make.add_argument("name", choices=names)
    make.add_argument("--jobs", type=int, default=1)
    make.add_argument("--minutes", type=float, help="for the plan (no limit)")
    write = commands.add_parser("write", help="write the pages from what is recorded")
    write.add_argument("name", nargs="?", choices=names)
    check = commands.add_parser("check", help="check the certificates; make again what is not kept")
    check.add_argument("name", nargs="?", choices=names)
    check.add_argument("--quick", action="store_true", help="only those that are kept")
    words = parser.parse_args()
    chosen = [each for each in TABLES if words.name in {None, each.name}]
    if words.command == "check":
        for each in chosen:
            check_table(each, is_quick=words.quick)
        return
    if words.command == "make":
        Maker.of(chosen[0]).make(chosen[0], words.jobs, words.minutes)
    write_pages(chosen)


def write_pages(chosen: list[Table]) -> None:
    """Write the pages of some tables, and those about all."""
    for path, text in list_pages(chosen):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def list_pages(chosen: list[Table]) -> list[tuple[Path, str]]:
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


if __name__ == "__main__":
    main()
