"""Write 60 formulas of known status for other people's solvers, and measure them.

    python -m atlas suite OUT [--minutes M] [--easy] [--record]

Twenty families, each in three sizes (atlas/data/formulas/families.toml); every formula is the
output of one command of satlife, without variables that do not occur.  OUT then holds what SAT
competitions ask for: ``formulas/*.cnf.xz`` in strict DIMACS, ``manifest.csv`` and
``manifest.json``, a description of the families (``description.tex``, IEEE style), for every
satisfiable formula a model and the pattern that it draws, and for every other one a proof in LRAT.
A proof that is too large to keep is known by its hash: the same versions write the same bytes.

Statuses are not taken from the table: each model is checked against the clauses, and its pattern by
simulation; each proof is checked by satlife and by ``lrat-check``.  Seconds are those of one
processor; those in atlas/data/suite.json are kept where the formula is the same.  The work
continues where it was stopped.  --record keeps what was measured; then ``python -m atlas
pages formulas`` writes the page.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import lzma
import os
import re
import shlex
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from atlas.archive import spent
from atlas.table import DATA
from bench.cpu import Watch
from bench.machine import describe_machine
from bench.proofs import say
from satlife._version import __version__
from satlife.certificates.make.refute import PROVER
from satlife.cli.group import cli
from satlife.engine.sat.attempt import decode
from satlife.formula.spacetime import SpaceTime
from satlife.problem.outcome import make_pattern
from satlife.problem.problem import read_problem_comments
from satlife.sat import Block, Formula, Model, Refuted, Satisfied, find_solver, read_formula
from satlife.sat.files import dimacs
from satlife.sat.proofs import check_proof, solve_with_proof
from satlife.verifier.verify import complaints

RECORD: Final = DATA / "suite.json"
SOLVERS: Final = ("cadical", "kissat", "minisat")
LIMIT: Final = 60.0
"""CPU seconds of a solver; competitions call easy what MiniSat solves in a minute."""
LARGEST_PROOF: Final = 8_000_000
"""Bytes of a proof that is kept; packed, it has a quarter of them."""
LARGEST_SET: Final = 50_000_000
SIZES: Final = ("easy", "medium", "hard")

Entry = dict[str, Any]


class Family(msgspec.Struct, frozen=True):
    """Formulas that ask the same question: in words, as a command, and in three sizes."""

    name: str
    asks: str
    command: str
    sizes: tuple[tuple[int | str, ...], tuple[int | str, ...], tuple[int | str, ...]]


PLAN: Final = DATA / "formulas" / "families.toml"
FAMILIES: Final = msgspec.toml.decode(PLAN.read_bytes(), type=dict[str, tuple[Family, ...]])[
    "family"
]


@dataclass(frozen=True)
class Asked:
    """One formula of the set."""

    family: Family
    size: str

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.family.name}-{self.size}"

    @property
    def values(self) -> tuple[int | str, ...]:
        """What fills the gaps of the family's texts."""
        return self.family.sizes[SIZES.index(self.size)]

    @property
    def command(self) -> str:
        """The command that prints it, without "satlife"."""
        return self.family.command.format(*self.values)

    @property
    def about(self) -> Entry:
        """What its entry in the manifest says of the question."""
        return {
            "family": self.family.name,
            "size": self.size,
            "asks": self.family.asks.format(*self.values),
            "command": f"satlife {self.command}",
        }

    def build(self) -> bytes:
        """Return its text, in DIMACS."""
        words = shlex.split(self.command)
        if words[0] == "knuth":
            words += ["--format", "dimacs"]
        with tempfile.TemporaryDirectory() as place:
            cli.main([*words, "--quiet", "-o", f"{place}/cnf"], "satlife", standalone_mode=False)
            return leave_out_unused(Path(place, "cnf").read_bytes())


ASKED: Final = tuple(Asked(family, size) for size in SIZES for family in FAMILIES)


