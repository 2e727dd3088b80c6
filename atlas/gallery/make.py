"""The gallery of certified impossibilities: ``python -m atlas gallery [--limit SECONDS] [NAME …]``.

Every certificate is made as a person would make it, with the command that the page shows, checked
anew by ``satlife check``, and its sizes, times and hashes are read from it.  Each row goes into
atlas/data/gallery.json as soon as it is made, and docs/gallery.md is written from that file; a
row that takes too long stays as it was.  Without names, all rows are made and the second table is
measured; ``--costs`` only measures that table, and ``--page`` only writes the page and its
pictures.  Needs lrat-check on the PATH.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from atlas import archive
from atlas.gallery.items import ITEMS, Item
from atlas.gallery.page import write_page
from atlas.gallery.rows import Row, hash_folder, keep_costs, keep_row, pick_shown, read_kept
from atlas.table import DATA, ROOT
from bench.proofs import REFUTED, measure, timing
from satlife.certificates import Certificate, check_certificate, read_certificate
from satlife.certificates import folder as files

WORK, KEPT = ROOT / "dist" / "atlas" / "gallery" / "certificates", DATA / "gallery.tar.xz"
"""The certificates that were made here; the small ones, which are kept."""
ROUNDS = 3
LIMIT = 900.0
"""Seconds after which a certificate is given up."""


@dataclass(frozen=True)
class Made:
    """A certificate that was made and checked."""

    item: Item
    row: Row
    certificate: Certificate

    @property
    def checkers(self) -> set[str]:
        """Those who said of every part that it is valid."""
        said = [{c.checker for c in part.checks if c.valid} for part in self.certificate.parts]
        return set.intersection(*said)


def make(item: Item, folder: Path, limit: float = LIMIT) -> Made:
    """Make a certificate by its command, and check it; raise ``TimeoutExpired`` at the limit."""
    for name, text in item.inputs.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-c", "from satlife.cli.app import main; main()", *item.words]
    with timing() as since:
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=limit
        )
        made = since()
    if run.returncode != item.code:
        raise SystemExit(f"{item.name}: exit code {run.returncode}: {run.stderr}")
    place = folder / item.name
    begun = time.monotonic()
    with timing() as since:
        judgement = check_certificate(place)
        cpu = since()
    checked = time.monotonic() - begun
    if not judgement.valid:
        raise SystemExit(f"{item.name}: {judgement}")
    certificate = read_certificate(place)
    row = _describe(item, place, judgement.statement, certificate, checked)
    row = structs.replace(row, made_cpu=round(made, 1), checked_cpu=round(cpu, 1))
    return Made(item, row, certificate)


def _describe(
    item: Item, place: Path, statement: str, certificate: Certificate, checked: float
) -> Row:
    def seconds(checker: str) -> float:
        checks = (check for part in certificate.parts for check in part.checks)
        return round(sum(each.seconds for each in checks if each.checker == checker), 2)

    return Row(
        name=item.name,
        command=item.command,
        title=statement.partition("\n")[0].removeprefix("# "),
        made=certificate.made,
        format=certificate.format,
        audit=certificate.audit,
        problem=files.read_problem(place).to_json().decode(),
        shown=pick_shown(files.read_claim(place)),
        variables=max(part.variables for part in certificate.parts),
        clauses=max(part.clauses for part in certificate.parts),
        solve_seconds=round(sum(part.solve_seconds for part in certificate.parts), 2),
        proof_bytes=certificate.proof_bytes,
        folder_bytes=sum(path.stat().st_size for path in place.iterdir()),
        own_seconds=seconds("satlife"),
        lrat_seconds=seconds("lrat-check"),
        check_seconds=round(checked, 2),
        leaves=sum(part.name.startswith("leaf-") for part in certificate.parts) or 1,
        sha256=hash_folder(place),
    )


def gather(*, only_kept: bool) -> Iterator[archive.Entry]:
    """Yield the certificates; what is missing is made again."""
    archive.unpack(KEPT, WORK)
    rows = read_kept().rows
    for item in ITEMS:
        row = rows[item.name]
        if only_kept and row.folder_bytes > archive.SMALL:
            continue
        if not (WORK / item.name).exists() and make(item, WORK).row.title != row.title:
            raise SystemExit(f"{item.command}: another answer than: {row.title}")
        yield archive.Entry(item.name, f"satlife {item.command}")


def main(words: Sequence[str]) -> None:
    """Make all, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m atlas gallery", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a row; by default all")
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--page", action="store_true", help="make nothing, only write the page")
    parser.add_argument("--costs", action="store_true", help="only measure the second table")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often it is measured")
    given = parser.parse_args(words)
    if unknown := set(given.names) - {item.name for item in ITEMS}:
        parser.error(f"no rows: {', '.join(sorted(unknown))}")
    for item in () if given.page or given.costs else ITEMS:
        if given.names and item.name not in given.names:
            continue
        shutil.rmtree(WORK / item.name, ignore_errors=True)
        WORK.mkdir(parents=True, exist_ok=True)
        try:
            row = make(item, WORK, given.limit).row
        except subprocess.TimeoutExpired:
            print(f"{item.name}: not within {given.limit:g} s; its row stays as it was")
            continue
        keep_row(row)
        print(f"{item.name}: {row.title} ({row.check_seconds:.1f} s)", flush=True)
    if not (given.page or given.costs):
        archive.pack(KEPT, WORK, [each.name for each in gather(only_kept=True)])
    if given.costs or not (given.names or given.page):
        costs = ((task.name, measure(task, given.rounds)) for task in REFUTED)
        keep_costs(costs, given.rounds)
    write_page()
