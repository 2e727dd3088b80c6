"""Folders in memory and on disk, and how to make all that is in them fit together.

A forger can do whatever satlife does: make formulas, statements, names and hashes, and solve.
"""

from __future__ import annotations

import json
import lzma
import shutil
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import msgspec
import numpy as np

from satlife.audit.formula import Map
from satlife.audit.symmetries import choose_maps
from satlife.certificates import folder as files
from satlife.certificates.check.states import STATES, read_runs, state_width, write_runs
from satlife.certificates.claims import Claim
from satlife.certificates.folder import Part
from satlife.certificates.make.refute import PROVER
from satlife.certificates.make.writer import seal
from satlife.certificates.obligations import Obligation, divide, list_leaves, obligations
from satlife.certificates.words.statement import make_statement
from satlife.errors import SatlifeError
from satlife.problem import Problem
from satlife.sat import Limits, Refuted, find_solver
from satlife.sat.files.paths import hash_file
from satlife.sat.proofs import solve_with_proof

Folder = dict[str, bytes]
"""The bytes of each file, by its path in the folder."""
Maps = dict[str, tuple[Map, ...]]

PROOF = ".lrat.xz"
SENSELESS = (SatlifeError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
"""What may be raised by what forgers write."""


def read_folder(place: Path) -> Folder:
    """Read all files of a folder."""
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file()
    }


def write_folder(folder: Folder, place: Path) -> None:
    """Write a folder, in place of what is there."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for name, content in folder.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)


def pack(content: bytes) -> bytes:
    """Compress as little as need be."""
    return lzma.compress(content, preset=0)


def unpack(content: bytes) -> bytes:
    """Return what is packed; nothing if it is damaged."""
    try:
        return lzma.decompress(content)
    except (lzma.LZMAError, EOFError):
        return b""


# Certificates


Trees = dict[str, str]
"""The tree of each box of a range that is divided, by the name of the box."""


def list_obligations(
    problem: Problem,
    claim: Claim,
    maps: Maps | None,
    tree: str | None,
    lowest: str | None = None,
    trees: Trees | None = None,
) -> tuple[list[Obligation], Maps]:
    """Return what must be refuted, and the symmetries: those that are given, or all there are."""
    chosen: Maps = {} if maps is None else maps

    def choose(each: Obligation) -> tuple[Map, ...]:
        if maps is None:
            chosen[each.stored] = choose_maps(each.said)
        return chosen.get(each.stored, ())

    made = obligations(problem, claim, choose, lowest)
    if lowest is None:
        return list(made if tree is None else list_leaves(made, tree)), chosen
    return [leaf for box in made for leaf in _divide(box, trees or {})], chosen


def _divide(box: Obligation, trees: Trees) -> Iterable[Obligation]:
    return divide(box, trees[box.name], f"{box.name}-") if box.name in trees else [box]


def assemble(
    place: Path,
    problem: Problem,
    claim: Claim,
    maps: Maps | None = None,
    tree: str | None = None,
    lowest: str | None = None,
    trees: Trees | None = None,
) -> bool:
    """Prove all that must be refuted and make a folder of it; return whether it can be proved."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    made, chosen = list_obligations(problem, claim, maps, tree, lowest, trees)
    parts = []
    for each in made:
        raw = place / each.name
        answer = solve_with_proof(each.formula, find_solver(PROVER), raw, Limits(seconds=20))
        if not isinstance(answer, Refuted):
            return False
        proof = raw.read_bytes()
        raw.unlink()
        (place / f"{each.name}{PROOF}").write_bytes(pack(proof))
        parts.append(describe_part(place, each, len(proof)))
    if tree is not None:
        (place / files.TREE).write_text(tree)
    if lowest is not None:
        (place / files.RANGE).write_text(f"{lowest}\n")
    for name, text in (trees or {}).items():
        (place / files.name_tree(name)).write_text(text)
    used = {name: each for name, each in chosen.items() if each}
    seal(place, problem, claim, parts, used, solver=PROVER, begun=time.monotonic())
    return True


def read_trees(place: Path) -> Trees:
    """Read the trees of the boxes of a range."""
    ending = files.name_tree("")
    return {
        path.name.removesuffix(f".{ending}"): path.read_text("ascii", "replace")
        for path in place.glob(f"*.{ending}")
    }


