"""The last files of a certificate's folder, when its proofs are there."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import structs

from satlife.sat.files.paths import hash_file, open_to_write
from satlife.search.certificates import folder as files
from satlife.search.certificates.audit import Map
from satlife.search.certificates.claims import Claim
from satlife.search.certificates.folder import Certificate, Part
from satlife.search.certificates.obligations import Obligation, branch
from satlife.search.certificates.statement import make_statement
from satlife.search.problem import Problem

Maps = Mapping[str, tuple[Map, ...]]
"""The symmetries that the proof of each formula uses, by the formula's name."""


def seal_tree(work: Path, whole: Obligation, tree: str, parts: Sequence[Part]) -> list[Part]:
    """Write a tree and its formula; name the proofs, in the order of the leaves, after them."""
    text, named = files.formula_text(whole.whole), []
    with open_to_write(work / f"{whole.stored}.cnf.xz") as target:
        target.write(text)
    for leaf, part in zip(branch([whole], tree), parts, strict=True):
        proof = (work / part.proof).rename(work / f"{leaf.name}.lrat.xz").name
        formula = files.hash_leaf(text, leaf.case or ())
        named.append(
            structs.replace(part, name=leaf.name, title=leaf.title, formula=formula, proof=proof)
        )
    (work / files.TREE).write_bytes(tree.encode())
    return named


def seal(
    work: Path,
    problem: Problem,
    claim: Claim,
    parts: Sequence[Part],
    maps: Maps,
    *,
    solver: str,
    begun: float,
    command: str = "",
) -> None:
    """Write what is claimed, and ``certificate.json`` with the hashes of all files."""
    (work / files.PROBLEM).write_bytes(problem.to_json() + b"\n")
    files.write_claim(work, claim)
    if maps:
        files.write_symmetries(work, dict(maps))
    (work / files.STATEMENT).write_bytes(make_statement(problem, claim).encode())
    certificate = Certificate(
        made=datetime.now(UTC).date().isoformat(),
        command=command,
        solver=solver,
        problem=problem.name,
        seconds=round(time.monotonic() - begun, 3),
        parts=tuple(parts),
        files={path.name: hash_file(path) for path in sorted(work.iterdir())},
    )
    (work / files.CERTIFICATE).write_bytes(files.encode_certificate(certificate))
