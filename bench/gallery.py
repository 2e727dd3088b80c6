"""The gallery of certified impossibilities: ``python -m bench.gallery [NAME …]``.

Every certificate is made as a person would make it, with the command that the page shows, checked
anew by ``satlife check``, and its sizes and times are read from it.  Without names, all are made,
the second table is measured, and docs/gallery.md is written.  Needs lrat-check on the PATH.
"""

from __future__ import annotations

import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.tasks import TASKS
from satlife.search import Impossible, find
from satlife.search.certificates import Certificate, check_certificate, read_certificate
from satlife.search.certificates.refute import refute

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "gallery.md"
ROUNDS = 3

GLIDERS = {"glider.rle": "bo$2bo$3o!\n", "glider-1.rle": "obo$b2o$bo!\n"}
ORPHANS = {
    "orphan-10x10.rle": (
        "bob3obo$2bobobo2bo$ob3o2b2o$bob5obo$o2bo2b4o$4o2bo2bo$ob5obo$b2o2b3obo$o2bobobo$2bob3obo!\n"
    ),
    "orphan-11x11.rle": (
        "b3o2b2o$b2obobob3o$b3o2b5o$obobobobobo$4obobobo$4b3o$bobobob4o$obobobobobo$5o2b3o$"
        "3obobob2o$3b2o2b3o!\n"
    ),
    "orphan-11x9.rle": (
        "b9o$obo2bobobo$b2o2b4o$ob4o3bo$bo2bobobobo$o2b2o2bo$3o2b5o$2b2obobobo$ob4o2b2o!\n"
    ),
}


@dataclass(frozen=True)
class Item:
    """A certificate: its folder's name, the command that makes it, the files that it reads."""

    name: str
    command: str
    code: int = 1
    """With which the command ends: 1 if it is an impossibility, 0 if patterns are found, too."""
    inputs: dict[str, str] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """The command, word by word, with the folder."""
        return [*shlex.split(self.command), "--prove", self.name]


ITEMS = (
    *(
        Item(f"{name}{part}", f"orphan {name}.rle{flag}", 0, ORPHANS)
        for name in ("orphan-10x10", "orphan-11x11", "orphan-11x9")
        for part, flag in (("", ""), ("-core", " --shrink"))
    ),
    Item("p3-5x5", "oscillator 3 --box 5x5"),
    Item("p3-6x6", "oscillator 3 --box 6x6"),
    Item("p3-6x6-cubes", "oscillator 3 --box 6x6 --cubes 8 --jobs 2"),
    Item("c4-p4-9x9", "oscillator 4 --box 9x9 --symmetry C4 --composite"),
    Item("c3-8x8", "ship c/3 --box 8x8"),
    Item("still-37-8x8", "still-life --box 8x8 --population '>=37'"),
    Item("densest-8x8", "still-life --box 8x8 --maximize population", 0),
    Item("still-10-8x8", "still-life --box 8x8 --population =10 --all", 0),
    *(
        Item(
            f"eater-{phase}-{within}",
            f"eater --input {glider} --at 8,8 --approach 1 --within {within + 1} "
            "--region 0..19,0..19 --field 0..19,0..19",
            1,
            GLIDERS,
        )
        for phase, glider in enumerate(GLIDERS)
        for within in (1, 2, 3)
    ),
)


@dataclass(frozen=True)
class Made:
    """A certificate that was made and checked."""

    item: Item
    title: str
    certificate: Certificate
    packed_bytes: int
    check_seconds: float

    def seconds(self, checker: str) -> float:
        """What a checker took for all parts when the certificate was made."""
        checks = (check for part in self.certificate.parts for check in part.checks)
        return sum(check.seconds for check in checks if check.checker == checker)

    @property
    def checkers(self) -> set[str]:
        """Those who said of every part that it is valid."""
        said = [{c.checker for c in part.checks if c.valid} for part in self.certificate.parts]
        return set.intersection(*said)