def leave_out_unused(text: bytes) -> bytes:
    """Return a formula without the variables that do not occur; the others keep their names."""
    formula = read_formula(BytesIO(text))
    literals = formula.literals()
    used = np.unique(np.abs(literals[literals != 0]))
    if used.size == formula.variables or formula.names is None:
        return text
    number = np.searchsorted(used, np.arange(formula.variables + 1)).astype(np.int32) + 1
    blocks = tuple(
        Block(each.origin, np.sign(each.literals) * number[np.abs(each.literals)])
        for each in formula.blocks
    )
    out = BytesIO()
    dimacs.write(Formula(blocks, used.size, formula.names[used - 1], formula.comments), out)
    return out.getvalue()


def describe_text(text: bytes) -> Entry:
    """Return the counts and hashes of a formula; raise unless it is as competitions ask.

    That is: every variable occurs, no clause has a variable twice, and comments come first.  The
    hash "gbd" is that of the Global Benchmark Database: MD5 of the numbers alone, a blank between.
    """
    formula = read_formula(BytesIO(text))
    literals = formula.literals()
    occurring = np.unique(np.abs(literals[literals != 0])).size
    body = text.partition(b"\np cnf ")[2].partition(b"\n")[2]
    if occurring != formula.variables or re.search(rb"^c", body, re.MULTILINE):
        raise AssertionError("a variable does not occur, or a comment comes late")
    if any(len({abs(each) for each in clause}) < len(clause) for clause in formula):
        raise AssertionError("a clause has a variable twice")
    return {
        "variables": formula.variables,
        "clauses": formula.clauses,
        "sha256": hashlib.sha256(text).hexdigest(),
        "gbd": hashlib.md5(b" ".join(body.split())).hexdigest(),
    }


def answer(formula: Formula, name: str, out: Path) -> Entry:
    """Decide a formula; write its model and pattern, or its proof; return what is recorded.

    Nothing is, beyond the limit: then the family's table needs another size.
    """
    path = out / "proofs" / f"{name}.lrat"
    begun, stop = spent(), threading.Event()
    with Watch(os.getpid(), LIMIT, stop.set):
        found = solve_with_proof(formula, find_solver(PROVER), path, stop=stop)
    if isinstance(found, Satisfied):
        if not found.model.satisfies(formula):
            raise AssertionError(f"{name}: the model does not satisfy the formula")
        values = " ".join(map(str, [*found.model.literals().tolist(), 0]))
        (out / "models" / f"{name}.txt").write_text(f"s SATISFIABLE\nv {values}\n")
        return {"status": "SAT"} | draw_model(formula, found.model, out / "models" / f"{name}.rle")
    if not isinstance(found, Refuted):
        return {}
    made = spent()
    verdict, *others = check_proof(formula, path)
    if not verdict:
        raise AssertionError(f"{name}: {verdict}")
    checked, text = spent(), path.read_bytes()
    path.unlink()
    if len(text) <= LARGEST_PROOF:
        path.with_name(f"{path.name}.xz").write_bytes(lzma.compress(text, preset=9))
    proof = {
        "bytes": len(text),
        "sha256": hashlib.sha256(text).hexdigest(),
        "made": round(made - begun, 2),
        "checked": round(checked - made, 2),
        "by": sorted({each.checker for each in others}),
    }
    return {"status": "UNSAT", "proof": proof}


def draw_model(formula: Formula, model: Model, path: Path) -> Entry:
    """Write the pattern of a model, verified by simulation; of Knuth's formulas there is none."""
    problem = read_problem_comments(formula.comments)
    if problem is None:
        return {}
    spacetime = SpaceTime(problem)
    true = {formula.name(each) for each in model.literals().tolist() if each > 0}
    truth = np.array([False, *(name.decode() in true for name in spacetime.names().tolist())])
    history = decode(spacetime, Model(truth))
    wrong = list(complaints(problem, history))
    if wrong:
        raise AssertionError(f"{path.stem}: {wrong[0]}")
    pattern = make_pattern(problem, history, 0).to_rle()
    path.write_text(f"{pattern}\n")
    return {"pattern": pattern}


