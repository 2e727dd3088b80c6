"""Making a table: run its plan, certify, follow its orders, record, and pack.

Every certificate is recorded as soon as it is checked, so a stop loses at most the one at hand, and
the same call goes on.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import json
import lzma
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import structs

from atlas import archive
from atlas.table import (
    ARCHIVE,
    LEDGER,
    PLAN,
    Order,
    Record,
    Table,
    read_answers,
    read_records,
    write_records,
)
from satlife import Problem
from satlife.campaign.certificates import CertificateWriter
from satlife.campaign.ledger import export, open_ledger
from satlife.campaign.proofs import KeptProofs
from satlife.campaign.results import describe_question
from satlife.certificates import folder as files
from satlife.problem.constraints import Height, Width
from satlife.problem.outcome import make_pattern, read_history
from satlife.problem.words import write_command

SIGNS = str.maketrans({"|": "v", "-": "h", "+": "p", "/": "d", "\\": "b", ":": "-"})
"""Of symmetries, as they are in file names."""
LISTS = ("all", "reactions")
"""The claims that name several patterns."""


@dataclass(frozen=True)
class Maker:
    """A table that is made: its folder, and the folder of its work."""

    folder: Path
    work: Path

    @classmethod
    def of(cls, table: Table) -> Maker:
        """Return the maker of a table in the repository."""
        return cls(table.folder, table.work)

    @property
    def ledger(self) -> Path:
        """The ledger of the campaign."""
        return self.work / "plan.db"

    @property
    def proofs(self) -> Path:
        """The proofs that the campaign has kept."""
        return self.work / "proofs"

    @property
    def certificates(self) -> Path:
        """A folder for each certificate."""
        return self.work / "certificates"

    def make(self, table: Table, jobs: int = 1, minutes: float | None = None) -> None:
        """Do all that is left; the plan is stopped after some minutes."""
        self.unpack()
        if (self.folder / PLAN).exists():
            self.run(jobs, minutes)
            self.export()
        self.finish(table)

    def finish(self, table: Table) -> None:
        """Certify what the plan has refuted, follow the orders, and pack."""
        wanted = {*self.certify(), *self.follow(table)}
        records = read_records(self.folder)
        if not (wanted or records):
            return  # a table of rules or of formulas has no certificates
        # A box of a range that grew has a certificate in that of the larger box.
        write_records(self.folder, {name: records[name] for name in records if name in wanted})
        self.keep()

    def run(self, jobs: int = 1, minutes: float | None = None) -> None:
        """Run what is left of the plan; what is recorded is not asked again."""
        plan, ledger = str(self.folder / PLAN), str(self.ledger)
        if not self.ledger.exists() and (self.folder / LEDGER).exists():
            recorded = str(self.folder / LEDGER)
            satlife("campaign", "merge", plan, recorded, "--trust", "--ledger", ledger)
        words = ["campaign", "run", plan, "--ledger", ledger, "--jobs", str(jobs)]
        words += ["--keep-proofs", str(self.proofs)]
        with subprocess.Popen([*SATLIFE, *words]) as running:
            try:
                running.wait(None if minutes is None else 60 * minutes)
            except subprocess.TimeoutExpired:
                running.send_signal(signal.SIGINT)

    def export(self) -> None:
        """Record the answers."""
        with open_ledger(str(self.ledger)) as ledger, lzma.open(self.folder / LEDGER, "wb") as file:
            file.writelines(export(ledger))

    def certify(self) -> Iterator[str]:
        """Yield the names of the plan's certificates; what has none is certified and recorded."""
        records = read_records(self.folder)
        if not self.ledger.exists():
            return
        with open_ledger(str(self.ledger)) as ledger:
            writer = CertificateWriter(ledger, KeptProofs(self.proofs))
            for refuted in writer.refutations():
                name = name_problem(refuted.problem)
                yield name
                if name in records:
                    continue
                command = name_command(refuted.problem)
                folder = self.certificates / name
                if not folder.exists():
                    writer.write(refuted, folder, command)
                question = describe_question(refuted.row.task.problem)
                told: dict[str, Any] = {"name": name, "question": question, "command": command}
                self.record(Record(**told, answer="certified", **self.judge(folder)))

    def judge(self, folder: Path) -> dict[str, Any]:
        """Check a certificate, and return what its record says of it."""
        statement = (folder / files.STATEMENT).read_text("utf-8").split("\n")[0].lstrip("# ")
        told = json.loads((folder / files.CLAIM).read_bytes()) if _has_claim(folder) else {}
        found = told.get("found", [])
        shown = found if told.get("type") in LISTS else [found] if found else []
        problem = files.read_problem(folder)
        histories = (read_history(problem, each) for each in shown)
        return {
            "statement": statement,
            "claim": told.get("type", "none"),
            "values": tuple(told.get("values", ())),
            "patterns": tuple(make_pattern(problem, each, 0).to_rle() for each in histories),
            "check": archive.check(folder),
            **archive.measure(folder),
        }

    def follow(self, table: Table) -> Iterator[str]:
        """Yield the names of a table's orders; what has no answer, or more time, is carried out."""
        for order in table.orders(read_answers(self.folder)):
            yield order.name
            known = read_records(self.folder).get(order.name)
            is_done = known and (known.answer != "undecided" or known.limit >= order.timeout)
            if not is_done:
                self.record(self.carry_out(order))

    def carry_out(self, order: Order) -> Record:
        """Run the command of an order, and return what came of it."""
        folder = self.certificates / order.name
        words = shlex.split(order.command)
        if "{folder}" in words:
            words = [str(folder) if word == "{folder}" else word for word in words]
        elif order.proves and not folder.exists():
            words += ["--prove", str(folder)]
        words += ["--timeout", str(order.timeout), "--json", "--quiet"]
        told: dict[str, Any] = {"name": order.name, "question": order.question}
        told["command"] = order.command
        begun = archive.spent()
        done = subprocess.run(
            [*SATLIFE, *words[1:]], cwd=self.folder, capture_output=True, text=True, check=False
        )
        told["seconds"] = round(archive.spent() - begun, 1)
        if done.returncode not in {0, 1, 3}:
            raise SystemExit(f"{shlex.join(words)}\n{done.stderr}")
        if folder.exists():
            return Record(**told, answer="certified", **self.judge(folder))
        if done.returncode == 3:
            return Record(**told, answer="undecided", limit=order.timeout)
        lines = map(json.loads, done.stdout.splitlines())
        found = tuple(line["rle"] for line in lines if "rle" in line)
        return Record(**told, answer="found", patterns=found)

    def record(self, record: Record) -> None:
        """Record a certificate, or an order, at once."""
        records = read_records(self.folder)
        write_records(self.folder, records | {record.name: record})
        print(f"{record.name}: {record.answer}, {record.bytes:,} bytes", flush=True)

    def keep(self) -> None:
        """Pack the small certificates."""
        records = archive.choose_kept(read_records(self.folder))
        write_records(self.folder, records)
        kept = [each.name for each in records.values() if each.kept]
        archive.pack(self.folder / ARCHIVE, self.certificates, kept)

    def unpack(self) -> None:
        """Unpack the certificates that are kept."""
        archive.unpack(self.folder / ARCHIVE, self.certificates)

    def gather(self, *, only_kept: bool) -> Iterator[archive.Entry]:
        """Yield the certificates; what is missing is made again."""
        self.unpack()
        for record in read_records(self.folder).values():
            if record.answer == "certified" and (record.kept or not only_kept):
                folder = self.certificates / record.name
                if not folder.exists():
                    self.make_again(record)
                yield archive.Entry(record.name, record.command)

    def check(self, *, is_quick: bool) -> Iterator[tuple[Record, dict[str, Any]]]:
        """Yield the records of valid certificates, and what those say that are there now.

        Those not kept are made again; other versions may write other proofs, of the same statement.
        An error ends it.
        """
        self.unpack()
        for record in read_records(self.folder).values():
            if record.answer == "certified" and (archive.is_quick(record) or not is_quick):
                folder = self.certificates / record.name
                if not folder.exists():
                    self.make_again(record)
                yield record, self.compare(record, folder)

    def compare(self, record: Record, folder: Path) -> dict[str, Any]:
        """Check a certificate that must say what is recorded; return what it says."""
        told = self.judge(folder)
        for name in ("statement", "claim", "values", "patterns"):
            if told[name] != getattr(record, name):
                raise SystemExit(f"{folder}: its {name} is not the one that is recorded")
        return told

    def make_again(self, record: Record) -> None:
        """Make a certificate that was not kept."""
        order = Order(record.name, record.command, timeout=24 * 3600)
        made = self.carry_out(order)
        if made.answer != "certified" or made.statement != record.statement:
            raise SystemExit(f"{record.command}: {made.answer}, not: {record.statement}")


