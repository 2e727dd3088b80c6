"""A table of the atlas, and what is recorded of it in its folder."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec

from satlife.campaign.core.events import Status
from satlife.campaign.ledger import FindingRow, Ledger, merge, open_ledger
from satlife.campaign.results import Find, QuestionRow, box_words, collect, describe_question

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "atlas" / "data"
PLAN, LEDGER = "plan.toml", "ledger.jsonl.xz"
RECORDS, ARCHIVE = "certificates.json", "certificates.tar.xz"


@dataclass(frozen=True)
class Order:
    """What a plan cannot ask: the command of a certificate."""

    name: str
    """The name of its record, its folder and its row on the page."""
    command: str
    """``satlife …``, without ``--prove``; or with ``{folder}`` where the folder goes."""
    question: str = ""
    """The certificates of one question stand together on the page."""
    timeout: int = 120
    """Seconds, by the clock."""
    proves: bool = True
    """Whether the answer is a certificate; otherwise it is what the search says."""


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A certificate, or the answer to an order without one."""

    name: str
    question: str
    command: str
    """Makes it again; without ``--prove``."""
    answer: Literal["certified", "found", "undecided"]
    limit: int = 0
    """Seconds after which an order was given up."""
    statement: str = ""
    """The first line of the certificate's statement."""
    claim: str = ""
    """``none``, ``best``, ``all``, …"""
    values: tuple[int, ...] = ()
    """Of the best."""
    patterns: tuple[str, ...] = ()
    """The patterns of the claim, or what was found instead: generation 0, as RLE."""
    seconds: float = 0.0
    """Processor time for making it."""
    bytes: int = 0
    """Of all files but ``certificate.json``, which has times."""
    proofs: int = 0
    """Bytes without the formulas."""
    sha256: str = ""
    """Of what ``sha256sum *`` prints, without ``certificate.json``."""
    check: float = 0.0
    """Processor time for checking it."""
    kept: bool = False
    """Whether it is in the archive."""


Records = dict[str, Record]


def read_records(folder: Path) -> Records:
    """Return the records of a table's folder, by name."""
    path = folder / RECORDS
    if not path.exists():
        return {}
    known = msgspec.json.decode(path.read_bytes(), type=list[Record])
    return {each.name: each for each in known}


def write_records(folder: Path, records: Records) -> None:
    """Write the records, a line each."""
    ordered = sorted(records.values(), key=lambda each: (each.question, each.name))
    lines = ",\n".join(msgspec.json.encode(each).decode() for each in ordered)
    (folder / RECORDS).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


@dataclass(frozen=True)
class Answers:
    """All that is recorded of a table."""

    records: Records = field(default_factory=dict)
    questions: Mapping[str, QuestionRow] = field(default_factory=dict)
    """The plan's questions, by their words."""
    finds: Mapping[tuple[str, str], Find] = field(default_factory=dict)
    """What was found, by question and box; not what follows from other boxes."""

    @cached_property
    def by_question(self) -> dict[str, list[Record]]:
        """The certificates of each question."""
        found: dict[str, list[Record]] = {}
        for each in self.records.values():
            if each.answer == "certified":
                found.setdefault(each.question, []).append(each)
        return found


def read_answers(folder: Path) -> Answers:
    """Return what is recorded in a table's folder; every find is simulated again."""
    records = read_records(folder)
    if not (folder / LEDGER).exists():
        return Answers(records)
    with open_ledger(":memory:") as ledger, lzma.open(folder / LEDGER) as lines:
        merged = merge(ledger, lines)
        if merged.refused:
            raise SystemExit(f"{folder / LEDGER}: {merged.refused[0]}")
        return Answers(records, *read_ledger(ledger))


def read_ledger(
    ledger: Ledger,
) -> tuple[dict[str, QuestionRow], dict[tuple[str, str], Find]]:
    """Return the questions of a ledger, and what was found."""
    rows = [row for row in ledger.rows(Status.FOUND) if not row.task.parent]
    events = ledger.found([row.name for row in rows])
    finds = {}
    for row in rows:
        if event := events.get(row.name):
            asked, problem = describe_question(row.task.problem), row.task.problem
            told = FindingRow(event.identity, row.name, event.generations, problem, "", 0.0)
            finds[asked, box_words(problem)] = Find(told)
    return {each.words: each for each in collect(ledger).questions}, finds


def _nothing(answers: Answers) -> Iterable[Order]:
    return ()


@dataclass(frozen=True)
class Table:
    """A table of the atlas."""

    name: str
    title: str
    summary: str
    """What it says, in a sentence."""
    body: Callable[[Answers], str]
    """Writes the page, without the heading and the list of certificates."""
    known: str
    """Which entries were known, with sources, and which we believe to be new, and why."""
    orders: Callable[[Answers], Iterable[Order]] = _nothing
    pages: Callable[[], Iterable[tuple[Path, str]]] = tuple
    """Further pages, with their texts."""

    @property
    def folder(self) -> Path:
        """Where its plan and its answers are."""
        return DATA / self.name

    @property
    def work(self) -> Path:
        """Where its ledger, proofs and certificates are while it is made."""
        return ROOT / "dist" / "atlas" / self.name

    @property
    def page(self) -> Path:
        """The page that is written."""
        return ROOT / "docs" / "atlas" / f"{self.name}.md"
