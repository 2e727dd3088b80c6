"""``--prove``: the same searches, with a certificate if nothing (better, else) exists."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from satlife.cli import ending
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


def run_proof(
    problem: Problem,
    how: dict[str, Any],
    which: dict[str, Any],
    prove: dict[str, Any],
    output: Output,
) -> NoReturn:
    """Search, prove, write a certificate, and exit; or report why there is none."""
    _check_options(which, prove)
    if problem.has_open_height or how["engine"] == "rows":
        _run_width(problem, how, which, prove, output)
    if prove["prove"]:
        from satlife.search.certificates.refute import choose_prover

        choose_prover(_options(how))  # what cannot write a proof is told before a long search
    prove = prove | {"begun": time.monotonic()}
    if prove["shrink"]:
        _run_core(problem, how, prove, output)
    if which["minimize"] or which["maximize"]:
        _run_best(problem, how, which, prove, output)
    if which["everything"] or which["raw"]:
        _run_all(problem, how, which, prove, output)
    _run_none(problem, how, prove, output)


def _check_options(which: dict[str, Any], prove: dict[str, Any]) -> None:
    several = [f"--{name}" for name in ("minimize", "maximize") if which[name]]
    several += ["--all"] if which["everything"] else []
    several += ["--raw"] if which["raw"] else []
    if not prove["prove"]:
        for name in ("cubes", "proof_size"):
            if prove[name]:
                raise UsageError(f"--{name.replace('_', '-')} goes with --prove")
        return
    for name, option in _NOT_PROVED.items():
        if which[name]:
            raise UsageError(f"--prove does not go with {option}")
    if prove["cubes"] and several:
        raise UsageError(f"--cubes goes with a plain impossibility, not with {several[0]}")
    from satlife.search.certificates.making import check_folder

    check_folder(Path(prove["prove"]))


def _run_width(
    problem: Problem,
    how: dict[str, Any],
    which: dict[str, Any],
    prove: dict[str, Any],
    output: Output,
) -> NoReturn:
    """Prove by rows that a width has no ship."""
    from satlife.search import Options
    from satlife.search.certificates.width_folder import certify_width

    given = [name for name in ("everything", "raw", "minimize", "maximize") if which[name]]
    given += [name for name in ("cubes", "shrink") if prove[name]]
    if given or not prove["prove"]:
        raise UsageError("the engine rows proves only that there is none; leave other options out")
    options = Options(**{name: value for name, value in how.items() if name != "engine"})
    with reporting(output.quiet or output.as_json, how["timeout"]) as report:
        outcome = certify_width(problem, Path(prove["prove"]), options, report.event)
    print_outcome(outcome, output)
    sys.exit(exit_code(outcome))


def _run_none(
    problem: Problem, how: dict[str, Any], prove: dict[str, Any], output: Output
) -> NoReturn:
    from satlife.search.certificates import NoneExists

    outcome = _certify(problem, NoneExists(), how, prove, output)
    print_outcome(outcome, output)
    sys.exit(exit_code(outcome))


def _run_best(
    problem: Problem,
    how: dict[str, Any],
    which: dict[str, Any],
    prove: dict[str, Any],
    output: Output,
) -> NoReturn:
    from satlife.cli.search.best import find_best, print_best, read_goals
    from satlife.search import Best, Impossible
    from satlife.search.certificates.proving import claim_best

    best = find_best(problem, how, read_goals(problem, which), output)
    if isinstance(best, Impossible):
        _run_none(problem, how, prove, output)
    if not isinstance(best, Best):
        print_outcome(best, output)
        sys.exit(exit_code(best))
    print_best(best, output)
    if not best.proved:
        sys.exit(ending.UNDECIDED)
    _finish(_certify(problem, claim_best(best), how, prove, output), output)


def _run_all(
    problem: Problem,
    how: dict[str, Any],
    which: dict[str, Any],
    prove: dict[str, Any],
    output: Output,
) -> NoReturn:
    from satlife.cli.search.listing import print_finding
    from satlife.search import find_all
    from satlife.search.certificates.proving import check_listable, claim_all

    check_listable(problem)
    listing = find_all(problem, raw=which["raw"], **how)
    findings = []
    for finding in listing:
        findings.append(finding)
        print_finding(finding, output)
    if not listing.complete:
        output.say(f"undecided ({listing.result.reason}): {len(findings)} found, maybe not all")
        sys.exit(ending.UNDECIDED)
    if not findings:
        _run_none(problem, how, prove, output)
    output.say(f"{len(findings)} found; proving that these are all")
    claim = claim_all(findings, which["raw"])
    _finish(_certify(problem, claim, how, prove, output), output)


def _run_core(
    problem: Problem, how: dict[str, Any], prove: dict[str, Any], output: Output
) -> NoReturn:
    from satlife.search import Run, Undecided, find
    from satlife.search.certificates import known_places
    from satlife.search.certificates.shrink import shrink

    with reporting(output.quiet or output.as_json, how["timeout"]) as report:
        shrunk = shrink(problem, Run(_options(how, "--shrink"), report.event))
    if shrunk is None or isinstance(shrunk, Undecided):
        outcome = find(problem, **how) if shrunk is None else shrunk
        print_outcome(outcome, output)
        sys.exit(exit_code(outcome))
    before, after = len(known_places(problem)), len(shrunk.claim.needed)
    rle = f"{shrunk.pattern.to_rle()}\n"
    if not output.as_json:
        output.write(rle)
    output.say(f"an orphan: {after} of its {before} cells are needed, and none of them can go")
    if not prove["prove"]:
        if output.as_json:
            output.write_json({"answer": "core", "cells": after, "rle": rle})
        sys.exit(ending.FOUND)
    _finish(_certify(shrunk.problem, shrunk.claim, how, prove, output, shrunk), output)


def _certify(
    problem: Problem,
    claim: Claim,
    how: dict[str, Any],
    prove: dict[str, Any],
    output: Output,
    shrunk: Shrunk | None = None,
) -> Outcome:
    from satlife.search.certificates import Proving, certify
    from satlife.search.certificates.making import MOST_BYTES

    # One limit for the whole command: what the search before has taken is gone.
    left = _options(how).limits().since(prove["begun"]).seconds
    with reporting(output.quiet or output.as_json, left) as report:
        proving = Proving(
            options=_options(how | {"timeout": left}),
            cubes=prove["cubes"] or 0,
            most_bytes=int(prove["proof_size"] or MOST_BYTES),
            command=command_line(),
            extra={"steps.json": shrunk.encode_steps()} if shrunk else {},
            on_stage=report.stage,
        )
        return certify(problem, claim, Path(prove["prove"]), proving)


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