SATLIFE = (sys.executable, "-m", "satlife")


def satlife(*words: str) -> None:
    """Run a command of satlife."""
    subprocess.run([*SATLIFE, *words], check=True)


def name_problem(problem: Problem) -> str:
    """Return a name for the certificate of a problem, for people and for file names.

    >>> from satlife import oscillator
    >>> name_problem(oscillator(3, box="7x6", symmetry="D2|"))
    'oscillator-p3-d2v-7x6'
    >>> name_problem(oscillator(3, box="7x6", width=">=7"))
    'oscillator-p3-7x6-exact-width'
    """
    symmetry = "" if problem.symmetry == "C1" else problem.symmetry.lower().translate(SIGNS)
    motion, bounds = str(problem.motion or "").replace("/", ""), _split(problem)[1]
    words = [problem.kind, motion, symmetry, "-".join(problem.boxes).replace("*", "any")]
    words += ["exact", *bounds] if bounds else []
    if not name_command(problem):
        words.append(problem.name[:8])
    return "-".join(filter(None, words))


def name_command(problem: Problem) -> str:
    """Return the command that asks a problem, or an exact box of one; empty if there is none.

    >>> from satlife import ship
    >>> name_command(ship("c/3", box="9x*"))
    "satlife ship c/3 --box '9x*'"
    """
    whole, bounds = _split(problem)
    box, tall = problem.boxes[0], problem.boxes[0].replace("*", "9999")
    command = write_command(structs.replace(whole, boxes=(tall, *problem.boxes[1:])))
    quoted = shlex.quote(box)
    return " ".join((command.replace(tall, quoted), *bounds.values())) if command else ""


def _split(problem: Problem) -> tuple[Problem, dict[str, str]]:
    """Return a problem without its least sizes, and the options for these."""
    sizes = {"width": Width, "height": Height}
    bounds = {
        side: f"--{side} '>={each.least}'"
        for side, kind in sizes.items()
        for each in problem.constraints
        if isinstance(each, kind) and each.most is None
    }
    others = tuple(each for each in problem.constraints if not isinstance(each, Width | Height))
    if len(others) + len(bounds) != len(problem.constraints):
        return problem, {}
    return structs.replace(problem, constraints=others), bounds


def _has_claim(folder: Path) -> bool:
    return (folder / files.CLAIM).exists()
