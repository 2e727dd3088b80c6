"""Search with a certificate: that there is no solution, no better one, or no other one.

>>> import tempfile
>>> from satlife import oscillator
>>> with tempfile.TemporaryDirectory() as place:
...     proved = prove(oscillator(3, box="3x3"), f"{place}/p3")
...     judgement = check(proved.folder)
>>> judgement.valid, proved.statement.splitlines()[0]
(True, '# There is no oscillator of period 3 in 3×3')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Unpack

from satlife.certificates.check.checker import check_certificate
from satlife.certificates.check.judgement import Allowance, Judgement
from satlife.certificates.check.states import state_width
from satlife.certificates.claims import (
    BestClaim,
    Claim,
    Complete,
    Forced,
    NoneExists,
    Reactions,
)
from satlife.certificates.make.maker import MOST_BYTES, Proving, certify, check_folder
from satlife.certificates.make.refute import choose_prover
from satlife.certificates.make.shrink import shrink as find_core
from satlife.certificates.make.width_folder import MOST_STATES, certify_width, goes_by_rows
from satlife.certificates.make.writer import Stage
from satlife.certificates.words.statement import make_statement
from satlife.engine import Keywords, Options, Run, find, find_all, find_best, find_engine
from satlife.engine.goals import Best
from satlife.engine.session import ask_other, suppose
from satlife.engine.wanted import Same
from satlife.errors import UsageError
from satlife.given import check_type
from satlife.problem import Problem, check_problem
from satlife.problem.outcome import Finding, Found, Impossible, Outcome, Undecided, draw
from satlife.problem.reaction import find_restored


@dataclass(frozen=True)
class Proved:
    """A claim, and the folder with its certificate."""

    problem: Problem = field(repr=False)
    claim: Claim = field(repr=False)
    """The claim: none exists, this is the best, these are all, or these cells are minimal."""
    folder: Path
    findings: tuple[Finding, ...] = field(default=(), repr=False)
    """The best solution, or all of them."""
    by_rows: bool = False
    """Whether the certificate is a set of states, and not a proof by SAT."""

    @property
    def statement(self) -> str:
        """The claim in words, as Markdown."""
        if self.by_rows:
            return state_width(self.problem)
        return make_statement(self.problem, self.claim)

    def _repr_markdown_(self) -> str:
        return self.statement


def prove(
    problem: Problem,
    folder: Path | str,
    *,
    minimize: str | Sequence[str] = (),
    maximize: str | Sequence[str] = (),
    list_all: bool = False,
    raw: bool = False,
    cubes: int = 0,
    proof_size: int = MOST_BYTES,
    shrink: bool = False,
    on_stage: Callable[[Stage], None] | None = None,
    **options: Unpack[Keywords],
) -> Proved | Found | Undecided:
    """Prove that a problem has no solution, and write a certificate to a new folder.

    With ``minimize`` or ``maximize`` the claim is that nothing is better than the best solution;
    with ``list_all`` (or ``raw``) that there are no others.  ``shrink`` first leaves out every
    cell that an orphan, or a patch that forces itself, does not need.  ``cubes`` splits the
    refutation into cases, ``proof_size`` limits the bytes of a proof.  The other keywords are those
    of ``satlife.find`` without the engine: a ship in a box is refuted by rows where they can, and
    all else by SAT.  The limits cover all steps together.

    A patch without any parent forces nothing: what is proved then is that it is an orphan.

    Found: there is a solution, so nothing was claimed.  Undecided: a limit was reached.  Anyone can
    check the folder with :func:`check` or with ``satlife check``.
    """
    check_problem(problem)
    folder = Path(check_type(folder, (str, Path), "folder", "the name of a new folder"))
    check_folder(folder)
    how = Options.of(**options).starting_now()
    options["timeout"] = how.timeout
    find_engine("sat").check_options(how)
    choose_prover(how)
    findings: tuple[Finding, ...] = ()
    claim: Claim = NoneExists()
    extra: dict[str, bytes] = {}
    if shrink:
        shrunk = find_core(problem, Run(how))
        if isinstance(shrunk, Undecided):
            return shrunk
        if shrunk is not None:
            problem, claim = shrunk.problem, shrunk.claim
            extra = {"steps.json": shrunk.encode_steps()}
    elif minimize or maximize:
        best = find_best(problem, minimize=minimize, maximize=maximize, **options)
        if isinstance(best, Undecided) or (isinstance(best, Best) and not best.proved):
            return Undecided(problem, best.reason)
        if isinstance(best, Best):
            findings, claim = (best.finding,), claim_best(best)
    elif list_all or raw:
        check_listable(problem)
        listing = find_all(problem, raw=raw, same=choose_same(problem), **options)
        findings = tuple(listing)
        if not listing.complete:
            return Undecided(problem, listing.result.reason)
        claim = claim_all(findings, raw)
    proving = Proving(
        options=how,
        cubes=cubes,
        most_bytes=proof_size,
        extra=extra,
        on_stage=on_stage,
    )
    if claim == NoneExists():
        return _prove_none(problem, folder, proving, options)
    return _certify(problem, claim, folder, proving, findings)


def _prove_none(
    problem: Problem, folder: Path, proving: Proving, options: Keywords
) -> Proved | Found | Undecided:
    if not proving.cubes and goes_by_rows(problem, proving.options):
        first = certify_width(problem, folder, proving.options, most_states=MOST_STATES)
        if isinstance(first, Impossible):
            return Proved(problem, NoneExists(), folder, by_rows=True)
        if isinstance(first, Found):
            return first
    claimed = claim_none(problem, lambda supposed: find(supposed, **options))
    if isinstance(claimed, Undecided):
        return claimed
    return _certify(*claimed, folder, proving)


def _certify(
    problem: Problem,
    claim: Claim,
    folder: Path,
    proving: Proving,
    findings: tuple[Finding, ...] = (),
) -> Proved | Found | Undecided:
    outcome = certify(problem, claim, folder, proving)
    if isinstance(outcome, Impossible):
        return Proved(problem, claim, folder, findings)
    return outcome


def claim_none(
    problem: Problem, ask: Callable[[Problem], Outcome]
) -> tuple[Problem, Claim] | Undecided:
    """Return what can be claimed if there is no solution: of an orphan, that it is one."""
    if (supposed := suppose(problem)) is None:
        return problem, NoneExists()
    match first := ask(supposed):
        case Found(finding):
            return ask_other(problem, finding.history), claim_forced(finding)
        case Impossible():
            return supposed, NoneExists()
    return first


def check(
    folder: Path | str,
    *,
    timeout: float | None = 3600.0,
    memory: int | None = 4 << 30,
    proof_size: int = MOST_BYTES,
    clauses: int | None = None,
    jobs: int = 1,
    save: Path | str | None = None,
    on_news: Callable[[str], None] | None = None,
) -> Judgement:
    """Check a certificate; nothing in its folder is trusted but the problem and the claim.

    ``timeout`` (seconds), ``memory`` (bytes), ``proof_size`` (bytes) and ``clauses`` (of the
    formulas) limit the cost of a stranger's folder; beyond them it is not decided.  ``jobs`` proofs
    are checked at a time; ``save`` is a file of the valid ones, with which a check can resume.
    """
    allowance = Allowance(
        seconds=timeout,
        memory_bytes=memory,
        most_bytes=proof_size,
        jobs=jobs,
        save=None if save is None else Path(save).absolute(),
    )
    if clauses is not None:
        allowance = replace(allowance, most_clauses=clauses)
    return check_certificate(Path(folder), allowance, on_news)


def claim_best(best: Best) -> BestClaim:
    """Return the claim that nothing is better."""
    return BestClaim(
        goals=tuple(
            f"{'maximize' if goal.maximize else 'minimize'} {goal.measure.spec}"
            for goal in best.goals
        ),
        values=best.values,
        found=draw(best.finding),
    )


def claim_forced(finding: Finding) -> Forced:
    """Return the claim that no other ancestor differs, of which this is any one."""
    return Forced(parent=draw(finding)[0])


def claim_all(findings: Sequence[Finding], raw: bool) -> Complete | Reactions | NoneExists:
    """Return the claim that these are all; without findings, that there is no solution."""
    if not findings:
        return NoneExists()
    if find_restored(findings[0].problem) is not None and not raw:
        return Reactions(found=tuple(map(draw, findings)))
    return Complete(images=not raw, found=tuple(map(draw, findings)))


def choose_same(problem: Problem) -> Same:
    """Return which solutions count as one in a claim that these are all."""
    return "object" if find_restored(problem) is None else "catalyst"


def check_listable(problem: Problem) -> None:
    """Raise if the solutions of a problem cannot be listed in a claim."""
    if problem.has_open_rule:
        raise UsageError(
            f"proving that these are all needs one rule, and {problem.rule} is a set of rules; "
            "satlife map --prove answers for every rule of a set"
        )
    if problem.shows_dying:
        raise UsageError(
            f"proving that these are all is not supported yet in a rule with dying cells "
            f"({problem.rule}) without a motion; that there is none, and the best, can be proved"
        )
    if problem.boundary == "free" and find_restored(problem) is None:
        raise UsageError("proving that these are all needs an outside that is dead, or a torus")
