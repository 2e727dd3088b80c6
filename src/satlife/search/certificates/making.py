"""Making certificates: solve every formula with a proof, check the proofs, write the folder."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from satlife.errors import InternalError, UsageError
from satlife.sat import Answer, Model, Reason, Refuted, Satisfied
from satlife.sat import Undecided as NoAnswer
from satlife.sat.files.paths import hash_file, open_to_write
from satlife.sat.proofs import check_proof, solve_with_proof
from satlife.sat.solver import Solver
from satlife.search.certificates import folder as files
from satlife.search.certificates.claims import Claim, Core, NoneExists
from satlife.search.certificates.folder import Certificate, Check, Part
from satlife.search.certificates.obligations import Cube, Obligation, obligations
from satlife.search.certificates.statement import make_statement
from satlife.search.certificates.witnesses import witness_complaints
from satlife.search.how import How
from satlife.search.outcome import Finding, Found, Impossible, Outcome, Provenance, Undecided
from satlife.search.problem import Problem
from satlife.search.proving import ENCODING, check_audit, choose_prover

MOST_BYTES = 4_000_000_000
"""Of a proof, unless another limit is given."""


@dataclass(frozen=True, kw_only=True)
class Proving:
    """How to prove: none of it changes what is claimed."""

    how: How = field(default_factory=How)
    cubes: tuple[Cube, ...] = ()
    most_bytes: int = MOST_BYTES
    command: str = ""
    extra: dict[str, bytes] = field(default_factory=dict)
    """More files for the folder, by name."""
    on_part: Callable[[str], None] | None = None
    """Hears the name of each part that is done."""


def certify(
    problem: Problem, claim: Claim, folder: Path, proving: Proving | None = None
) -> Outcome:
    """Prove a claim and leave its certificate in the folder, which must be new or empty.

    Impossible: the certificate is there.  Found (only if the claim is that there is nothing):
    there is a solution.  Undecided: a limit came first.  In both cases nothing is left behind.
    """
    proving = proving or Proving()
    begun = time.monotonic()
    for complaint in witness_complaints(problem, claim):
        raise InternalError(f"the claim does not hold: {complaint}")
    solver = choose_prover(proving.how)
    parts: list[Obligation] = []
    with _new_folder(folder) as work:
        parts += obligations(problem, claim, proving.cubes)
        answers = _solve_all(parts, solver, work, proving, begun)
        provenance = _provenance(solver, parts, answers, begun)
        for part, (answer, _) in zip(parts, answers, strict=True):
            if isinstance(answer, Satisfied):
                return Found(_finding(problem, claim, part, answer.model, provenance))
        for part, (answer, _) in zip(parts, answers, strict=True):
            if isinstance(answer, NoAnswer):
                return Undecided(problem, f"{part.name}: {answer}", provenance)
        made = []
        for part, (_, seconds) in zip(parts, answers, strict=True):
            written = _write_part(part, work, seconds)
            if isinstance(written, str):
                return Undecided(problem, f"{part.name}: {written}", provenance)
            made.append(written)
        _write_rest(problem, claim, work, proving, solver.name, made, begun)
        folder.mkdir()  # for others to read, as the umask says; a temporary folder is not
        shutil.copymode(folder, work)
        folder.rmdir()
        work.replace(folder)
        provenance = _provenance(solver, parts, answers, begun)  # with the time of the checks
    return Impossible(problem, f"proved, certificate in {folder}", provenance, folder)


def check_folder(folder: Path) -> None:
    """Refuse a folder that is in use, before a long search if need be."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not empty; a certificate has its own folder")


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Give a folder beside the wanted one, which is taken away again unless it is renamed."""
    check_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".satlife-", dir=folder.parent))
    try:
        if folder.exists():
            folder.rmdir()
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _solve_all(
    parts: list[Obligation], solver: Solver, work: Path, proving: Proving, begun: float
) -> list[tuple[Answer, float]]:
    """Solve every part, so many at once as there may be jobs; a model, or Ctrl-C, ends it all."""
    stop = threading.Event()

    def solve(part: Obligation) -> tuple[Answer, float]:
        start = time.monotonic()
        if stop.is_set():
            return NoAnswer(Reason.INTERRUPTED, "another part has a solution"), 0.0
        limits = proving.how.limits.since(begun)
        path = work / part.name
        answer = solve_with_proof(part.formula, solver, path, limits, proving.most_bytes, stop)
        if isinstance(answer, Satisfied):
            stop.set()
        elif proving.on_part and isinstance(answer, Refuted):
            proving.on_part(part.name)
        return answer, time.monotonic() - start

    if proving.how.jobs == 1 or len(parts) == 1:
        return [solve(part) for part in parts]
    with ThreadPoolExecutor(proving.how.jobs) as threads:
        try:
            return list(threads.map(solve, parts))
        except BaseException:
            stop.set()
            raise


def _write_part(part: Obligation, work: Path, seconds: float) -> Part | str:
    """Check a proof and pack it, and its formula, into the folder; or say why that cannot be."""
    raw, lrat = work / part.name, work / f"{part.name}.lrat"
    total, *verdicts = check_proof(part.formula, raw, lrat=lrat)
    if not total:
        if total.decided:
            raise InternalError(f"the solver's proof of {part.name!r} is wrong: {total.reason}")
        return f"the proof could not be checked: {total.reason}"
    raw = lrat if lrat.exists() else raw
    size = raw.stat().st_size
    proof = f"{part.name}.lrat.xz"
    with raw.open("rb") as source, open_to_write(work / proof) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    for leftover in (work / part.name, lrat):
        leftover.unlink(missing_ok=True)
    text = files.formula_text(part.formula)
    if not (work / f"{part.stored}.cnf.xz").exists():
        with open_to_write(work / f"{part.stored}.cnf.xz") as target:
            target.write(files.formula_text(part.whole))
    return Part(
        name=part.name,
        title=part.title,
        formula=files.hash_bytes(text),
        variables=part.formula.variables,
        clauses=part.formula.clauses,
        proof=proof,
        proof_bytes=size,
        solve_seconds=round(seconds, 3),
        checks=tuple(
            Check(checker=v.checker, valid=v.valid, seconds=round(v.seconds, 3), reason=v.reason)
            for v in verdicts
        ),
    )


def _write_rest(
    problem: Problem,
    claim: Claim,
    work: Path,
    proving: Proving,
    solver: str,
    parts: list[Part],
    begun: float,
) -> None:
    (work / files.PROBLEM).write_bytes(problem.to_json() + b"\n")
    files.write_claim(work, claim)
    if proving.cubes:
        files.write_cubes(work, proving.cubes)
    for name, content in proving.extra.items():
        (work / name).write_bytes(content)
    statement = make_statement(problem, claim)
    (work / files.STATEMENT).write_bytes(statement.encode())
    certificate = Certificate(
        made=datetime.now(UTC).date().isoformat(),
        command=proving.command,
        solver=solver,
        problem=problem.name,
        seconds=round(time.monotonic() - begun, 3),
        parts=tuple(parts),
        files={path.name: hash_file(path) for path in sorted(work.iterdir())},
    )
    (work / files.CERTIFICATE).write_bytes(files.encode_certificate(certificate))


def _finding(
    problem: Problem, claim: Claim, part: Obligation, model: Model, provenance: Provenance
) -> Finding:
    if not isinstance(claim, NoneExists | Core) or part.name == "cover":
        raise InternalError(f"{part.title!r} was to be refuted, but there is a model")
    return check_audit(problem, part.formula, model, provenance)


def _provenance(
    solver: Solver, parts: list[Obligation], answers: list[tuple[Answer, float]], begun: float
) -> Provenance:
    spent = sum(seconds for _, seconds in answers)
    return Provenance(
        solver=solver.name,
        encoding=ENCODING,
        breaks_symmetry=False,
        variables=max((part.formula.variables for part in parts), default=0),
        clauses=max((part.formula.clauses for part in parts), default=0),
        build_seconds=max(0.0, time.monotonic() - begun - spent),
        solve_seconds=spent,
    )
