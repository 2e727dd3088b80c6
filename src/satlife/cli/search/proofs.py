"""``--prove``: the same searches, with a certificate if nothing (better, else) exists."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, NoReturn, cast

from satlife.certificates import Claim, Forced, Proving, certify, known_places
from satlife.certificates.make.maker import MOST_BYTES, Stop, check_folder
from satlife.certificates.make.refute import choose_prover
from satlife.certificates.make.shrink import Shrunk, shrink
from satlife.certificates.make.width_folder import MOST_STATES, certify_width, goes_by_rows
from satlife.certificates.proof_search import (
    check_listable,
    choose_same,
    claim_all,
    claim_best,
    claim_none,
)
from satlife.cli import endings
from satlife.cli.endings import Stopping, stopping
from satlife.cli.search.asked import Asked, Proof, Which, sat_keywords
from satlife.cli.search.completion import run_completion
from satlife.cli.search.lists import find_best, print_best, print_finding, read_goals, tell_end
from satlife.cli.search.progress import listen, watch
from satlife.cli.search.report import Output, command_line, exit_code, print_outcome
from satlife.engine import Options, Run, find, find_all, start
from satlife.engine.goals import Best
from satlife.engine.session import suppose
from satlife.errors import InternalError, UsageError
from satlife.problem import Problem
from satlife.problem.outcome import Found, Impossible, Outcome, Undecided

_NOT_PROVED = {
    "limit": "--limit",
    "journal": "--continue",
    "reject": "--reject",
    "only_connected": "--only-connected",
    "grow": "--grow",
    "only_count": "--count",
    "same": "--same",
}
"""Options that leave no plain claim to prove."""


def run_proof(problem: Problem, asked: Asked) -> NoReturn:
    """Search, prove, write a certificate, and exit; or report why there is none."""
    _check_options(asked.which, asked.proof)
    if asked.proof.complete:
        run_completion(problem, asked)
    with stopping() as signals:
        if problem.has_open_height or asked.how["engine"] == "rows":
            _run_width(problem, asked, signals)
        if asked.proof.prove:
            choose_prover(_options(asked.how))  # report a solver without proofs before the search
        if asked.proof.shrink:
            _run_core(problem, asked, signals)
        if asked.which.best:
            _run_best(problem, asked, signals)
        if asked.which.everything or asked.which.raw:
            _run_all(problem, asked, signals)
        _run_none(problem, asked, signals)
    raise AssertionError("each of these exits")


def _check_options(which: Which, proof: Proof) -> None:
    several = [f"--{name}" for name in ("minimize", "maximize") if getattr(which, name)]
    several += ["--all"] if which.everything else []
    several += ["--raw"] if which.raw else []
    if proof.margin is not None and not proof.complete:
        raise UsageError("--margin needs --complete")
    if proof.complete and (proof.prove or proof.shrink):
        other = "--prove" if proof.prove else "--shrink"
        raise UsageError(
            f"--complete cannot be combined with {other}; take {other} first, and then --complete, "
            "or satlife complete with --minimize population --prove"
        )
    if not proof.prove:
        for name in ("cubes", "proof_size"):
            if getattr(proof, name):
                raise UsageError(f"--{name.replace('_', '-')} needs --prove")
        return
    for name, option in _NOT_PROVED.items():
        if getattr(which, name):
            raise UsageError(f"--prove cannot be combined with {option}")
    if proof.cubes and several:
        raise UsageError(f"--cubes is for a plain impossibility, not for {several[0]}")
    check_folder(proof.folder)


def _run_width(problem: Problem, asked: Asked, signals: Stopping) -> NoReturn:
    """Prove by rows that a width has no ship."""
    which, proof = asked.which, asked.proof
    others = (which.everything, which.raw, which.best, proof.cubes, proof.shrink)
    if any(others) or not proof.prove:
        raise UsageError("the engine rows proves only that there is none; leave other options out")
    if asked.how["engine"] not in (None, "rows"):
        raise UsageError(
            f"a box of any height is proved by the engine rows, not by {asked.how['engine']}"
        )
    options = Options(**{name: value for name, value in asked.how.items() if name != "engine"})
    with asked.reporting() as report:
        outcome = certify_width(problem, proof.folder, options, report.event, signals.hand_to)
    print_outcome(outcome, asked.output)
    sys.exit(exit_code(outcome))


def _run_none(problem: Problem, asked: Asked, signals: Stopping) -> NoReturn:
    options = _options(asked.how)
    if asked.how["engine"] is None and not asked.proof.cubes and goes_by_rows(problem, options):
        with asked.reporting() as report:
            first = certify_width(
                problem,
                asked.proof.folder,
                options,
                report.event,
                signals.hand_to,
                most_states=MOST_STATES,
            )
        if not isinstance(first, Undecided):
            print_outcome(first, asked.output)
            sys.exit(exit_code(first))

    def ask(supposed: Problem) -> Outcome:
        with asked.reporting() as report, start(supposed, **asked.how) as search:
            listen(search, report.event, signals)
            return cast("Outcome", search.result())

    claimed = claim_none(problem, ask)
    if isinstance(claimed, Undecided):
        outcome: Outcome = claimed
    else:
        outcome = _certify(*claimed, asked, signals)
        if isinstance(outcome, Impossible) and claimed[0] == suppose(problem):
            outcome = replace(outcome, problem=problem, vacuous=True)
    print_outcome(outcome, asked.output)
    sys.exit(exit_code(outcome))


def _run_best(problem: Problem, asked: Asked, signals: Stopping) -> NoReturn:
    best = find_best(problem, asked, read_goals(problem, asked.which), signals)
    if isinstance(best, Impossible):
        _run_none(problem, asked, signals)
    if not isinstance(best, Best):
        print_outcome(best, asked.output)
        sys.exit(exit_code(best))
    print_best(best, asked.output)
    if not best.proved:
        sys.exit(endings.UNDECIDED)
    outcome = _certify(problem, claim_best(best), asked, signals)
    _finish(outcome, asked.output, "that this is the best")


def _run_all(problem: Problem, asked: Asked, signals: Stopping) -> NoReturn:
    output = asked.output
    check_listable(problem)
    listing = find_all(problem, raw=asked.which.raw, same=choose_same(problem), **asked.how)
    watch(listing.search, signals)
    findings = []
    for finding in listing:
        findings.append(finding)
        print_finding(finding, output)
    if listing.complete and not findings:
        _run_none(problem, asked, signals)
    tell_end(listing.result, asked.which, output)
    if not listing.complete:
        sys.exit(endings.UNDECIDED)
    output.say("proving that these are all")
    claim = claim_all(findings, asked.which.raw)
    _finish(_certify(problem, claim, asked, signals), output, "that these are all")


def _run_core(problem: Problem, asked: Asked, signals: Stopping) -> NoReturn:
    output = asked.output
    with asked.reporting() as report:
        run = Run(_options(asked.how, "--shrink"), report.event)
        signals.hand_to(lambda _: run.stop())
        shrunk = shrink(problem, run)
    if isinstance(shrunk, Undecided) and signals.signal is not None:
        shrunk = replace(shrunk, reason=signals.signal.why)
    if shrunk is None and asked.proof.prove:
        _run_none(problem, asked, signals)
    if shrunk is None or isinstance(shrunk, Undecided):
        outcome = find(problem, **asked.how) if shrunk is None else shrunk
        print_outcome(outcome, output)
        sys.exit(exit_code(outcome))
    before, after = len(known_places(problem)), len(known_places(shrunk.problem))
    rle = f"{shrunk.pattern.to_rle()}\n"
    if not output.as_json:
        output.write(rle)
    first, what = ("yes, an orphan", "that this is an orphan")
    if problem.steps > 1:
        first, what = ("yes, without ancestors", "that it has no such ancestor")
    if isinstance(shrunk.claim, Forced):
        first, what = ("yes, it forces itself", "that it forces itself")
    output.say(f"{first}: {after} of its {before} cells are needed, and none of them can go")
    if not asked.proof.prove:
        if output.as_json:
            output.write_json({"answer": "core", "cells": after, "rle": rle})
        sys.exit(endings.FOUND)
    outcome = _certify(shrunk.problem, shrunk.claim, asked, signals, shrunk)
    _finish(outcome, output, what)


def _certify(
    problem: Problem,
    claim: Claim,
    asked: Asked,
    signals: Stopping,
    shrunk: Shrunk | None = None,
) -> Outcome:
    stop = Stop()
    signals.hand_to(stop.ask)
    with asked.reporting() as report:
        proving = Proving(
            options=_options(asked.how),
            cubes=asked.proof.cubes or 0,
            most_bytes=int(asked.proof.proof_size or MOST_BYTES),
            command=command_line(),
            extra={"steps.json": shrunk.encode_steps()} if shrunk else {},
            on_stage=report.stage,
            stop=stop,
        )
        return certify(problem, claim, asked.proof.folder, proving)


def _options(how: dict[str, Any], wanted: str = "--prove") -> Options:
    return Options(**sat_keywords(how, wanted))


def _finish(outcome: Outcome, output: Output, what: str) -> NoReturn:
    """Report the certificate of findings that were printed before, and exit."""
    if isinstance(outcome, Found):
        raise InternalError(f"the search has shown {what}, but its proof fails")
    if isinstance(outcome, Undecided):
        if output.as_json:
            output.write_json({"answer": "certificate", "folder": None, "reason": outcome.reason})
        output.say(f"no certificate ({outcome.reason}); the search itself has shown {what}")
        sys.exit(endings.UNDECIDED)
    if output.as_json:
        output.write_json({"answer": "certificate", "folder": str(outcome.certificate)})
    output.say(outcome.reason)
    sys.exit(endings.FOUND)