def measure(formula: Formula, solver: str, status: str) -> float | None:
    """Return the CPU seconds of a solver, or None beyond the limit; its answer must be right."""
    begun = spent()
    with find_solver(solver).open(formula) as opened, Watch(os.getpid(), LIMIT, opened.interrupt):
        found = opened.solve()
    if isinstance(found, Satisfied | Refuted):
        if isinstance(found, Satisfied) != (status == "SAT"):
            raise AssertionError(f"{solver} says {found}, but the formula is {status}")
        return round(spent() - begun, 2)
    return None


def do_step(step: str, asked: Asked, entry: Entry, out: Path) -> Entry:
    """Return an entry with what a step adds: the formula's own figures, its status, or seconds.

    What was known of another formula of the same name is forgotten.
    """
    path = out / "formulas" / f"{asked.name}.cnf.xz"
    if step == "formula":
        text = asked.build()
        told = asked.about | describe_text(text)
        if entry.get("sha256") != told["sha256"]:
            entry = {"seconds": {}}
            for old in out.glob(f"*/{asked.name}.*"):
                old.unlink()
        path.write_bytes(lzma.compress(text, preset=9))
        return entry | told
    with lzma.open(path) as file:
        formula = read_formula(file)
    if step == "status":
        return entry | answer(formula, asked.name, out)
    seconds = measure(formula, step, entry["status"])
    return entry | {"seconds": entry["seconds"] | {step: seconds}}


def is_done(step: str, entry: Entry) -> bool:
    """Return whether an entry has what a step adds."""
    told = {"formula": "command", "status": "status"}
    return told[step] in entry if step in told else step in entry["seconds"]


def read_record(path: Path = RECORD) -> Entry:
    """Read what was recorded."""
    return msgspec.json.decode(path.read_bytes(), type=Entry) if path.exists() else {"formulas": {}}


def work(out: Path, chosen: tuple[Asked, ...], minutes: float) -> dict[str, Entry]:
    """Do what is left to do, all formulas before the next step; return the entries.

    The manifest is written after each step, so that nothing is done twice.
    """
    for name in ("formulas", "models", "proofs"):
        (out / name).mkdir(parents=True, exist_ok=True)
    manifest = out / "manifest.json"
    entries = read_record(manifest)["formulas"]
    for name, each in read_record()["formulas"].items():
        entries.setdefault(name, {"sha256": each["sha256"], "seconds": each["seconds"]})
    for step in ("formula", "status", *SOLVERS):
        for asked in chosen:
            entry = entries.get(asked.name, {})
            if step in SOLVERS and "status" not in entry:
                continue
            if is_done(step, entry) and entry.items() >= asked.about.items():
                continue
            if spent() > 60 * minutes:
                say(f"{step} of {asked.name} is next: run it again to go on")
                return in_order(entries)
            entries[asked.name] = do_step(step, asked, entry, out)
            say(f"{spent():7.1f} s  {asked.name}: {step} {tell(entries[asked.name], step)}")
            told = {"limit": LIMIT, "formulas": in_order(entries)}
            record = {"machine": describe_machine()} | told
            manifest.write_bytes(msgspec.json.format(msgspec.json.encode(record)) + b"\n")
    return in_order(entries)


def in_order(entries: dict[str, Entry]) -> dict[str, Entry]:
    """Return the entries of formulas that are written, in the order of the set."""
    names = [each.name for each in ASKED]
    return {each: entries[each] for each in names if "command" in entries.get(each, {})}


def tell(entry: Entry, step: str) -> str:
    """Return what a step has found, in a few words."""
    if step == "formula":
        return f"{entry['variables']} variables, {entry['clauses']} clauses"
    return str(entry.get("status", "?") if step == "status" else entry["seconds"][step])


