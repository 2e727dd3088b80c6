"""Joining the proofs of the cases of a problem into one certificate.

The cases must be the leaves of a tree: every inner node is split on one cell, both ways.  Their
proofs are those of :func:`satlife.certificates.make.refute.refute`, which all refer to one formula.
They are not checked again here: ``satlife check`` does not trust the folder anyway.

Proofs of exact boxes are joined in the same way: the boxes must be a range, and the cases of each
box the leaves of a tree.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from satlife.audit.formula import Map
from satlife.audit.ranges import RangePart, list_parts
from satlife.audit.symmetries import choose_maps
from satlife.audit.tree import read_tree, write_tree
from satlife.certificates import folder as files
from satlife.certificates.claims import NoneExists
from satlife.certificates.folder import Part
from satlife.certificates.make.maker import new_folder, rename
from satlife.certificates.make.refute import make_case, make_whole
from satlife.certificates.make.writer import seal, seal_tree
from satlife.certificates.obligations import Obligation, refute_part, split_off
from satlife.engine.sat.cases import check_tree
from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.problem import Cells, Problem
from satlife.problem.exact import ExactBox
from satlife.sat.files.paths import open_to_write
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
    part: ExactBox | None = None
    """The exact box of the problem whose case it is; None if the problem has no parts."""


def join(problem: Problem, proofs: Sequence[CaseProof], folder: Path, command: str = "") -> None:
    """Write a certificate that a problem has no solution to a new folder.

    Raise :class:`~satlife.errors.UsageError` unless the cases are a tree, each with one proof, or
    the exact boxes a range, each with such a tree.
    """
    begun, lowest = time.monotonic(), _find_lowest(proofs)
    parts: list[Part] = []
    maps: dict[str, tuple[Map, ...]] = {}
    with new_folder(folder) as work:
        if lowest is None:
            whole = make_whole(problem)
            parts += _add_tree(work, whole, proofs)
            maps[whole.stored] = choose_maps(whole.said)
        else:
            for box, those in _sort(list_parts(problem, lowest), proofs):
                plain = refute_part(box)
                maps[box.name] = choose_maps(plain.said)
                parts += _add_tree(work, plain.with_least(maps[box.name]), those, box.name)
            (work / files.RANGE).write_bytes(f"{lowest}\n".encode())
        seal(
            work,
            problem,
            NoneExists(),
            parts,
            {name: each for name, each in maps.items() if each},
            solver=", ".join(sorted({each.solver for each in proofs if each.solver})),
            begun=begun,
            command=command,
        )
        rename(work, folder)


def _find_lowest(proofs: Sequence[CaseProof]) -> str | None:
    """Return the lowest box of proofs of exact boxes; None if there are no boxes."""
    boxes = [Box.parse(each.part.box) for each in proofs if each.part is not None]
    if not boxes:
        return None
    if len(boxes) < len(proofs):
        raise UsageError("proofs of exact boxes and others cannot be joined")
    return f"{min(box.width for box in boxes)}x{min(box.height for box in boxes)}"


def _sort(
    range_parts: Sequence[RangePart], proofs: Sequence[CaseProof]
) -> Iterator[tuple[RangePart, list[CaseProof]]]:
    """Yield each box of a range with its proofs; raise unless all are of just these boxes."""
    wanted = {(f"{box.width}x{box.height}", box.fills): box for box in range_parts}
    those: dict[RangePart, list[CaseProof]] = {box: [] for box in range_parts}
    for proof in proofs:
        part = proof.part
        box = wanted.get((part.box, part.sides)) if part else None
        if box is None:
            raise UsageError(f"the boxes are not a range: it has no part {part}")
        those[box].append(proof)
    for box, found in those.items():
        if not found:
            raise UsageError(f"the boxes are not a range: {box.name} is missing")
    yield from those.items()


def _add_tree(
    work: Path, whole: Obligation, proofs: Sequence[CaseProof], box: str = ""
) -> list[Part]:
    """Add the proofs of all leaves of a tree, and the tree if there are several."""
    check_tree([each.cells for each in proofs])
    leaves = {make_case(whole, each.cells): each for each in proofs}
    if () in leaves:
        return [_add_whole(work, whole, leaves[()])]
    tree = write_tree(leaves, whole.variables)
    bare = [
        _add(work, split_off(whole, case, f"case-{n}"), leaves[case])
        for n, case in enumerate(read_tree(tree, whole.variables))
    ]
    return seal_tree(work, whole, tree, bare, box)


def _add_whole(work: Path, whole: Obligation, proof: CaseProof) -> Part:
    """Add the formula and its single proof."""
    part, text = _add(work, whole, proof), files.formula_text(whole.whole)
    with open_to_write(work / f"{whole.stored}.cnf.xz") as target:
        target.write(text)
    return structs.replace(part, formula=files.hash_bytes(text))


def _add(work: Path, needed: Obligation, proof: CaseProof) -> Part:
    """Add a proof as LRAT, without the hash of its formula."""
    raw, target = work / needed.name, work / f"{needed.name}.lrat.xz"
    with files.open_proof(proof.path) as packed, raw.open("wb") as file:
        shutil.copyfileobj(packed, file, 1 << 20)
    if sniff_format(raw) == "drat":
        lrat = work / f"{needed.name}.lrat"
        verdict = check_proof(needed.formula, raw, lrat=lrat)[0]
        if not verdict:
            raise UsageError(f"{proof.path} cannot be turned into LRAT: {verdict.reason}")
        lrat.replace(raw)
    size = 0
    with raw.open("rb") as file, open_to_write(target) as packed:
        for line in file:
            size += packed.write(line)
            if line.split(maxsplit=2)[1:2] == [b"0"]:  # the empty clause; nothing is said after it
                break
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
