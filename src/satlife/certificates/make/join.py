"""Joining the proofs of the cases of a problem into one certificate.

The cases must be the leaves of a tree: every inner node is split on one cell, both ways.  Their
proofs are those of :func:`satlife.certificates.make.refute.refute`, which all refer to one formula.
They are not checked again here: ``satlife check`` does not trust the folder anyway.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from satlife.certificates import folder as files
from satlife.certificates.audit.symmetries import choose_maps
from satlife.certificates.audit.tree import read_tree, write_tree
from satlife.certificates.claims import NoneExists
from satlife.certificates.folder import Part
from satlife.certificates.make.maker import new_folder, rename
from satlife.certificates.make.refute import make_case, make_whole
from satlife.certificates.make.writer import seal, seal_tree
from satlife.certificates.obligations import Obligation, split_off
from satlife.engine.sat.cases import check_tree
from satlife.errors import UsageError
from satlife.problem import Cells, Problem
from satlife.sat.files.paths import open_to_read, open_to_write
from satlife.sat.proofs import check_proof, sniff_format


@dataclass(frozen=True)
class CaseProof:
    """The proof that a case of a problem has no solution."""

    cells: Cells
    """The cells that are given; none for the whole problem."""
    path: Path
    """The proof's file, packed if the name ends in ``.xz``."""
    solver: str = ""
    """The solver that has written it, if known."""
    seconds: float = 0.0
    """Solving time."""


def join(problem: Problem, proofs: Sequence[CaseProof], folder: Path, command: str = "") -> None:
    """Write a certificate that a problem has no solution to a new folder.

    Raise :class:`~satlife.errors.UsageError` unless the cases are a tree, each with one proof.
    """
    check_tree([each.cells for each in proofs])
    begun, whole = time.monotonic(), make_whole(problem)
    leaves = {make_case(whole, each.cells): each for each in proofs}
    with new_folder(folder) as work:
        if () in leaves:
            parts = [_add_whole(work, whole, leaves[()])]
        else:
            tree = write_tree(leaves, whole.variables)
            cases = read_tree(tree, whole.variables)
            bare = [
                _add(work, split_off(whole, case, f"case-{n}"), leaves[case])
                for n, case in enumerate(cases)
            ]
            parts = seal_tree(work, whole, tree, bare)
        maps = choose_maps(whole.said)
        seal(
            work,
            problem,
            NoneExists(),
            parts,
            {whole.stored: maps} if maps else {},
            solver=", ".join(sorted({each.solver for each in proofs if each.solver})),
            begun=begun,
            command=command,
        )
        rename(work, folder)


def _add_whole(work: Path, whole: Obligation, proof: CaseProof) -> Part:
    """Add the formula and its single proof."""
    part, text = _add(work, whole, proof), files.formula_text(whole.whole)
    with open_to_write(work / f"{whole.stored}.cnf.xz") as target:
        target.write(text)
    return structs.replace(part, formula=files.hash_bytes(text))


def _add(work: Path, needed: Obligation, proof: CaseProof) -> Part:
    """Add a proof as LRAT, without the hash of its formula."""
    raw, target = work / needed.name, work / f"{needed.name}.lrat.xz"
    with open_to_read(proof.path) as packed, raw.open("wb") as file:
        shutil.copyfileobj(packed, file, 1 << 20)
    if sniff_format(raw) == "drat":
        lrat = work / f"{needed.name}.lrat"
        verdict = check_proof(needed.formula, raw, lrat=lrat)[0]
        if not verdict:
            raise UsageError(f"{proof.path} cannot be turned into LRAT: {verdict.reason}")
        lrat.replace(raw)
    size = raw.stat().st_size
    with raw.open("rb") as file, open_to_write(target) as packed:
        shutil.copyfileobj(file, packed, 1 << 20)
    raw.unlink()
    return Part(
        name=needed.name,
        title=needed.title,
        formula="",
        variables=needed.whole.variables,
        clauses=needed.formula.clauses,
        proof=target.name,
        proof_bytes=size,
        solve_seconds=round(proof.seconds, 3),
        checks=(),
    )
