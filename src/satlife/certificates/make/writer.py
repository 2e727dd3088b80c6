"""Filling the folder of a certificate: solve every formula with a proof, check, pack.

This runs in a child process of :mod:`.maker`.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from msgspec import structs

from satlife.audit.formula import Map
from satlife.audit.symmetries import choose_maps
from satlife.certificates import folder as files
from satlife.certificates.claims import Claim, Core, Forced, NoneExists
from satlife.certificates.folder import Certificate, Check, Part
from satlife.certificates.make.cases import LEAVES, WHOLE, ProvedLeaf, Prover
from satlife.certificates.make.refute import check_audit, prover_provenance
from satlife.certificates.obligations import (
    Obligation,
    divide,
    obligations,
    witness_complaints,
)
from satlife.certificates.words.statement import make_statement
from satlife.deadline import Deadline
from satlife.errors import InternalError
from satlife.problem import Problem
from satlife.problem.outcome import Finding, Found, Impossible, Outcome, Provenance, Undecided
from satlife.sat import Answer, Limits, Model, Reason, Refuted, Satisfied
from satlife.sat import Undecided as NoAnswer
from satlife.sat.files.paths import hash_file, open_to_write
from satlife.sat.proofs import DRAT_TRIM, SLOW_WITHOUT, check_proof, proof_format, solve_with_proof
from satlife.sat.solver import Solver

# Sealing: the files that are written to a certificate's folder after its proofs.


Maps = Mapping[str, tuple[Map, ...]]
"""The symmetries used in the proof of each formula, by the formula's name."""


def seal_tree(
    work: Path, whole: Obligation, tree: str, parts: Sequence[Part], box: str = ""
) -> list[Part]:
    """Write a tree and its formula; rename the proofs after the leaves, in their order.

    ``box`` is the name of the box of a range, if it is the tree of one.
    """
    text, named = files.formula_text(whole.whole), []
    with open_to_write(work / f"{whole.stored}.cnf.xz") as target:
        target.write(text)
    for leaf, part in zip(divide(whole, tree, f"{box}-" if box else ""), parts, strict=True):
        proof = (work / part.proof).rename(work / f"{leaf.name}.lrat.xz").name
        formula = files.hash_leaf(text, leaf.case or ())
        named.append(
            structs.replace(part, name=leaf.name, title=leaf.title, formula=formula, proof=proof)
        )
    (work / files.name_tree(box)).write_bytes(tree.encode())
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
    """Write the claim, and ``certificate.json`` with the hashes of all files."""
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


