"""``--prove``: the same searches, with a certificate if nothing (better, else) exists."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

from satlife.cli import ending
from satlife.cli.search.asked import Asked, Proof, Which
from satlife.cli.search.options import sat_keywords
from satlife.cli.search.progress import reporting
from satlife.cli.search.report import Output, command_line, exit_code, print_outcome
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.search import Options, Outcome, Problem
    from satlife.search.certificates import Claim
    from satlife.search.certificates.shrink import Shrunk

_NOT_PROVED = {
    "limit": "--limit",
    "journal": "--continue",
    "reject": "--reject",
    "only_connected": "--only-connected",
    "grow": "--grow",
    "only_count": "--count",
    "same": "--same",
}
"""Options after which there is no plain claim left."""


def run_proof(problem: Problem, asked: Asked) -> NoReturn:
    """Search, prove, write a certificate, and exit; or report why there is none."""
    _check_options(asked.which, asked.proof)
    if problem.has_open_height or asked.how["engine"] == "rows":
        _run_width(problem, asked)
    if asked.proof.prove:
        from satlife.search.certificates.refute import choose_prover

        choose_prover(_options(asked.how))  # what cannot write a proof is told before a long search
    if asked.proof.shrink:
        _run_core(problem, asked)
    if asked.which.best:
        _run_best(problem, asked)
    if asked.which.everything or asked.which.raw:
        _run_all(problem, asked)
    _run_none(problem, asked)


def _check_options(which: Which, proof: Proof) -> None:
    several = [f"--{name}" for name in ("minimize", "maximize") if getattr(which, name)]
    several += ["--all"] if which.everything else []
    several += ["--raw"] if which.raw else []
    if not proof.prove:
        for name in ("cubes", "proof_size"):
            if getattr(proof, name):
                raise UsageError(f"--{name.replace('_', '-')} goes with --prove")
        return
    for name, option in _NOT_PROVED.items():
        if getattr(which, name):
            raise UsageError(f"--prove does not go with {option}")
    if proof.cubes and several:
        raise UsageError(f"--cubes goes with a plain impossibility, not with {several[0]}")
    from satlife.search.certificates.making import check_folder

    check_folder(proof.folder)


def _run_width(problem: Problem, asked: Asked) -> NoReturn:
    """Prove by rows that a width has no ship."""
    from satlife.search import Options
    from satlife.search.certificates.width_folder import certify_width

    which, proof = asked.which, asked.proof
    others = (which.everything, which.raw, which.best, proof.cubes, proof.shrink)
    if any(others) or not proof.prove:
        raise UsageError("the engine rows proves only that there is none; leave other options out")
    options = Options(**{name: value for name, value in asked.how.items() if name != "engine"})
    with reporting(asked.output.silent, asked.how["timeout"]) as report:
        outcome = certify_width(problem, proof.folder, options, report.event)
    print_outcome(outcome, asked.output)
    sys.exit(exit_code(outcome))


def _run_none(problem: Problem, asked: Asked) -> NoReturn:
    from satlife.search.certificates import NoneExists

    outcome = _certify(problem, NoneExists(), asked)
    print_outcome(outcome, asked.output)
    sys.exit(exit_code(outcome))


def _run_best(problem: Problem, asked: Asked) -> NoReturn:
    from satlife.cli.search.best import find_best, print_best, read_goals
    from satlife.search import Best, Impossible
    from satlife.search.certificates.proving import claim_best

    best = find_best(problem, asked, read_goals(problem, asked.which))
    if isinstance(best, Impossible):
        _run_none(problem, asked)
    if not isinstance(best, Best):
        print_outcome(best, asked.output)
        sys.exit(exit_code(best))
    print_best(best, asked.output)
    if not best.proved:
        sys.exit(ending.UNDECIDED)
    _finish(_certify(problem, claim_best(best), asked), asked.output)


def _run_all(problem: Problem, asked: Asked) -> NoReturn:
    from satlife.cli.search.listing import print_finding
    from satlife.search import find_all
    from satlife.search.certificates.proving import check_listable, claim_all

    output = asked.output
    check_listable(problem)
    listing = find_all(problem, raw=asked.which.raw, **asked.how)
    findings = []
    for finding in listing:
        findings.append(finding)
        print_finding(finding, output)
    if not listing.complete:
        output.say(f"undecided ({listing.result.reason}): {len(findings)} found, maybe not all")
        sys.exit(ending.UNDECIDED)
    if not findings:
        _run_none(problem, asked)
    output.say(f"{len(findings)} found; proving that these are all")
    claim = claim_all(findings, asked.which.raw)
    _finish(_certify(problem, claim, asked), output)


def _run_core(problem: Problem, asked: Asked) -> NoReturn:
    from satlife.search import Run, Undecided, find
    from satlife.search.certificates import known_places
    from satlife.search.certificates.shrink import shrink

    output = asked.output
    with reporting(output.silent, asked.how["timeout"]) as report:
        shrunk = shrink(problem, Run(_options(asked.how, "--shrink"), report.event))
    if shrunk is None or isinstance(shrunk, Undecided):
        outcome = find(problem, **asked.how) if shrunk is None else shrunk
        print_outcome(outcome, output)
        sys.exit(exit_code(outcome))
    before, after = len(known_places(problem)), len(shrunk.claim.needed)
    rle = f"{shrunk.pattern.to_rle()}\n"
    if not output.as_json:
        output.write(rle)
    output.say(f"an orphan: {after} of its {before} cells are needed, and none of them can go")
    if not asked.proof.prove:
        if output.as_json:
            output.write_json({"answer": "core", "cells": after, "rle": rle})
        sys.exit(ending.FOUND)
    _finish(_certify(shrunk.problem, shrunk.claim, asked, shrunk), output)


def _certify(
    problem: Problem,
    claim: Claim,
    asked: Asked,
    shrunk: Shrunk | None = None,
) -> Outcome:
    from satlife.search.certificates import Proving, certify
    from satlife.search.certificates.making import MOST_BYTES

    # One limit for the whole command: what the search before has taken is gone.
    left = _options(asked.how).limits().since(asked.begun).seconds
    with reporting(asked.output.silent, left) as report:
        proving = Proving(
            options=_options(asked.how | {"timeout": left}),
            cubes=asked.proof.cubes or 0,
            most_bytes=int(asked.proof.proof_size or MOST_BYTES),
            command=command_line(),
            extra={"steps.json": shrunk.encode_steps()} if shrunk else {},
            on_stage=report.stage,
        )
        return certify(problem, claim, asked.proof.folder, proving)


def _options(how: dict[str, Any], wanted: str = "--prove") -> Options:
    from satlife.search import Options

    return Options(**sat_keywords(how, wanted))


def _finish(outcome: Outcome, output: Output) -> NoReturn:
    """Report the certificate of findings that are printed already, and exit."""
    from satlife.search import Impossible

    if not isinstance(outcome, Impossible):
        print_outcome(outcome, output)
        sys.exit(ending.UNDECIDED)
    if output.as_json:
        output.write_json({"answer": "certificate", "folder": str(outcome.certificate)})
    output.say(outcome.reason)
    sys.exit(ending.FOUND)
