"""Filling the folder of a certificate: solve every formula with a proof, check, pack.

This runs in a child process: see :mod:`.making`.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from satlife.errors import InternalError
from satlife.sat import Answer, Limits, Model, Reason, Satisfied
from satlife.sat import Undecided as NoAnswer
from satlife.sat.files.paths import hash_file, open_to_write
from satlife.sat.proofs import DRAT_TRIM, SLOW_WITHOUT, check_proof, proof_format, solve_with_proof
from satlife.sat.solver import Solver
from satlife.search.certificates import folder as files
from satlife.search.certificates.claims import Claim, Core, NoneExists
from satlife.search.certificates.cubes import choose_cubes
from satlife.search.certificates.folder import Certificate, Check, Part
from satlife.search.certificates.obligations import Cube, Obligation, obligations
from satlife.search.certificates.refute import check_audit, prover_provenance
from satlife.search.certificates.statement import make_statement
from satlife.search.certificates.witnesses import witness_complaints
from satlife.search.problem import Problem
from satlife.search.problem.outcome import (
    Finding,
    Found,
    Impossible,
    Outcome,
    Provenance,
    Undecided,
)


@dataclass(frozen=True)
class Stage:
    """What is being done."""

    what: str
    """``solving cube-2 (2 of 5)``, ``checking …``: the same until the next thing is done."""
    detail: str = ""
    """Numbers that grow."""
    remark: str = ""
    """Something that the person should know."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What to prove, where, and how."""

    problem: Problem
    claim: Claim
    folder: Path
    solver: Solver
    limits: Limits
    begun: float
    """From when on the time counts, by ``time.monotonic()``, which all processes share."""
    jobs: int
    cubes: int | tuple[Cube, ...]
    most_bytes: int
    command: str
    extra: dict[str, bytes]


def fill_folder(order: Order, tell: Callable[[Stage], None]) -> Outcome:
    """Fill the folder, and return Impossible, or say why there is no certificate."""
    return _Writer(order, tell).run()


