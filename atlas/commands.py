"""What can be done with the tables of the atlas: make one, write pages, check certificates."""

# ruff: noqa: T201 - programs that talk to the person who started them

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from atlas import archive, page, widths
from atlas.gallery import make as gallery
from atlas.make import Maker
from atlas.table import PLAN, Table, read_answers
from atlas.tables import TABLES, oscillators, ships
from satlife.certificates import folder as files

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


def write_archives(words: Sequence[str]) -> None:
    """Write archives of all certificates to a folder, and a manifest of them."""
    parser = argparse.ArgumentParser(prog="python -m atlas archive")
    parser.add_argument("folder", type=Path)
    sources = list_sources()
    parser.add_argument("--name", choices=sources, help="of one table, the gallery or the widths")
    parser.add_argument("--kept", action="store_true", help="only those that are kept; makes none")
    given = parser.parse_args(words)
    given.folder.mkdir(parents=True, exist_ok=True)
    manifest: list[dict[str, object]] = []
    for name, source in sources.items():
        if given.name not in {None, name}:
            continue
        some = list(source.gather(only_kept=given.kept))
        path = given.folder / f"{name}.tar.xz"
        archive.pack(path, source.certificates, [each.name for each in some])
        for each in some:
            folder = source.certificates / each.name
            statement = (folder / files.STATEMENT).read_text("utf-8").split("\n")[0].lstrip("# ")
            told = archive.measure(folder)
            row = {"table": name, "name": each.name, "statement": statement}
            row |= {"command": each.command, "bytes": told["bytes"], "sha256": told["sha256"]}
            manifest.append(row)
        size = path.stat().st_size if some else 0
        print(f"{name}: {len(some)} certificates, {size:,} bytes", flush=True)
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    (given.folder / "manifest.json").write_text(f"{text}\n", encoding="utf-8")


class Source(NamedTuple):
    """Where certificates are, and how to get those that are missing."""

    certificates: Path
    gather: Callable[..., Iterator[archive.Entry]]
    """With ``only_kept``, those that are kept; makes the others if they are missing."""


def list_sources() -> dict[str, Source]:
    """Return the tables, the gallery and the widths, by name."""
    makers = [Maker.of(each) for each in TABLES]
    tables = {each.folder.name: Source(each.certificates, each.gather) for each in makers}
    others = {"gallery": gallery, "widths": widths}
    return tables | {name: Source(each.WORK, each.gather) for name, each in others.items()}


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