@dataclass(frozen=True)
class Stage:
    """The current step of making a certificate."""

    what: str
    """``solving cube-2 (2 of 5)``, ``checking …``: constant during a step."""
    detail: str = ""
    """Numbers that change during the step."""
    remark: str = ""
    """A message for the user."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """The order to make a certificate: what to prove, where, and how."""

    problem: Problem
    claim: Claim
    folder: Path
    solver: Solver
    limits: Limits
    deadline: Deadline
    """Deadline of all steps."""
    begun: float
    """Start time by ``time.monotonic()``, which all processes share."""
    jobs: int
    cubes: int
    """Number of leaves of a tree; 0 to choose it by the number of jobs."""
    least: bool
    """Whether the proof may use symmetries, and refute only a least solution."""
    most_bytes: int
    command: str
    extra: dict[str, bytes]

    @property
    def left(self) -> Limits:
        """The remaining limits."""
        return structs.replace(self.limits, seconds=self.deadline.left)


def fill_folder(order: Order, tell: Callable[[Stage], None]) -> Outcome:
    """Fill the folder and return Impossible, or return the reason why there is no certificate."""
    return _Writer(order, tell).run()


class _Writer:
    """An order and its progress."""

    def __init__(self, order: Order, tell: Callable[[Stage], None]) -> None:
        self.order = order
        self.tell = tell
        self.parts: list[Obligation] = []
        self.numbers: dict[str, int] = {}
        self.answers: list[tuple[Answer, float]] = []
        self.maps: dict[str, tuple[Map, ...]] = {}
        self.written = 0
        """Bytes of proof that the solver has written last."""

    def run(self) -> Outcome:
        """Build, solve, check, pack."""
        problem, claim = self.order.problem, self.order.claim
        for complaint in witness_complaints(problem, claim):
            raise InternalError(f"the claim does not hold: {complaint}")
        if proof_format(self.order.solver) == "drat" and not DRAT_TRIM.is_available():
            self.tell(Stage("building the formula", remark=SLOW_WITHOUT))
        self.tell(Stage("building the formula"))
        self.parts += obligations(problem, claim, choose=self._choose_maps)
        self.numbers = {part.name: number for number, part in enumerate(self.parts, 1)}
        cubes, jobs = self.order.cubes, self.order.jobs
        splits = len(self.parts) == 1 and (cubes > 1 or jobs > 1)
        if splits and cubes:
            return self._prove_by_cases(*self.parts)
        self.answers += self._solve_all(WHOLE if splits else None)
        if splits and self._may_go_on(self.answers[0][0]):
            return self._prove_by_cases(*self.parts)
        for part, (answer, _) in zip(self.parts, self.answers, strict=True):
            if isinstance(answer, Satisfied):
                return Found(_finding(problem, claim, part, answer.model, self._provenance()))
        for part, (answer, _) in zip(self.parts, self.answers, strict=True):
            if isinstance(answer, NoAnswer):
                reason = f"{answer}, while {self._words('solving formula', part)}"
                return Undecided(problem, reason, self._provenance())
        made = []
        for part, (_, seconds) in zip(self.parts, self.answers, strict=True):
            written = self.write_part(part, seconds)
            if isinstance(written, str):
                return Undecided(problem, written, self._provenance())
            made.append(written)
        self.tell(Stage("writing the certificate"))
        self._write_rest(made)
        return Impossible(problem, "proved", self._provenance())

    def _may_go_on(self, answer: Answer) -> bool:
        """Whether the formula as a whole was too hard, and there is time to split it."""
        tired = isinstance(answer, NoAnswer) and answer.reason is Prover.exceeded
        return tired and not self.order.deadline.is_over

    def _prove_by_cases(self, whole: Obligation) -> Outcome:
        """Prove the only obligation by a tree of cases."""
        order, problem, work = self.order, self.order.problem, self.order.folder
        prover = Prover(
            whole=whole,
            jobs=order.jobs,
            leaves=order.cubes or LEAVES * order.jobs,
            limits=lambda: order.left,
            function=f"{__name__}:prove_leaf",
            order=order,
            tell=lambda what, detail: self.tell(Stage(what, detail)),
        )
        answer, tree, parts = prover.prove(problem)
        match answer:
            case Satisfied(model):
                return Found(_finding(problem, order.claim, whole, model, self._provenance()))
            case NoAnswer(reason):
                known = Reason.GAVE_UP, Reason.PROOF_LIMIT
                at = "" if reason in known else ", while proving the leaves"
                return Undecided(problem, f"{answer}{at}", self._provenance())
        self.tell(Stage("writing the certificate"))
        self._write_rest(seal_tree(work, whole, tree, parts))
        return Impossible(problem, "proved", self._provenance())

    def _choose_maps(self, each: Obligation) -> tuple[Map, ...]:
        """Return the symmetries that the proof uses."""
        if self.order.least and (maps := choose_maps(each.said)):
            self.maps[each.stored] = maps
        return self.maps.get(each.stored, ())

    def _solve_all(self, budget: int | None) -> list[tuple[Answer, float]]:
        """Solve all parts, ``jobs`` at a time; the first model stops all of them."""
        stop = threading.Event()

        def solve(part: Obligation) -> tuple[Answer, float]:
            if stop.is_set():
                return NoAnswer(Reason.INTERRUPTED, "another part has a solution"), 0.0
            return self.solve(part, stop, budget)

        if self.order.jobs == 1 or len(self.parts) == 1:
            return [solve(part) for part in self.parts]
        with ThreadPoolExecutor(self.order.jobs) as threads:
            try:
                return list(threads.map(solve, self.parts))
            except BaseException:
                stop.set()
                raise

    def solve(
        self, part: Obligation, stop: threading.Event, budget: int | None
    ) -> tuple[Answer, float]:
        """Solve a part; the budget, if any, is in bytes of proof."""
        start, most = time.monotonic(), self.order.most_bytes
        formula = part.formula
        size = f"{formula.variables:,} variables, {formula.clauses:,} clauses"
        self._say("solving formula", part, size)

        def say_size(done: int) -> None:
            self.written = done
            self._say("solving formula", part, f"{size}, proof {done / 1e6:,.1f} MB")

        answer = solve_with_proof(
            formula,
            self.order.solver,
            self.order.folder / part.name,
            self.order.left,
            most if budget is None else min(most, budget),
            stop,
            say_size,
            lambda: self._say("trimming proof", part),
        )
        if isinstance(answer, Satisfied):
            stop.set()
        return answer, time.monotonic() - start

    def write_part(self, part: Obligation, seconds: float) -> Part | str:
        """Check a proof and pack it with its formula, or return why that is impossible."""
        work = self.order.folder
        raw, lrat = work / part.name, work / f"{part.name}.lrat"
        limits = self.order.left
        proof_size = f"proof {raw.stat().st_size / 1e6:,.1f} MB"
        total, *verdicts = check_proof(
            part.formula,
            raw,
            lrat=lrat,
            seconds=limits.seconds,
            memory_bytes=limits.memory_bytes,
            on_checker=lambda name: self._say("checking proof", part, f"by {name}, {proof_size}"),
        )
        if not total:
            if total.decided:
                raise InternalError(f"the solver's proof of {part.name!r} is wrong: {total.reason}")
            if total.reason == "time limit":
                return f"time limit, while {self._words('checking proof', part)}"
            return f"{self._words('proof', part)} could not be checked: {total.reason}"
        raw = lrat if lrat.exists() else raw
        size = raw.stat().st_size
        self._say("packing proof", part, f"{size / 1e6:,.1f} MB")
        proof = f"{part.name}.lrat.xz"
        with raw.open("rb") as source, open_to_write(work / proof) as target:
            shutil.copyfileobj(source, target, 1 << 20)
        for leftover in (work / part.name, lrat):
            leftover.unlink(missing_ok=True)
        formula = ""
        if part.case is None:  # of a leaf, all that is the same for the whole tree is written once
            text = files.formula_text(part.formula)
            with open_to_write(work / f"{part.stored}.cnf.xz") as target:
                target.write(text)
            formula = files.hash_bytes(text)
        return Part(
            name=part.name,
            title=part.title,
            formula=formula,
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

    def _write_rest(self, parts: list[Part]) -> None:
        order = self.order
        for name, content in order.extra.items():
            (order.folder / name).write_bytes(content)
        seal(
            order.folder,
            order.problem,
            order.claim,
            parts,
            self.maps,
            solver=order.solver.name,
            begun=order.begun,
            command=order.command,
        )

    def _say(self, what: str, part: Obligation, detail: str = "") -> None:
        self.tell(Stage(self._words(what, part), detail))

    def _words(self, what: str, part: Obligation) -> str:
        """Return the step and its part in words: "checking proof", or "checking proof 1 of 2"."""
        if len(self.parts) > 1:
            return f"{what} {self.numbers[part.name]} of {len(self.parts)}"
        *doing, noun = what.split()
        return " ".join([*doing, "the", noun])

    def _provenance(self) -> Provenance:
        formulas = (part.formula for part in self.parts)
        spent, breaks = time.monotonic() - self.order.begun, bool(self.maps)
        return prover_provenance(self.order.solver, spent, *formulas, breaks_symmetry=breaks)


def prove_leaf(order: Order, leaf: Obligation, budget: int | None) -> ProvedLeaf:
    """Solve a leaf of a tree, and check and pack its proof; this runs in a child process."""
    writer = _Writer(order, lambda stage: None)
    writer.parts.append(leaf)
    answer, seconds = writer.solve(leaf, threading.Event(), budget)
    part = writer.write_part(leaf, seconds) if isinstance(answer, Refuted) else None
    return ProvedLeaf(answer, writer.written, part)


def _finding(
    problem: Problem, claim: Claim, part: Obligation, model: Model, provenance: Provenance
) -> Finding:
    if not isinstance(claim, NoneExists | Core | Forced):
        raise InternalError(f"{part.title!r} was to be refuted, but there is a model")
    return check_audit(problem, part.formula, model, provenance)