class _Writer:
    """An order, and what has been done of it."""

    def __init__(self, order: Order, tell: Callable[[Stage], None]) -> None:
        self.order = order
        self.tell = tell
        self.begun = order.begun
        self.parts: list[Obligation] = []
        self.numbers: dict[str, int] = {}
        self.answers: list[tuple[Answer, float]] = []

    def run(self) -> Outcome:
        """Build, solve, check, pack."""
        problem, claim = self.order.problem, self.order.claim
        for complaint in witness_complaints(problem, claim):
            raise InternalError(f"the claim does not hold: {complaint}")
        if proof_format(self.order.solver) == "drat" and not DRAT_TRIM.is_available():
            self.tell(Stage("building the formula", remark=SLOW_WITHOUT))
        self.tell(Stage("building the formula"))
        cubes = self.order.cubes
        if isinstance(cubes, int):
            cubes = choose_cubes(problem, cubes)
        self.parts += obligations(problem, claim, cubes)
        self.numbers = {part.name: number for number, part in enumerate(self.parts, 1)}
        self.answers += self._solve_all()
        for part, (answer, _) in zip(self.parts, self.answers, strict=True):
            if isinstance(answer, Satisfied):
                return Found(_finding(problem, claim, part, answer.model, self._provenance()))
        for part, (answer, _) in zip(self.parts, self.answers, strict=True):
            if isinstance(answer, NoAnswer):
                return Undecided(problem, f"{part.name}: {answer}", self._provenance())
        made = []
        for part, (_, seconds) in zip(self.parts, self.answers, strict=True):
            written = self._write_part(part, seconds)
            if isinstance(written, str):
                return Undecided(problem, f"{part.name}: {written}", self._provenance())
            made.append(written)
        self.tell(Stage("writing the certificate"))
        self._write_rest(cubes, made)
        return Impossible(problem, "proved", self._provenance())

    def _solve_all(self) -> list[tuple[Answer, float]]:
        """Solve every part, as many at once as there are jobs; a model ends it all."""
        stop = threading.Event()

        def solve(part: Obligation) -> tuple[Answer, float]:
            start = time.monotonic()
            if stop.is_set():
                return NoAnswer(Reason.INTERRUPTED, "another part has a solution"), 0.0
            formula = part.formula
            size = f"{formula.variables:,} variables, {formula.clauses:,} clauses"
            self._say("solving", part, size)
            answer = solve_with_proof(
                formula,
                self.order.solver,
                self.order.folder / part.name,
                self.order.limits.since(self.begun),
                self.order.most_bytes,
                stop,
                lambda done: self._say("solving", part, f"{size}, proof {done / 1e6:,.1f} MB"),
                lambda: self._say("trimming the proof of", part),
            )
            if isinstance(answer, Satisfied):
                stop.set()
            return answer, time.monotonic() - start

        if self.order.jobs == 1 or len(self.parts) == 1:
            return [solve(part) for part in self.parts]
        with ThreadPoolExecutor(self.order.jobs) as threads:
            try:
                return list(threads.map(solve, self.parts))
            except BaseException:
                stop.set()
                raise

    def _write_part(self, part: Obligation, seconds: float) -> Part | str:
        """Check a proof and pack it, and its formula; or say why that cannot be."""
        work = self.order.folder
        raw, lrat = work / part.name, work / f"{part.name}.lrat"
        limits = self.order.limits
        proof_size = f"proof {raw.stat().st_size / 1e6:,.1f} MB"
        total, *verdicts = check_proof(
            part.formula,
            raw,
            lrat=lrat,
            seconds=limits.since(self.begun).seconds,
            memory_bytes=limits.memory_bytes,
            on_checker=lambda name: self._say("checking", part, f"by {name}, {proof_size}"),
        )
        if not total:
            if total.decided:
                raise InternalError(f"the solver's proof of {part.name!r} is wrong: {total.reason}")
            return f"the proof could not be checked: {total.reason}"
        raw = lrat if lrat.exists() else raw
        size = raw.stat().st_size
        self._say("packing", part, f"{size / 1e6:,.1f} MB")
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
                Check(
                    checker=v.checker, valid=v.valid, seconds=round(v.seconds, 3), reason=v.reason
                )
                for v in verdicts
            ),
        )

    def _write_rest(self, cubes: tuple[Cube, ...], parts: list[Part]) -> None:
        work, problem, claim = self.order.folder, self.order.problem, self.order.claim
        (work / files.PROBLEM).write_bytes(problem.to_json() + b"\n")
        files.write_claim(work, claim)
        if cubes:
            files.write_cubes(work, cubes)
        for name, content in self.order.extra.items():
            (work / name).write_bytes(content)
        statement = make_statement(problem, claim)
        (work / files.STATEMENT).write_bytes(statement.encode())
        certificate = Certificate(
            made=datetime.now(UTC).date().isoformat(),
            command=self.order.command,
            solver=self.order.solver.name,
            problem=problem.name,
            seconds=round(time.monotonic() - self.begun, 3),
            parts=tuple(parts),
            files={path.name: hash_file(path) for path in sorted(work.iterdir())},
        )
        (work / files.CERTIFICATE).write_bytes(files.encode_certificate(certificate))

    def _say(self, what: str, part: Obligation, detail: str = "") -> None:
        if len(self.parts) == 1:
            name = "the proof" if what in ("checking", "packing") else "the formula"
            words = what.removesuffix(" of") if what.startswith("trimming") else f"{what} {name}"
        else:
            words = f"{what} {part.name} ({self.numbers[part.name]} of {len(self.parts)})"
        self.tell(Stage(words, detail))

    def _provenance(self) -> Provenance:
        formulas = (part.formula for part in self.parts)
        return prover_provenance(self.order.solver, time.monotonic() - self.begun, *formulas)


def _finding(
    problem: Problem, claim: Claim, part: Obligation, model: Model, provenance: Provenance
) -> Finding:
    if not isinstance(claim, NoneExists | Core) or part.name == "cover":
        raise InternalError(f"{part.title!r} was to be refuted, but there is a model")
    return check_audit(problem, part.formula, model, provenance)