def describe_part(place: Path, each: Obligation, size: int) -> Part:
    """Write the formula of a part, and return what certificate.json says of it."""
    text = files.formula_text(each.whole)
    (place / f"{each.stored}.cnf.xz").write_bytes(pack(text))
    told = files.hash_bytes(text) if each.case is None else files.hash_leaf(text, each.case)
    return Part(
        name=each.name,
        title=each.title,
        formula=told,
        variables=each.formula.variables,
        clauses=each.formula.clauses,
        proof=f"{each.name}{PROOF}",
        proof_bytes=size,
        solve_seconds=0.0,
        checks=(),
    )


def refit(place: Path) -> None:
    """Make formulas, statement, names and hashes those of the problem and the claim; keep proofs.

    What makes no sense stays as it is.
    """
    try:
        problem, claim = files.read_problem(place), files.read_claim(place)
        record = json.loads((place / files.CERTIFICATE).read_bytes())
        statement = make_statement(problem, claim)
        (place / files.STATEMENT).write_bytes(statement.encode())
        record |= {"problem": problem.name, "parts": _refit_parts(place, problem, claim)}
        (place / files.CERTIFICATE).write_text(json.dumps(record))
    except SENSELESS:
        pass
    rehash(place)


def _refit_parts(place: Path, problem: Problem, claim: Claim) -> list[Any]:
    maps, tree = files.read_symmetries(place), files.read_tree(place)
    lowest, trees = files.read_range(place), read_trees(place)
    made, _ = list_obligations(problem, claim, maps, tree, lowest, trees)
    proofs = sorted(place.glob(f"*{PROOF}"))
    parts = []
    for number, each in enumerate(made):
        path = place / f"{each.name}{PROOF}"
        if not path.exists() and proofs:
            path.write_bytes(proofs[number % len(proofs)].read_bytes())
        parts.append(describe_part(place, each, 0))
    used = {part.proof for part in parts}
    for path in proofs:
        if path.name not in used:
            path.unlink()
    return [msgspec.to_builtins(part) for part in parts]


def rehash(place: Path) -> None:
    """Make certificate.json tell the sizes and hashes of what is there; nonsense stays."""
    path = place / files.CERTIFICATE
    try:
        record = json.loads(path.read_bytes())
        others = (each for each in sorted(place.iterdir()) if each != path and each.is_file())
        record["files"] = {each.name: hash_file(each) for each in others}
        path.write_text(json.dumps(record))
        for part in record["parts"]:
            part["proof_bytes"] = len(unpack((place / part["proof"]).read_bytes()))
        path.write_text(json.dumps(record))
    except (*SENSELESS, OSError):
        pass


def refit_width(place: Path) -> None:
    """Make the statement of a width that of its problem."""
    with suppress(*SENSELESS):
        statement = state_width(files.read_problem(place))
        (place / files.STATEMENT).write_text(statement, encoding="utf-8")


def make_width(problem: Problem, states: Iterable[tuple[int, ...]]) -> Folder:
    """Return the folder of a width with these states."""
    cells = problem.width
    if problem.symmetry != "C1":
        cells = cells // 2 if problem.has_gutter else (cells + 1) // 2
    return {
        files.PROBLEM: problem.to_json(),
        STATES: pack_states(states, 1 << cells),
        files.STATEMENT: state_width(problem).encode(),
    }


def pack_states(states: Iterable[tuple[int, ...]], number: int) -> bytes:
    """Return the file of a set of states, a run for each of a number of rows."""
    rows = np.array(list(states), np.uint16)
    with TemporaryFile() as file:
        write_runs(file, number, lambda row: iter([rows[rows[:, 0] == row]] if rows.size else []))
        file.seek(0)
        return file.read()


def unpack_states(packed: bytes, period: int) -> tuple[list[tuple[int, ...]], int]:
    """Return the states of a file, and the number of its runs."""
    number = int.from_bytes(packed[:8], "little") // 8 - 1
    with TemporaryFile() as file:
        file.write(packed)
        file.seek(0)
        runs = read_runs(file, number, period, 1 << 30)
        blocks = [block.tolist() for row in range(number) for block in runs(row)]
    return [tuple(state) for block in blocks for state in block], number


def change(folder: Folder, changes: Mapping[str, bytes | None]) -> Folder:
    """Return a folder with other files; None removes one."""
    return {name: text for name, text in {**folder, **changes}.items() if text is not None}