def make(item: Item, folder: Path) -> Made:
    """Make a certificate by its command, and check it."""
    for name, text in item.inputs.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-c", "from satlife.cli.app import main; main()", *item.words]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != item.code:
        raise SystemExit(f"{item.name}: exit code {run.returncode}: {run.stderr}")
    begun = time.monotonic()
    judgement = check_certificate(folder / item.name)
    if not judgement.valid:
        raise SystemExit(f"{item.name}: {judgement}")
    return Made(
        item,
        judgement.statement.partition("\n")[0].removeprefix("# "),
        read_certificate(folder / item.name),
        sum(path.stat().st_size for path in (folder / item.name).iterdir()),
        time.monotonic() - begun,
    )


@dataclass(frozen=True)
class Slower:
    """A task of the benchmark, refuted by the default way and by the audit formula."""

    name: str
    usual: float
    audit: float


def measure_slowdown() -> Iterator[Slower]:
    """Time the refuted tasks both ways, in turns."""
    for task in (task for task in TASKS if task.answer == "impossible"):
        times: dict[str, list[float]] = {"usual": [], "audit": []}
        for _ in range(ROUNDS):
            begun = os.times()
            assert isinstance(find(task.problem), Impossible)
            times["usual"].append(_cpu_since(begun))
            with tempfile.TemporaryDirectory() as folder:
                begun = os.times()
                assert isinstance(refute(task.problem, Path(folder, "proof")), Impossible)
                times["audit"].append(_cpu_since(begun))
        usual, audit = (statistics.median(times[way]) for way in ("usual", "audit"))
        yield Slower(task.name, usual, audit)


def _cpu_since(begun: os.times_result) -> float:
    now = os.times()
    return (now.user - begun.user) + (now.children_user - begun.children_user)


HEAD = """\
# Gallery of certified impossibilities

Every row is a certificate, made by the command shown (after `satlife`, with `--prove FOLDER`). Its
proof was checked by satlife's own checker and by `lrat-check`, and `satlife check` then checked it
again from the problem alone. [](background/trust.md) explains what that is worth.

Times are seconds on one core of a busy 2-core machine. The size of a proof is that of the LRAT text
before compression; the size of a folder is that of everything in it, compressed. `python -m
bench.gallery` writes this page.

![The three orphans](images/gallery-orphans.svg)

| what is certified | command | variables | clauses | solved s | proof MB | folder MB | \
own checker s | lrat-check s | `check` s |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|
"""

SECOND = """
## What a proof costs

The audit formula is plain: no cells are merged, and no symmetry is broken. This table compares it,
with writing and trimming the proof, with the default search, on the refuted tasks of the
[benchmark](benchmarks.md) (user CPU seconds to build and solve the formula, medians of {rounds}
alternating runs):

| task | default s | audit formula, with proof s | ratio |
|---|---:|---:|---:|
{rows}

The median of the ratios is {median:.1f}.
"""


def page(made: list[Made], slower: list[Slower]) -> str:
    """Return the page."""
    rows = [
        f"| {m.title} | `{m.item.command}` | {max(p.variables for p in m.certificate.parts):,} "
        f"| {max(p.clauses for p in m.certificate.parts):,} "
        f"| {sum(p.solve_seconds for p in m.certificate.parts):.1f} "
        f"| {m.certificate.proof_bytes / 1e6:.1f} | {m.packed_bytes / 1e6:.2f} "
        f"| {m.seconds('satlife'):.1f} | {m.seconds('lrat-check'):.1f} | {m.check_seconds:.1f} |"
        for m in made
    ]
    lines = [
        f"| {s.name} | {s.usual:.2f} | {s.audit:.2f} | {s.audit / s.usual:.1f} |" for s in slower
    ]
    median = statistics.median(s.audit / s.usual for s in slower)
    second = SECOND.format(rounds=ROUNDS, rows="\n".join(lines), median=median)
    return HEAD + "\n".join(rows) + "\n" + second


def main() -> None:
    """Make all, or those that are named."""
    names = sys.argv[1:]
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for item in ITEMS:
            if not names or item.name in names:
                made.append(make(item, Path(folder)))
                news = f"{item.name}: {made[-1].title} ({made[-1].check_seconds:.1f} s)"
                print(news, flush=True)  # noqa: T201
    if not names:
        PAGE.write_text(page(made, list(measure_slowdown())))


if __name__ == "__main__":
    main()