COLUMNS: Final = (
    "hash", "filename", "family", "author", "result", "size", "asks", "command", "variables",
    "clauses", "sha256", *(f"{each}_seconds" for each in SOLVERS), "proof_sha256",
)  # fmt: skip
AUTHOR: Final = "The satlife developers"


def write_manifest(entries: dict[str, Entry], path: Path) -> None:
    """Write the manifest as CSV, with the words of the Global Benchmark Database."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for name, entry in entries.items():
            seconds = {
                f"{solver}_seconds": f">{LIMIT:.0f}" if each is None else each
                for solver, each in entry["seconds"].items()
            }
            known = {"hash": entry["gbd"], "filename": f"{name}.cnf.xz", "author": AUTHOR}
            result = {"result": entry.get("status", "unknown").lower()}
            proof = {"proof_sha256": entry.get("proof", {}).get("sha256", "")}
            writer.writerow(entry | known | result | seconds | proof)


DESCRIPTION: Final = r"""\documentclass[conference]{IEEEtran}
\begin{document}
\title{Formulas about Conway's Game of Life}
\author{\IEEEauthorblockN{%(author)s}}
\maketitle
\section{Source}
A cellular automaton of two states is a relation between the nine cells around a place and the cell
that follows; a question about patterns of bounded size and duration is a formula. These %(count)d
formulas were written by satlife %(version)s, in %(families)d families of three sizes: %(sat)d are
satisfiable and %(unsat)d are not. The first comment line of a file states its question for
machines, and the lines ``c name'' name the variables of cells: column, row, generation (for Knuth's
programs: row, generation as a letter, column).
\section{Families}
\begin{description}
%(items)s
\end{description}
\section{Status}
Each model was checked against the clauses, and its pattern by simulation, but for the formulas of
Knuth's programs, where the clauses alone decide. Each refutation has an
LRAT proof, checked by satlife and by lrat-check. The manifest has the CPU seconds of %(solvers)s.
\end{document}
"""


def write_description(entries: dict[str, Entry]) -> str:
    """Return the description of the families, for LaTeX."""
    hard = str.maketrans({"<": r"\(<\)", ">": r"\(>\)", "%": r"\%", "_": r"\_", "^": r"\^{}"})
    items = [
        rf"\item[{each.name}] Is there {each.asks.format(*each.sizes[-1])}?".translate(hard)
        for each in FAMILIES
    ]
    return DESCRIPTION % {
        "author": AUTHOR,
        "version": __version__,
        "count": len(entries),
        "families": len(FAMILIES),
        "items": "\n".join(items),
        "solvers": ", ".join(find_solver(each).title for each in SOLVERS),
        **{status.lower(): count(entries, status) for status in ("SAT", "UNSAT")},
    }


def count(entries: dict[str, Entry], status: str) -> int:
    """Return how many formulas have a status."""
    return sum(each.get("status") == status for each in entries.values())


def main(words: Sequence[str]) -> None:
    """Write the set."""
    parser = argparse.ArgumentParser(prog="python -m atlas suite", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder, new or to be continued")
    parser.add_argument("--minutes", type=float, default=1e9, help="CPU time, about, of this run")
    parser.add_argument("--easy", action="store_true", help="only the easy third")
    parser.add_argument("--record", action="store_true", help="keep the figures in the repository")
    given = parser.parse_args(words)
    chosen = tuple(each for each in ASKED if not given.easy or each.size == SIZES[0])
    entries = work(given.out, chosen, given.minutes)
    write_manifest(entries, given.out / "manifest.csv")
    (given.out / "description.tex").write_text(write_description(entries), encoding="utf-8")
    size = sum(each.stat().st_size for each in given.out.rglob("*") if each.is_file())
    if size > LARGEST_SET:
        raise SystemExit(f"the set has {size} bytes, more than {LARGEST_SET}")
    if given.record and not given.easy:
        record = read_record(given.out / "manifest.json") | {"bytes": size}
        RECORD.write_bytes(msgspec.json.format(msgspec.json.encode(record)) + b"\n")
